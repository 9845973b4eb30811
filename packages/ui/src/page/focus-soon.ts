/**
 * Gives the focus in a task of its own. To know what can be focused the browser lays out the page, which is too much
 * beside the work of drawing it. Answers how to take that back.
 */
export function focusSoon(element: () => HTMLElement | null): () => void {
  const timer = setTimeout(() => element()?.focus({ preventScroll: true }));
  return () => clearTimeout(timer);
}
