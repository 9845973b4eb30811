import type { Payment } from '@brightpane/contract/office/payments';
import { OFFICE_ENDPOINTS } from '@brightpane/contract/office-endpoints';
import { toDollars } from '@brightpane/contract/wire';
import { sumCents } from '@brightpane/money/cents';
import { useWorkOrderNames } from '../../lib/me/work-order-names.ts';
import { formatInstant, timesWords, zoneCity } from '../../lib/times.ts';
import { EmailText } from '../../ui/facts/email-text.tsx';
import { Notes } from '../../ui/facts/notes.tsx';
import { OfficeLink } from '../../ui/facts/office-link.tsx';
import { Timeline } from '../../ui/facts/timeline.tsx';
import { Dollars, usd } from '../../ui/fields/dollars.tsx';
import { inCents } from '../../ui/fields/in-cents.ts';
import { OfficeTitle } from '../../ui/frame/office-title.tsx';
import { useBackKey } from '../../ui/frame/use-back-key.ts';
import { PaymentStateBadge } from '../../ui/payment/payment-state.tsx';
import { RefundsPart } from '../../ui/refund/refunds-part.tsx';
import { MailList } from './mail-list.tsx';
import { PaymentActs } from './payment-acts.tsx';
import { ShareCards } from './share-cards.tsx';
import { WhatWasPaid } from './what-was-paid.tsx';

/** **Payment of $123.25**: what it paid, how it ended, and notes about it. */
export function PaymentScreen({ payment }: { payment: Payment }) {
  const { paymentId, shares, state, payer, mails, notes, others } = payment;
  const [first] = shares;
  const zone = first?.timeZone ?? 'UTC';
  const nameOf = useWorkOrderNames(shares);
  useBackKey('/payments');
  const total = toDollars(sumCents(shares.map(({ amount }) => inCents(amount))));
  return (
    <div className="screen payment">
      <div className="screen-head">
        <OfficeTitle title={`Payment of ${usd(total)}`} />
        <PaymentActs payment={payment} />
      </div>
      <p className="list-status">{timesWords(zone)}</p>
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <PaymentStateBadge state={state} />
          {shares.map(({ chargeId, franchiseId, franchiseName, timeZone, words }) => (
            <p key={`${chargeId}/${franchiseId}`}>
              {shares.length > 1 && (
                <strong>
                  {franchiseName}
                  {timeZone !== zone && ` (times: ${zoneCity(timeZone)})`}:{' '}
                </strong>
              )}
              {words}
            </p>
          ))}
        </dd>
        <dt>Time</dt>
        <dd>
          <time dateTime={payment.decidedAt ?? payment.startedAt}>
            {formatInstant(payment.decidedAt ?? payment.startedAt, zone)}
          </time>
        </dd>
        <dt>Method</dt>
        <dd>{first?.method ? `${first.method} ${first.maskedCard ?? ''}` : 'Card'}</dd>
        <dt>Customer</dt>
        <dd>{customersOf(payment).join(', ')}</dd>
        <dt>Payer</dt>
        <dd>
          {payer.name ?? (payment.kind === 'guest' ? 'Guest' : 'Account')}
          {payer.email && (
            <>
              , <EmailText email={payer.email} />
            </>
          )}
        </dd>
      </dl>
      <WhatWasPaid shares={shares} />
      {(payment.refunds.length > 0 || payment.refundable.length > 0) && (
        <RefundsPart refunds={payment.refunds} nameOf={nameOf} />
      )}
      <ShareCards shares={shares} />
      <Timeline events={payment.timeline} zone={zone} />
      <MailList mails={mails} zone={zone} />
      <Notes notes={notes} zone={zone} call={OFFICE_ENDPOINTS.addPaymentNote} params={{ paymentId }} />
      <section className="card panel" aria-labelledby="others">
        <h2 id="others">Other payments of these work orders</h2>
        {others.length === 0 ? (
          <p className="quiet">There are none.</p>
        ) : (
          <ul className="history">
            {others.map((other) => (
              <li key={other.paymentId}>
                <OfficeLink to={`/payments/${other.paymentId}`}>
                  {formatInstant(other.at, zone)}, <Dollars amount={other.amount} />
                </OfficeLink>{' '}
                <PaymentStateBadge state={other.state} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

/** Usually one customer, but someone who manages several may pay for them together. */
const customersOf = ({ shares }: Payment) => [
  ...new Set(shares.flatMap(({ lines }) => lines.map(({ customerName }) => customerName))),
];
