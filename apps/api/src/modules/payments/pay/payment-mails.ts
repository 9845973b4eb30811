import { formatDay, franchiseDay } from '../../../franchise-day.ts';
import { creditNoteKey } from '../../../mail/mail-keys.ts';
import type { MailToQueue } from '../../../mail/queue-mail.queries.ts';
import { paymentCreditNote } from '../../../mail/templates/payment-credit-note.ts';
import { paymentReceipt, type ReceiptCharge } from '../../../mail/templates/payment-receipt.ts';
import type { UnmailedCredit } from '../engine/credits.queries.ts';
import type { ClaimedCharge, ClaimedLine } from './claim.ts';

type LineOfCharge = ClaimedLine & { chargeId: string };

/** The mails of an accepted payment: a receipt if wanted, and each credit to its franchise's office. */
export function acceptanceMails({
  lines,
  charges,
  receiptTo,
  receiptUrl = null,
  acceptedAt,
}: {
  lines: LineOfCharge[];
  charges: ReceiptCharge[];
  receiptTo: string | null;
  /** The page where an account's owner finds the payment again. */
  receiptUrl?: string | null;
  acceptedAt: string;
}): MailToQueue[] {
  const receipts: MailToQueue[] =
    receiptTo === null
      ? []
      : [
          {
            kind: 'payment-receipt',
            recipient: receiptTo,
            content: paymentReceipt({
              lines: lines.map(({ invoice, priced }) => ({
                ...invoice,
                ...priced,
                paidOn: formatDay(franchiseDay(acceptedAt, invoice.timeZone), 'long'),
              })),
              charges,
              receiptUrl,
            }),
          },
        ];
  return [...receipts, ...lines.flatMap(creditNotes)];
}

/** Credits that can't be mailed, because their franchise has no address. */
export function unmailedCredits(charges: Pick<ClaimedCharge, 'chargeId' | 'lines'>[]): UnmailedCredit[] {
  return charges.flatMap(({ chargeId, lines }) =>
    lines
      .filter(({ invoice, priced }) => priced.servicesCents < 0 && invoice.franchiseEmail === null)
      .map(({ invoice }) => ({ chargeId, invoiceId: invoice.invoiceId })),
  );
}

function creditNotes({ chargeId, invoice, priced }: LineOfCharge): MailToQueue[] {
  if (priced.servicesCents >= 0 || invoice.franchiseEmail === null) return [];
  const content = paymentCreditNote({
    workOrderNumber: invoice.workOrderNumber,
    servicesCents: priced.servicesCents,
    servicesTaxCents: priced.servicesTaxCents,
    paidCents: priced.totals.totalCents,
    note: priced.servicesNote,
  });
  const onceKey = creditNoteKey({ chargeId, invoiceId: invoice.invoiceId });
  return [{ kind: 'credit-note', recipient: invoice.franchiseEmail, content, onceKey }];
}
