import type { Deps } from '../../../../deps.ts';
import { lookUpGuards, noteMiss } from '../../../invoices/look-up-limits.ts';
import { cap, type Guard } from '../../../limits/limit.ts';
import { type Hit, limitTries } from '../../../limits/limit-misses.ts';
import { findChargedAccount } from '../../../merchant-accounts/merchant-accounts.queries.ts';
import { countDecline, networkGuards, tellsOfCard } from '../card/card-declines.ts';
import { type PaymentAnswer, refusalAnswer } from '../replay/payment-answer.ts';
import type { PaymentLimit } from '../replay/replay-payment.ts';

const HOUR_SECONDS = 3_600;
const DECLINES_OF_ONE_INVOICE = cap('guest declines of an invoice', { max: 3, windowSeconds: HOUR_SECONDS });

/**
 * Slows down anyone trying out stolen cards, work order numbers or zip codes. Keyed by address, never by invoice alone:
 * otherwise anyone could keep its payer from paying. Caps the payments in progress per address, so that trying cards in
 * parallel gains little over one after another.
 */
export function limitGuestPayments(
  deps: Deps,
  {
    address,
    franchiseId,
    workOrderNumber,
  }: {
    /** From `clientAddress`. */
    address: string;
    franchiseId: number;
    workOrderNumber: number;
  },
): PaymentLimit {
  const network = networkGuards(address);
  const declineOfThis: Guard = {
    limit: DECLINES_OF_ONE_INVOICE,
    of: [address, franchiseId, workOrderNumber],
  };
  const lookUps = lookUpGuards({ ip: address, franchiseId, workOrderNumber });

  /**
   * Replays aren't counted. Whatever a stranger hears but "not found" reveals that the invoice exists, and how much is due
   * by the tip that still fits; unless they paid for it, it counts as a look-up too.
   */
  const countedBy = (answer: PaymentAnswer) => {
    if (answer.replayed) return [];
    const reveals = isMiss(answer) || (answer.isStranger && answer.outcome.code !== 'paid');
    return [...(tellsOfCard(answer) ? [declineOfThis] : []), ...(reveals ? lookUps : [])];
  };

  const noteDecline = async (tried: PaymentAnswer) => {
    if (tellsOfCard(tried)) {
      const account = await findChargedAccount(deps.db.query, franchiseId);
      await countDecline(deps, { guards: network, accountId: account });
    }
    return tried;
  };

  return async (attempt, hit) => {
    const guards = [...network, declineOfThis, ...lookUps] as const;
    const tryAtOnce: Hit<PaymentAnswer> = async (uncounted) => {
      const tried = await hit?.(uncounted);
      return tried && noteDecline(tried);
    };
    const answer = await limitTries(deps, { guards, countedBy, hit: tryAtOnce }, async () =>
      noteDecline(await attempt()),
    );
    if (!('outcome' in answer)) {
      return refusalAnswer({ code: 'too-many-attempts', retryAfterSeconds: answer.retryAfterSeconds });
    }
    if (isMiss(answer)) await noteMiss(deps, { franchiseId });
    return answer;
  };
}

/** Reads as "not found": no such invoice, or nothing that a stranger may hear of it. */
const isMiss = ({ outcome: { code } }: PaymentAnswer) =>
  code === 'invoice-not-found' || code === 'changed-unseen';
