import * as z from 'zod';

/** How much work waits behind each screen of the console. */
export const waitingSchema = z.object({
  /** Charges, found payments and differences together; null for callers who may not review them. */
  review: z.int().nullable(),
  /** Invoices paid above their amount, in the caller's franchises. */
  overpaid: z.int(),
  /** Refunds that wait for an approval or a decision, or failed, in the caller's franchises. */
  refunds: z.int(),
});

export type Waiting = z.infer<typeof waitingSchema>;
