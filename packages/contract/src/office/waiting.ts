import * as z from 'zod';

/** What waits for somebody behind a screen of the console. */
export const waitingSchema = z.object({
  /** Charges, found payments and differences together; null for who may not review them. */
  review: z.int().nullable(),
  /** Invoices for which more was paid than they are for, of the franchises that one sees. */
  overpaid: z.int(),
  /** Refunds that wait for an approval or a decision, or came to nothing, of the franchises that one sees. */
  refunds: z.int(),
});

export type Waiting = z.infer<typeof waitingSchema>;
