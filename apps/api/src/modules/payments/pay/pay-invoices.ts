import type { PortalSale } from '@brightpane/contract/invoices/payments';
import type { Deps } from '../../../deps.ts';
import { findUser } from '../../auth/users/find-user.ts';
import { openCard } from '../../payment-methods/open-card.ts';
import type { Payment } from './claim.ts';
import { payOnce } from './pay-once.ts';
import { hashRequest } from './replay/hash-request.ts';
import type { PaymentAnswer } from './replay/payment-answer.ts';

/**
 * Pays any number of a user's own invoices with a saved card: all or none. Without an idempotency key, the claims on
 * the invoices keep a repeat from paying twice.
 */
export async function payInvoices(
  deps: Deps,
  {
    userId,
    body,
    idempotencyKey,
    termsVersion,
  }: { userId: string; body: PortalSale; idempotencyKey: string | null; termsVersion: string },
): Promise<PaymentAnswer> {
  const { email } = await findUser(deps, { userId });
  const payment: Payment = {
    kind: 'portal',
    userId,
    idempotency: { scope: userId, key: idempotencyKey, requestHash: hashRequest(withoutVersions(body)) },
    lines: body.workOrders.map((line) => ({
      franchiseId: line.franchiseId,
      workOrderNumber: line.workOrderNumber,
      servicesCents: line.additionalServiceAmount,
      servicesNote: line.additionalServicesNote,
      tipCents: line.tipAmount,
      version: line.version,
    })),
    legalAccepted: body.legalAccepted,
    termsVersion,
    askAgainSince: deps.env.TERMS_ASK_AGAIN_SINCE,
    sendReceipt: body.sendReceipt,
    payerEmail: email,
  };
  return payOnce(deps, {
    payment,
    // We keep no address, and the provider's token holds none: it was checked when the card was added.
    billing: {},
    openCard: () => openCard(deps, { userId, id: body.paymentMethodId }),
  });
}

/**
 * Versions belong to the press, not to the request: the same key with other versions hears how the first press ended.
 */
function withoutVersions(body: PortalSale) {
  return { ...body, workOrders: body.workOrders.map(({ version, ...line }) => line) };
}
