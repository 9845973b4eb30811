type Rows = { items: readonly { refundId: string }[]; next: string | null };

/**
 * How many of a list's latest rows are new on its first page, wherever they sort: a refund that fits a filter since may
 * be older than those shown. Rows below the last known one were on the next page before, if there was one.
 */
export function countNew(latest: readonly string[], { items, next }: Rows): number {
  const known = new Set(items.map(({ refundId }) => refundId));
  const end = next === null ? -1 : latest.findLastIndex((refundId) => known.has(refundId));
  return latest.slice(0, end === -1 ? undefined : end).filter((refundId) => !known.has(refundId)).length;
}
