import { databaseTrouble } from '../../../db/database-trouble.ts';
import type { Deps } from '../../../deps.ts';
import type { BillingAddress, CardSource } from '../../../gateway/payment-gateway.ts';
import type { Failure, Success } from '../../../http/result.ts';
import type { Refusal } from '../engine/payments.problems.ts';
import type { Press } from './answer-other-press.ts';
import { charge } from './charge.ts';
import { type Basket, type Claimed, claim } from './claim.ts';
import { type PaymentAnswer, type PaymentLimit, refusalAnswer, replayOrWait } from './replay-payment.ts';

export type BasketPayment = {
  basket: Basket;
  billing: BillingAddress;
  /** Asked for once the key is known to be new, so that a replay needs no card any more. */
  openCard: () => Promise<
    Success<CardSource> | Failure<'card-not-found'> | Failure<'card-expired'> | Failure<'card-unreadable'>
  >;
  /** Whether the payer may hear what is due on these invoices; by default they are the payer's own. */
  mayHearBalance?: () => Promise<boolean>;
  /** Looks who is paying, within the limit. */
  admit?: () => Promise<Success<{ isStranger: boolean }> | ({ ok: false } & Refusal)>;
  /** Has its say once the key is known to be new: a repeat is always told again. */
  limit?: PaymentLimit;
};

/**
 * Pays a basket, once per idempotency key: what the key was answered before is answered again. Several baskets may race
 * for one invoice, in several instances; one of them is paid.
 */
export async function payBasket(deps: Deps, payment: BasketPayment): Promise<PaymentAnswer> {
  const answer = await deps.underWay.track(pay(deps, payment));
  deps.metrics.payments.inc({ kind: payment.basket.kind, outcome: outcomeOf(answer) });
  return answer;
}

/** The code that a client goes by, without "NotCharged", which many of them share. */
function outcomeOf({ replayed, body }: PaymentAnswer): string {
  if (replayed) return 'Replayed';
  return 'errors' in body ? (body.errors.at(-1)?.code ?? 'Unknown') : 'Paid';
}

async function pay(deps: Deps, payment: BasketPayment): Promise<PaymentAnswer> {
  try {
    return await replayOrPay(deps, payment);
  } catch (error) {
    const trouble = databaseTrouble(error);
    if (trouble === null) throw error;
    deps.log.warn({ trouble }, 'a payment could not begin');
    return refusalAnswer({ code: trouble === 'locked' ? 'busy' : 'unconfirmed' });
  }
}

async function replayOrPay(deps: Deps, payment: BasketPayment): Promise<PaymentAnswer> {
  const earlier = await replayOrWait(deps, payment.basket.idempotency, pressOf(payment));
  if (earlier) return earlier;
  const attempt = () => admitAndPay(deps, payment);
  return payment.limit ? payment.limit(attempt) : attempt();
}

function pressOf({ basket, mayHearBalance = async () => true }: BasketPayment): Press {
  return { userId: basket.userId, lines: basket.lines, mayHearBalance };
}

async function admitAndPay(deps: Deps, payment: BasketPayment): Promise<PaymentAnswer> {
  if (!payment.admit) return payOrReplay(deps, payment);
  const admitted = await payment.admit();
  if (!admitted.ok) return refusalAnswer(admitted);
  const { isStranger } = admitted.value;
  const answer = await payOrReplay(deps, { ...payment, basket: { ...payment.basket, isStranger } });
  return { ...answer, isStranger };
}

async function payOrReplay(deps: Deps, payment: BasketPayment): Promise<PaymentAnswer> {
  const { basket } = payment;
  for (;;) {
    const card = await payment.openCard();
    if (!card.ok) return refusalAnswer(card);
    deps.crashPoint('01-before-claim');
    const claimed = await claim(deps, basket);
    if (claimed.ok) return chargeClaimed(deps, { payment, claimed, card: card.value });
    if (claimed.refusal) return refusalAnswer(heardBy(basket, claimed.refusal));
    const earlier = await replayOrWait(deps, basket.idempotency, pressOf(payment));
    if (earlier) return earlier;
  }
}

/** Why an invoice cannot be paid would tell a stranger that it is there, or what it comes to. */
function heardBy({ isStranger }: Basket, refusal: Refusal): Refusal {
  return isStranger ? { code: 'invoice-not-found' } : refusal;
}

async function chargeClaimed(
  deps: Deps,
  { payment, claimed, card }: { payment: BasketPayment; claimed: Claimed; card: CardSource },
): Promise<PaymentAnswer> {
  try {
    const { basket, billing } = payment;
    const answer = await charge(deps, { basket, claimed, card, billing });
    return answer ? { ...answer, replayed: false } : refusalAnswer({ code: 'unconfirmed' });
  } finally {
    claimed.leave();
  }
}
