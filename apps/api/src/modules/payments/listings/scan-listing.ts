import { readEngineTime } from '../../../db/clock/engine-clock.queries.ts';
import type { Deps } from '../../../deps.ts';
import type { PaymentGateway, TransactionRecord } from '../../../gateway/payment-gateway.ts';
import { listOrderPrefixes } from '../epoch/epoch.queries.ts';
import type { ListReading } from './list-reading.ts';
import {
  cutListingRest,
  endListingRest,
  restListing,
  takeListing,
  type Urgency,
} from './listings.queries.ts';
import { readingsOf } from './shared-readings.ts';

export type Scan = {
  /** Every row seen, by order id. */
  byOrderId: Map<string, TransactionRecord[]>;
  /** When its first page was asked for, by the engine's clock. */
  beganAt: Date | null;
} & (Complete | Incomplete);

/** Nothing is missing back to the requested time. */
type Complete = {
  isComplete: true;
  beganAt: Date;
  stoppedBy?: never;
  againInSeconds?: never;
  isOfAll?: never;
};

/** What it lacks proves nothing. */
type Incomplete = Stopped & { isComplete: false };

type Stopped = {
  stoppedBy?: 'budget' | 'too-many-requests' | 'refused' | 'no-answer' | 'found';
  /** When to ask again; the reading then resumes where it stopped. */
  againInSeconds?: number;
  /** The listing budget of all accounts is spent, so no other account's list can be read either. */
  isOfAll?: boolean;
};

export type ScanRequest = {
  gateway: PaymentGateway;
  accountId: number;
  /** Readings begun before this, by the engine's clock, are too old to use. */
  since: Date;
  /**
   * How far back to read. A date is by the merchant's clock, which may be fourteen hours off, so leave room. An age is
   * enough to find something; only a date can prove absence.
   */
  back: Date | { youngerThanSeconds: number };
  urgency?: Urgency;
  /** Ends the scan early once this holds, on pages that fit and whose rows could all be read. */
  until?: (seen: Scan['byOrderId']) => boolean;
  /** Called before each page, as scanning a long list takes minutes. */
  onPage?: () => Promise<void>;
};

const SOON_SECONDS = 60 * 60;

/** Whether a scan only waits for the listing budget, so nothing is wrong yet. */
export const isUnderWay = ({ againInSeconds }: Pick<Scan, 'againInSeconds'>): boolean =>
  againInSeconds !== undefined && againInSeconds < SOON_SECONDS;

type ScanDeps = Pick<Deps, 'db' | 'log'>;

/**
 * Reads an account's list from the newest row back. All callers in this process share one reading per account, each as
 * far as they need it. Never waits for the listing budget: it tells when to ask again.
 */
export async function scanListing(deps: ScanDeps, request: ScanRequest): Promise<Scan> {
  const { gateway, since, until = () => false, onPage = async () => {} } = request;
  const held = readingsOf(deps.db).find(gateway, { since, now: await readEngineTime(deps.db.query) });
  const { reading } = held;
  let mayBeFound = true;
  for (;;) {
    if (reading.beganAt && isFarEnough(reading, request)) return complete(deps, request, reading);
    if (mayBeFound && reading.isFitting && until(reading.byOrderId)) {
      const scan = await complete(deps, request, reading);
      if (scan.isComplete) return { ...scan, isComplete: false, stoppedBy: 'found' };
      mayBeFound = false;
    }
    await onPage();
    const stopped = await held.step(() => readPage(deps, request, reading));
    if (stopped) return incomplete(reading, stopped);
    if (reading.isBroken) return incomplete(reading);
  }
}

/**
 * Clocks differ by minutes. The hour in autumn isn't covered, so a look by age may miss a row;
 * it proves nothing anyway.
 */
const CLOCK_SECONDS = 5 * 60;

function isFarEnough(reading: ListReading, { back }: ScanRequest): boolean {
  if (back instanceof Date) return reading.reaches(back);
  if (!reading.newest) return reading.isAtEnd;
  const seconds = back.youngerThanSeconds + CLOCK_SECONDS;
  return reading.reaches(new Date(reading.newest.getTime() - seconds * 1000));
}

/** Reads the next page into the reading, or tells what stopped it. */
async function readPage(
  deps: ScanDeps,
  { gateway, accountId, urgency = 'look-up' }: ScanRequest,
  reading: ListReading,
): Promise<Stopped | null> {
  const { db } = deps;
  if (urgency === 'closed-account' || urgency === 'payer') await cutListingRest(db.query, { accountId });
  const turn = await takeListing(db.query, { accountId, urgency });
  const { againInSeconds, isOfAll } = turn;
  if (turn.turn !== 'taken') return { stoppedBy: 'budget', againInSeconds, isOfAll };
  reading.begin(new Date(turn.nowMilliseconds));
  const page = await gateway.list(reading.next);
  switch (page.kind) {
    case 'page':
      if (turn.wasRefused) await endListingRest(db.query, { accountId });
      reading.add(page);
      return null;
    case 'not-executed':
      return { stoppedBy: page.status === 429 ? 'too-many-requests' : 'refused' };
    case 'not-sent': {
      const { seconds, refusals } = await restListing(db.query, { accountId });
      const facts = { accountId, seconds, refusals, alert: 'listings are refused' };
      deps.log.error(facts, 'no connection for a listing: it rests');
      return { stoppedBy: 'budget', againInSeconds: seconds };
    }
    case 'unknown':
      reading.isBroken = true;
      return { stoppedBy: 'no-answer' };
  }
}

const MOST_PARTIAL_ROWS = 20;

/** Without an order id a row isn't ours. One that is cut, or isn't plain text, may hide ours. */
function mayBeOurs(orderId: string, prefixes: string[]): boolean {
  if (orderId === '') return false;
  if (!/^[\w -]+$/.test(orderId)) return true;
  return prefixes.some((prefix) => orderId.includes(prefix) || prefix.startsWith(orderId));
}

/** Fetches incomplete rows by key, except those whose order id says that they aren't ours. */
async function complete(
  { db }: ScanDeps,
  { gateway, onPage = async () => {} }: ScanRequest,
  reading: ListReading,
): Promise<Scan> {
  const prefixes = reading.partial.length > 0 ? await listOrderPrefixes(db.query) : [];
  const wanted = reading.partial.filter(({ orderId }) => mayBeOurs(orderId, prefixes));
  const found: TransactionRecord[] = [];
  for (const { transactionKey } of wanted.slice(0, MOST_PARTIAL_ROWS)) {
    await onPage();
    const outcome = await gateway.find({ transactionKey });
    if (outcome.kind === 'found') found.push(outcome.transaction);
  }
  const scan = incomplete(reading);
  const { byOrderId, beganAt } = scan;
  for (const row of found) byOrderId.set(row.orderId, [...(byOrderId.get(row.orderId) ?? []), row]);
  return beganAt && found.length === wanted.length ? { byOrderId, beganAt, isComplete: true } : scan;
}

const incomplete = ({ byOrderId, beganAt }: ListReading, stopped: Stopped = {}): Scan => ({
  byOrderId: new Map(byOrderId),
  beganAt,
  isComplete: false,
  ...stopped,
});
