import type { Deps } from '../../deps.ts';
import { countAgainst } from '../limits/check-limits.ts';
import { clientAddress } from '../limits/client-address.ts';
import { cap, type Guard } from '../limits/limit.ts';

const MISSES_A_MINUTE = cap('look-up misses in a minute', { max: 10, windowSeconds: 60 });
const MISSES_A_DAY = cap('look-up misses in a day', { max: 60, windowSeconds: 86_400 });
const MISSES_AT_ONE_INVOICE = cap('look-up misses at one work order', { max: 5, windowSeconds: 900 });

/** Only raises an alarm: many guessing addresses look the same as many customers, so refuse nobody. */
const ALARM = cap('look-up misses at one franchise', {
  max: Number.POSITIVE_INFINITY,
  windowSeconds: 600,
});
const ALARM_AT = 50;

/**
 * Work orders look sequential and a franchise serves few zip codes, so misses are counted per address, across all
 * calls. Never per work order alone: that would let anyone lock out its payer.
 */
export function lookUpGuards({
  ip,
  franchiseId,
  workOrderNumber,
}: {
  ip: string;
  franchiseId: number;
  workOrderNumber: number;
}): readonly [Guard, ...Guard[]] {
  const from = clientAddress(ip);
  return [
    { limit: MISSES_A_MINUTE, of: [from] },
    { limit: MISSES_A_DAY, of: [from] },
    { limit: MISSES_AT_ONE_INVOICE, of: [from, franchiseId, workOrderNumber] },
  ];
}

/** Counts a miss for the franchise, across all calls, and raises the alarm once there are many. */
export async function noteMiss(deps: Deps, { franchiseId }: { franchiseId: number }): Promise<void> {
  const [misses = 0] = await countAgainst(deps, [{ limit: ALARM, of: [franchiseId] }]);
  if (misses === ALARM_AT) deps.log.warn({ franchiseId, misses }, 'many look-ups miss at one franchise');
}
