import { formatUsd } from '@brightpane/money/cents';
import { inCents } from './in-cents.ts';

/** An amount from the wire, with a true minus sign and tabular figures. */
export function Dollars({ amount }: { amount: number }) {
  return <span className="money">{usd(amount)}</span>;
}

export const usd = (amount: number): string => formatUsd(inCents(amount)).replace('-', '−');
