import { cents } from '@brightpane/money/cents';
import { expect, test } from 'vitest';
import { refundProblem } from './refunds.problems.ts';

const OF = { workOrderNumber: 1001 };

/** What staff read of each refusal, and what programs go by. */
const REFUSALS: [
  refused: Record<string, unknown> & { code: string },
  status: number,
  code: string,
  sentence: string,
][] = [
  [
    { code: 'idempotency-key-missing' },
    400,
    'IdempotencyKeyMissing',
    'Please send an Idempotency-Key with this refund.',
  ],
  [
    { code: 'repeated-work-order', ...OF },
    400,
    'RepeatedWorkOrder',
    'Work order 1001 is in this refund twice.',
  ],
  [
    { code: 'nothing-chosen', ...OF },
    400,
    'NothingChosen',
    'Please choose an amount or a tip for work order 1001.',
  ],
  [
    { code: 'effect-missing', ...OF },
    400,
    'EffectMissing',
    'Please say whether work order 1001 is due again or credited.',
  ],
  [
    { code: 'not-collected-yet' },
    409,
    'NotCollected',
    'The portal has not collected this payment yet, so nothing can be adopted. Decide once it has, or withdraw the refund.',
  ],
  [{ code: 'note-missing' }, 400, 'NoteMissing', 'Please add a note.'],
  [
    { code: 'transaction-key-missing' },
    400,
    'TransactionKeyMissing',
    'Please name the provider’s transaction.',
  ],
  [{ code: 'not-allowed' }, 403, 'NotAllowed', 'You may not do this.'],
  [{ code: 'own-request' }, 403, 'OwnRequest', 'Somebody else has to approve this refund.'],
  [{ code: 'payment-not-found' }, 404, 'NotFound', 'Payment not found.'],
  [{ code: 'not-in-this-payment', ...OF }, 404, 'NotFound', 'Work order 1001 is not in this payment.'],
  [{ code: 'refund-not-found' }, 404, 'NotFound', 'Refund not found.'],
  [
    { code: 'more-than-left', ...OF, mostCents: cents(5825), field: 'amount' },
    409,
    'MoreThanLeft',
    'At most $58.25 of work order 1001 can still be refunded.',
  ],
  [
    { code: 'more-than-left', ...OF, mostCents: cents(0), field: 'tip' },
    409,
    'MoreThanLeft',
    'At most $0.00 of the tip of work order 1001 can still be refunded.',
  ],
  [
    { code: 'more-than-left', ...OF, mostCents: cents(500), field: 'services' },
    409,
    'MoreThanLeft',
    'At most $5.00 of the services of work order 1001 can still be refunded.',
  ],
  [{ code: 'already-refunded', ...OF }, 409, 'AlreadyRefunded', 'Work order 1001 is fully refunded.'],
  [
    { code: 'under-way', ...OF, underWayCents: cents(10825) },
    409,
    'RefundUnderWay',
    '$108.25 of this payment is being refunded already.',
  ],
  [
    { code: 'refund-held' },
    409,
    'RefundHeld',
    'A refund of this payment waits for a decision. Decide it first.',
  ],
  [
    { code: 'not-collected' },
    409,
    'NotCollected',
    'This payment was not collected. There is nothing to refund.',
  ],
  [{ code: 'disputed' }, 409, 'Disputed', 'This charge is disputed. A refund could pay twice.'],
  [
    { code: 'overpaid-first', ...OF, overpaidCents: cents(2000) },
    409,
    'OverpaidFirst',
    'Work order 1001 is overpaid by $20.00. Return that first; it makes nothing due.',
  ],
  [
    { code: 'overpaid-leaving', ...OF, overpaidCents: cents(2000) },
    409,
    'OverpaidFirst',
    'Work order 1001 is overpaid by $20.00, which is being returned. Wait until that is made.',
  ],
  [
    { code: 'same-again', minutes: 3 },
    409,
    'SameAgain',
    'The same amount was requested 3 minutes ago. Confirm that it goes back a second time.',
  ],
  [{ code: 'not-requested' }, 409, 'NotRequested', 'This refund does not wait for approval.'],
  [{ code: 'too-late' }, 409, 'TooLate', 'This refund is on its way and cannot be withdrawn.'],
  [{ code: 'ended' }, 409, 'Ended', 'This refund has ended.'],
  [{ code: 'still-open' }, 409, 'StillOpen', 'This refund has not ended. Do not send it again.'],
  [{ code: 'sent-again-already' }, 409, 'SentAgainAlready', 'This refund was sent again already.'],
  [{ code: 'not-held' }, 409, 'NotHeld', 'This refund does not wait for a decision.'],
  [
    { code: 'no-such-transaction' },
    409,
    'NoSuchTransaction',
    'The provider shows no such refund of this payment.',
  ],
  [{ code: 'transaction-taken' }, 409, 'TransactionTaken', 'This transaction belongs to another refund.'],
  [
    { code: 'other-amount', theirsCents: cents(5000), oursCents: cents(4871) },
    409,
    'OtherAmount',
    'The provider’s refund is $50.00, this one is $48.71.',
  ],
  [
    { code: 'unclaimed-refund' },
    409,
    'UnclaimedRefund',
    'The provider shows a refund that nobody has claimed. Adopt it or keep asking.',
  ],
  [
    { code: 'too-early', minutes: 16 },
    409,
    'TooEarly',
    'The provider may still show it. Say this again in 16 minutes.',
  ],
  [
    { code: 'records-unclear' },
    409,
    'RecordsUnclear',
    'The provider’s records do not prove this. Nothing was changed.',
  ],
  [{ code: 'busy' }, 409, 'Busy', 'This refund is being worked on. Please try again in a minute.'],
  [
    { code: 'key-reused' },
    422,
    'KeyReused',
    'This refund was begun with other details. Please load the page again.',
  ],
  [
    { code: 'begun-elsewhere' },
    409,
    'BegunElsewhere',
    'This payment was made at another address of the portal, and is not refunded from here. Tell whoever runs the portal.',
  ],
  [
    { code: 'refunds-closed' },
    503,
    'RefundsClosed',
    'Refunds are not possible until the books have been compared with the provider’s list.',
  ],
  [{ code: 'crowded' }, 503, 'Busy', 'We are busy at the moment. Please try again.'],
  [
    { code: 'unconfirmed' },
    503,
    'Unconfirmed',
    'We could not confirm this request. Send it again; it refunds once.',
  ],
];

test.each(REFUSALS)('%j is %i %s: %s', (refused, status, code, sentence) => {
  const { body } = refundProblem(refused as never);
  expect([body.status, body.errors[0]?.code, body.detail]).toEqual([status, code, sentence]);
});
