import { parseDollars } from '@brightpane/money/cents';
import { type Body, isObject, isSet, isText, written } from '../parse-answer.ts';
import {
  type HoldState,
  LONGEST_DESCRIPTION,
  type PartialRow,
  type TransactionRecord,
} from '../payment-gateway.ts';

/**
 * Reads a transaction from GET or the list; `null` if something we need is missing. The provider leaves out unset
 * fields, so a missing order id or description is empty.
 */
export function readRecord(value: unknown): TransactionRecord | null {
  if (!isObject(value) || !isText(value.key) || !isText(value.refnum)) return null;
  const amount = isText(value.amount) ? parseDollars(value.amount) : null;
  if (amount === null || !isText(value.result_code) || !isText(value.trantype_code)) return null;
  return {
    transactionKey: value.key,
    reference: value.refnum,
    orderId: readOrderId(value),
    state: readState(value),
    amountCents: amount,
    createdAt: readTime(value),
    isRefund: value.trantype_code === 'C' || value.trantype_code === 'Z',
    type: value.trantype_code,
    status: isText(value.status_code) ? value.status_code : '',
    result: value.result_code,
    clerk: isText(value.clerk) ? value.clerk : '',
    batchKey: readBatchKey(value),
    description: isText(value.description, LONGEST_DESCRIPTION) ? value.description : '',
  };
}

/** What remains of a row that `readRecord` can't read; `null` without a key, as rows are counted by key. */
export function readPartialRow(value: unknown): PartialRow | null {
  if (!isObject(value) || !isText(value.key)) return null;
  return { transactionKey: value.key, orderId: readOrderId(value) };
}

export const readBatchKey = ({ batch }: Body) => (isObject(batch) && isText(batch.key) ? batch.key : null);

/** Stands for an order id that can't be stored: it isn't missing, and it isn't ours. */
const UNREADABLE = '?';

function readOrderId({ orderid }: Body): string {
  if (!isSet(orderid)) return '';
  const id = written(orderid);
  return isText(id) ? id : UNREADABLE;
}

/**
 * Some rows carry `datetime` or `date` instead of `created`, and some none of them. A date alone doesn't
 * order rows, so it isn't used.
 */
function readTime({ created, datetime, date }: Body): Date | null {
  const time = [created, datetime, date].map(written).find((text) => TIME.test(text));
  const at = new Date(`${String(time).replace(' ', 'T')}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/;

const VOIDED_TYPES = ['V', 'Z'];
/** R means "Voided (Funds Released)". */
const VOIDED_STATUSES = ['V', 'R'];
const SETTLED_STATUSES = ['S', 'F', 'B'];

/**
 * Ignores status T, which belongs to checks. No source tells what an expired card hold looks like; we notice it when
 * its capture is refused with 10142.
 */
function readState({ result_code: result, trantype_code: type, status_code: status }: Body): HoldState {
  if (VOIDED_TYPES.includes(written(type)) || VOIDED_STATUSES.includes(written(status))) return 'voided';
  if (result === 'D') return 'none';
  if (SETTLED_STATUSES.includes(written(status))) return 'settled';
  // We never make sales, but in the batch one looks like a captured authorization.
  if (type === 'L' || type === 'S') return 'captured';
  if (result === 'E') return status === 'E' ? 'none' : 'other';
  if (type === 'A' && (result === 'A' || result === 'P' || result === 'V')) return 'held';
  return 'other';
}
