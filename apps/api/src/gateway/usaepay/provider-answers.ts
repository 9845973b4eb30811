import { type Cents, parseDollars } from '@brightpane/money/cents';
import {
  type Body,
  isObject,
  isSet,
  isText,
  type ParsedAnswer,
  parseAnswer,
  written,
} from '../parse-answer.ts';
import type { AuthorizeOutcome, CaptureOutcome, SavedCard } from '../payment-gateway.ts';
import type { OneAnswer } from '../send-once.ts';
import { declineSentence } from './decline-sentences.ts';

export const isSuccess = (status: number) => status >= 200 && status < 300;

/**
 * The provider calls its number `error_code` in a transaction and `errorcode` outside of one, and writes it as text on
 * declines and as a number on its own errors.
 */
export function errorCodeOf(body: Body): number | undefined {
  const code = written(body.error_code ?? body.errorcode);
  return /^\d+$/.test(code) ? Number(code) : undefined;
}

/** A refusal before anything was done: trust the status only together with the provider's own error number. */
export function refusedStatus<Status extends number>(
  answer: ParsedAnswer,
  statuses: readonly Status[],
): Status | undefined {
  if (!answer || errorCodeOf(answer.body) === undefined) return undefined;
  return statuses.find((status) => status === answer.status);
}

export const NOT_EXECUTED = [401, 403, 429] as const;

const NOT_ALLOWED = [80, 84] as const;

/** The code of an answer that the account's keys lack the permission. */
export const notAllowedCode = (body: Body) =>
  body.result_code === 'E' ? NOT_ALLOWED.find((code) => code === errorCodeOf(body)) : undefined;

/** Codes of checks that run before the card is asked: the request was wrong, so nothing was held. */
const REFUSED_BEFORE_PROCESSING = new Set([11, 12, 13, 14, 15, 16, 17, 32, 33, 70, 71, 85, 91, 92, 601, 602]);

/** Codes of the fraud and address modules, which may refuse what the bank has already approved. */
const FRAUD_OR_ADDRESS = new Set([
  34, 2034, 43, 10106, 10107, 10108, 10109, 10110, 10111, 10112, 10113, 10114, 10115, 10116, 10117, 10118,
  10160,
]);

export function readAuthorizeAnswer(
  answer: OneAnswer,
  asked: { orderId: string; amountCents: Cents },
): AuthorizeOutcome {
  if (answer.kind === 'not-sent') return { kind: 'not-sent' };
  const parsed = parseAnswer(answer);
  const status = refusedStatus(parsed, NOT_EXECUTED);
  if (status) return { kind: 'not-executed', status };
  if (!parsed || !isSuccess(parsed.status)) return { kind: 'unknown' };
  const { body } = parsed;
  if (!isAboutOrder(body, asked)) return { kind: 'unknown' };
  if (body.is_duplicate === 'Y') return { kind: 'duplicate' };
  switch (body.result_code) {
    case 'A':
      return readApproval(body, asked.amountCents);
    case 'D':
      return { kind: 'declined', sentence: declineSentence(body.error) };
    case 'P':
      return { kind: 'hold-possible', reason: 'not-in-full' };
    case 'V':
      return { kind: 'hold-possible', reason: 'verification' };
    case 'E':
      return readError(body);
    default:
      return { kind: 'unknown' };
  }
}

const DOLLARS = ['840', 'USD'];

/** The provider usually repeats neither order id nor currency; if it does, they must be the ones we sent. */
function isAboutOrder({ orderid, currency }: Body, { orderId }: { orderId: string }): boolean {
  if (isSet(orderid) && orderid !== orderId) return false;
  return !isSet(currency) || DOLLARS.includes(written(currency));
}

function readApproval(body: Body, expectedCents: Cents): AuthorizeOutcome {
  const { key, refnum, auth_amount: amount } = body;
  if (body.is_duplicate !== 'N' || !isText(key) || !isText(refnum) || !isText(amount))
    return { kind: 'unknown' };
  const authorised = parseDollars(amount);
  if (authorised === null) return { kind: 'unknown' };
  if (authorised !== expectedCents) return { kind: 'hold-possible', reason: 'not-in-full' };
  const card = isObject(body.creditcard) ? body.creditcard : {};
  const savedCard = readSavedCard(body.savedcard);
  return {
    kind: 'approved',
    transactionKey: key,
    reference: refnum,
    maskedCard: maskCard(isText(card.number) ? card.number : ''),
    cardBrand: brandName(card.type),
    savedCard,
  };
}

function readError(body: Body): AuthorizeOutcome {
  const code = errorCodeOf(body);
  const hasKey = isSet(body.key);
  if (hasKey && code !== undefined && FRAUD_OR_ADDRESS.has(code)) {
    return { kind: 'hold-possible', reason: 'verification' };
  }
  // The number for a used or unknown payment key isn't documented, so match its words.
  const isAboutPaymentKey = isText(body.error) && /payment ?key/i.test(body.error);
  if (!hasKey && (isAboutPaymentKey || (code !== undefined && REFUSED_BEFORE_PROCESSING.has(code)))) {
    return { kind: 'declined', sentence: declineSentence(body.error) };
  }
  return { kind: 'unknown', ...(notAllowedCode(body) !== undefined && { isNotAllowed: true }) };
}

function readSavedCard(value: unknown): SavedCard | null {
  if (!isObject(value) || !isText(value.key)) return null;
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(written(value.expiration)) ?? [];
  return { token: value.key, expiresMonth: month && year ? `20${year}-${month}-01` : null };
}

/** Keeps only the last four digits, however many the provider shows. */
function maskCard(number: string): string {
  const last = /\d{4}$/.exec(number)?.[0];
  return last ? `xxxx${last}` : 'xxxx';
}

/** The provider sends a letter or a word, depending on the call. */
const BRANDS: Record<string, string> = {
  V: 'Visa',
  M: 'Mastercard',
  MASTERCARD: 'Mastercard',
  A: 'American Express',
  AMEX: 'American Express',
  DS: 'Discover',
};

const brandName = (type: unknown) => (isText(type) ? (BRANDS[type.toUpperCase()] ?? type) : 'Card');

const CAPTURE_IMPOSSIBLE = new Set([10142, 10105, 10124, 10125]);

export function readCaptureAnswer(
  answer: OneAnswer,
  asked: { transactionKey: string; amountCents: Cents },
): CaptureOutcome {
  const parsed = parseAnswer(answer);
  const status = refusedStatus(parsed, [...NOT_EXECUTED, 404]);
  if (status) return { kind: 'not-executed', status };
  if (!parsed || !isSuccess(parsed.status)) return { kind: 'unknown' };
  const { body } = parsed;
  if (!isText(body.result_code)) return { kind: 'unknown' };
  if (body.result_code === 'A') return { kind: isOurCapture(body, asked) ? 'captured' : 'unclear' };
  const errorCode = errorCodeOf(body);
  if (body.result_code !== 'E' || errorCode === undefined) return { kind: 'unclear' };
  if (CAPTURE_IMPOSSIBLE.has(errorCode)) return { kind: 'impossible', errorCode };
  return notAllowedCode(body) === undefined ? { kind: 'unclear' } : { kind: 'not-allowed', errorCode };
}

/** A duplicate repeats the answer to another request: at worst the hold's own, with our key and amount. */
function isOurCapture(
  { key, auth_amount: amount, is_duplicate: isDuplicate }: Body,
  asked: { transactionKey: string; amountCents: Cents },
): boolean {
  if (isDuplicate === 'Y') return false;
  return key === asked.transactionKey && isText(amount) && parseDollars(amount) === asked.amountCents;
}
