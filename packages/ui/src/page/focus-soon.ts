/**
 * Focuses in a task of its own, because focusing forces a layout, which is too slow during a render.
 * Returns a function that cancels it.
 */
export function focusSoon(element: () => HTMLElement | null): () => void {
  const timer = setTimeout(() => element()?.focus({ preventScroll: true }));
  return () => clearTimeout(timer);
}
