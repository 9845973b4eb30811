import type { GuestSale } from '@brightpane/contract/invoices/payments';
import type { Deps } from '../../../../deps.ts';
import { ok } from '../../../../http/result.ts';
import { zipKey } from '../../../invoices/zip-key.ts';
import { mintOfferAgain } from '../../../offers/mint-offer-again.ts';
import { mintOffer } from '../../../offers/offer-token.ts';
import type { Payment, PaymentLine } from '../claim.ts';
import { payOnce } from '../pay-once.ts';
import { hashRequest, keyOfPaymentKey } from '../replay/hash-request.ts';
import type { PaymentAnswer } from '../replay/payment-answer.ts';
import { admitGuest, admitUncountedGuest, knowsInvoice } from './admit-guest.ts';
import { limitGuestPayments } from './limit-guest-payments.ts';

/** Pays one invoice without an account. Guests accept the terms with each payment. */
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
    /** From `clientAddress`. */
    address: string;
    termsVersion: string;
  },
): Promise<PaymentAnswer> {
  const { franchiseId, workOrderNumber, zipCode, paymentKey, cardType, maskedCard, ...details } = body;
  const namedZip = zipKey(zipCode ?? '');
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
      key: idempotencyKey ?? keyOfPaymentKey(paymentKey),
      // Leaves out the zip code: the payment stores what the guest proved, and a replay proves nothing.
      requestHash: hashRequest({ franchiseId, workOrderNumber, ...details }),
      formerHash: hashRequest({ franchiseId, workOrderNumber, zip: namedZip ?? undefined, ...details }),
    },
    lines: [line],
    legalAccepted: body.legalAccepted,
    termsVersion,
    askAgainSince: deps.env.TERMS_ASK_AGAIN_SINCE,
    sendReceipt: body.sendReceipt,
    payerEmail: body.email ?? null,
  };
  const guest = { line, namedZip, legalAccepted: body.legalAccepted };
  const answer = await payOnce(deps, {
    payment,
    mayHearBalance: (zipKeyShown) => knowsInvoice(deps, { line, zipKey: zipKeyShown }),
    admit: () => admitGuest(deps, guest),
    admitUncounted: (uncounted) => admitUncountedGuest(deps, guest, uncounted),
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
  const offer = await makeOffer(deps, answer);
  return offer === null ? answer : { ...answer, offer };
}

/** Minted per answer and never stored. A replay proves no zip code; it uses what the payment stored. */
async function makeOffer(deps: Deps, answer: PaymentAnswer): Promise<string | null> {
  const { intentId, shown } = answer;
  if (answer.outcome.code !== 'paid' || intentId === undefined) return null;
  if (answer.replayed) return mintOfferAgain(deps, intentId);
  return shown ? mintOffer(deps, { intentId, ...shown }) : null;
}
