import type { RefundPage } from '@brightpane/contract/office/refunds';
import { REFUND_REASON_WORDS } from '@brightpane/contract/office/words/refund-reasons';
import { formatInstant, timesWords } from '../../lib/times.ts';
import { ByText } from '../../ui/facts/by-text.tsx';
import { EmailText } from '../../ui/facts/email-text.tsx';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { Timeline } from '../../ui/facts/timeline.tsx';
import { usd } from '../../ui/fields/dollars.tsx';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import { useBackKey } from '../../ui/frame/use-back-key.ts';
import { Candidates } from './candidates.tsx';
import { RefundActs } from './refund-acts.tsx';
import { RefundParts } from './refund-parts.tsx';

/** **Refund of $54.13**: its parts, its history, and what can be done about it. */
export function RefundScreen({ refund }: { refund: RefundPage }) {
  const { amount, timeZone, state, timeline } = refund;
  useBackKey('/refunds');
  return (
    <div className="screen refund">
      <div className="screen-head">
        <OfficeTitle title={`Refund of ${usd(amount)}`} />
        <RefundActs refund={refund} />
      </div>
      <p className="list-status">{timesWords(timeZone)}</p>
      <RefundFacts refund={refund} />
      {state === 'held' && <Candidates refund={refund} />}
      <RefundParts {...refund} />
      <Timeline events={timeline} zone={timeZone} />
    </div>
  );
}

/** A refund that was made or withdrawn must not be sent again. */
const OVER = ['made', 'withdrawn'];

/** The payer will hear of it if it is made. Later the timeline says which mail went where. */
const MAY_BE_MADE = ['requested', 'waiting', 'sending', 'unknown', 'held'];

function sendAgainWords({ safeToSendAgain, state }: RefundPage): string {
  if (!safeToSendAgain) return 'Do not send it again.';
  return state === 'refused'
    ? 'It is safe to send again, but may be refused again.'
    : 'It is safe to send again.';
}

function WaitsForAnother({ refundId }: { refundId: string }) {
  return (
    <p>
      If <OfficeLink to={`/refunds/${refundId}`}>the other refund</OfficeLink> comes to nothing, this one is
      sent by itself. If it is made, this one is sent only if it makes nothing due; otherwise a person
      decides.
    </p>
  );
}

type Requested = NonNullable<RefundPage['requested']>;

/** One request covers a payment's charges, and one approval all of its refunds. */
function Together({ refund, requested }: { refund: RefundPage; requested: Requested }) {
  const others = requested.refunds.filter(({ refundId }) => refundId !== refund.refundId);
  return (
    <>
      {requested.refunds.length} refunds, {usd(requested.amount)} in all
      <div>{usd(refund.amount)}: this refund</div>
      {others.map(({ refundId, amount, words }) => (
        <div key={refundId}>
          <OfficeLink to={`/refunds/${refundId}`}>{usd(amount)}</OfficeLink>: {words}
        </div>
      ))}
    </>
  );
}

const METHODS = { void: 'Void of the whole charge', refund: 'Refund' };

function RefundFacts({ refund }: { refund: RefundPage }) {
  const { paymentId, card, timeZone, note, approvedBy, approvedAt, method, reference, retryOf, requested } =
    refund;
  return (
    <dl className="facts">
      <dt>State</dt>
      <dd>
        <strong>{refund.words}</strong>
        {refund.isClosed && <p>Closed: it needs nobody any more.</p>}
        {refund.waitsForRefundId && <WaitsForAnother refundId={refund.waitsForRefundId} />}
      </dd>
      {!OVER.includes(refund.state) && (
        <>
          <dt>Send again</dt>
          <dd>{sendAgainWords(refund)}</dd>
        </>
      )}
      <dt>Payment</dt>
      <dd>
        <OfficeLink to={`/payments/${paymentId}`}>
          {card === null ? 'Open the payment' : `${card.brand} ${card.lastFour}`}
        </OfficeLink>
      </dd>
      <dt>Customer</dt>
      <dd>
        <OfficeLink to={`/customers/${refund.lines[0]?.franchiseId}/${refund.customer.customerNumber}`}>
          {refund.customer.name}
        </OfficeLink>
      </dd>
      <dt>Reason</dt>
      <dd>
        {REFUND_REASON_WORDS[refund.reason]}
        {note !== null && <p className="note-text">{note}</p>}
      </dd>
      <dt>Requested</dt>
      <dd>
        <ByText by={refund.requestedBy} />, {formatInstant(refund.requestedAt, timeZone)}
      </dd>
      {requested && requested.refunds.length > 1 && (
        <>
          <dt>Together</dt>
          <dd>
            <Together refund={refund} requested={requested} />
          </dd>
        </>
      )}
      {approvedAt !== null && (
        <>
          <dt>Approved</dt>
          <dd>
            {approvedBy && <ByText by={approvedBy} />}, {formatInstant(approvedAt, timeZone)}
          </dd>
        </>
      )}
      {method !== null && (
        <>
          <dt>Method</dt>
          <dd>{METHODS[method]}</dd>
        </>
      )}
      {reference !== null && (
        <>
          <dt>Reference</dt>
          <dd>{reference}</dd>
        </>
      )}
      {retryOf !== null && (
        <>
          <dt>Sent again</dt>
          <dd>
            <OfficeLink to={`/refunds/${retryOf}`}>In place of one that came to nothing</OfficeLink>
          </dd>
        </>
      )}
      {MAY_BE_MADE.includes(refund.state) && (
        <>
          <dt>Mail</dt>
          <dd>
            {refund.payerEmail === null ? (
              'No address of the payer is known: nobody is told by mail.'
            ) : (
              <>
                To <EmailText email={refund.payerEmail} />, once the provider’s record shows it
              </>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}
