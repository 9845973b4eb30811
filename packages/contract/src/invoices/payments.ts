import { ZERO } from '@brightpane/money/cents';
import * as z from 'zod';
import {
  checkbox,
  dollars,
  franchiseId,
  identifier,
  optionalEmail,
  optionalPhone,
  optionalText,
  requiredText,
  secretKey,
  workOrderNumber,
} from '../fields.ts';

/** What a payer adds to one work order. The note is required with an amount and ignored without one. */
const additions = {
  additionalServiceAmount: dollars('Please enter the services as an amount like 12.50 or -12.50.', {
    min: -Number.MAX_SAFE_INTEGER,
  }).default(ZERO),
  additionalServicesNote: optionalText('note', 500),
  tipAmount: dollars('Please enter the tip as an amount like 12.50.', { min: 0 }).default(ZERO),
};

function noteWithAmount(line: {
  additionalServiceAmount: number;
  additionalServicesNote?: string | undefined;
}): boolean {
  return line.additionalServiceAmount === 0 || line.additionalServicesNote !== undefined;
}

const noteMissing = {
  path: ['additionalServicesNote'],
  message: 'Please add a note for the additional services.',
};

/** A guest's payment. `cardType` and `maskedCard` are accepted and ignored: the provider's answer names the card. */
export const guestSaleSchema = z
  .strictObject({
    franchiseId: franchiseId(),
    workOrderNumber: workOrderNumber(),
    /** Of the service address, as in the look-up. Without the right one, only the full amount can be paid. */
    zipCode: optionalText('zip code', 20),
    ...additions,
    firstName: requiredText('first name', 100),
    lastName: requiredText('last name', 100),
    address: requiredText('street', 200),
    address2: optionalText('second address line', 200),
    city: requiredText('city', 100),
    state: requiredText('state', 100),
    postalCode: requiredText('postal code', 20),
    phone: optionalPhone(),
    email: optionalEmail(),
    paymentKey: secretKey('card details', 200),
    sendReceipt: checkbox().default(true),
    legalAccepted: checkbox(),
    cardType: z.unknown().optional(),
    maskedCard: z.unknown().optional(),
  })
  .refine(noteWithAmount, noteMissing);

export const guestSaleAnswerSchema = z.object({
  amount: z.number(),
  reference: z.string(),
  /** Lets a guest who named the right zip code take the payment and its location into an account. */
  offer: z.string().optional(),
});

export const workOrderPaymentSchema = z
  .strictObject({
    franchiseId: franchiseId(),
    workOrderNumber: workOrderNumber(),
    ...additions,
    /** The invoice's version that the payer saw. */
    version: z.int({ error: 'Please load the page again.' }).optional(),
  })
  .refine(noteWithAmount, noteMissing);

export const MAX_WORK_ORDERS = 500;

/** What a signed-in customer sends to pay with a saved card. */
export const portalSaleSchema = z.strictObject({
  paymentMethodId: identifier('payment method', 100),
  sendReceipt: checkbox().default(true),
  legalAccepted: checkbox(),
  workOrders: z
    .array(workOrderPaymentSchema, { error: 'Please choose at least one invoice.' })
    .min(1, 'Please choose at least one invoice.')
    .max(MAX_WORK_ORDERS, `Please pay at most ${MAX_WORK_ORDERS} invoices at once.`),
});

export const portalSaleAnswerSchema = z.object({
  amount: z.number(),
  /** One per merchant account charged. */
  references: z.array(z.string()),
  /** The id in `/user/payments/{paymentId}`. */
  paymentId: z.string().optional(),
});

export type GuestSale = z.output<typeof guestSaleSchema>;
export type GuestSaleBody = z.input<typeof guestSaleSchema>;
export type GuestSaleAnswer = z.infer<typeof guestSaleAnswerSchema>;
export type PortalSale = z.output<typeof portalSaleSchema>;
export type PortalSaleBody = z.input<typeof portalSaleSchema>;
export type PortalSaleAnswer = z.infer<typeof portalSaleAnswerSchema>;
