import * as z from 'zod';

/** How much work waits behind each screen of the console. */
export const waitingSchema = z.object({
  /** Charges, found payments and differences together; null for callers who may not review them. */
  review: z.int().nullable(),
  /** Invoices paid above their amount, in the caller's franchises. */
  overpaid: z.int(),
  /** Refunds that wait for an approval or a decision, or failed, in the caller's franchises. */
  refunds: z.int(),
  /**
   * Credits that couldn't be mailed and nobody has looked at, in the caller's franchises. An instance from before an
   * update doesn't send it.
   */
  credits: z.int().optional(),
});

export type Waiting = z.infer<typeof waitingSchema>;
