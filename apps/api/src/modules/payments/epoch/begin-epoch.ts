import { type Actor, recordAct } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { wake } from '../../../jobs/wake.ts';
import {
  copyCertainty,
  type Epoch,
  findEpoch,
  listUnreadMarks,
  lockDeployment,
  storeCertainty,
  storeEpoch,
} from './epoch.queries.ts';
import { holdAccess, isAccessHeld } from './hold-access.queries.ts';
import { noteRestore } from './restore.queries.ts';

type BooksDeps = Pick<Deps, 'db' | 'env' | 'log' | 'books'>;

/**
 * The epoch of the books. Where this may be another database than before, or an older state than this process has seen,
 * a new one begins, and every merchant account waits for a look at its list. `doubt`: this process has a reason of its own
 * to begin one; payments taken after `before` say nothing of what was known for certain.
 */
export async function currentEpoch(
  deps: BooksDeps,
  { doubt }: { doubt?: { before: Date } } = {},
): Promise<Epoch> {
  const { db, env, books } = deps;
  const publicUrl = env.PUBLIC_URL;
  const seen = books.newest();
  const found = await findEpoch(db.query, { publicUrl, seen });
  if (found?.isItself && found.isRemembered && !doubt) return found.epoch;
  const before =
    doubt?.before ?? (found?.isRemembered || !seen ? null : new Date(seen.createdAtMilliseconds));
  await db.transaction(async (tx) => {
    await lockDeployment(tx, { publicUrl });
    const now = await findEpoch(tx, { publicUrl, seen: null });
    // Another instance was faster.
    if (now?.isItself && now.epoch.epoch !== found?.epoch.epoch) return;
    if (now) await storeCertainty(tx, { publicUrl, before });
    else await copyCertainty(tx, { publicUrl });
    if (now && !(now.isItself && found?.isRemembered)) await holdAccess(tx);
    await storeEpoch(tx, { publicUrl });
  });
  books.forget();
  const unread = await listUnreadMarks(db.query);
  if (unread.length > 0) deps.log.warn({ unread }, 'the database hides by what a restore is noticed');
  deps.log.info('a new epoch of the books: looking at the provider’s lists before payments open');
  const begun = await findEpoch(db.query, { publicUrl, seen: null });
  if (!begun) throw new Error('the epoch has just begun');
  return begun.epoch;
}

/**
 * The books are older than what the provider has, or a person says so: every account is closed until its list has been
 * compared in full. How far back was fixed when the epoch began, or is `since`.
 */
export async function noticeRestore(
  deps: Pick<Deps, 'db' | 'env' | 'log'>,
  {
    actor,
    epoch = null,
    since = null,
    detail,
  }: {
    actor: Actor;
    /** In which it was noticed: whoever notices the same once more changes nothing. */
    epoch?: string | null;
    since?: Date | null;
    detail: Record<string, unknown>;
  },
): Promise<void> {
  const publicUrl = deps.env.PUBLIC_URL;
  await deps.db.transaction(async (tx) => {
    await lockDeployment(tx, { publicUrl });
    const now = await findEpoch(tx, { publicUrl, seen: null });
    if (epoch && now?.epoch.epoch !== epoch) return;
    // Not where the list has shown it: the epoch began with what was certain then, and payments were taken since.
    if (!epoch) await storeCertainty(tx, { publicUrl, before: null });
    await storeEpoch(tx, { publicUrl });
    await noteRestore(tx, { publicUrl, since });
    // Where the epoch began with it, they may have been confirmed since.
    if (!epoch || !(await isAccessHeld(tx))) await holdAccess(tx);
    await recordAct(tx, actor, { action: 'close payments', subject: 'books', detail });
    wake(tx, 'compare-after-restore');
  });
  deps.log.error({ ...detail, alert: 'payments are closed' }, 'the books are older than the provider’s');
}
