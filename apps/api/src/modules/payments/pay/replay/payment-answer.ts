import type { GuestSaleAnswer, PortalSaleAnswer } from '@brightpane/contract/invoices/payments';
import type { Problem } from '@brightpane/contract/problem';
import { toDollars } from '@brightpane/contract/wire';
import type { FastifyReply } from 'fastify';
import type { Paid, StoredOutcome } from '../../engine/outcomes.ts';
import type { Admitted } from '../claim.ts';
import { paymentProblem, type Refusal } from '../payments.problems.ts';

/** The answer to a press of Pay or Add, and whether it is a replay. */
export type PaymentAnswer = Admitted & {
  outcome: StoredOutcome | Refusal;
  replayed: boolean;
  /** Set if a payment exists. */
  intentId?: string;
  /** For a guest who named the matching zip code: lets them add the location to an account. */
  offer?: string;
};

export const refusalAnswer = (refusal: Refusal): PaymentAnswer => ({ outcome: refusal, replayed: false });

/** A guest gets one reference, a customer a list. */
export type Payer = 'guest' | 'customer';

export type WireAnswer = {
  status: number;
  body: GuestSaleAnswer | PortalSaleAnswer | Problem | Record<string, never>;
  retryAfterSeconds?: number;
};

export function wireAnswer(
  answer: Pick<PaymentAnswer, 'outcome' | 'intentId' | 'offer'>,
  payer: Payer,
): WireAnswer {
  const { outcome } = answer;
  switch (outcome.code) {
    case 'paid':
      return { status: 200, body: paidBody(outcome, payer, answer) };
    case 'card-added':
      return { status: 200, body: {} };
    case 'told-before':
      return { status: outcome.status, body: outcome.body };
    default:
      return paymentProblem(outcome);
  }
}

function paidBody(
  { amountCents, references }: Paid,
  payer: Payer,
  { intentId: paymentId, offer }: Pick<PaymentAnswer, 'intentId' | 'offer'>,
): GuestSaleAnswer | PortalSaleAnswer {
  const amount = toDollars(amountCents);
  if (payer === 'guest') {
    return { amount, reference: references.join(', '), ...(offer !== undefined && { offer }) };
  }
  return { amount, references, ...(paymentId !== undefined && { paymentId }) };
}

/** Sends a payment's answer, first time or replayed. */
export function sendPaymentAnswer(reply: FastifyReply, answer: PaymentAnswer, payer: Payer): FastifyReply {
  const { status, body, retryAfterSeconds } = wireAnswer(answer, payer);
  if (answer.replayed) reply.header('idempotency-replayed', 'true');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply.code(status).send(body);
}
