import type { Transaction } from '../ledger/records.ts';
import { merchantTime } from '../merchants/merchant-time.ts';
import type { Switches } from '../switches.ts';

type Row = Record<string, unknown>;

const ROW_TIMES = ['created', 'datetime', 'date', 'none'] as const;

/** The time, under the switch's name for it; a `date` is a day without a time. */
function timeOf({ createdAt, refnum }: Transaction, { rowTime, timeZone }: Switches): Row {
  const name = rowTime === 'mixed' ? ROW_TIMES[Number(refnum) % ROW_TIMES.length] : rowTime;
  const time = merchantTime(createdAt, timeZone);
  if (name === 'none' || name === undefined) return {};
  return { [name]: name === 'date' ? time.slice(0, 'YYYY-MM-DD'.length) : time };
}

/** Whether a field is empty, or consists of empty values. A verification that wasn't made has no code. */
function isUnset(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === undefined || value === null;
  if ('result_code' in value) return isUnset(value.result_code);
  return Object.values(value).every(isUnset);
}

/** A transaction as lists show it: without billing address and unset fields. */
export function transactionRow(detail: Row, transaction: Transaction, switches: Switches): Row {
  const { created: _, cust_key: custkey, billing_address: __, ...rest } = detail;
  const row = { ...rest, ...timeOf(transaction, switches), custkey };
  if (switches.unsetFieldsInRows) return row;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => !isUnset(value)));
}
