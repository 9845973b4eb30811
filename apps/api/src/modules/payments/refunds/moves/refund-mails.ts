import type { Queryable } from '../../../../db/client.ts';
import { cancelUnsentMailOf } from '../../../../mail/cancel-unsent-mail.queries.ts';
import { refundMadeKey } from '../../../../mail/mail-keys.ts';
import { queueMail } from '../../../../mail/queue-mail.queries.ts';
import { refundEndedMail, refundMadeMail, refundUndoneMail } from '../../../../mail/templates/refunds.ts';
import { sayNotMade, sayRefused } from './ended-words.ts';
import { sayHeldFor } from './held-for.ts';
import { payerBlankAt, type RefundFacts, readRefundFacts } from './refund-facts.queries.ts';
import { type RefundEvent, refundTransitionOf } from './refund-transitions.ts';

type Told = { event: RefundEvent; refundId: string };

/** Queues an event's mail in its own commit. The payer hears only about money, the requester about the rest. */
export async function tellOfRefund(tx: Queryable, told: Told): Promise<void> {
  const { tells } = refundTransitionOf(told.event);
  if (!tells) return;
  const facts = await readRefundFacts(tx, told.refundId);
  if (told.event === 'undo') await cancelUnsentMailOf(tx, [refundMadeKey(told.refundId)]);
  if (tells === 'payer') await tellPayer(tx, told, facts);
  else await tellRequester(tx, told, facts);
}

async function tellPayer(tx: Queryable, { event, refundId }: Told, facts: RefundFacts): Promise<void> {
  const { payerEmail: recipient, paymentId: intentId } = facts;
  if (recipient === null) return;
  const mail = { recipient, intentId, refundId, blankAt: payerBlankAt(intentId) };
  if (event === 'undo')
    return queueMail(tx, { ...mail, kind: 'refund-undone', content: refundUndoneMail(facts) });
  await queueMail(tx, {
    ...mail,
    kind: 'refund-made',
    content: refundMadeMail(facts),
    onceKey: refundMadeKey(refundId),
  });
}

async function tellRequester(tx: Queryable, { event, refundId }: Told, facts: RefundFacts): Promise<void> {
  const { requesterEmail: recipient, paymentId: intentId } = facts;
  if (recipient === null) return;
  const isWithdrawn = refundTransitionOf(event).to === 'withdrawn';
  const content = refundEndedMail({ ...facts, words: wordsOf(event, facts), isWithdrawn });
  await queueMail(tx, { kind: 'refund-ended', recipient, intentId, refundId, content });
}

/** In the words of the console. */
function wordsOf(event: RefundEvent, { providerWords, heldFor }: RefundFacts): string {
  switch (event) {
    case 'refuse':
      return sayRefused(providerWords);
    case 'rule-out':
      return sayNotMade();
    case 'drop':
      return 'Withdrawn. The payment was not collected, so there is nothing to refund.';
    case 'expire':
      return 'Withdrawn. Nobody approved it in time. Nothing was sent.';
    default:
      return sayHeldFor(heldFor);
  }
}
