import * as z from 'zod';
import { mailToken, registerSchema } from './users.ts';

/** The token in the answer to a guest's payment. */
const offerToken = mailToken;

export const giveOfferSchema = z.strictObject({ token: offerToken() });

export const registerWithOfferSchema = registerSchema
  .omit({ userType: true })
  .extend({ token: offerToken() });

export const offerSchema = z.object({
  franchiseName: z.string(),
  workOrderNumber: z.int(),
  addressLine1: z.string(),
  city: z.string(),
  expiresAt: z.string(),
});

export type Offer = z.infer<typeof offerSchema>;
export type RegisterWithOffer = z.infer<typeof registerWithOfferSchema>;
