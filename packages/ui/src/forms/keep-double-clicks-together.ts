/** Two touches within this time and distance are a double tap. */
const SECOND_TAP_MILLISECONDS = 500;
const SAME_SPOT_PX = 24;

type Down = { control: Element | null; time: number; x: number; y: number };

/**
 * Keeps a tap, and the second half of a double click, on the control that was hit first. The page may have changed
 * in between, and the click would otherwise press what stands there now, such as Log In where Log out was.
 */
export function keepDoubleClicksTogether(page: Document = document): void {
  let first: Down | null = null;
  let last: Down | null = null;

  page.addEventListener(
    'pointerdown',
    ({ target, timeStamp: time, clientX: x, clientY: y }) => {
      const down = { control: controlAt(target), time, x, y };
      if (last === null || !isNearby(last, down)) first = down;
      last = down;
    },
    true,
  );

  page.addEventListener(
    'click',
    (event) => {
      const isTouch = (event as PointerEvent).pointerType === 'touch';
      // A mouse's single click lands where it went down, and a key's click has no pointer.
      if (first === null || !(isTouch || event.detail > 1)) return;
      // A touch right beside a control counts as meant for it.
      if (first === last && first.control === null) return;
      const control = controlAt(event.target);
      if (control === first.control || isNamedBy(first.control, control)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}

/** A label forwards its click to its field. */
function isNamedBy(label: Element | null, field: Element | null): boolean {
  return label instanceof HTMLLabelElement && label.control === field;
}

function isNearby(before: Down, { time, x, y }: Down): boolean {
  return (
    time - before.time < SECOND_TAP_MILLISECONDS && Math.hypot(x - before.x, y - before.y) < SAME_SPOT_PX
  );
}

function controlAt(target: EventTarget | null): Element | null {
  const element = target instanceof Element ? target : null;
  return element?.closest('a, button, input, select, textarea, label, summary, dialog') ?? null;
}
