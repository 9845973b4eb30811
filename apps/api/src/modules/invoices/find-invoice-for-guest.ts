import type { ThreeNumbers } from '@brightpane/contract/invoices/invoices';
import type { Deps } from '../../deps.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { findInvoice, findInvoiceUncounted } from './find-invoice.ts';
import { lookUpGuards, noteMiss } from './look-up-limits.ts';

/** The rate-limited look-up for people who aren't signed in. */
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
  if (!found.ok && found.code === 'not-found') await noteMiss(deps, { franchiseId });
  return found;
}
