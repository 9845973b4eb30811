import type { Deps } from '../../deps.ts';
import { checkLimits, countAgainst } from '../limits/check-limits.ts';
import { cap, type Guard } from '../limits/limit.ts';
import type { Refusal } from './payments.problems.ts';
import type { PaymentAnswer } from './replay-payment.ts';

const HOUR_SECONDS = 3_600;
const DECLINES_OF_ONE_INVOICE = cap('guest declines of an invoice', { max: 3, windowSeconds: HOUR_SECONDS });
const DECLINES = cap('guest declines', { max: 10, windowSeconds: HOUR_SECONDS });
/** A sale names no zip code, so without this it would tell which work orders there are. */
const MISSES = cap('guest sales of nothing', { max: 10, windowSeconds: HOUR_SECONDS });

export type GuestLimits = {
  admit(): Promise<Refusal | null>;
  /** Counts what the payment came to; what was only told again counts for nothing. */
  note(answer: PaymentAnswer): Promise<void>;
};

/**
 * Slows down who tries out stolen cards or work order numbers. Always by where they sit, never by invoice alone: nobody
 * can keep its payer from paying it.
 */
export function limitGuestSales(
  deps: Deps,
  {
    address,
    franchiseId,
    workOrderNumber,
  }: {
    /** As `clientAddress` has it. */
    address: string;
    franchiseId: number;
    workOrderNumber: number;
  },
): GuestLimits {
  const declines: Guard[] = [
    { limit: DECLINES_OF_ONE_INVOICE, of: [address, franchiseId, workOrderNumber] },
    { limit: DECLINES, of: [address] },
  ];
  const misses: Guard[] = [{ limit: MISSES, of: [address] }];
  return {
    async admit() {
      const allowed = await checkLimits(deps, [...declines, ...misses]);
      if (allowed.ok) return null;
      return { code: 'too-many-attempts', retryAfterSeconds: allowed.retryAfterSeconds };
    },
    async note({ replayed, status, body }) {
      if (replayed) return;
      const isDecline = 'errors' in body && body.errors.some((error) => error.code === 'Declined');
      if (isDecline) await countAgainst(deps, declines);
      if (status === 404) await countAgainst(deps, misses);
    },
  };
}
