import * as z from 'zod';

/** The charges that the machine cannot end by itself. */
export const reviewListSchema = z.array(
  z.object({
    chargeId: z.string(),
    state: z.string(),
    orderId: z.string(),
    transactionKey: z.string().nullable(),
    reference: z.string().nullable(),
    reviewSince: z.string(),
    amount: z.number(),
    workOrders: z.array(z.object({ franchiseId: z.int(), workOrderNumber: z.int() })),
  }),
);

export const reviewAnswerSchema = z.object({
  chargeId: z.string(),
  /** The charge's state from now on. */
  state: z.string(),
});

/** What the provider's books and ours say differently. `isComplete` false: the provider did not show everything. */
export const comparisonSchema = z.object({
  compared: z.int(),
  isComplete: z.boolean(),
  differences: z.array(
    z.object({
      kind: z.string(),
      orderId: z.string(),
      reference: z.string(),
      amount: z.string(),
    }),
  ),
});

export type ComparisonAnswer = z.infer<typeof comparisonSchema>;
