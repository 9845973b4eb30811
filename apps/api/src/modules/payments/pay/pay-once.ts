import { databaseTrouble } from '../../../db/database-trouble.ts';
import type { Deps } from '../../../deps.ts';
import type { BillingAddress, CardSource } from '../../../gateway/payment-gateway.ts';
import type { Failure, Success } from '../../../http/result.ts';
import type { Hit } from '../../limits/limit-misses.ts';
import { charge } from './charge.ts';
import { type Admitted, type Claimed, claim, type Payment } from './claim.ts';
import { errorOf, type Refusal } from './payments.problems.ts';
import type { Press } from './replay/answer-other-press.ts';
import { type PaymentAnswer, refusalAnswer } from './replay/payment-answer.ts';
import { type PaymentLimit, replayOrWait } from './replay/replay-payment.ts';

export type PaymentRequest = {
  payment: Payment;
  billing: BillingAddress;
  /** Called only for a new key, so a replay needs no card. */
  openCard: () => Promise<
    Success<CardSource> | Failure<'card-not-found'> | Failure<'card-expired'> | Failure<'card-unreadable'>
  >;
  /** Whether the payer may learn what is due on these invoices. Default: they are the payer's own. */
  mayHearBalance?: Press['mayHearBalance'];
  /** Checks who is paying, inside the limit. */
  admit?: () => Promise<Success<Admitted> | ({ ok: false } & Refusal)>;
  /** The short way of `admit` and the limit, in one statement: see `Hit`. */
  admitUncounted?: Hit<Admitted>;
  /** Applies only to a new key: a replay is never refused. */
  limit?: PaymentLimit;
};

/**
 * Pays once per idempotency key and replays the stored answer after that. Several payments may race for one invoice, on
 * several instances; one of them wins.
 */
export async function payOnce(deps: Deps, request: PaymentRequest): Promise<PaymentAnswer> {
  const answer = await deps.underWay.track(pay(deps, request));
  deps.metrics.payments.inc({ kind: request.payment.kind, outcome: outcomeOf(answer) });
  return answer;
}

/** The label of the payments metric. */
function outcomeOf({ replayed, outcome }: PaymentAnswer): string {
  if (replayed || outcome.code === 'told-before') return 'Replayed';
  return outcome.code === 'paid' || outcome.code === 'card-added' ? 'Paid' : errorOf(outcome);
}

async function pay(deps: Deps, request: PaymentRequest): Promise<PaymentAnswer> {
  try {
    return await replayOrPay(deps, request);
  } catch (error) {
    const trouble = databaseTrouble(error);
    if (trouble === null) throw error;
    deps.log.warn({ trouble }, 'a payment could not begin');
    return refusalAnswer({ code: trouble === 'locked' ? 'busy' : 'unconfirmed' });
  }
}

async function replayOrPay(deps: Deps, request: PaymentRequest): Promise<PaymentAnswer> {
  const earlier = await replayOrWait(deps, request.payment.idempotency, pressOf(request));
  if (earlier) return earlier;
  const attempt = () => admitAndPay(deps, request);
  if (!request.limit) return attempt();
  return request.limit(attempt, async (uncounted) => {
    const admitted = await request.admitUncounted?.(uncounted);
    return admitted && payAdmitted(deps, request, admitted);
  });
}

function pressOf({ payment, mayHearBalance = async () => true }: PaymentRequest): Press {
  return { userId: payment.userId, lines: payment.lines, mayHearBalance };
}

async function admitAndPay(deps: Deps, request: PaymentRequest): Promise<PaymentAnswer> {
  if (!request.admit) return payOrReplay(deps, request);
  const admitted = await request.admit();
  return admitted.ok ? payAdmitted(deps, request, admitted.value) : refusalAnswer(admitted);
}

async function payAdmitted(deps: Deps, request: PaymentRequest, admitted: Admitted): Promise<PaymentAnswer> {
  const answer = await payOrReplay(deps, { ...request, payment: { ...request.payment, ...admitted } });
  return { ...answer, ...admitted };
}

async function payOrReplay(deps: Deps, request: PaymentRequest): Promise<PaymentAnswer> {
  const { payment } = request;
  for (;;) {
    const card = await request.openCard();
    if (!card.ok) return refusalAnswer(card);
    const claimed = await claim(deps, payment);
    if (claimed.ok) return chargeClaimed(deps, { request, claimed, card: card.value });
    if (claimed.refusal) return refusalAnswer(heardBy(payment, claimed.refusal));
    const earlier = await replayOrWait(deps, payment.idempotency, pressOf(request));
    if (earlier) return earlier;
  }
}

/** A stranger hears "not found": the real reason would reveal that the invoice exists, or its amount. */
function heardBy({ isStranger }: Payment, refusal: Refusal): Refusal {
  return isStranger ? { code: 'invoice-not-found' } : refusal;
}

async function chargeClaimed(
  deps: Deps,
  { request, claimed, card }: { request: PaymentRequest; claimed: Claimed; card: CardSource },
): Promise<PaymentAnswer> {
  try {
    const { payment, billing } = request;
    const outcome = await charge(deps, { payment, claimed, card, billing });
    return { outcome: outcome ?? { code: 'unconfirmed' }, replayed: false, intentId: claimed.intentId };
  } finally {
    claimed.leave();
  }
}
