import { type Body, isSet, isText, parseAnswer } from '../parse-answer.ts';
import type { NotDone, RefundOutcome, VoidOutcome } from '../payment-gateway.ts';
import type { OneAnswer } from '../send-once.ts';
import { refundSentence } from './decline-sentences.ts';
import { errorCodeOf, isSuccess, NOT_EXECUTED, notAllowedCode, refusedStatus } from './provider-answers.ts';
import { readBatchKey } from './transaction-rows.ts';

const UNKNOWN = { kind: 'unknown' } as const;

const TOO_LATE = [26, 101, 103, 117] as const;
/** More than is left, or a sale that can't be refunded. */
const REFUSED = [113, 114, 10133, 10134];
const UNSETTLED = 115;
const NOT_RELEASABLE = 118;

/** Even an approval doesn't prove a void; only the sale itself does. */
export function readVoidAnswer(answer: OneAnswer): VoidOutcome {
  const read = readProcessed(answer);
  if (!('body' in read)) return read;
  const { body, refusal } = read;
  if (body.is_duplicate === 'Y') return UNKNOWN;
  if (body.result_code === 'A' || body.result_code === 'D') return { kind: 'answered' };
  if (refusal === undefined) return UNKNOWN;
  const tooLate = TOO_LATE.find((code) => code === refusal);
  if (tooLate !== undefined) return { kind: 'too-late', errorCode: tooLate };
  if (refusal === NOT_RELEASABLE) return { kind: 'not-releasable' };
  return REFUSED.includes(refusal) ? { kind: 'answered' } : UNKNOWN;
}

export function readRefundAnswer(answer: OneAnswer, asked: { transactionKey: string }): RefundOutcome {
  const read = readProcessed(answer);
  if (!('body' in read)) return read;
  const { body, refusal } = read;
  if (body.is_duplicate === 'Y') return UNKNOWN;
  if (body.result_code === 'A' || body.result_code === 'P') return readRefunded(body, asked);
  if (body.result_code === 'D') return { kind: 'refused', sentence: refundSentence(body.error) };
  if (refusal === undefined) return UNKNOWN;
  if (refusal === UNSETTLED) return { kind: 'unsettled' };
  return REFUSED.includes(refusal) ? { kind: 'refused', sentence: refundSentence(body.error) } : UNKNOWN;
}

type Processed = { body: Body; refusal: number | undefined };

/** Common to both: proof that nothing was processed, or the body with the error code if no transaction was made. */
function readProcessed(answer: OneAnswer): NotDone | typeof UNKNOWN | Processed {
  if (answer.kind === 'not-sent') return { kind: 'not-sent' };
  const parsed = parseAnswer(answer);
  const status = refusedStatus(parsed, NOT_EXECUTED);
  if (status) return { kind: 'not-executed', status };
  if (!parsed || !isSuccess(parsed.status)) return UNKNOWN;
  const { body } = parsed;
  if (body.result_code !== 'E' || isSet(body.key)) return { body, refusal: undefined };
  const notAllowed = notAllowedCode(body);
  if (notAllowed !== undefined) return { kind: 'not-allowed', errorCode: notAllowed };
  return { body, refusal: errorCodeOf(body) };
}

/**
 * A refund has its own key; an answer with the sale's key is about another transaction. How much went back is what the
 * record of that key tells: without the key, a refund of another amount couldn't be told from none.
 */
function readRefunded(body: Body, asked: { transactionKey: string }): RefundOutcome {
  const { key, refnum } = body;
  if (body.is_duplicate !== 'N' || !isText(key) || key === asked.transactionKey) return UNKNOWN;
  return {
    kind: 'approved',
    transactionKey: key,
    reference: isText(refnum) ? refnum : '',
    batchKey: readBatchKey(body),
  };
}
