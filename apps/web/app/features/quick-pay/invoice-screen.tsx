import type { Invoice } from '@brightpane/contract/invoices/invoices';
import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { readPaidState } from '../../lib/session/paid-state.ts';
import { type RenewLinks, RenewLinksContext } from '../invoices/fresh-links.ts';
import { InvoiceDocument } from '../invoices/invoice-document.tsx';
import { PaymentHistory } from '../invoices/payment-history.tsx';
import { readReceipt } from './guest-receipt.ts';
import { InvoiceFacts } from './invoice-facts.tsx';
import { SignUpPromo } from './sign-up-promo.tsx';

/** `/guest-payment` with an invoice: facts on one side, the payment on the other; on a phone in reading order. */
export function InvoiceScreen({
  invoice,
  renewLinks,
  children,
}: {
  invoice: Invoice;
  renewLinks: RenewLinks;
  children: ReactNode;
}) {
  const isPaid = invoice.balanceDue <= 0;
  return (
    <div className="quick-pay">
      <div className="quick-pay-facts">
        <Link className="back-link no-print" to="/guest-payment">
          Back to search
        </Link>
        <PageTitle title="Pay Invoice" />
        <InvoiceFacts invoice={invoice} />
      </div>
      <div className="quick-pay-main">
        {isPaid && (
          <div className="notice notice-success" role="status">
            <strong className="notice-title">This invoice is already paid.</strong>
            There is nothing left to pay on work order {invoice.workOrderNumber}.
            {isPaidInThisTab(invoice) && (
              <>
                {' '}
                <Link to="/guest-payment/success">See your payment</Link>
              </>
            )}
          </div>
        )}
        {children}
        {isPaid && <PaymentHistory payments={invoice.payments} isPaid />}
      </div>
      <div className="quick-pay-side">
        <RenewLinksContext value={renewLinks}>
          <InvoiceDocument key={`${invoice.pngLink} ${invoice.version}`} invoice={invoice} />
        </RenewLinksContext>
        {!isPaid && <PaymentHistory payments={invoice.payments} isPaid={false} />}
        <SignUpPromo />
      </div>
    </div>
  );
}

/** Its payer comes back, or was led back because the page after the payment did not load, as during an update. */
function isPaidInThisTab({ workOrderNumber, franchiseName }: Invoice): boolean {
  const receipt = readReceipt(readPaidState());
  return receipt?.workOrderNumber === workOrderNumber && receipt.franchiseName === franchiseName;
}
