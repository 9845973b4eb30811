import { cents } from '@brightpane/money/cents';
import type { Queryable } from '../../../../db/client.ts';
import { cancelUnsentMail, cancelUnsentMailOf } from '../../../../mail/cancel-unsent-mail.queries.ts';
import { creditNoteKey } from '../../../../mail/mail-keys.ts';
import { queueMail } from '../../../../mail/queue-mail.queries.ts';
import {
  captureFailedForOffice,
  captureFailedForPayer,
  type FailedCapture,
} from '../../../../mail/templates/payment-capture-failed.ts';
import { dropRefunds } from '../../refunds/moves/drop-refunds.ts';
import { findPayerAddress, payerBlankAt } from '../../refunds/moves/refund-facts.queries.ts';
import { bookReversal } from '../ledger.queries.ts';
import { type IntentRow, storeDecision } from '../payments.queries.ts';
import { type CapturedLine, listLinesOfPayment, payersMailKey } from './fail-capture.queries.ts';

/**
 * The only way in which an accepted payment fails: its capture became impossible. One commit reverses the entries,
 * makes the invoices due again and queues the mails that correct what was told before.
 */
export async function failCapture(
  tx: Queryable,
  intent: IntentRow,
  { chargeId, publicUrl }: { chargeId: string; publicUrl: string },
): Promise<void> {
  await bookReversal(tx, { chargeId });
  await dropRefunds(tx, { intentId: intent.id, chargeId });

  const lines = await listLinesOfPayment(tx, { intentId: intent.id, chargeId });
  const paid = lines.filter((line) => !line.isUnpaid).map(told);
  const isNamedDue = (line: CapturedLine) =>
    line.dueCents > 0 && (mayHearBalance(intent) || line.dueCents === line.ofInvoiceCents);
  const dueAgain = lines.filter((line) => line.isUnpaid && isNamedDue(line)).map(due);
  const ofThisCharge = lines.filter((line) => line.isOfThisCharge);
  const facts: FailedCapture = {
    dueAgain: ofThisCharge.filter(isNamedDue).map(due),
    notDue: ofThisCharge.filter((line) => !isNamedDue(line)).map(numberOf),
    paid,
    reference: ofThisCharge[0]?.reference ?? '',
    payUrl: `${publicUrl}/${intent.kind === 'guest' ? 'guest-payment' : 'invoices'}`,
  };

  const outcome = { code: 'capture-failed', paid, dueAgain } as const;
  await storeDecision(tx, { intentId: intent.id, state: 'accepted', outcome });
  await cancelUnsentMail(tx, { intentId: intent.id, kind: 'payment-receipt' });
  const creditNotes = ofThisCharge.map(({ invoiceId }) => creditNoteKey({ chargeId, invoiceId }));
  await cancelUnsentMailOf(tx, creditNotes);
  const mail = { kind: 'capture-failed', intentId: intent.id } as const;
  const payer = await findPayerAddress(tx, intent.id);
  if (payer !== null) {
    const content = captureFailedForPayer(facts);
    await queueMail(tx, {
      ...mail,
      recipient: payer,
      content,
      onceKey: payersMailKey(chargeId),
      blankAt: payerBlankAt(intent.id),
    });
  }
  for (const recipient of new Set(ofThisCharge.map((line) => line.franchiseEmail))) {
    if (recipient === null) continue;
    const theirs = ofThisCharge.filter((line) => line.franchiseEmail === recipient);
    await queueMail(tx, {
      ...mail,
      recipient,
      content: captureFailedForOffice({
        ...facts,
        dueAgain: theirs.filter(({ dueCents }) => dueCents > 0).map(due),
        notDue: theirs.filter(({ dueCents }) => dueCents === 0).map(numberOf),
      }),
    });
  }
}

/** A stranger to the invoice knows what they paid, and learns nothing else of it (decision 29). */
const mayHearBalance = ({ kind, zipKeyShown }: IntentRow) => kind !== 'guest' || zipKeyShown !== null;

const numberOf = ({ workOrderNumber }: CapturedLine) => workOrderNumber;
const told = ({ workOrderNumber, amountCents }: CapturedLine) => ({
  workOrderNumber,
  amountCents: cents(amountCents),
});
const due = ({ workOrderNumber, dueCents }: CapturedLine) => ({
  workOrderNumber,
  amountCents: cents(dueCents),
});
