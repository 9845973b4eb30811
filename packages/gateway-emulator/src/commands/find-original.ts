import type { Call } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import type { Transaction } from '../ledger/records.ts';

/** The transaction that `trankey` or `refnum` names; either field may hold either id. */
export function findOriginal(call: Call): Transaction | undefined {
  const id = textOf(call.body.trankey) || textOf(call.body.refnum);
  return id === '' ? undefined : call.ledger.transactionOf(call.merchant.name, id);
}

/** Whether money is or was held under it. */
export function isApproved({ result }: Transaction): boolean {
  return result === 'A' || result === 'P';
}
