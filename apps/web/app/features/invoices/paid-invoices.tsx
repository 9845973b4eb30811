import type { Invoice } from '@brightpane/contract/invoices';
import { Card } from '../../ui/card.tsx';
import { Money } from '../../ui/money.tsx';
import { centsOf } from './open-amounts.ts';
import { formatWireDate } from './wire-date.ts';

/** What has been paid at a location, payment by payment, each with its invoice as a PDF. */
export function PaidInvoices({ invoices }: { invoices: Invoice[] }) {
  return (
    <Card title="Payment history">
      {invoices.length === 0 ? (
        <p className="quiet">Paid invoices will be listed here.</p>
      ) : (
        <table className="history paid-invoices">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Work order</th>
              <th scope="col">Type</th>
              <th scope="col">Amount</th>
              <th scope="col">Document</th>
            </tr>
          </thead>
          <tbody>{invoices.flatMap(rowsOf)}</tbody>
        </table>
      )}
    </Card>
  );
}

function rowsOf(invoice: Invoice) {
  const { workOrderNumber, payments, pdfLink, documentId } = invoice;
  const link = (
    <a href={pdfLink} target="_blank" rel="noreferrer" aria-label={`PDF of work order ${workOrderNumber}`}>
      PDF
    </a>
  );
  if (payments.length === 0) {
    return (
      <tr key={documentId}>
        <td>Nothing to pay</td>
        <td className="figures">{workOrderNumber}</td>
        <td />
        <td />
        <td>{link}</td>
      </tr>
    );
  }
  return payments.map((payment) => (
    <tr key={payment.paymentDetailId}>
      <td className="figures">{formatWireDate(payment.paymentDate)}</td>
      <td className="figures">{workOrderNumber}</td>
      <td>{payment.type.description}</td>
      <td className="sum">
        <Money cents={centsOf(payment.amount)} />
      </td>
      <td>{link}</td>
    </tr>
  ));
}
