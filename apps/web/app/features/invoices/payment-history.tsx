import type { Payment } from '@brightpane/contract/invoices';
import { Card } from '../../ui/card.tsx';
import { Money } from '../../ui/money.tsx';
import { centsOf } from './open-amounts.ts';
import { PaymentAdditions } from './payment-additions.tsx';
import { formatWireDate } from './wire-date.ts';

/** What has been paid on an invoice so far. */
export function PaymentHistory({ payments }: { payments: Payment[] }) {
  return (
    <Card title="Payment history">
      {payments.length === 0 ? (
        <p className="quiet">No payments yet.</p>
      ) : (
        <table className="history">
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
