import { randomUUID } from 'node:crypto';
import { type Cents, cents } from '@brightpane/money/cents';
import { ofOffices, recordAct } from '../../../db/audit.queries.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { formatDay, franchiseDay } from '../../../franchise-day.ts';
import type { OfficeCaller } from '../../../http/office-caller.ts';
import { fail, ok } from '../../../http/result.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { paymentReceipt } from '../../../mail/templates/payment-receipt.ts';
import { receiptTotals } from '../../../mail/templates/receipt-totals.ts';
import { countWithin } from '../../limits/check-limits.ts';
import { cap } from '../../limits/limit.ts';
import { isCollected } from '../../payments/engine/charge-states.ts';
import { lockIntent } from '../../payments/engine/payments.queries.ts';
import { isPaymentSeen } from '../refunds/requests/refundable.queries.ts';
import { findPaymentPage, type PageShareRow } from './payment-page.queries.ts';
import { findFirstAddress, selectReceiptRefunds } from './receipt.queries.ts';

const RECEIPTS_OF_ONE = cap('receipts of one payment in a day', { max: 5, windowSeconds: 86_400 });
const RECEIPTS_BY_ONE = cap('receipts sent by one person in an hour', { max: 100, windowSeconds: 3_600 });

/** Sends a payment's receipt again, limited to the caller's shares if several offices share it. */
export async function sendReceipt(
  deps: Pick<Deps, 'env' | 'clock' | 'log'>,
  tx: Queryable,
  { caller, paymentId, email }: { caller: OfficeCaller; paymentId: string; email?: string | undefined },
) {
  const seen = { paymentId, actorId: caller.id };
  if (!(await isPaymentSeen(tx, seen))) return fail('not-found');
  // A capture that fails meanwhile cancels unsent receipts: this one is either among them or sees the failure.
  await lockIntent(tx, paymentId);
  const payment = await findPaymentPage(tx, seen);
  if (!payment) return fail('not-found');
  const shares = payment.shares.filter(({ chargeState }) => isCollected(chargeState));
  const [first] = shares;
  if (!first) {
    const isFailing = payment.shares.some(({ chargeState }) => chargeState === 'reversing');
    return fail(isFailing ? 'collection-failing' : 'nothing-paid');
  }
  const before = await findFirstAddress(tx, { paymentId, actorId: caller.id });
  const recipient = email ?? before?.recipient;
  if (recipient === undefined) return fail('email-needed');
  const typedFor = recipient === before?.recipient ? before.franchiseId : first.franchiseId;
  const franchiseId = recipient === payment.payerEmail ? null : typedFor;

  const allowed = await countWithin({ ...deps, db: { query: tx } }, [
    { limit: RECEIPTS_OF_ONE, of: [paymentId] },
    { limit: RECEIPTS_BY_ONE, of: [caller.id] },
  ]);
  if (!allowed.ok) return allowed;

  const mailId = randomUUID();
  const refunds = await selectReceiptRefunds(tx, { paymentId, actorId: caller.id });
  const content = paymentReceipt({
    lines: shares.flatMap(receiptLines),
    charges: receiptCharges(shares),
    refunds: refunds.map(({ refundedAt, timeZone, amountCents }) => ({
      refundedOn: formatDay(franchiseDay(refundedAt, timeZone), 'long'),
      amountCents: cents(amountCents),
    })),
  });
  await queueMail(tx, {
    id: mailId,
    kind: 'payment-receipt',
    recipient,
    content,
    intentId: paymentId,
    franchiseId,
  });
  await recordAct(tx, caller, {
    action: 'send-receipt',
    subject: `payment ${paymentId}`,
    ...ofOffices(shares.map(({ franchiseId }) => franchiseId)),
    detail: { mailId, recipient },
  });
  return ok({ mailId });
}

const receiptLines = (share: PageShareRow) =>
  share.lines.map((line) => ({
    workOrderNumber: line.workOrderNumber,
    franchiseName: share.franchiseName,
    paidOn: formatDay(franchiseDay(share.decidedAt, share.timeZone), 'long'),
    totals: receiptTotals(line),
    servicesNote: line.note,
  }));

/** A charge on the portal's account may cover several franchises, so show it with the sum of these shares only. */
function receiptCharges(shares: PageShareRow[]) {
  const byCharge = Map.groupBy(shares, ({ chargeId }) => chargeId);
  return [...byCharge.values()].flatMap((each) => {
    const [first] = each;
    if (!first) return [];
    const amountCents: Cents = cents(each.reduce((sum, share) => sum + share.amountCents, 0));
    return [
      {
        amountCents,
        cardBrand: first.brand ?? 'Card',
        maskedCard: first.maskedCard ?? '',
        reference: first.reference ?? '',
      },
    ];
  });
}
