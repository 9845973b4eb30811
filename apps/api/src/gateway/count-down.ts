/** Milliseconds that are left of a span that starts now, by a clock that nobody sets back. */
export function countDown(milliseconds: number): () => number {
  const start = performance.now();
  return () => milliseconds - (performance.now() - start);
}
