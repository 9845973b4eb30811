/** Returns the milliseconds left of a span that starts now, by a monotonic clock. */
export function countDown(milliseconds: number): () => number {
  const start = performance.now();
  return () => milliseconds - (performance.now() - start);
}
