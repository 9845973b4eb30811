import type { Payment } from '@brightpane/contract/invoices/invoices';
import { Card } from '@brightpane/ui/page/card.tsx';
import { Money } from '@brightpane/ui/words/money.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { centsOf } from './open-amounts.ts';
import { PaymentAdditions } from './payment-additions.tsx';

/** What was paid on an invoice so far. */
export function PaymentHistory({
  payments,
  isPaid,
}: {
  payments: Payment[];
  /** Nothing is due; without payments, nothing ever was. */
  isPaid: boolean;
}) {
  return (
    <Card title="Payment history">
      {payments.length === 0 ? (
        <p className="quiet">{isPaid ? 'There was nothing to pay.' : 'No payments yet.'}</p>
      ) : (
        <table className="history history-brief">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Type</th>
              <th scope="col">Amount</th>
            </tr>
          </thead>
          <tbody>
            {payments.map((payment) => (
              <tr key={payment.paymentDetailId}>
                <td className="figures">{formatWireDate(payment.paymentDate)}</td>
                <td>
                  {payment.type.description}
                  <PaymentAdditions payment={payment} />
                </td>
                <td className="sum">
                  <Money cents={centsOf(payment.amount)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
