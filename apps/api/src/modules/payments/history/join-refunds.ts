import { type Cents, cents } from '@brightpane/money/cents';
import type { LineRow } from './payment-lines.queries.ts';

/** The refunds of a payment's lines, oldest first. A refund of several lines counts once. */
export function joinRefunds(lines: readonly Pick<LineRow, 'refunds' | 'timeZone'>[]) {
  const parts = lines.flatMap(({ refunds, timeZone }) => refunds.map((part) => ({ ...part, timeZone })));
  return [...Map.groupBy(parts, ({ refundId }) => refundId).values()]
    .flatMap((each) => {
      const [first] = each;
      if (!first) return [];
      const amountCents: Cents = cents(each.reduce((sum, part) => sum + part.amountCents, 0));
      return [{ refundedAt: first.refundedAt, timeZone: first.timeZone, amountCents }];
    })
    .toSorted((one, other) => Date.parse(one.refundedAt) - Date.parse(other.refundedAt));
}
