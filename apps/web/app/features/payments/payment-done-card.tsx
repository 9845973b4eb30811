import { Money } from '@brightpane/ui/words/money.tsx';
import { Link } from 'react-router';
import type { PaymentDone } from './pay-invoices.ts';

/** What was paid, and where the receipt goes. The page says where paid invoices are. */
export function PaymentDoneCard({ done, email }: { done: PaymentDone; email: string }) {
  const { amountCents, keys, paidTo, references, sendsReceipt, paymentId } = done;
  const names = new Intl.ListFormat('en-US').format(paidTo);
  return (
    <section className="panel payment-done" aria-label="Your payment">
      <p>
        You paid <Money cents={amountCents} className="strong" /> for{' '}
        {keys.length === 1 ? '1 invoice' : `${keys.length} invoices`} of {names}.
      </p>
      <p className="quiet">
        {references.length === 1 ? 'Reference' : 'References'}{' '}
        <span className="figures">{references.join(', ')}</span>.{' '}
        {sendsReceipt ? `Your receipt goes to ${email}.` : 'You asked for no receipt.'}
      </p>
      {paymentId && (
        <Link className="btn btn-outline" to={`/payments/${paymentId}`}>
          See receipt
        </Link>
      )}
    </section>
  );
}

/** The payment that the previous page made, if it left one of this person in the history state. */
export function readPaymentDone(state: unknown, userId: string): PaymentDone | null {
  const done = (state as { done?: PaymentDone } | null)?.done;
  return done?.userId === userId ? done : null;
}
