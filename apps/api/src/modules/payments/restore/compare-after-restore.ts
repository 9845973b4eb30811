import { PORTAL, recordAct } from '../../../db/audit.queries.ts';
import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import type { Deps } from '../../../deps.ts';
import { isPaidThere, type TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { atMostAtOnce } from '../../../http/turns.ts';
import { openMerchantKeys } from '../../merchant-accounts/open-merchant-keys.ts';
import { type ComparedCharge, findAcceptedElsewhere, findByOrderIds } from '../books/comparison.queries.ts';
import { findDealtWith } from '../books/differences.queries.ts';
import { ours, unknownOrders } from '../books/unknown-orders.ts';
import { isAccepted } from '../engine/charge-states.ts';
import { CARD_CHECK, readWorkOrders } from '../engine/describe-work-orders.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { listOrderPrefixes } from '../epoch/epoch.queries.ts';
import {
  type AccountToLook,
  leaseLook,
  listAccountsToLook,
  postponeLook,
  renewLook,
  storeFailedLook,
  storeLook,
  storeUnread,
} from '../epoch/looks.queries.ts';
import { storeLostOrders } from '../epoch/restore.queries.ts';
import { keepSeenRefunds } from '../listings/keep-seen-refunds.ts';
import { isUnderWay, scanListing } from '../listings/scan-listing.ts';
import { holdRefunds } from '../refunds/hold-refunds.ts';
import {
  endRestore,
  findNoticedAt,
  isCompared,
  leaseComparison,
  leaveComparison,
  listUnreadAccounts,
  renewComparison,
} from './compare-after-restore.queries.ts';
import { type FoundPayment, storeFoundPayment } from './found-payments.queries.ts';
import { ACCOUNTS_AT_ONCE, backOf, isEnough, isUnread, lookAtAccounts } from './look-at-accounts.ts';
import { confirmBackOf } from './shows-the-newest.ts';

/**
 * Looks at lists that are new in this epoch or due for confirmation. After a noticed restore, reads every account's
 * list back to what was known for certain and stores payments that our books lack. Their invoices can't be paid until a
 * person acknowledges them; all others can, once the accounts that may have taken their payments are compared.
 */
export async function compareAfterRestore(deps: Deps): Promise<void> {
  const { db, env } = deps;
  const publicUrl = env.PUBLIC_URL;
  await lookAtAccounts(deps, { franchiseIds: null, patience: 'task' });
  const { epoch, isNoticed } = await currentEpoch(deps);
  if (!isNoticed) return compareUnread(deps, epoch);
  if (!(await leaseComparison(db.query, { publicUrl }))) return;
  try {
    const left = await listAccountsToLook(db.query, {
      publicUrl,
      epoch,
      franchiseIds: null,
      patience: 'task',
    });
    const since = await findNoticedAt(db.query, { publicUrl });
    const renew = () => renewComparison(db.query, { publicUrl });
    await atMostAtOnce(ACCOUNTS_AT_ONCE, left, (account) =>
      compareAccount(deps, { account, epoch, since, renew }),
    );
    if (!(await isCompared(db.query, { publicUrl }))) return;
    await holdRefunds(deps);
    const unread = await listUnreadAccounts(db.query, { publicUrl });
    if (!(await endRestore(db.query, { publicUrl }))) return;
    await recordAct(db.query, PORTAL, {
      action: 'open payments',
      subject: 'books',
      detail: { epoch, unread },
    });
    deps.log.warn({ epoch, unread }, 'every list that can be read was compared: payments are open again');
  } finally {
    await leaveComparison(db.query, { publicUrl });
  }
}

/** Compares accounts that a restore left out, once their lists can be read. */
async function compareUnread(deps: Deps, epoch: string): Promise<void> {
  const { db, env } = deps;
  const publicUrl = env.PUBLIC_URL;
  const patience = 'task';
  const left = await listAccountsToLook(db.query, { publicUrl, epoch, franchiseIds: null, patience });
  await atMostAtOnce(ACCOUNTS_AT_ONCE, left.filter(isUnread), async (account) => {
    const look = { publicUrl, accountId: account.accountId, epoch };
    if (!(await leaseLook(db.query, { ...look, patience }))) return;
    // Of new keys: before the old ones end as replaced.
    await leaveUnread(deps, account);
    await compareAccount(deps, {
      account,
      epoch,
      since: new Date(account.unreadSinceMilliseconds ?? Date.now()),
      renew: () => renewLook(db.query, look),
    });
  });
}

const leaveUnread = ({ db, env }: Deps, { accountId, completeUntilMilliseconds }: AccountToLook) =>
  storeUnread(db.query, {
    publicUrl: env.PUBLIC_URL,
    accountId,
    completeUntil: new Date(completeUntilMilliseconds),
  });

type AccountComparison = {
  account: AccountToLook;
  epoch: string;
  /** A list read earlier may lack the last payments. */
  since: Date;
  renew: () => Promise<void>;
};

async function compareAccount(
  deps: Deps,
  { account, epoch, since, renew }: AccountComparison,
): Promise<void> {
  const { db, env, log } = deps;
  const publicUrl = env.PUBLIC_URL;
  const { accountId } = account;
  const back = backOf(account);
  log.warn({ accountId, back, alert: 'payments are closed' }, 'comparing with the provider after a restore');
  const [keys] = await openMerchantKeys(deps, { accountId });
  const scan = await scanListing(deps, {
    gateway: deps.gateways.of(keys),
    accountId,
    since,
    back,
    urgency: 'closed-account',
    onPage: renew,
  });
  if (scan.againInSeconds !== undefined) {
    await postponeLook(db.query, { publicUrl, accountId, inSeconds: scan.againInSeconds });
    if (isUnderWay(scan)) return;
  }
  const rows = ours(scan.byOrderId, await listOrderPrefixes(db.query));
  const orderIds = rows.map((row) => row.orderId);
  const charges = await findByOrderIds(db.query, orderIds);
  const dealtWith = await findDealtWith(db.query, orderIds);
  const missed = rows
    .filter(({ orderId }) => !dealtWith.has(orderId))
    .flatMap((row) => missedPayment(row, { accountId, charge: charges.get(row.orderId) }));
  const elsewhere = await findAcceptedElsewhere(db.query, missed);
  const found = missed.filter(({ transactionKey }) => !elsewhere.has(transactionKey));
  const isComplete = isEnough(scan, account);
  if (scan.stoppedBy === 'refused' && mayHide(account)) found.push(unreadAccount(account, epoch));
  for (const each of found) await db.transaction((tx) => storeFoundPayment(tx, each));
  await keepSeenRefunds(deps, { accountId, back, scan });
  // Only now may later looks treat these orders as known.
  const lost = isComplete ? await unknownOrders(deps, rows) : [];
  await storeLostOrders(db.query, { accountId, orderIds: lost.map(({ orderId }) => orderId) });
  const isRefused = scan.stoppedBy === 'refused' && !isComplete;
  // Refused keys are tried again every few minutes, for days.
  if (!(isRefused && isUnread(account))) {
    await recordAct(db.query, PORTAL, {
      action: 'compare after restore',
      subject: 'books',
      detail: { accountId, back, found: found.length, isComplete },
    });
  }
  if (isRefused) await leaveUnread(deps, account);
  const confirmBack = confirmBackOf(scan, await readEngineTime(db.query));
  if (isComplete) await storeLook(db.query, { publicUrl, accountId, epoch, confirmBack });
  else if (scan.againInSeconds === undefined) await storeFailedLook(db.query, { publicUrl, accountId });
  const facts = { accountId, found: found.length, isComplete };
  if (isRefused)
    log.error({ ...facts, alert: 'payments are closed' }, 'the keys are refused: the account stays closed');
  else if (isComplete && found.length === 0) log.warn(facts, 'the list shows nothing that is unknown here');
  else log.error({ ...facts, alert: 'a restore needs a person' }, 'payments were made after the backup');
}

/** Orders reach a list up to 65 s after their account was replaced. */
const LATE_MILLISECONDS = 2 * 60_000;

/**
 * Whether a replaced account may have taken payments that these books lack: it was in use after the last moment that is
 * certain. Before that, a restore lost nothing.
 */
const mayHide = ({ replacedAtMilliseconds, completeUntilMilliseconds }: AccountToLook) =>
  replacedAtMilliseconds !== null && replacedAtMilliseconds + LATE_MILLISECONDS > completeUntilMilliseconds;

/** Keeps the account closed until a person acknowledges it. */
const unreadAccount = ({ accountId }: AccountToLook, epoch: string): FoundPayment => ({
  orderId: `unread-${accountId}-${epoch.slice(0, 8)}`,
  transactionKey: '',
  accountId,
  reference: '',
  amountCents: 0,
  state: 'unread',
  isUnnamed: true,
  workOrders: [],
});

/** Money held or moved for a payment that our books lack, or have as not made. */
function missedPayment(
  row: TransactionRecord,
  { accountId, charge }: { accountId: number; charge: ComparedCharge | undefined },
): FoundPayment[] {
  const state = row.state === 'held' ? 'held' : 'captured';
  if (row.isRefund || (state === 'captured' && !isPaidThere(row))) return [];
  // The sweep releases holds that our books know; the hold of a card check expires by itself.
  if (state === 'held' && (charge || row.description === CARD_CHECK)) return [];
  if (charge && isAccepted(charge.state)) return [];
  const { workOrders, isWhole } = readWorkOrders(row.description);
  return [{ ...row, accountId, state, workOrders, isUnnamed: !isWhole }];
}
