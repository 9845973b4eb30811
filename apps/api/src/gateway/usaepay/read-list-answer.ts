import { parseAnswer, written } from '../parse-answer.ts';
import type { ListOutcome, PartialRow, TransactionRecord } from '../payment-gateway.ts';
import type { OneAnswer } from '../send-once.ts';
import { isSuccess, refusedStatus } from './provider-answers.ts';
import { readPartialRow, readRecord } from './transaction-rows.ts';

/** Reads one page of the list. A row without a key makes the page unreadable, as rows are counted by key. */
export function readListAnswer(answer: OneAnswer, asked: { offset: number; limit: number }): ListOutcome {
  if (answer.kind === 'not-sent') return { kind: 'not-sent' };
  const parsed = parseAnswer(answer);
  const status = refusedStatus(parsed, [401, 403, 429]);
  if (status) return { kind: 'not-executed', status };
  const { data, total, limit, offset } = parsed && isSuccess(parsed.status) ? parsed.body : {};
  if (!Array.isArray(data) || !isCount(total)) return { kind: 'unknown' };
  // Don't mistake a page at another offset for the requested one.
  if (isCount(offset) && Number(offset) !== asked.offset) return { kind: 'unknown' };
  const rows: TransactionRecord[] = [];
  const partial: PartialRow[] = [];
  for (const value of data) {
    const row = readRecord(value);
    if (row) rows.push(row);
    else {
      const rest = readPartialRow(value);
      if (!rest) return { kind: 'unknown' };
      partial.push(rest);
    }
  }
  const granted = isCount(limit) && Number(limit) > 0 ? Number(limit) : asked.limit;
  return { kind: 'page', rows, partial, total: Number(total), limit: Math.min(granted, asked.limit) };
}

const isCount = (value: unknown) => /^\d+$/.test(written(value));
