function fourDecimals(value: unknown): string {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number.toFixed(4) : '0.0000';
}

/** Line items as answers show them: quantities with four decimals, and a discount rate that nobody sent. */
export function lineItemsView(sent: unknown): Record<string, unknown>[] {
  if (!Array.isArray(sent)) return [];
  return sent.map((item: Record<string, unknown>) => ({
    ...item,
    qty: fourDecimals(item.qty ?? 1),
    discount_rate: fourDecimals(item.discount_rate),
  }));
}
