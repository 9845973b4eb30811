/**
 * Focuses in a task of its own, because focusing forces a layout, which is too slow during a render.
 * Returns a function that cancels it.
 */
export function focusSoon(element: () => HTMLElement | null): () => void {
  const timer = setTimeout(() => element()?.focus({ preventScroll: true }));
  return () => clearTimeout(timer);
}

/** What had the focus may be gone, as a button whose act was done: then the screen's title takes it. */
export const focusTitleIfLost = (): (() => void) =>
  focusSoon(() =>
    document.activeElement === document.body ? document.querySelector<HTMLElement>('main h1') : null,
  );
