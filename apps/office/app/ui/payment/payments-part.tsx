import type { PaymentRow } from '@brightpane/contract/office/payments';
import { type ReactNode, useId } from 'react';
import { ListRows } from '../list/list-rows.tsx';
import { PAYMENT_COLUMNS, paymentKey, paymentLink } from './payment-columns.tsx';

/** **Payments**: the newest ones of the page's subject. */
export function PaymentsPart({ payments, children }: { payments: PaymentRow[]; children?: ReactNode }) {
  const id = useId();
  return (
    <section className="screen-part" aria-labelledby={id}>
      <h2 id={id}>Payments</h2>
      {payments.length === 0 ? (
        <p className="quiet">No payments yet.</p>
      ) : (
        <ListRows
          caption="Payments"
          columns={PAYMENT_COLUMNS}
          rows={payments}
          rowKey={paymentKey}
          rowLink={paymentLink}
        />
      )}
      {children}
    </section>
  );
}
