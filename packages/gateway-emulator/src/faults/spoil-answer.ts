import type { Call, Plan } from '../call.ts';
import type { Transaction } from '../ledger/records.ts';
import { newTransactionKey } from '../merchants/keys.ts';
import { centsOf, dollarsOf } from '../transactions/dollars.ts';
import { transactionsPlan } from '../transactions/transactions.ts';
import type { Fault } from './fault.ts';

type Body = Record<string, unknown>;

function otherTransaction(call: Call, body: Body): Body {
  const other = call.ledger.transactionsOf(call.merchant.name).find(({ key }) => key !== body.key);
  return other
    ? { ...other.answer, is_duplicate: 'Y' }
    : { ...body, is_duplicate: 'Y', key: newTransactionKey(), refnum: String(call.ledger.nextNumber()) };
}

function wrong(fault: Fault, body: Body): Body {
  if (fault.answer) return { ...body, ...fault.answer };
  const name = body.auth_amount === undefined ? 'amount' : 'auth_amount';
  return { ...body, [name]: dollarsOf((centsOf(body[name]) ?? 0) + 100) };
}

function isYoung(transaction: Transaction | undefined, { seconds = 60 }: Fault, call: Call): boolean {
  return transaction !== undefined && transaction.createdAt > call.now - seconds * 1000;
}

/** The list as it was a while ago, with its total of then, so that nothing shows what is missing. */
function staleList(fault: Fault, call: Call): Body {
  return transactionsPlan(call, (transaction) => !isYoung(transaction, fault, call)).body as Body;
}

function spoilList(fault: Fault, call: Call, body: Body): Body {
  const rows = body.data as Body[];
  const page = (data: Body[]): Body => ({ ...body, data });
  const transactionOf = (key: string) => call.ledger.transactionOf(call.merchant.name, key);
  const isFirstPage = body.offset === 0;
  switch (fault.fault) {
    case 'list-shift':
      // A row has left the list since the previous page, so this page skips one.
      return isFirstPage ? body : page(rows.slice(1));
    case 'list-missing':
      return page(
        fault.orderId === undefined ? rows.slice(1) : rows.filter((row) => row.orderid !== fault.orderId),
      );
    case 'list-empty-page':
      return page([]);
    case 'list-lag':
      return page(rows.filter(({ key }) => !isYoung(transactionOf(String(key)), fault, call)));
    case 'list-stale':
      return staleList(fault, call);
    case 'list-duplicates':
      return page(rows.flatMap((row) => [row, row]));
    case 'list-unordered':
      return page([...rows].reverse());
    default:
      return body;
  }
}

/** The plan with a readable but false answer. It still commits the true changes. */
export function spoilAnswer(fault: Fault, call: Call, plan: Plan): Plan {
  const body = plan.body as Body;
  switch (fault.fault) {
    case 'wrong':
      return { ...plan, body: wrong(fault, body) };
    case 'wrong-orderid':
      return { ...plan, body: { ...body, orderid: 'somebody-elses-order' } };
    case 'duplicate':
      return { ...plan, body: { ...body, is_duplicate: 'Y' } };
    case 'duplicate-other':
      return { ...plan, body: otherTransaction(call, body) };
    default:
      return Array.isArray(body?.data) ? { ...plan, body: spoilList(fault, call, body) } : plan;
  }
}
