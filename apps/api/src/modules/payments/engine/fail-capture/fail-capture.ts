import { cents } from '@brightpane/money/cents';
import type { Queryable } from '../../../../db/client.ts';
import { cancelUnsentMail } from '../../../../mail/cancel-unsent-mail.queries.ts';
import { queueMail } from '../../../../mail/queue-mail.queries.ts';
import {
  captureFailedForOffice,
  captureFailedForPayer,
  type FailedCapture,
} from '../../../../mail/templates/payment-capture-failed.ts';
import { dropRefunds } from '../../refunds/moves/drop-refunds.ts';
import { bookReversal } from '../ledger.queries.ts';
import { type IntentRow, storeDecision } from '../payments.queries.ts';
import { type CapturedLine, listLinesOfPayment } from './fail-capture.queries.ts';

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
  const told = (line: CapturedLine) => ({
    workOrderNumber: line.workOrderNumber,
    amountCents: cents(line.amountCents),
  });
  const dueAgain = lines.filter((line) => line.isDueAgain).map(told);
  const paid = lines.filter((line) => !line.isDueAgain).map(told);
  const ofThisCharge = lines.filter((line) => line.isOfThisCharge);
  const facts: FailedCapture = {
    dueAgain: ofThisCharge.map(told),
    paid,
    reference: ofThisCharge[0]?.reference ?? '',
    payUrl: `${publicUrl}/${intent.kind === 'guest' ? 'guest-payment' : 'invoices'}`,
  };

  const outcome = { code: 'capture-failed', paid, dueAgain } as const;
  await storeDecision(tx, { intentId: intent.id, state: 'accepted', outcome });
  await cancelUnsentMail(tx, { intentId: intent.id, kind: 'payment-receipt' });
  const mail = { kind: 'capture-failed', intentId: intent.id } as const;
  if (intent.payerEmail !== null) {
    await queueMail(tx, { ...mail, recipient: intent.payerEmail, content: captureFailedForPayer(facts) });
  }
  for (const recipient of new Set(ofThisCharge.map((line) => line.franchiseEmail))) {
    if (recipient === null) continue;
    const theirs = ofThisCharge.filter((line) => line.franchiseEmail === recipient).map(told);
    await queueMail(tx, {
      ...mail,
      recipient,
      content: captureFailedForOffice({ ...facts, dueAgain: theirs }),
    });
  }
}
