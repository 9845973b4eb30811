import type { Call, Plan } from './call.ts';
import type { Change } from './ledger/ledger.ts';
import { type Batch, isApproved, type Transaction } from './ledger/records.ts';
import { newBatchKey } from './merchants/keys.ts';
import { merchantTime } from './merchants/merchant-time.ts';
import type { Switches } from './switches.ts';
import { dollarsOf } from './transactions/dollars.ts';
import { listPlan } from './transactions/list-view.ts';
import { refusal } from './transactions/refusal.ts';
import { rowOf } from './transactions/transactions.ts';

const DAY_SECONDS = 24 * 60 * 60;

function batchesOf(call: Call): Batch[] {
  return call.ledger.all('batches').filter(({ merchant }) => merchant === call.merchant.name);
}

/** The merchant's open batch. If there was none, the changes create one. */
export function openBatch(call: Call): { batch: Batch; changes: Change[] } {
  const batches = batchesOf(call);
  const open = batches.find(({ status }) => status === 'open');
  if (open) return { batch: open, changes: [] };
  const batch: Batch = {
    key: newBatchKey(),
    batchrefnum: call.ledger.nextNumber(),
    sequence: batches.length + 1,
    merchant: call.merchant.name,
    openedAt: call.now,
    status: 'open',
  };
  return { batch, changes: [{ table: 'batches', put: batch }] };
}

/** A transaction's batch. */
export function batchOf({ ledger }: Pick<Call, 'ledger'>, { batchKey }: Transaction): Batch | undefined {
  return ledger.get('batches', batchKey ?? '');
}

function findBatch(call: Call): Batch | undefined {
  const batches = batchesOf(call);
  const name = call.params.batch ?? '';
  return name === 'current'
    ? batches.find(({ status }) => status === 'open')
    : batches.find(({ key }) => key === name);
}

function transactionsIn(call: Call, batch: Batch): Transaction[] {
  return call.ledger.transactionsOf(batch.merchant).filter(({ batchKey }) => batchKey === batch.key);
}

interface Sum {
  count: number;
  cents: number;
}

function sumsOf(rows: Transaction[]): Record<'sales' | 'refunds' | 'voids', Sum> {
  const sumOf = (types: string[]): Sum => {
    const found = rows.filter((transaction) => types.includes(transaction.type) && isApproved(transaction));
    return { count: found.length, cents: found.reduce((sum, { amountCents }) => sum + amountCents, 0) };
  };
  return { sales: sumOf(['S', 'L']), refunds: sumOf(['C']), voids: sumOf(['V', 'Z']) };
}

function batchView(call: Call, batch: Batch): Record<string, unknown> {
  const { sales, refunds, voids } = sumsOf(transactionsIn(call, batch));
  const time = (milliseconds: number): string => merchantTime(milliseconds, call.switches.timeZone);
  return {
    type: 'batch',
    key: batch.key,
    batchrefnum: String(batch.batchrefnum),
    opened: time(batch.openedAt),
    status: batch.status,
    ...(batch.closesAt === undefined
      ? { scheduled: time(batch.openedAt + DAY_SECONDS * 1000) }
      : { closed: time(batch.closesAt) }),
    total_amount: (sales.cents - refunds.cents) / 100,
    total_count: sales.count + refunds.count + voids.count,
    sales_amount: sales.cents / 100,
    sales_count: sales.count,
    voids_amount: voids.cents / 100,
    voids_count: voids.count,
    refunds_amount: refunds.cents / 100,
    refunds_count: refunds.count,
  };
}

/** The list names a batch's fields differently from GET, with numbers as strings. */
function batchRow(call: Call, batch: Batch): Record<string, unknown> {
  const { sales, refunds } = sumsOf(transactionsIn(call, batch));
  const time = (milliseconds: number): string => merchantTime(milliseconds, call.switches.timeZone);
  return {
    key: batch.key,
    type: 'batch',
    batchrefnum: String(batch.batchrefnum),
    sequence: String(batch.sequence),
    parent_sequence: null,
    opened: time(batch.openedAt),
    closed: batch.closesAt === undefined ? null : time(batch.closesAt),
    resubmitted: null,
    locked: batch.status !== 'open',
    lockdate: batch.closesAt === undefined ? null : time(batch.closesAt),
    trancutoff: null,
    sales_count: String(sales.count),
    sales: dollarsOf(sales.cents),
    credits_count: String(refunds.count),
    credits: dollarsOf(refunds.cents),
  };
}

const COMPARISONS: Record<string, (day: string, limit: string) => boolean> = {
  lt: (day, limit) => day < limit,
  gt: (day, limit) => day > limit,
  le: (day, limit) => day <= limit,
  ge: (day, limit) => day >= limit,
};

/** Filters such as `openedge=20260131`: days without dashes. */
function isWanted(call: Call, batch: Batch): boolean {
  const days = { opened: batch.openedAt, closed: batch.closesAt };
  return Object.entries(days).every(([name, milliseconds]) =>
    Object.entries(COMPARISONS).every(([suffix, compare]) => {
      const limit = call.query.get(`${name}${suffix}`);
      if (limit === null) return true;
      if (milliseconds === undefined) return false;
      const day = merchantTime(milliseconds, call.switches.timeZone).slice(0, 10).replaceAll('-', '');
      return compare(day, limit);
    }),
  );
}

/** GET /batches, newest first. */
export function listBatches(call: Call): Plan {
  const batches = batchesOf(call).filter((batch) => isWanted(call, batch));
  return listPlan(batches.reverse(), call.query, (batch) => batchRow(call, batch));
}

/** GET /batches/:key, or `current`. */
export function getBatch(call: Call): Plan {
  const batch = findBatch(call);
  if (!batch) return refusal(404, 47);
  return { status: 200, body: batchView(call, batch), changes: [] };
}

/** GET /batches/:key/transactions. */
export function listBatchTransactions(call: Call): Plan {
  const batch = findBatch(call);
  if (!batch) return refusal(404, 47);
  return listPlan(transactionsIn(call, batch), call.query, (transaction) => rowOf(call, transaction));
}

/** When the batch closes by itself: at the first `batchCloseAt` after it was opened. */
function closesByItselfAt({ openedAt }: Batch, { batchCloseAt, timeZone }: Switches): number {
  if (batchCloseAt === '') return Number.POSITIVE_INFINITY;
  const wallClock = merchantTime(openedAt, timeZone);
  const sinceMidnight = (time: string): number => Date.parse(`1970-01-01T${time}Z`);
  const wait = sinceMidnight(`${batchCloseAt}:00`) - sinceMidnight(wallClock.slice('YYYY-MM-DD '.length));
  return openedAt + (wait > 0 ? wait : wait + DAY_SECONDS * 1000);
}

/** The changes when a batch settles. */
function settlement(call: Pick<Call, 'ledger'>, batch: Batch): Change[] {
  const pending = call.ledger
    .transactionsOf(batch.merchant)
    .filter(({ batchKey, status }) => batchKey === batch.key && status === 'P');
  return [
    { table: 'batches', put: { ...batch, status: 'closed' } },
    ...pending.map(
      (transaction): Change => ({ table: 'transactions', put: { ...transaction, status: 'S' } }),
    ),
  ];
}

/** POST /batches/current/close answers `closing`; the batch settles `batchCloseSeconds` later. */
export function closeBatch(call: Call): Plan {
  const batch = findBatch(call);
  if (batch?.status !== 'open') return refusal(404, 47);
  const seconds = call.switches.batchCloseSeconds;
  const closing: Batch = { ...batch, status: 'closing', closesAt: call.now + seconds * 1000 };
  return {
    status: 200,
    body: batchView(call, closing),
    changes: seconds > 0 ? [{ table: 'batches', put: closing }] : settlement(call, closing),
    notices: [{ event: 'settlement.batch.success', object: batchView(call, closing) }],
  };
}

/** Closes and settles the batches whose time has come. */
export function dueSettlements(call: Pick<Call, 'ledger' | 'now' | 'switches'>): Change[] {
  return call.ledger.all('batches').flatMap((batch): Change[] => {
    const closing = batch.status === 'open' ? closedByItself(call, batch) : batch;
    if (closing?.status !== 'closing') return [];
    if ((closing.closesAt ?? 0) <= call.now) return settlement(call, closing);
    return closing === batch ? [] : [{ table: 'batches', put: closing }];
  });
}

function closedByItself({ now, switches }: Pick<Call, 'now' | 'switches'>, batch: Batch): Batch | undefined {
  const at = closesByItselfAt(batch, switches);
  if (at > now) return undefined;
  return { ...batch, status: 'closing', closesAt: at + switches.batchCloseSeconds * 1000 };
}
