import { PageTitle } from '@brightpane/ui/page/page-title.tsx';
import { Money } from '@brightpane/ui/words/money.tsx';
import { Children, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { GuestReceipt } from './guest-receipt.ts';

/** What was paid and to whom, where the receipt goes, and one next step. */
export function SuccessScreen({
  receipt,
  isAsking = false,
  isSignedIn = false,
  isAccountMade = false,
  children,
}: {
  receipt: GuestReceipt | null;
  /** Whether the offer is still loading. */
  isAsking?: boolean;
  isSignedIn?: boolean;
  /** Whether this tab has made an account. Signing up once more would drop the location that waits for it. */
  isAccountMade?: boolean;
  /** The offer; by default signing up. */
  children?: ReactNode;
}) {
  const hasOffer = Children.toArray(children).length > 0;
  const isGuestAlone = !isAsking && !isSignedIn && !hasOffer;
  const mayPromote = isGuestAlone && !isAccountMade;
  return (
    <div className="success">
      <svg className="success-mark" viewBox="0 0 48 48" width="56" height="56" aria-hidden="true">
        <circle cx="24" cy="24" r="24" />
        <path d="m14 25 7 7 14-15" />
      </svg>
      <PageTitle title="Payment success" />
      <p role="status">Thanks for paying your invoice.</p>
      {receipt && (
        <dl className="panel success-facts" data-sentry-block>
          <div className="success-amount">
            <dt>Amount paid</dt>
            <dd>
              <Money cents={receipt.amountCents} />
            </dd>
          </div>
          <div>
            <dt>Paid to</dt>
            <dd>{receipt.franchiseName}</dd>
          </div>
          <div>
            <dt>Work order</dt>
            <dd>{receipt.workOrderNumber}</dd>
          </div>
          {receipt.card && (
            <div>
              <dt>Card</dt>
              <dd>{receipt.card}</dd>
            </div>
          )}
          <div>
            <dt>Reference</dt>
            <dd className="figures">{receipt.reference}</dd>
          </div>
          <div>
            <dt>Receipt</dt>
            <dd>
              {receipt.receiptEmail
                ? `Your receipt goes to ${receipt.receiptEmail}`
                : 'None; print this page to keep one'}
            </dd>
          </div>
        </dl>
      )}
      {children}
      {isGuestAlone && isAccountMade && (
        <p className="no-print">
          Your account is made. Check your inbox and confirm your address, then sign in.
        </p>
      )}
      {mayPromote && (
        <p className="quiet no-print">
          With a free account you see all your invoices and pay them with a saved card.
        </p>
      )}
      {/* Below the offer, so it waits for the offer rather than move under a finger. */}
      {!isAsking && (
        <div className="button-row">
          {mayPromote && (
            <Link className="btn btn-primary" to="/register">
              Sign Up
            </Link>
          )}
          {isSignedIn ? (
            <Link className={`btn ${hasOffer ? 'btn-quiet' : 'btn-primary'}`} to="/invoices">
              See your invoices
            </Link>
          ) : (
            <Link className="btn btn-quiet" to="/guest-payment">
              Pay another invoice
            </Link>
          )}
        </div>
      )}
    </div>
  );
}
