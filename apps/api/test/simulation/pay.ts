import { cents } from '@brightpane/money/cents';
import type { Deps } from '../../src/deps.ts';
import { payInvoiceAsGuest } from '../../src/modules/payments/pay/guest/pay-invoice-as-guest.ts';
import { payInvoices } from '../../src/modules/payments/pay/pay-invoices.ts';
import type { PaymentAnswer } from '../../src/modules/payments/pay/replay-payment.ts';
import { GUEST } from '../factories/guest.ts';
import type { Payer } from './world.ts';

/** One press of Pay, in an instance. */
export function pay(
  deps: Deps,
  payer: Pick<Payer, 'address' | 'user' | 'invoices' | 'servicesCents'>,
  press: { idempotencyKey: string; paymentKey: string; tipCents: number },
): Promise<PaymentAnswer> {
  const added = {
    additionalServiceAmount: cents(payer.servicesCents),
    additionalServicesNote: 'As agreed',
    tipAmount: cents(press.tipCents),
  };
  const { idempotencyKey } = press;
  if (payer.user) {
    return payInvoices(deps, {
      userId: payer.user.userId,
      idempotencyKey,
      termsVersion: deps.env.TERMS.version,
      body: {
        paymentMethodId: payer.user.cardId,
        sendReceipt: true,
        legalAccepted: true,
        workOrders: payer.invoices.map(({ franchiseId, workOrderNumber }) => ({
          franchiseId,
          workOrderNumber,
          ...added,
        })),
      },
    });
  }
  const [invoice] = payer.invoices;
  if (!invoice) throw new Error('a guest pays one invoice');
  return payInvoiceAsGuest(deps, {
    idempotencyKey,
    version: undefined,
    address: payer.address,
    termsVersion: deps.env.TERMS.version,
    body: {
      franchiseId: invoice.franchiseId,
      workOrderNumber: invoice.workOrderNumber,
      ...added,
      ...GUEST,
      zipCode: GUEST.postalCode,
      email: 'ana@example.com',
      sendReceipt: true,
      legalAccepted: true,
      paymentKey: press.paymentKey,
    },
  });
}

/** What a payer makes of an answer. */
export type Heard =
  | 'paid'
  | 'not charged'
  | 'already paid'
  | 'changed meanwhile'
  | 'other request'
  | 'nothing certain';

export function hear(answer: PaymentAnswer | null): Heard {
  if (!answer) return 'nothing certain';
  if (answer.status === 200) return 'paid';
  const codes = 'errors' in answer.body ? answer.body.errors.map((error) => error.code) : [];
  if (codes.includes('InvoiceChanged') && codes.includes('NotCharged')) return 'changed meanwhile';
  if (codes.includes('NotCharged')) return 'not charged';
  if (codes.includes('AlreadyPaid')) return 'already paid';
  if (codes.includes('KeyReused')) return 'other request';
  return 'nothing certain';
}
