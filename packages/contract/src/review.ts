import * as z from 'zod';

/** Charges that only a person can finish. */
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
  /** The charge's new state. */
  state: z.string(),
});

/** Differences between the provider's books and ours. `isComplete`: false if the provider didn't show everything. */
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
  /** When the backup was taken, if the database doesn't tell. */
  since: z.iso
    .datetime({ offset: true, error: 'Please give a time such as 2026-11-21T03:00:00Z.' })
    .optional(),
});

export const restoredAnswerSchema = z.object({ isClosed: z.boolean() });

export const movedSchema = z.strictObject({
  /** The address that the portal had before. */
  from: z.url({ error: 'Please give the earlier address, such as https://pay.example.com.' }).max(300),
});

/** The addresses whose payments this portal works on from now on. */
export const movedAnswerSchema = z.object({ addresses: z.array(z.string()) });

/** Payments that the provider has and our books don't, because they were made after a backup. */
export const foundPaymentsSchema = z.array(
  z.object({
    orderId: z.string(),
    reference: z.string(),
    amount: z.number(),
    /** `held`, `captured`, or `unread`: whatever was paid on an account whose list can't be read. */
    state: z.string(),
    /** The franchise whose merchant account it is on; null for the portal's. */
    franchiseName: z.string().nullable(),
    /** Not all of its work orders could be read, so nobody can pay until it is acknowledged. */
    isUnnamed: z.boolean(),
    /**
     * Of its transaction and its state. Who acknowledges it sends it as `If-Match: "<version>"`. An instance from before
     * an update doesn't send it.
     */
    version: z.int().optional(),
    workOrders: z.array(z.object({ franchiseId: z.int(), workOrderNumber: z.int() })),
  }),
);

export const foundPaymentAnswerSchema = z.object({ orderId: z.string() });

/** Credits that payers took at franchises without an email address, until somebody has seen them. */
export const creditsSchema = z.array(
  z.object({
    creditId: z.int(),
    franchiseId: z.int(),
    workOrderNumber: z.int(),
    /** Negative, and including its tax. */
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
export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>;
export type ReviewedCharge = z.infer<typeof reviewListSchema>[number];
export type FoundPayment = z.infer<typeof foundPaymentsSchema>[number];
