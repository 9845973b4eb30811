import { createHash } from 'node:crypto';
import type { GuestSale } from '@brightpane/contract/payments';
import type { Deps } from '../../../../deps.ts';
import { ok } from '../../../../http/result.ts';
import { zipKey } from '../../../invoices/zip-key.ts';
import type { Payment, PaymentLine } from '../claim.ts';
import { hashRequest } from '../hash-request.ts';
import { payOnce } from '../pay-once.ts';
import type { PaymentAnswer } from '../payment-answer.ts';
import { admitGuest, knowsInvoice } from './admit-guest.ts';
import { limitGuestPayments } from './limit-guest-payments.ts';

/** Pays one invoice for somebody without an account, who accepts the terms each time. */
export async function payInvoiceAsGuest(
  deps: Deps,
  {
    body,
    idempotencyKey,
    version,
    address,
    termsVersion,
  }: {
    body: GuestSale;
    idempotencyKey: string | null;
    version: number | undefined;
    /** Where the payer sits, as `clientAddress` has it. */
    address: string;
    termsVersion: string;
  },
): Promise<PaymentAnswer> {
  const { franchiseId, workOrderNumber, zipCode, paymentKey, cardType, maskedCard, ...details } = body;
  const namedZip = zipKey(zipCode ?? '') ?? undefined;
  const line: PaymentLine = {
    franchiseId,
    workOrderNumber,
    servicesCents: body.additionalServiceAmount,
    servicesNote: body.additionalServicesNote,
    tipCents: body.tipAmount,
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
    legalAccepted: body.legalAccepted,
    termsVersion,
    askAgainSince: deps.env.TERMS_ASK_AGAIN_SINCE,
    sendReceipt: body.sendReceipt,
    payerEmail: body.email ?? null,
  };
  return payOnce(deps, {
    payment,
    mayHearBalance: () => knowsInvoice(deps, { line, zipCode }),
    admit: () => admitGuest(deps, { line, zipCode, legalAccepted: body.legalAccepted }),
    openCard: async () => ok({ paymentKey }),
    limit: limitGuestPayments(deps, { address, franchiseId, workOrderNumber }),
    billing: {
      firstName: body.firstName,
      lastName: body.lastName,
      street: body.address,
      street2: body.address2,
      city: body.city,
      state: body.state,
      postalCode: body.postalCode,
      phone: body.phone,
    },
  });
}
