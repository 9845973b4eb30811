import * as z from 'zod';

export const locationSchema = z.object({
  locationId: z.int(),
  description: z.string(),
  addressLine1: z.string(),
  city: z.string(),
  state: z.string(),
  /** Whether this user has accepted the legal terms for this location before. */
  legalAccepted: z.boolean(),
});

export const locationsSchema = z.array(locationSchema);

export const locationIdParamsSchema = z.strictObject({
  locationId: z
    .string()
    .regex(/^\d{1,15}$/, 'Location not found')
    .transform(Number),
});

export type Location = z.infer<typeof locationSchema>;
