import type { PortalSale } from '@brightpane/contract/payments';
import type { Deps } from '../../../deps.ts';
import { findUser } from '../../auth/find-user.ts';
import { openCard } from '../../payment-methods/open-card.ts';
import type { Payment } from './claim.ts';
import { hashRequest } from './hash-request.ts';
import { payOnce } from './pay-once.ts';
import type { PaymentAnswer } from './replay-payment.ts';

/**
 * Pays any number of a user's own invoices with a saved card: all of them or none. Without an idempotency key the
 * claims on the invoices are what keeps a repeat from paying twice.
 */
export async function payInvoices(
  deps: Deps,
  {
    userId,
    sale,
    idempotencyKey,
    termsVersion,
  }: { userId: string; sale: PortalSale; idempotencyKey: string | null; termsVersion: string },
): Promise<PaymentAnswer> {
  const { email } = await findUser(deps, { userId });
  const payment: Payment = {
    kind: 'portal',
    userId,
    idempotency: { scope: userId, key: idempotencyKey, requestHash: hashRequest(withoutVersions(sale)) },
    lines: sale.workOrders.map((line) => ({
      franchiseId: line.franchiseId,
      workOrderNumber: line.workOrderNumber,
      servicesCents: line.additionalServiceAmount,
      servicesNote: line.additionalServicesNote,
      tipCents: line.tipAmount,
      version: line.version,
    })),
    legalAccepted: sale.legalAccepted,
    termsVersion,
    askAgainSince: deps.env.TERMS_ASK_AGAIN_SINCE,
    sendReceipt: sale.sendReceipt,
    payerEmail: email,
  };
  return payOnce(deps, {
    payment,
    // The provider keeps the card's own street and postal code with it.
    billing: {},
    openCard: () => openCard(deps, { userId, id: sale.paymentMethodId }),
  });
}

/** The versions belong to the press and not to the request: under the same key another one is told what became of the first. */
function withoutVersions(sale: PortalSale) {
  return { ...sale, workOrders: sale.workOrders.map(({ version, ...line }) => line) };
}
