import type { Call, Plan } from './call.ts';
import type { Transaction } from './ledger/records.ts';
import { listPlan } from './list-view.ts';
import { refusal } from './refusal.ts';
import { transactionDetail } from './transaction-view.ts';

export function detailOf(call: Call, transaction: Transaction): Record<string, unknown> {
  const batch = call.ledger.get('batches', transaction.batchKey ?? '');
  return transactionDetail(transaction, batch, call.now, call.switches.timeZone);
}

/** GET /transactions/:key. The reference number serves as well. */
export function getTransaction(call: Call): Plan {
  const transaction = call.ledger.transactionOf(call.merchant.name, call.params.key ?? '');
  if (!transaction) return refusal(404, 20001);
  return { status: 200, body: detailOf(call, transaction), changes: [] };
}

/** GET /transactions: newest first, with no filter of any kind. */
export function listTransactions(call: Call): Plan {
  const rows = call.ledger.transactionsOf(call.merchant.name);
  return listPlan(rows, call.query, (transaction) => detailOf(call, transaction));
}
