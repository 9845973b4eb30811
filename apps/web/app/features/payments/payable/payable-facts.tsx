import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { Money } from '@brightpane/ui/words/money.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { invoiceStatus } from '../../invoices/invoice-status.ts';
import { PaidSoFar } from '../../invoices/paid-so-far.tsx';
import { PdfLink } from '../../invoices/pdf-link.tsx';
import { StatusBadge } from '../../invoices/status-badge.tsx';
import type { Payable } from './payable.ts';
import type { PayableRowProps } from './payable-rows.ts';

export function SelectInvoice({ payable, line, change }: PayableRowProps) {
  return (
    <label className="select-invoice">
      <span className="visually-hidden">Select work order {payable.invoice.workOrderNumber}</span>
      <input
        type="checkbox"
        className="form-check-input"
        checked={line.isSelected}
        onChange={(event) =>
          change({ type: 'select', keys: [payable.key], isSelected: event.target.checked })
        }
      />
    </label>
  );
}

/** The work order, and a link to the invoice. */
export function PayableWork({ invoice }: { invoice: Invoice }) {
  const { workOrderNumber } = invoice;
  return (
    <div className="payable-work">
      <strong className="figures">{workOrderNumber}</strong>{' '}
      <PdfLink invoice={invoice} aria-label={`PDF of work order ${workOrderNumber}`}>
        PDF
      </PdfLink>
    </div>
  );
}

/** The work that was done, and when. */
export function PayableService({ invoice: { completedDate, services } }: { invoice: Invoice }) {
  return (
    <div className="payable-service quiet">
      {services.join(', ')}
      {services.length > 0 && ' · '}
      {completedDate === null ? 'Upcoming' : formatWireDate(completedDate)}
    </div>
  );
}

/** Where it was done, and which franchise did it. */
export function PayablePlace({ invoice }: { invoice: Invoice }) {
  const { addressLine1, city, state } = invoice;
  return (
    <div className="payable-place" data-sentry-block>
      {[addressLine1, city, state].filter(Boolean).join(', ')}
      <PayableFranchise invoice={invoice} />
    </div>
  );
}

export function PayableFranchise({ invoice: { franchiseName } }: { invoice: Invoice }) {
  return <div className="payable-franchise quiet">{franchiseName}</div>;
}

export function PayableDue({ invoice }: { invoice: Invoice }) {
  return (
    <div className="payable-due">
      <StatusBadge status={invoiceStatus(invoice)} />
      {invoice.dueDate !== null && <span className="figures">{formatWireDate(invoice.dueDate)}</span>}
    </div>
  );
}

export function PayableAmount({ payable }: { payable: Payable }) {
  const { invoice, amounts } = payable;
  return (
    <div className="payable-amount">
      <Money cents={amounts.balanceCents} />
      <PaidSoFar payments={invoice.payments} />
    </div>
  );
}
