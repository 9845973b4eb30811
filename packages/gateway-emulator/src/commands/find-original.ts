import type { Call } from '../call.ts';
import { textOf } from '../cards/resolve-card.ts';
import type { Transaction } from '../ledger/records.ts';

/** Finds a transaction by `trankey` or `refnum`; either field may hold either id. */
export function findOriginal(call: Call): Transaction | undefined {
  const id = textOf(call.body.trankey) || textOf(call.body.refnum);
  return id === '' ? undefined : call.ledger.transactionOf(call.merchant.name, id);
}
