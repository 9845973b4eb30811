import type { Payment } from '@brightpane/contract/invoices/invoices';
import { toDollars } from '@brightpane/contract/wire';
import { sumCents } from '@brightpane/money/cents';
import { Money } from '@brightpane/ui/words/money.tsx';
import { centsOf } from './open-amounts.ts';
import { PaymentAdditions } from './payment-additions.tsx';

type Amounts = Pick<Payment, 'amount' | 'additionalServiceAmount' | 'tipAmount'>;

/** What was paid on an unpaid invoice; nothing if nothing was. */
export function PaidSoFar({ payments }: { payments: readonly Amounts[] }) {
  const paid = sumPayments(payments);
  if (paid.amount <= 0) return null;
  return (
    <>
      <div className="quiet">
        <Money cents={centsOf(paid.amount)} /> paid so far
      </div>
      <PaymentAdditions payment={paid} />
    </>
  );
}

/** As one payment, less what was refunded. */
export function sumPayments(payments: readonly Amounts[]): Amounts {
  const sumOf = (part: keyof Amounts) =>
    toDollars(sumCents(payments.map((payment) => centsOf(payment[part]))));
  return {
    amount: sumOf('amount'),
    additionalServiceAmount: sumOf('additionalServiceAmount'),
    tipAmount: sumOf('tipAmount'),
  };
}
