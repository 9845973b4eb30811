import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { wake } from '../../../jobs/wake.ts';
import { listAddresses, moveAddresses } from './deployments.queries.ts';

/**
 * An operator says that the portal has moved here from another address, where nothing works on these books or a copy of
 * them any more: its charges are captured and released here from now on, and its payments refunded. Returns the addresses
 * taken over; none if these books know no other such address.
 */
export function takeOverAddress(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  { from, actor }: { from: string; actor: Actor },
): Promise<string[]> {
  const to = env.PUBLIC_URL;
  return db.transaction(async (tx) => {
    const known = await listAddresses(tx);
    const moving = known.map(({ publicUrl }) => publicUrl).filter((url) => url !== to && isSame(url, from));
    if (moving.length === 0) return [];
    await moveAddresses(tx, { from: moving, to });
    await recordAct(tx, actor, {
      action: 'take over payments',
      subject: 'books',
      detail: { from: moving, to },
    });
    wake(tx, 'sweep-charges');
    return moving;
  });
}

/** Whether two addresses, however somebody wrote them, are the same place. */
export const isSame = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
