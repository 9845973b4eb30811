import * as z from 'zod';

/** What waits for somebody behind a screen of the console. */
export const waitingSchema = z.object({
  /** Charges, found payments and differences together; null for who may not review them. */
  review: z.int().nullable(),
  /** Invoices for which more was paid than they are for, of the franchises that one sees. */
  overpaid: z.int(),
});

export type Waiting = z.infer<typeof waitingSchema>;
