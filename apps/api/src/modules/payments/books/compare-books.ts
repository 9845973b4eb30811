import { parseDollars } from '@brightpane/money/cents';
import { type Actor, PORTAL } from '../../../db/audit.queries.ts';
import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import type { Deps } from '../../../deps.ts';
import { countDown } from '../../../gateway/count-down.ts';
import { keepSeenRefunds } from '../listings/keep-seen-refunds.ts';
import type { Urgency } from '../listings/listings.queries.ts';
import { scanByAnyKeys } from '../listings/scan-by-any-keys.ts';
import { isUnderWay, type Scan, type ScanRequest, scanListing } from '../listings/scan-listing.ts';
import { scanPatiently } from '../listings/scan-patiently.ts';
import { compareRows, type Difference } from './compare-rows.ts';
import { listMadeRefunds } from './compared-refunds.queries.ts';
import {
  type ComparedAccount,
  fallDue,
  findOldestCaptured,
  listCapturedCharges,
  listComparedAccounts,
  recordAccountComparison,
  recordComparison,
} from './comparison.queries.ts';
import { keepDifferences, type SeenDifference } from './differences.queries.ts';
import { findUnlisted } from './find-unlisted.ts';
import { noticeLostOrders } from './unknown-orders.ts';

export type Comparison = { compared: number; isComplete: boolean; differences: Difference[] };

type Read = {
  scan: (deps: Deps, request: ScanRequest) => Promise<Scan>;
  /** How long ago a reading may have begun and still be used. */
  oldestMilliseconds: number;
  urgency: Urgency;
  /** No further account is begun after this. */
  millisecondsLeft: () => number;
};

/** How many days a comparison covers, so that it catches up on a missed night. */
const DAYS = 3;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/**
 * At night a long list may take this long to read, as each difference is checked again. A
 * person wants the current list.
 */
const NIGHTLY: Read = {
  scan: scanListing,
  oldestMilliseconds: 2 * 60 * 60 * 1000,
  urgency: 'comparison',
  millisecondsLeft: () => Number.POSITIVE_INFINITY,
};
/** A minute's listing budget comes back within this time, and browsers and proxies wait a little longer. */
const PERSON_WAITS_MILLISECONDS = 65_000;

/**
 * Compares both books of every merchant account over the last days while somebody waits for the answer. What can't be read in
 * that time falls due, and the task goes on with it.
 */
export async function compareBooks(
  deps: Deps,
  by: Actor = PORTAL,
  { longestMilliseconds = PERSON_WAITS_MILLISECONDS } = {},
): Promise<Comparison> {
  const accounts = await listComparedAccounts(deps.db.query, { days: DAYS });
  const millisecondsLeft = countDown(longestMilliseconds);
  const scan: Read['scan'] = (_, request) => scanPatiently(deps, request, { millisecondsLeft });
  const read: Read = { scan, oldestMilliseconds: 0, urgency: 'look-up', millisecondsLeft };
  return compareAccounts(deps, { accounts, read, by });
}

/**
 * Compares the accounts that are due: each once a night, and again within hours if the provider doesn't show
 * everything. Its lane runs every minute, so a list cut off by the budget is continued.
 */
export async function compareDueBooks(deps: Deps): Promise<void> {
  const all = await listComparedAccounts(deps.db.query, { days: DAYS });
  const accounts = all.filter(({ isDue }) => isDue);
  if (accounts.length === 0) return;
  await compareAccounts(deps, { accounts, read: NIGHTLY, by: PORTAL });
}

/**
 * Stores what each account shows before the next one is read: its comparison isn't due again, and a hold that it gave
 * back shows no more. An account that fails holds up no other.
 */
async function compareAccounts(
  deps: Deps,
  { accounts, read, by }: { accounts: ComparedAccount[]; read: Read; by: Actor },
): Promise<Comparison> {
  const found = new Map<string, Difference>();
  const failures: unknown[] = [];
  let compared = 0;
  let isComplete = true;
  let isBudgetSpent = false;
  const left: number[] = [];
  for (const account of accounts) {
    // A provider that is silent would keep an ending process, or whoever waits, for twenty seconds with each.
    if (isBudgetSpent || deps.underWay.isEnding() || read.millisecondsLeft() <= 0) {
      left.push(account.accountId);
      isComplete = false;
      continue;
    }
    try {
      const comparison = await compareAccount(deps, { account, read });
      compared += comparison.compared;
      isComplete &&= comparison.isComplete;
      isBudgetSpent = comparison.isBudgetSpent;
      for (const difference of comparison.differences) {
        const { kind, orderId, reference } = difference;
        const name = `${kind} ${orderId} ${reference}`;
        // Two pairs of keys may reach one account and show the same rows.
        if (!found.has(name)) deps.log.error({ ...difference, alert: 'the books differ' }, 'a difference');
        found.set(name, difference);
      }
    } catch (err) {
      failures.push(err);
      isComplete = false;
      await storeEnd(deps, {
        accountId: account.accountId,
        isComplete: false,
        stoppedBy: 'failure',
        err,
        differences: [],
      });
    }
  }
  await fallDue(deps.db.query, { accountIds: left });
  const differences = [...found.values()];
  await recordComparison(deps.db.query, by, { compared, isComplete, differences: differences.length });
  if (failures.length > 0) throw failures[0];
  return { compared, isComplete, differences };
}

const toSeen = ({ amount, ...difference }: Difference, accountId: number): SeenDifference => ({
  ...difference,
  accountId,
  amountCents: parseDollars(amount) ?? 0,
});

async function compareAccount(
  deps: Deps,
  { account, read }: { account: ComparedAccount; read: Read },
): Promise<Comparison & { isBudgetSpent: boolean }> {
  const { accountId } = account;
  const { query } = deps.db;
  const now = await readEngineTime(query);
  const since = new Date(now.getTime() - read.oldestMilliseconds);
  const oldest = (await findOldestCaptured(query, { accountId, days: DAYS })) ?? now;
  const from = Math.min(oldest.getTime(), now.getTime() - DAYS * DAY_MILLISECONDS);
  // Read an extra day: the merchant's clock may be many hours off.
  const back = new Date(from - DAY_MILLISECONDS);
  const charges = (before: Date) => listCapturedCharges(query, { accountId, days: DAYS, before });
  const expected = (await charges(now)).map(({ orderId }) => orderId);
  const { scan, gateway } = await scanByAnyKeys(deps, {
    accountId,
    orderIds: expected,
    scan: read.scan,
    urgency: read.urgency,
    since,
    back,
  });
  const before = scan.beganAt ?? now;
  const captured = await charges(before);
  const refunded = await listMadeRefunds(query, { accountId, days: DAYS, before });
  await keepSeenRefunds(deps, { accountId, back, scan });
  await noticeLostOrders(deps, { accountId, byOrderId: scan.byOrderId });
  const { rows, missing } = scan.isComplete
    ? await findUnlisted(gateway, { captured, refunded }, scan)
    : { rows: scan, missing: [] };
  const differences = [...(await compareRows(deps, { gateway, scan: rows })), ...missing];
  // Replaced keys that are refused show nothing any more; without a capture of these days, nothing is missed.
  const isNothingMissed = scan.stoppedBy === 'refused' && !account.isCurrent && captured.length === 0;
  const isComplete = scan.isComplete || isNothingMissed;
  await storeEnd(deps, { ...scan, accountId, isComplete, differences });
  return { compared: captured.length, isComplete, differences, isBudgetSpent: scan.isOfAll === true };
}

const RETRY_SECONDS = 60 * 60;

type End = Pick<Scan, 'againInSeconds'> & {
  accountId: number;
  isComplete: boolean;
  stoppedBy?: Scan['stoppedBy'] | 'failure';
  err?: unknown;
  differences: Difference[];
};

/** Stores what an account's comparison found, how it ended and when it is due again, in one commit. */
async function storeEnd(
  deps: Deps,
  { accountId, isComplete, differences, stoppedBy, againInSeconds = RETRY_SECONDS, err }: End,
): Promise<void> {
  const seen = differences.map((difference) => toSeen(difference, accountId));
  const since = await deps.db.transaction(async (tx) => {
    await keepDifferences(tx, seen);
    return recordAccountComparison(tx, {
      accountId,
      isComplete,
      againInSeconds: isComplete ? null : againInSeconds,
    });
  });
  if (isComplete || isUnderWay({ againInSeconds })) return;
  const facts = { accountId, since, stoppedBy, err, alert: 'the comparison is incomplete' };
  deps.log.error(facts, 'an account was not compared in full');
}
