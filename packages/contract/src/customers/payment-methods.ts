import * as z from 'zod';
import { requiredText, secretKey } from '../fields.ts';

export const addPaymentMethodSchema = z.strictObject({
  paymentKey: secretKey('card details', 200),
  maskedCard: z
    .string({ error: 'Please enter your card again.' })
    .regex(/^[0-9*xX• -]{4,25}$/, 'Please enter your card again.')
    .refine((value) => (value.match(/\d/g) ?? []).length <= 10, 'Please enter your card again.'),
  street: requiredText('street', 200),
  postalCode: requiredText('postal code', 20),
});

export const paymentMethodSchema = z.object({
  id: z.string(),
  maskedCard: z.string(),
  brand: z.string(),
  /** The last month in which the card is valid, `YYYY-MM`. */
  expires: z.string().nullable(),
  expired: z.boolean(),
  /** The portal can no longer charge this card; its owner has to add it again. */
  addAgain: z.boolean(),
});

export const paymentMethodsSchema = z.array(paymentMethodSchema);

export const paymentMethodIdParamsSchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,100}$/, 'Payment method not found.'),
});

export type AddPaymentMethod = z.infer<typeof addPaymentMethodSchema>;
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;
