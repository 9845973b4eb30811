import { batchOf, openBatch } from '../batches.ts';
import type { Call, Plan } from '../call.ts';
import { resolveCard, textOf } from '../cards/resolve-card.ts';
import { FORCED_DECLINE, outcomeOf } from '../cards/test-cards.ts';
import { declineText, errorText } from '../error-codes.ts';
import { type Card, isApproved, type Transaction } from '../ledger/records.ts';
import { newAuthcode, newTransactionKey } from '../merchants/keys.ts';
import { centsOf } from '../transactions/dollars.ts';
import { transactionError } from '../transactions/refusal.ts';
import { isSubmitted } from '../transactions/status-view.ts';
import { refundAnswer } from '../transactions/transaction-view.ts';
import { amountError } from './charge-card.ts';
import { findOriginal } from './find-original.ts';
import { foldedPlan, foldingPrint } from './folding.ts';
import { voidTransaction } from './void.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** A refund takes order id and invoice from its sale; the request's own are ignored. */
export function refundPlan(call: Call, card: Card, cents: number, original?: Transaction): Plan {
  const print = refundPrint(call, card, cents, original);
  const folded = foldedPlan(call, print);
  if (folded) return folded;
  const { batch, changes } = openBatch(call);
  const refused = refusalOf(call, card);
  const refund: Transaction = {
    key: newTransactionKey(),
    refnum: String(call.ledger.nextNumber()),
    merchant: call.merchant.name,
    command: String(call.body.command),
    type: 'C',
    status: refused ? 'E' : 'P',
    result: 'A',
    authcode: refused ? '' : newAuthcode(),
    amountCents: cents,
    refundedCents: 0,
    card,
    avs: '   ',
    cvc: '',
    batchKey: batch.key,
    createdAt: call.now,
    ...(original ? { originalKey: original.key } : {}),
    ...(call.body.clerk === undefined ? {} : { sentClerk: textOf(call.body.clerk) }),
    ...(original?.customerKey === undefined ? {} : { customerKey: original.customerKey }),
    fields: {
      orderid: (original?.fields ?? call.body).orderid,
      invoice: (original?.fields ?? call.body).invoice,
      ...(call.switches.echoesRefundClerk ? { clerk: call.body.clerk, terminal: call.body.terminal } : {}),
    },
    answer: {},
    foldingPrint: print,
    ...refused,
  };
  refund.answer = refundAnswer(refund, batch, call.switches);
  const updated = original && !refused && { ...original, refundedCents: original.refundedCents + cents };
  return {
    status: 200,
    body: refund.answer,
    changes: [
      ...changes,
      { table: 'transactions', put: refund },
      ...(updated ? [{ table: 'transactions' as const, put: updated }] : []),
    ],
    notices: [{ event: `transaction.refund.${refused ? 'failure' : 'success'}`, transaction: refund }],
  };
}

type Refused = Pick<Transaction, 'result' | 'error' | 'errorCode'>;

/** Why the bank refuses the refund, if it does. A refused refund still has a key and is listed. */
function refusalOf({ forcedOutcome, switches }: Call, card: Card): Refused | undefined {
  const declined = (errorCode: number): Refused => ({
    result: 'D',
    errorCode,
    error: declineText(errorCode, switches.declineLetters),
  });
  if (forcedOutcome === 'decline') return declined(FORCED_DECLINE);
  if (forcedOutcome === 'error') return { result: 'E', errorCode: 10116, error: errorText(10116) };
  const { refundDecline, refundError } = outcomeOf(card.number);
  if (refundDecline !== undefined) return declined(refundDecline);
  if (refundError === undefined) return undefined;
  return { result: 'E', errorCode: refundError, error: errorText(refundError) };
}

/** Refunds fold only into refunds, never into a sale of the same amount. */
function refundPrint(call: Call, card: Card, cents: number, original?: Transaction): string {
  if (!call.switches.foldsRefunds) return '';
  const orderid = original?.fields.orderid ?? call.body.orderid;
  const print = foldingPrint({ ...call, body: { ...call.body, orderid } }, card.number, cents);
  return print === '' ? '' : `refund ${print}`;
}

function isTooOld({ now, switches: { refundDays } }: Call, { createdAt }: Transaction): boolean {
  return refundDays > 0 && now - createdAt > refundDays * DAY_MILLISECONDS;
}

/** Refunds an earlier sale, whole or in part, never more than is left of it. */
export function refund(call: Call, needsAmount: boolean): Plan {
  const original = findOriginal(call);
  if (!original) return transactionError(113);
  if (call.merchant.pin === '') return transactionError(84);
  if (!isApproved(original) || original.status === 'V' || !['S', 'L'].includes(original.type))
    return transactionError(10134);
  if (isTooOld(call, original)) return transactionError(10134);
  if (isSubmitted(original, batchOf(call, original), call.switches)) return transactionError(115);
  const { refundUnsettled, quickRefundUnsettled } = call.switches;
  const unsettled = needsAmount ? quickRefundUnsettled : refundUnsettled;
  if (original.status !== 'S' && unsettled === 'refused') return transactionError(115);
  if (original.status !== 'S' && unsettled === 'voids') return voidTransaction(call, { releases: false });
  const left = original.amountCents - original.refundedCents;
  const cents = call.body.amount === undefined && !needsAmount ? left : centsOf(call.body.amount);
  if (cents === undefined || cents <= 0) return transactionError(33);
  if (cents > left) return transactionError(10133);
  return refundPlan(call, original.card, cents, original);
}

/** Sends money to a card without a sale; with a transaction's id it is a refund of that one. */
export function credit(call: Call): Plan {
  if (call.body.trankey !== undefined || call.body.refnum !== undefined) return refund(call, false);
  if (call.merchant.pin === '') return transactionError(84);
  const cents = centsOf(call.body.amount);
  const amountProblem = amountError(cents);
  if (cents === undefined || amountProblem !== undefined) return transactionError(amountProblem ?? 33);
  const resolved = resolveCard(call);
  if (!resolved.ok) return transactionError(resolved.errorCode, resolved.error);
  const plan = refundPlan(call, resolved.card, cents);
  if (resolved.usedKey)
    plan.changes.push({ table: 'paymentKeys', put: { ...resolved.usedKey, used: true, number: '' } });
  return plan;
}
