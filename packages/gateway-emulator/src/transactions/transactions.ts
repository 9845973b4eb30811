import type { Call, Plan } from '../call.ts';
import type { Transaction } from '../ledger/records.ts';
import { merchantTime } from '../merchants/merchant-time.ts';
import { listPlan } from './list-view.ts';
import { refusal } from './refusal.ts';
import { transactionDetail } from './transaction-detail.ts';
import { transactionRow } from './transaction-row.ts';

/** As GET shows it. */
export function detailOf({ ledger, now, switches }: Call, transaction: Transaction): Record<string, unknown> {
  const batch = ledger.get('batches', transaction.batchKey ?? '');
  return transactionDetail(transaction, { batch, now, switches });
}

/** As lists show it. */
export function rowOf(call: Call, transaction: Transaction): Record<string, unknown> {
  return transactionRow(detailOf(call, transaction), transaction, call.switches);
}

/** GET /transactions/:key; a reference number works too. */
export function getTransaction(call: Call): Plan {
  const transaction = call.ledger.transactionOf(call.merchant.name, call.params.key ?? '');
  if (!transaction) return refusal(404, 20001);
  return { status: 200, body: detailOf(call, transaction), changes: [] };
}

/** Newest first. In autumn's repeated hour, local time sorts differently from arrival. */
function inOrder(rows: Transaction[], { listOrder, timeZone }: Call['switches']): Transaction[] {
  if (listOrder === 'arrival') return rows;
  const wallClock = ({ createdAt }: Transaction): string => merchantTime(createdAt, timeZone);
  return rows.toSorted((one, other) => wallClock(other).localeCompare(wallClock(one)));
}

/** The merchant's list; a fault may leave transactions out. */
export function transactionsPlan(
  call: Call,
  isWanted: (transaction: Transaction) => boolean = () => true,
): Plan {
  const rows = call.ledger.transactionsOf(call.merchant.name).filter(isWanted);
  return listPlan(inOrder(rows, call.switches), call.query, (transaction) => rowOf(call, transaction));
}

/** GET /transactions: newest first, unfiltered. */
export function listTransactions(call: Call): Plan {
  return transactionsPlan(call);
}
