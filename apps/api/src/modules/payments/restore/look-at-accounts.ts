import { setTimeout as wait } from 'node:timers/promises';
import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import type { Deps } from '../../../deps.ts';
import { atMostAtOnce } from '../../../http/turns.ts';
import { openMerchantKeys } from '../../merchant-accounts/open-merchant-keys.ts';
import { noticeOlderBooks, ours, unknownOrders } from '../books/unknown-orders.ts';
import { currentEpoch } from '../epoch/begin-epoch.ts';
import { isOpen, listOrderPrefixes, waitsForStandby } from '../epoch/epoch.queries.ts';
import {
  type AccountToLook,
  isLookUnderWay,
  leaseLook,
  listAccountsToLook,
  postponeLook,
  renewLook,
  storeFailedLook,
  storeLook,
} from '../epoch/looks.queries.ts';
import type { Urgency } from '../listings/listings.queries.ts';
import { isUnderWay, type Scan, type ScanRequest, scanListing } from '../listings/scan-listing.ts';
import { confirmBackOf, lookBackMilliseconds, showsTheNewest } from './shows-the-newest.ts';

const DAY_MILLISECONDS = 24 * 60 * 60_000;
const PAYER_WAITS_MILLISECONDS = 10_000;
/** Leaves time for what follows, so that a payer hears within ten seconds. */
const ELSEWHERE_WAITS_MILLISECONDS = 7_000;
const POLL_MILLISECONDS = 200;
/** So many that one that hangs doesn't hold up the others. */
export const ACCOUNTS_AT_ONCE = 4;

type Wanted = { franchiseIds: number[] | null; patience: 'payer' | 'task' };
type Looked = { isBudgetSpent: boolean };

/**
 * Opens the accounts whose newest orders at the provider are known here, which usually takes one page. An unknown order
 * means that these books are older than the provider's: a restore is noticed. Once the listing budget of all accounts is
 * spent, the rest waits for the next call, unless a payer waits for it. So it does once the process ends.
 */
export async function lookAtAccounts(deps: Deps, { franchiseIds, patience }: Wanted): Promise<void> {
  const { epoch, isNoticed } = await currentEpoch(deps);
  if (isNoticed) return;
  const publicUrl = deps.env.PUBLIC_URL;
  const all = await listAccountsToLook(deps.db.query, { publicUrl, epoch, franchiseIds, patience });
  const accounts = all.filter((account) => !isUnread(account));
  const urgencyOf = ({ isClosed }: AccountToLook): Urgency =>
    franchiseIds ? 'payer' : isClosed ? 'closed-account' : 'look-up';
  let isBudgetSpent = false;
  await atMostAtOnce(ACCOUNTS_AT_ONCE, accounts, async (account) => {
    if (isBudgetSpent || (franchiseIds === null && deps.underWay.isEnding())) return;
    const looked = await share(deps, { account, epoch, patience, urgency: urgencyOf(account) });
    isBudgetSpent ||= looked.isBudgetSpent;
  });
}

/** Looks while a payer waits; the look continues after their wait ends. Returns whether they can pay now. */
export async function lookForPayer(
  deps: Deps,
  { franchiseIds }: { franchiseIds: number[] },
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const outOfPatience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PAYER_WAITS_MILLISECONDS);
  });
  const looking = lookAtAccounts(deps, { franchiseIds, patience: 'payer' });
  looking.catch(() => {});
  await Promise.race([looking, outOfPatience]).finally(() => clearTimeout(timer));
  return isOpen(deps.db.query, { publicUrl: deps.env.PUBLIC_URL, franchiseIds, seen: deps.books.newest() });
}

type Look = { account: AccountToLook; epoch: string; patience: Wanted['patience']; urgency: Urgency };

function share(deps: Deps, look: Look): Promise<Looked> {
  const { looks } = deps.books;
  const { accountId } = look.account;
  const underWay = looks.get(accountId) ?? lookOrWait(deps, look).finally(() => looks.delete(accountId));
  looks.set(accountId, underWay);
  return underWay;
}

/**
 * Waits while another instance looks, and takes over if it dies. An account whose list can't even be asked for stays
 * closed; the others open.
 */
async function lookOrWait(deps: Deps, look: Look): Promise<Looked> {
  const { accountId } = look.account;
  if (!(await isOurTurn(deps, look))) return { isBudgetSpent: false };
  try {
    return await lookAt(deps, look);
  } catch (error) {
    deps.log.error(
      { err: error, accountId, alert: 'payments are closed' },
      'a look at the provider’s list failed',
    );
    await storeFailedLook(deps.db.query, { publicUrl: deps.env.PUBLIC_URL, accountId });
    return { isBudgetSpent: false };
  }
}

async function isOurTurn({ db, env }: Deps, { account, epoch, patience }: Look): Promise<boolean> {
  const look = { publicUrl: env.PUBLIC_URL, accountId: account.accountId, epoch };
  const end = performance.now() + ELSEWHERE_WAITS_MILLISECONDS;
  while (!(await leaseLook(db.query, { ...look, patience }))) {
    if (performance.now() > end || !(await isLookUnderWay(db.query, look))) return false;
    await wait(POLL_MILLISECONDS);
  }
  return true;
}

async function lookAt(deps: Deps, { account, epoch, urgency }: Look): Promise<Looked> {
  const { accountId } = account;
  const publicUrl = deps.env.PUBLIC_URL;
  const prefixes = await listOrderPrefixes(deps.db.query);
  const [keys] = await openMerchantKeys(deps, { accountId });
  const since = await beginOrResume(deps, { accountId, epoch });
  const scan = await scanListing(deps, {
    gateway: deps.gateways.of(keys),
    accountId,
    since,
    urgency,
    ...(await reachOf(deps, { account, prefixes })),
    onPage: () => renewLook(deps.db.query, { publicUrl, accountId, epoch }),
  });
  const unknown = await unknownOrders(deps, ours(scan.byOrderId, prefixes));
  if (unknown.length > 0) {
    const orderIds = unknown.map(({ orderId }) => orderId);
    await noticeOlderBooks(deps, { accountId, epoch, orderIds });
  } else if (isEnough(scan, account)) {
    const confirmBack = confirmBackOf(scan, await readEngineTime(deps.db.query));
    await storeLook(deps.db.query, { publicUrl, accountId, epoch, confirmBack });
  } else await noteUnread(deps, { accountId, epoch, since, scan });
  return { isBudgetSpent: scan.isOfAll === true };
}

/**
 * How far a look reads. The first one ends behind our newest order. Since then people pay again, so a second one can't go
 * by that: it reads back to where the first one began.
 */
async function reachOf(
  { db }: Pick<Deps, 'db'>,
  { account, prefixes }: { account: AccountToLook; prefixes: string[] },
): Promise<Pick<ScanRequest, 'back' | 'until'>> {
  if (!account.isClosed) {
    const { confirmBackMilliseconds: confirmBack } = account;
    return { back: confirmBack === null ? backOf(account) : new Date(confirmBack) };
  }
  const backMilliseconds = lookBackMilliseconds({ waitsForStandby: await waitsForStandby(db.query) });
  return {
    back: backOf(account),
    until: (seen) => showsTheNewest(ours(seen, prefixes), { seen, backMilliseconds }),
  };
}

/** Ignores readings from before this epoch, but resumes one that this look began before it had to wait. */
async function beginOrResume(
  { db, books }: Deps,
  { accountId, epoch }: { accountId: number; epoch: string },
): Promise<Date> {
  const unfinished = books.unfinishedLooks.get(accountId);
  books.unfinishedLooks.delete(accountId);
  return unfinished?.epoch === epoch ? unfinished.since : await readEngineTime(db.query);
}

/**
 * A look that only waits for the budget resumes later and holds nobody up until then. Where that of all accounts is
 * spent, a payer need not wait.
 */
async function noteUnread(
  { db, env, books, log }: Deps,
  { accountId, epoch, since, scan }: { accountId: number; epoch: string; since: Date; scan: Scan },
): Promise<void> {
  const publicUrl = env.PUBLIC_URL;
  const { stoppedBy = 'unreadable', againInSeconds, isOfAll } = scan;
  if (againInSeconds === undefined) await storeFailedLook(db.query, { publicUrl, accountId });
  else {
    books.unfinishedLooks.set(accountId, { epoch, since });
    await postponeLook(db.query, { publicUrl, accountId, inSeconds: isOfAll ? 0 : againInSeconds });
  }
  if (isUnderWay(scan)) log.info({ accountId, againInSeconds }, 'a look goes on when the budget allows');
  else log.error({ accountId, stoppedBy, alert: 'payments are closed' }, 'the provider’s list was not read');
}

/** Whether a restore ended without it, so that a look isn't enough to open it. */
export const isUnread = ({ unreadSinceMilliseconds }: AccountToLook) => unreadSinceMilliseconds !== null;

/** Adds a day: the merchant's clock may be many hours off. */
export const backOf = ({ completeUntilMilliseconds }: AccountToLook) =>
  new Date(completeUntilMilliseconds - DAY_MILLISECONDS);

/** Keys that were replaced and are refused show nothing any more, however often they are asked. */
export const isEnough = (scan: Scan, { isCurrent }: AccountToLook): boolean =>
  scan.isComplete || scan.stoppedBy === 'found' || (!isCurrent && scan.stoppedBy === 'refused');
