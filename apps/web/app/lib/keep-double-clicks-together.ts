/** So long and so near, two touches are one double tap. */
const SECOND_TAP_MS = 500;
const SAME_SPOT_PX = 24;

type Down = { target: EventTarget | null; control: Element | null; time: number; x: number; y: number };

/**
 * The second half of a double click belongs to what the first half hit. The page may have moved on between the two:
 * then it would open or press whatever stands there now, such as Log In where Log out was.
 */
export function keepDoubleClicksTogether(page: Document = document): void {
  let first: Down | null = null;
  let last: Down | null = null;

  page.addEventListener(
    'pointerdown',
    ({ target, timeStamp: time, clientX: x, clientY: y }) => {
      const down = { target, control: controlAt(target), time, x, y };
      if (last === null || !isNearby(last, down)) first = down;
      last = down;
    },
    true,
  );

  page.addEventListener(
    'click',
    (event) => {
      // Clicks that labels and keys make are no pointer's.
      if (last === null || first === last || event.target !== last.target) return;
      const isTouch = (event as PointerEvent).pointerType === 'touch';
      if (!(isTouch || event.detail > 1) || first?.control === last.control) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}

function isNearby(before: Down, { time, x, y }: Down): boolean {
  return time - before.time < SECOND_TAP_MS && Math.hypot(x - before.x, y - before.y) < SAME_SPOT_PX;
}

function controlAt(target: EventTarget | null): Element | null {
  const element = target instanceof Element ? target : null;
  return element?.closest('a, button, input, select, textarea, label, summary, dialog') ?? null;
}
