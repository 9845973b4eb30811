import { fromDollars } from '@brightpane/contract/wire';
import { formatUsd, ZERO } from '@brightpane/money/cents';

/** An amount from the wire, with a true minus sign and tabular figures. */
export function Dollars({ amount }: { amount: number }) {
  return <span className="money">{usd(amount)}</span>;
}

export const usd = (amount: number): string => formatUsd(fromDollars(amount) ?? ZERO).replace('-', '−');
