import { type Actor, PORTAL, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { wake } from '../../../jobs/wake.ts';
import {
  copyCertainty,
  type Epoch,
  findEpoch,
  listUnreadMarks,
  lockDeployment,
  readMarks,
  storeCertainty,
  storeEpoch,
} from './epoch.queries.ts';
import { carryHoldOn, holdAccess, isAccessHeldFor } from './hold-access.queries.ts';
import { listRestoreSigns } from './list-restore-signs.ts';
import { noteRestore } from './restore.queries.ts';

type BooksDeps = Pick<Deps, 'db' | 'env' | 'log' | 'books'>;

/**
 * Returns the epoch of the books. Begins a new one, in which every merchant account waits for a look at its list, if
 * this may be another database than before or an older state than this process has seen.
 * `doubt`: the process has its own reason for a new epoch; payments made after `before` then prove nothing.
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
  const { isBegunHere, heldFor } = await db.transaction(async (tx) => {
    await lockDeployment(tx, { publicUrl });
    const now = await findEpoch(tx, { publicUrl, seen: null });
    const signs = listRestoreSigns(await readMarks(tx, { publicUrl, seen }));
    // Another instance was faster. It may not remember what this one does.
    if (now?.isItself && now.epoch.epoch !== found?.epoch.epoch) {
      const isHeld = await isAccessHeldFor(tx, { publicUrl, epoch: now.epoch.epoch, accountId: null });
      return { isBegunHere: false, heldFor: isHeld ? [] : await holdFor(tx, { publicUrl, signs }) };
    }
    if (now) await storeCertainty(tx, { publicUrl, before });
    else await copyCertainty(tx, { publicUrl });
    await storeEpoch(tx, { publicUrl });
    return { isBegunHere: true, heldFor: await holdFor(tx, { publicUrl, signs }) };
  });
  books.forget();
  if (heldFor.length > 0) logHold(deps, heldFor);
  if (isBegunHere) {
    const unread = await listUnreadMarks(db.query);
    if (unread.length > 0) deps.log.warn({ unread }, 'the database hides by what a restore is noticed');
    deps.log.info('a new epoch of the books: looking at the provider’s lists before payments open');
  }
  const begun = await findEpoch(db.query, { publicUrl, seen: null });
  if (!begun) throw new Error('the epoch has just begun');
  return begun.epoch;
}

function logHold({ log }: Pick<Deps, 'log'>, signs: string[]): void {
  log.error(
    { signs, alert: 'access is held' },
    'this may be an older or another database: staff and the offices’ keys have to be confirmed',
  );
}

/** Holds access in the transaction that begins an epoch, if there are such signs. Returns them. */
async function holdFor(
  tx: Queryable,
  { publicUrl, signs }: { publicUrl: string; signs: string[] },
): Promise<string[]> {
  if (signs.length === 0) return signs;
  await holdAccess(tx, { publicUrl });
  await recordAct(tx, PORTAL, { action: 'hold-access', subject: 'staff', detail: { signs } });
  return signs;
}

/**
 * Closes every account until its list has been compared in full: the books are older than the provider's records, or a
 * person says so. How far back was fixed when the epoch began, or is `since`.
 */
export async function noticeRestore(
  deps: Pick<Deps, 'db' | 'env' | 'log'>,
  {
    actor,
    shown = null,
    since = null,
    detail,
  }: {
    actor: Actor;
    /** The epoch in which an account's list shows the restore. Noticing it a second time changes nothing. */
    shown?: { epoch: string; accountId: number } | null;
    since?: Date | null;
    detail: Record<string, unknown>;
  },
): Promise<void> {
  const publicUrl = deps.env.PUBLIC_URL;
  const holds = await deps.db.transaction(async (tx) => {
    await lockDeployment(tx, { publicUrl });
    const now = await findEpoch(tx, { publicUrl, seen: null });
    if (shown && now?.epoch.epoch !== shown.epoch) return false;
    // A list that shows the restore gives an epoch, which began with what was certain then; payments made
    // since must not extend that.
    if (!shown) await storeCertainty(tx, { publicUrl, before: null });
    // If the epoch began with this restore, access may have been confirmed since.
    const isHeld = shown !== null && (await isAccessHeldFor(tx, { publicUrl, ...shown }));
    await storeEpoch(tx, { publicUrl });
    await noteRestore(tx, { publicUrl, since });
    if (isHeld) await carryHoldOn(tx, { publicUrl });
    else await holdAccess(tx, { publicUrl });
    await recordAct(tx, actor, { action: 'close payments', subject: 'books', detail });
    wake(tx, 'compare-after-restore');
    return !isHeld;
  });
  deps.log.error({ ...detail, alert: 'payments are closed' }, 'the books are older than the provider’s');
  if (holds) logHold(deps, [shown ? 'an unknown order' : 'said by a person']);
}
