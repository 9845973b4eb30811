import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { toDollars } from '@brightpane/contract/wire';
import { sumCents } from '@brightpane/money/cents';
import { Dialog } from '@brightpane/ui/page/dialog.tsx';
import { useState } from 'react';
import { useRight } from '../../lib/me/use-me.ts';
import { useWorkOrderNames } from '../../lib/me/work-order-names.ts';
import { formatDay, timesWords } from '../../lib/times.ts';
import { InvoiceStatusBadge } from '../../ui/facts/invoice-status.tsx';
import { Notes } from '../../ui/facts/notes.tsx';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { Dollars } from '../../ui/fields/dollars.tsx';
import { inCents } from '../../ui/fields/in-cents.ts';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import { useBackKey } from '../../ui/frame/use-back-key.ts';
import { PaymentsPart } from '../../ui/payment/payments-part.tsx';
import { RefundsPart } from '../../ui/refund/refunds-part.tsx';
import { QrCode } from '../auth/factors/qr-code.tsx';
import { InvoiceHistory } from './invoice-history.tsx';
import { MorePayments } from './more-payments.tsx';
import { RefundOverpayment } from './refund-overpayment.tsx';

/** **Work order 1042**: an invoice, its document and its history. */
export function WorkOrderScreen({ invoice }: { invoice: OfficeInvoice }) {
  const { franchiseId, workOrderNumber, qr } = invoice;
  const [isQrOpen, setIsQrOpen] = useState(false);
  const mayRefund = useRight('refund');
  // A refund of a charge that offices share may be of another's work orders too.
  const nameOf = useWorkOrderNames([invoice, ...invoice.refunds.flatMap(({ lines }) => lines)]);
  useBackKey('/invoices');
  const title = `Work order ${workOrderNumber}`;
  return (
    <div className="screen">
      <div className="screen-head">
        <OfficeTitle title={title} />
        <div className="screen-actions foot-bar">
          {mayRefund && invoice.overpaid > 0 && <RefundOverpayment invoice={invoice} />}
          <button type="button" className="btn btn-outline" onClick={() => setIsQrOpen(true)}>
            Show QR code
          </button>
          <a className="btn btn-primary" href={invoice.pdfLink} target="_blank" rel="noreferrer">
            Open PDF
          </a>
        </div>
      </div>
      <p className="list-status">{timesWords(invoice.timeZone)}</p>
      <div className="screen-columns">
        <section className="card panel" aria-label="Facts">
          <InvoiceFacts invoice={invoice} />
        </section>
        <a className="invoice-image" href={invoice.pdfLink} target="_blank" rel="noreferrer">
          <img
            // A page reuses an image of the same address, and the link of a changed invoice may be the same.
            src={`${invoice.pngLink}&version=${invoice.version}`}
            width={608}
            height={392}
            alt={`The invoice of work order ${workOrderNumber}`}
          />
        </a>
      </div>
      <PaymentsPart payments={invoice.payments}>
        <MorePayments invoice={invoice} />
      </PaymentsPart>
      <RefundsPart refunds={invoice.refunds} nameOf={nameOf} />
      <InvoiceHistory history={invoice.history} zone={invoice.timeZone} />
      <Notes
        notes={invoice.notes}
        zone={invoice.timeZone}
        call={OFFICE_ENDPOINTS.noteInvoice}
        params={{ franchiseId, workOrderNumber }}
      />
      <Dialog title="QR code" isOpen={isQrOpen} onClose={() => setIsQrOpen(false)}>
        <p>It opens the invoice where the customer pays.</p>
        <QrCode size={qr.size} path={qr.path} label={`QR code of work order ${workOrderNumber}`} />
        <p className="quiet break-anywhere">{qr.url}</p>
        <button type="button" className="btn btn-outline" onClick={() => setIsQrOpen(false)}>
          Close
        </button>
      </Dialog>
    </div>
  );
}

function InvoiceFacts({ invoice }: { invoice: OfficeInvoice }) {
  const { customer, franchiseId, location, dueDate, completedDate, credited = 0 } = invoice;
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd>
        <InvoiceStatusBadge status={invoice.status} />
      </dd>
      <dt>Customer</dt>
      <dd>
        <OfficeLink to={`/customers/${franchiseId}/${customer.customerNumber}`}>{customer.name}</OfficeLink>,
        number {customer.customerNumber}
      </dd>
      <dt>Location</dt>
      <dd>
        {[location.description, location.addressLine1, location.city, `${location.state} ${location.zipCode}`]
          .filter((part) => part.trim() !== '')
          .join(', ')}
      </dd>
      <dt>Franchise</dt>
      <dd>
        {invoice.franchiseName}, {franchiseId}
      </dd>
      <dt>Services</dt>
      <dd>{invoice.service}</dd>
      <dt>Completed</dt>
      <dd>{completedDate === null ? 'Upcoming' : formatDay(completedDate)}</dd>
      <dt>Due</dt>
      <dd>{dueDate === null ? 'Pending' : formatDay(dueDate)}</dd>
      <dt>Amount</dt>
      <dd>
        <Dollars amount={invoice.amount} />, with <Dollars amount={invoice.tax} /> of sales tax
      </dd>
      {credited > 0 && (
        <>
          <dt>Credited</dt>
          <dd>
            <Dollars amount={credited} /> (your file says{' '}
            <Dollars amount={toDollars(sumCents([invoice.amount, credited].map(inCents)))} />)
          </dd>
        </>
      )}
      <dt>Paid by card</dt>
      <dd>
        <Dollars amount={invoice.paid} />
      </dd>
      <dt>Paid to the office</dt>
      <dd>
        <Dollars amount={invoice.paidElsewhere} />
      </dd>
      <dt>Balance</dt>
      <dd>
        <strong>
          <Dollars amount={invoice.balance} />
        </strong>
      </dd>
      {invoice.overpaid > 0 && (
        <>
          <dt>Overpaid</dt>
          <dd>
            <Dollars amount={invoice.overpaid} />
          </dd>
        </>
      )}
    </dl>
  );
}
