import type { Invoice, Payment } from '@brightpane/contract/invoices/invoices';
import { Card } from '@brightpane/ui/page/card.tsx';
import { Money } from '@brightpane/ui/words/money.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { memo } from 'react';
import { centsOf } from './open-amounts.ts';
import { PaymentAdditions } from './payment-additions.tsx';
import { PdfLink } from './pdf-link.tsx';

/** What was paid at a location: one row per payment, each with its invoice as a PDF. */
export const PaidInvoices = memo(function PaidInvoices({ invoices }: { invoices: Invoice[] }) {
  return (
    <Card title="Payment history">
      {invoices.length === 0 ? (
        <p className="quiet">Paid invoices will be listed here.</p>
      ) : (
        <table className="history history-brief paid-invoices">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Work order and type</th>
              <th scope="col">Amount</th>
            </tr>
          </thead>
          <tbody>{invoices.flatMap(rowsOf)}</tbody>
        </table>
      )}
    </Card>
  );
});

function rowsOf(invoice: Invoice) {
  const { payments, documentId } = invoice;
  // A zero invoice was never paid, but people still need its document.
  if (payments.length === 0) return [<PaidRow key={documentId} invoice={invoice} />];
  return payments.map((payment) => (
    <PaidRow key={payment.paymentDetailId} invoice={invoice} payment={payment} />
  ));
}

function PaidRow({ invoice, payment }: { invoice: Invoice; payment?: Payment }) {
  const { workOrderNumber } = invoice;
  return (
    <tr>
      <td>{payment && formatWireDate(payment.paymentDate)}</td>
      <td>
        <span className="figures">{workOrderNumber}</span>{' '}
        <PdfLink invoice={invoice} aria-label={`PDF of work order ${workOrderNumber}`}>
          PDF
        </PdfLink>
        <div className="quiet">{payment?.type.description ?? 'Nothing to pay'}</div>
        {payment && <PaymentAdditions payment={payment} />}
      </td>
      <td className="sum">{payment && <Money cents={centsOf(payment.amount)} />}</td>
    </tr>
  );
}
