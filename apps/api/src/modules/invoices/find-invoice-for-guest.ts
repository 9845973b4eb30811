import type { ThreeNumbers } from '@brightpane/contract/invoices';
import type { Deps } from '../../deps.ts';
import { countAgainst } from '../limits/check-limits.ts';
import { cap } from '../limits/limit.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { findInvoice, findInvoiceUncounted } from './find-invoice.ts';
import { lookUpGuards } from './look-up-limits.ts';

/** Refuses nobody: many addresses together cannot be told from many customers, but somebody should look. */
const ALARM = cap('look-up misses at one franchise', {
  max: Number.POSITIVE_INFINITY,
  windowSeconds: 600,
});
const ALARM_AT = 50;

/** The look-up for people who have not signed in. */
export async function findInvoiceForGuest(deps: Deps, { ip, ...numbers }: ThreeNumbers & { ip: string }) {
  const { franchiseId } = numbers;
  const found = await limitMisses(
    deps,
    {
      guards: lookUpGuards({ ip, ...numbers }),
      isMiss: (outcome) => !outcome.ok,
      hit: (uncounted) => findInvoiceUncounted(deps, { ...numbers, ...uncounted }),
    },
    () => findInvoice(deps, numbers),
  );
  if (!found.ok && found.code === 'not-found') {
    const [misses = 0] = await countAgainst(deps, [{ limit: ALARM, of: [franchiseId] }]);
    if (misses === ALARM_AT) deps.log.warn({ franchiseId, misses }, 'many look-ups miss at one franchise');
  }
  return found;
}
