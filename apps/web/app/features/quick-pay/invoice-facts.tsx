import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { Badge } from '@brightpane/ui/page/badge.tsx';
import { focusSoon } from '@brightpane/ui/page/focus-soon';
import { Money } from '@brightpane/ui/words/money.tsx';
import { formatWireDate } from '@brightpane/ui/words/wire-date';
import { useEffect, useRef } from 'react';
import { invoiceStatus } from '../invoices/invoice-status.ts';
import { centsOf } from '../invoices/open-amounts.ts';
import { StatusBadge } from '../invoices/status-badge.tsx';

/** Who billed what, how much and when it is due. It takes the focus, since people searched for it. */
export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusSoon(() => heading.current), []);
  const isPaid = invoice.balanceDue <= 0;
  const { franchisePhone, completedDate, dueDate } = invoice;
  const tel = franchisePhone && dialable(franchisePhone);

  return (
    <section className="panel facts" aria-labelledby="invoice-heading">
      <div className="facts-head">
        <div>
          <h2 id="invoice-heading" ref={heading} tabIndex={-1}>
            Work Order {invoice.workOrderNumber}
          </h2>
          <p className="facts-from">
            {invoice.franchiseName}
            {franchisePhone && (
              <>
                {' · '}
                {tel ? <a href={`tel:${tel}`}>{franchisePhone}</a> : franchisePhone}
              </>
            )}
          </p>
        </div>
        <div className="facts-amount">
          {isPaid ? <Badge tone="success">Paid</Badge> : <StatusBadge status={invoiceStatus(invoice)} />}
          <Money cents={centsOf(isPaid ? invoice.amount : invoice.balanceDue)} />
          <span className="quiet">{isPaid ? 'Invoice total' : 'Amount due'}</span>
        </div>
      </div>
      <dl className="facts-list">
        <div>
          <dt>Service address</dt>
          <dd data-sentry-block>
            {[invoice.addressLine1, invoice.city, invoice.state].filter(Boolean).join(', ')}
          </dd>
        </div>
        {invoice.services.length > 0 && (
          <div>
            <dt>Service</dt>
            <dd>{invoice.services.join(', ')}</dd>
          </div>
        )}
        <div>
          <dt>Completed</dt>
          <dd>{completedDate ? formatWireDate(completedDate) : 'Upcoming'}</dd>
        </div>
        {!isPaid && dueDate && (
          <div>
            <dt>Due date</dt>
            <dd>{formatWireDate(dueDate)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/**
 * What a link dials for a phone number as an office typed it; `null` if the text is more than one number: letters and
 * extensions would be left out, and two numbers would become one.
 */
function dialable(phone: string): string | null {
  const number = phone.replace(/[\s().-]/g, '');
  return /^(\+\d{7,15}|\d{7,12})$/.test(number) ? number : null;
}
