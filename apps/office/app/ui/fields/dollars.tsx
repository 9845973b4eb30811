import { fromDollars } from '@brightpane/contract/wire';
import { formatUsd, ZERO } from '@brightpane/money/cents';

/** An amount of the wire, with a true minus sign, in figures of one width. */
export function Dollars({ amount }: { amount: number }) {
  return <span className="money">{usd(amount)}</span>;
}

export const usd = (amount: number): string => formatUsd(fromDollars(amount) ?? ZERO).replace('-', '−');
