import { type Cents, sumCents } from '@brightpane/money/cents';
import { Money } from '@brightpane/ui/words/money.tsx';

/** The sum of all unpaid invoices. */
export function OutstandingBalance({ balances }: { balances: readonly Cents[] }) {
  return (
    <p className="outstanding">
      <span>Outstanding balance</span>
      <Money cents={sumCents(balances)} />
    </p>
  );
}
