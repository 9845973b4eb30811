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
    franchiseNames: z.array(z.string()),
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

export const restoredSchema = z.strictObject({
  /** When the backup was taken, where that is not plain from the database itself. */
  since: z.iso
    .datetime({ offset: true, error: 'Please give a time such as 2026-11-21T03:00:00Z.' })
    .optional(),
});

export const restoredAnswerSchema = z.object({ isClosed: z.boolean() });

/** The payments that the provider has and our books do not, because they were made after a backup. */
export const foundPaymentsSchema = z.array(
  z.object({
    orderId: z.string(),
    reference: z.string(),
    amount: z.number(),
    state: z.string(),
    /** Not all of its work orders could be read: nobody can pay until it is acknowledged. */
    isUnnamed: z.boolean(),
    workOrders: z.array(z.object({ franchiseId: z.int(), workOrderNumber: z.int() })),
  }),
);

export const foundPaymentAnswerSchema = z.object({ orderId: z.string() });

/** Credits that payers took, of franchises that have no address to mail them to, until somebody has looked. */
export const creditsSchema = z.array(
  z.object({
    creditId: z.int(),
    franchiseId: z.int(),
    workOrderNumber: z.int(),
    /** Below zero, with its tax. */
    amount: z.number(),
    note: z.string(),
    at: z.string(),
  }),
);

export const creditParamsSchema = z.object({
  creditId: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'Name a credit as credits lists it.')
    .transform(Number),
});

export const creditAnswerSchema = z.object({ creditId: z.int() });

export type ComparisonAnswer = z.infer<typeof comparisonSchema>;
export type ReviewedCharge = z.infer<typeof reviewListSchema>[number];
export type FoundPayment = z.infer<typeof foundPaymentsSchema>[number];
