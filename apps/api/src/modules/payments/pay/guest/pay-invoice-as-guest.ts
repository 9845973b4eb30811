import { createHash } from 'node:crypto';
import type { GuestSale } from '@brightpane/contract/payments';
import type { Deps } from '../../../../deps.ts';
import { ok } from '../../../../http/result.ts';
import { zipKey } from '../../../invoices/zip-key.ts';
import type { Payment, PaymentLine } from '../claim.ts';
import { hashRequest } from '../hash-request.ts';
import { payOnce } from '../pay-once.ts';
import type { PaymentAnswer } from '../replay-payment.ts';
import { admitGuest, knowsInvoice } from './admit-guest.ts';
import { limitGuestSales } from './limit-guest-sales.ts';

/** Pays one invoice for somebody without an account, who accepts the terms each time. */
export async function payInvoiceAsGuest(
  deps: Deps,
  {
    sale,
    idempotencyKey,
    version,
    address,
    termsVersion,
  }: {
    sale: GuestSale;
    idempotencyKey: string | null;
    version: number | undefined;
    /** Where the payer sits, as `clientAddress` has it. */
    address: string;
    termsVersion: string;
  },
): Promise<PaymentAnswer> {
  const { franchiseId, workOrderNumber, zipCode, paymentKey, cardType, maskedCard, ...details } = sale;
  const namedZip = zipKey(zipCode ?? '') ?? undefined;
  const line: PaymentLine = {
    franchiseId,
    workOrderNumber,
    servicesCents: sale.additionalServiceAmount,
    servicesNote: sale.additionalServicesNote,
    tipCents: sale.tipAmount,
    version,
  };
  const payment: Payment = {
    kind: 'guest',
    userId: null,
    idempotency: {
      scope: `guest:${franchiseId}:${workOrderNumber}`,
      // A payment key is good for one charge, so without a key of its own a repeat is known by it.
      key: idempotencyKey ?? `payment-key:${createHash('sha256').update(paymentKey).digest('hex')}`,
      // The zip code, or a key that has paid would be good for guessing it.
      requestHash: hashRequest({ franchiseId, workOrderNumber, zip: namedZip, ...details }),
    },
    lines: [line],
    legalAccepted: sale.legalAccepted,
    termsVersion,
    askAgainSince: deps.env.TERMS_ASK_AGAIN_SINCE,
    sendReceipt: sale.sendReceipt,
    payerEmail: sale.email ?? null,
  };
  return payOnce(deps, {
    payment,
    mayHearBalance: () => knowsInvoice(deps, { line, zipCode }),
    admit: () => admitGuest(deps, { line, zipCode, legalAccepted: sale.legalAccepted }),
    openCard: async () => ok({ paymentKey }),
    limit: limitGuestSales(deps, { address, franchiseId, workOrderNumber }),
    billing: {
      firstName: sale.firstName,
      lastName: sale.lastName,
      street: sale.address,
      street2: sale.address2,
      city: sale.city,
      state: sale.state,
      postalCode: sale.postalCode,
      phone: sale.phone,
    },
  });
}
