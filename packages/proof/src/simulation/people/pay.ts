import { cents } from '@brightpane/money/cents';
import type { Deps } from '../../../../../apps/api/src/deps.ts';
import { payInvoiceAsGuest } from '../../../../../apps/api/src/modules/payments/pay/guest/pay-invoice-as-guest.ts';
import { payInvoices } from '../../../../../apps/api/src/modules/payments/pay/pay-invoices.ts';
import {
  type WireAnswer,
  wireAnswer,
} from '../../../../../apps/api/src/modules/payments/pay/replay/payment-answer.ts';
import { GUEST } from '../../../../../apps/api/test/factories/guest.ts';
import type { Payer } from '../world/world.ts';

/** The version of each invoice that the payer's page showed, by invoice id. */
export type SeenVersions = Readonly<Record<number, number>>;

/** One press of Pay, in an instance. */
export async function pay(
  deps: Deps,
  payer: Pick<Payer, 'address' | 'user' | 'invoices' | 'servicesCents'>,
  press: {
    idempotencyKey: string;
    paymentKey: string;
    tipCents: number;
    seen?: SeenVersions | undefined;
  },
): Promise<WireAnswer> {
  const added = {
    additionalServiceAmount: cents(payer.servicesCents),
    additionalServicesNote: 'As agreed',
    tipAmount: cents(press.tipCents),
  };
  const { idempotencyKey, seen } = press;
  if (payer.user) {
    const answer = await payInvoices(deps, {
      userId: payer.user.userId,
      idempotencyKey,
      termsVersion: deps.env.TERMS.version,
      body: {
        paymentMethodId: payer.user.cardId,
        sendReceipt: true,
        legalAccepted: true,
        workOrders: payer.invoices.map(({ invoiceId, franchiseId, workOrderNumber }) => ({
          franchiseId,
          workOrderNumber,
          version: seen?.[invoiceId],
          ...added,
        })),
      },
    });
    return wireAnswer(answer, 'customer');
  }
  const [invoice] = payer.invoices;
  if (!invoice) throw new Error('a guest pays one invoice');
  const answer = await payInvoiceAsGuest(deps, {
    idempotencyKey,
    version: seen?.[invoice.invoiceId],
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
  return wireAnswer(answer, 'guest');
}

/** How a payer reads an answer. */
export type Heard =
  | 'paid'
  | 'not charged'
  | 'already paid'
  | 'changed meanwhile'
  | 'other request'
  /** The key paid before, at another price than the page showed. */
  | 'paid earlier'
  /** It was accepted but couldn't be captured. */
  | 'not collected'
  /** Nothing began, and pressing again unchanged wouldn't help. */
  | 'refused'
  /** A person has to look at the provider: pressing again tells nothing new. */
  | 'being checked'
  | 'nothing certain';

/** Reasons for refusing a payment before it begins. */
const REFUSALS = ['InvoiceChanged', 'CreditTooLarge', 'TotalNotPositive'];

export function hear(answer: WireAnswer | null): Heard {
  if (!answer) return 'nothing certain';
  if (answer.status === 200) return 'paid';
  const codes = 'errors' in answer.body ? answer.body.errors.map((error) => error.code) : [];
  if (codes.includes('InvoiceChanged') && codes.includes('NotCharged')) return 'changed meanwhile';
  if (codes.includes('NotCharged')) return 'not charged';
  if (codes.includes('AlreadyPaid')) return 'already paid';
  if (codes.includes('KeyReused')) return 'other request';
  if (codes.includes('PaidEarlier')) return 'paid earlier';
  if (codes.includes('CaptureFailed')) return 'not collected';
  if (codes.includes('PaymentFound')) return 'being checked';
  if (codes.some((code) => REFUSALS.includes(code))) return 'refused';
  return 'nothing certain';
}
