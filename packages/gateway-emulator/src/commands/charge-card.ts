import { openBatch } from '../batches.ts';
import type { Call, Plan } from '../call.ts';
import { brandOf, maskedNumber } from '../cards/card-number.ts';
import { type ResolvedCard, resolveCard, textOf } from '../cards/resolve-card.ts';
import { type CardOutcome, FORCED_DECLINE, outcomeOf } from '../cards/test-cards.ts';
import { declineText, errorText } from '../error-codes.ts';
import type { Change } from '../ledger/ledger.ts';
import {
  type Card,
  isApproved,
  type ResultCode,
  type StatusCode,
  type Token,
  type Transaction,
} from '../ledger/records.ts';
import { newAuthcode, newTokenKey, newTransactionKey } from '../merchants/keys.ts';
import { centsOf } from '../transactions/dollars.ts';
import { transactionError } from '../transactions/refusal.ts';
import { chargeAnswer } from '../transactions/transaction-view.ts';
import { foldedPlan, foldingPrint } from './folding.ts';
import { saveCustomer } from './save-customer.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const MAX_CENTS = 9_999_900;

/** Request fields that the record never stores. */
const NOT_STORED = [
  'command',
  'amount',
  'creditcard',
  'payment_key',
  'trankey',
  'refnum',
  'ignore_duplicate',
];

interface Verdict {
  result: ResultCode;
  status: StatusCode;
  /** The amount held or charged. */
  cents: number;
  error?: string;
  errorCode?: number;
}

function approved(cents: number): Verdict {
  return { result: 'A', status: 'P', cents };
}

function declined(call: Call, errorCode: number): Verdict {
  const error = declineText(errorCode, call.switches.declineLetters);
  return { result: 'D', status: 'E', cents: 0, errorCode, error };
}

function verdictOf(call: Call, outcome: CardOutcome, cents: number): Verdict {
  if (call.forcedOutcome === 'verify')
    return { result: 'V', status: 'M', cents, error: errorText(43), errorCode: 43 };
  if (call.forcedOutcome === 'error')
    return { result: 'E', status: 'E', cents: 0, error: errorText(10116), errorCode: 10116 };
  if (call.forcedOutcome === 'decline') return declined(call, FORCED_DECLINE);
  if (call.forcedOutcome === 'partial') return { ...approved(Math.ceil(cents / 2)), result: 'P' };
  if (outcome.voice) return { result: 'V', status: 'M', cents: 0, error: errorText(43), errorCode: 43 };
  if (outcome.fraud === 'review') return { result: 'V', status: 'M', cents, error: 'Held for fraud review' };
  if (outcome.fraud === 'reject')
    return { result: 'E', status: 'E', cents: 0, error: errorText(10116), errorCode: 10116 };
  if (outcome.decline !== undefined) return declined(call, outcome.decline);
  if (outcome.partialPercent === undefined) return approved(cents);
  const detail = call.body.amount_detail as Record<string, unknown> | undefined;
  if (detail?.enable_partialauth !== true) return declined(call, 10151);
  return { ...approved(Math.floor((cents * outcome.partialPercent) / 100)), result: 'P' };
}

/** The error code for an invalid amount, or undefined. */
export function amountError(cents: number | undefined): number | undefined {
  if (cents === undefined || cents <= 0) return 33;
  return cents > MAX_CENTS ? 70 : undefined;
}

/** Whether `amount_detail` adds up to the amount; only checked if it has a subtotal. */
function isBalanced(detail: unknown, cents: number): boolean {
  const parts = (detail ?? {}) as Record<string, unknown>;
  if (parts.subtotal === undefined) return true;
  const part = (name: string): number => centsOf(parts[name] ?? 0) ?? Number.NaN;
  const sum = part('subtotal') - part('discount') + part('shipping') + part('duty') + part('tax');
  return sum === cents || sum + part('tip') === cents;
}

function tokenOf(transaction: Transaction): Token {
  return { key: newTokenKey(), number: transaction.card.number, expiration: transaction.card.expiration };
}

export function savedCardView(token: Token): Record<string, unknown> {
  return {
    type: brandOf(token.number)?.word ?? 'Visa',
    key: token.key,
    cardnumber: maskedNumber(token.number),
    expiration: token.expiration,
  };
}

/** Whether the answer says that a receipt was sent. The emulator sends no mail. */
function sendsReceipt({ email, send_receipt: asked }: Record<string, unknown>): boolean {
  return textOf(email) !== '' && [true, 1, '1', 'true'].includes(asked as string);
}

function avsOf({ switches }: Call, { avsStreet, avsZip }: Card, outcome: CardOutcome): string {
  const hasAddress = avsStreet !== '' || avsZip !== '';
  return hasAddress || switches.avsWithoutAddress === '' ? outcome.avs : switches.avsWithoutAddress;
}

/** A sale (S) or an authorization (A) on the request's card, or on the given one. */
export function chargeCard(call: Call, type: 'S' | 'A', given?: ResolvedCard, forcedAuthcode?: string): Plan {
  const { body, now } = call;
  const cents = centsOf(body.amount);
  const amountProblem = amountError(cents);
  if (cents === undefined || amountProblem !== undefined) return transactionError(amountProblem ?? 33);
  if (!isBalanced(body.amount_detail, cents)) return transactionError(71);
  const resolved = given ?? resolveCard(call);
  if (!resolved.ok) return transactionError(resolved.errorCode, resolved.error);
  const print = foldingPrint(call, resolved.card.number, cents);
  const folded = foldedPlan(call, print);
  if (folded) return folded;

  const outcome = outcomeOf(resolved.card.number);
  const verdict = forcedAuthcode === undefined ? verdictOf(call, outcome, cents) : approved(cents);
  const isGranted = isApproved(verdict);
  const { batch, changes } = openBatch(call);
  const isBatched = !isGranted || type === 'S';
  const transaction: Transaction = {
    key: newTransactionKey(),
    refnum: String(call.ledger.nextNumber()),
    merchant: call.merchant.name,
    command: String(body.command),
    type,
    status: verdict.status,
    result: verdict.result,
    ...(verdict.error === undefined ? {} : { error: verdict.error }),
    ...(verdict.errorCode === undefined ? {} : { errorCode: verdict.errorCode }),
    authcode: isGranted ? (forcedAuthcode ?? newAuthcode()) : '',
    amountCents: isGranted ? verdict.cents : cents,
    refundedCents: 0,
    card: resolved.card,
    avs: avsOf(call, resolved.card, outcome),
    cvc: resolved.cvc,
    ...(isBatched ? { batchKey: batch.key } : {}),
    createdAt: now,
    ...(type === 'A' ? { expiresAt: now + call.switches.authorizationDays * DAY_MILLISECONDS } : {}),
    ...(typeof body.custkey === 'string' ? { customerKey: body.custkey } : {}),
    fields: Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_STORED.includes(name))),
    answer: {},
    foldingPrint: print,
  };
  const answer = chargeAnswer(transaction, isBatched ? batch : undefined);
  const allChanges: Change[] = isBatched ? [...changes] : [];
  if (isGranted && body.save_card === true) {
    const token = tokenOf(transaction);
    allChanges.push({ table: 'tokens', put: token });
    answer.savedcard = savedCardView(token);
  }
  if (isGranted && sendsReceipt(body)) answer.receipts = { customer: 'Mail Sent Successfully' };
  if (isGranted) {
    const saved = saveCustomer(call, transaction);
    allChanges.push(...saved.changes);
    if (saved.customer) {
      answer.customer = saved.customer;
      transaction.customerKey = saved.customer.custkey;
    }
  }
  if (resolved.usedKey)
    allChanges.push({ table: 'paymentKeys', put: { ...resolved.usedKey, used: true, number: '' } });
  transaction.answer = answer;
  allChanges.push({ table: 'transactions', put: transaction });
  const event = isGranted ? 'transaction.sale.success' : 'transaction.sale.failure';
  return { status: 200, body: answer, changes: allChanges, notices: [{ event, transaction }] };
}
