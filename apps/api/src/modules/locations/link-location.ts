import type { ThreeNumbers } from '@brightpane/contract/invoices/invoices';
import type { Deps } from '../../deps.ts';
import { fail, ok } from '../../http/result.ts';
import { lockUserById } from '../auth/users/users.queries.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { lookUpGuards, noteMiss } from '../invoices/look-up-limits.ts';
import { cap } from '../limits/limit.ts';
import { limitMisses } from '../limits/limit-misses.ts';
import { linkInside } from './link-inside.ts';

const HOUR_SECONDS = 3600;
/** Stricter than a guest's look-up, because a right guess gives lasting access. */
const MISSES_AN_HOUR = cap('link-location-hour', { max: 5, windowSeconds: HOUR_SECONDS });
const MISSES_A_DAY = cap('link-location-day', { max: 20, windowSeconds: 24 * HOUR_SECONDS });

/**
 * Links a location to the user by the three numbers of one of its invoices, and notifies the account's owner by mail.
 */
export async function linkLocation(
  deps: Deps,
  { userId, ip, numbers }: { userId: string; ip: string; numbers: ThreeNumbers },
) {
  const found = await limitMisses(
    deps,
    {
      guards: [
        ...lookUpGuards({ ip, ...numbers }),
        { limit: MISSES_AN_HOUR, of: [userId] },
        { limit: MISSES_A_DAY, of: [userId] },
      ],
      isMiss: (outcome) => !outcome.ok,
    },
    () => findPresentInvoice(deps, numbers),
  );
  if (!found.ok) {
    if (found.code === 'not-found') await noteMiss(deps, numbers);
    return found;
  }
  return deps.db.transaction(async (tx) => {
    const user = await lockUserById(tx, userId);
    if (!user?.active) return fail('ended');
    await linkInside(deps, tx, { user, invoice: found.value });
    return ok(undefined);
  });
}

/** A former customer's invoice gives no access to the present customer's location. */
async function findPresentInvoice(deps: Deps, numbers: ThreeNumbers) {
  const found = await findInvoice(deps, numbers);
  return found.ok && found.value.formerCustomerId !== null ? fail('not-found') : found;
}
