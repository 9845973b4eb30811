import type { Deps } from '../../../../deps.ts';
import { fail, ok } from '../../../../http/result.ts';
import { findGuestInvoice, type GuestInvoiceRow } from '../../../invoices/payable-invoices.queries.ts';
import type { Uncounted } from '../../../limits/limits.queries.ts';
import type { Admitted, PaymentLine } from '../claim.ts';
import { isTooLarge, priceSeenWorkOrder } from '../price-work-order.ts';

type Guest = { line: PaymentLine; namedZip: string | null; legalAccepted: boolean };

/**
 * Checks by the zip code of the service address whether a guest knows the invoice. A stranger may only pay the full
 * amount. One statement checks everything that would refuse a stranger, so that an invoice that can't be paid this way
 * takes as long, and reads the same, as one that doesn't exist.
 */
export async function admitGuest(deps: Pick<Deps, 'db'>, guest: Guest) {
  if (!guest.legalAccepted) return fail('legal-not-accepted');
  const invoice = await findGuestInvoice(deps.db.query, { ...guest.line, zipKey: guest.namedZip });
  const admitted = admittedTo(invoice, guest);
  return admitted ? ok(admitted) : fail('invoice-not-found');
}

/** Admits a guest against whom nothing is counted, which the same statement checks. `undefined` for everybody else. */
export async function admitUncountedGuest(
  deps: Pick<Deps, 'db'>,
  guest: Guest,
  uncounted: Uncounted,
): Promise<Admitted | undefined> {
  if (!guest.legalAccepted) return undefined;
  const numbers = { ...guest.line, zipKey: guest.namedZip };
  return admittedTo(await findGuestInvoice(deps.db.query, { ...numbers, uncounted }), guest);
}

function admittedTo(invoice: GuestInvoiceRow | undefined, { line, namedZip }: Guest): Admitted | undefined {
  if (!invoice) return undefined;
  const resolved = { ...line, invoiceId: invoice.invoiceId, accountId: invoice.account?.id ?? null };
  if (invoice.isZipRight && namedZip !== null) {
    const shown = { locationId: invoice.locationId, zipKey: namedZip };
    return { isStranger: false, shown, invoice: resolved };
  }
  const isPayable = !invoice.isClaimed && isFullPayment(invoice, line);
  return isPayable ? { isStranger: true, invoice: resolved } : undefined;
}

export async function knowsInvoice(
  deps: Pick<Deps, 'db'>,
  { line, zipKey }: { line: PaymentLine; zipKey: string | null },
): Promise<boolean> {
  const invoice = await findGuestInvoice(deps.db.query, { ...line, zipKey });
  return invoice?.isZipRight ?? false;
}

/** A tip and services on top of what is due are welcome; a credit is not. */
function isFullPayment(invoice: GuestInvoiceRow, line: PaymentLine): boolean {
  if (line.servicesCents < 0) return false;
  const priced = priceSeenWorkOrder(invoice, line);
  return priced.ok && !isTooLarge(priced.value.totals.totalCents);
}
