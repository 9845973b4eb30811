import * as z from 'zod';
import { optionalText, requiredText } from '../fields.ts';
import { isTestimony, REVIEW_DECISIONS } from './review-decisions.ts';

const chargeId = () => z.uuid('Name a charge by its chargeId, as review lists it.');

export const reviewedChargeSchema = z.object({ chargeId: chargeId() });

/** A testimony is worth what its note says about it. */
export const reviewDecisionSchema = z
  .strictObject({
    decision: z.enum(REVIEW_DECISIONS, {
      error: 'Say release, close, reverse, collected or nothing-taken.',
    }),
    note: optionalText('note', 500),
  })
  .refine(({ decision, note }) => note !== undefined || !isTestimony(decision), {
    path: ['note'],
    message: 'Please enter your note.',
  });

export const differencesQuerySchema = z.strictObject({
  state: z.enum(['open', 'acknowledged'], { error: 'Say open or acknowledged.' }).default('open'),
  cursor: z.string().max(500).optional(),
});

export const differencesSchema = z.object({
  items: z.array(
    z.object({
      differenceId: z.int(),
      kind: z.string(),
      orderId: z.string(),
      reference: z.string(),
      amount: z.number(),
      /**
       * Of its amount. Who acknowledges it sends it as `If-Match: "<version>"`. An instance from before an update doesn't
       * send it.
       */
      version: z.int().optional(),
      /** The franchise whose merchant account it is on; null for the portal's. */
      franchiseName: z.string().nullable(),
      firstSeenAt: z.string(),
      lastSeenAt: z.string(),
      acknowledgedBy: z.string().nullable(),
      acknowledgedAt: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
  next: z.string().nullable(),
  /** Of all accounts in use: since when each has been compared. Null if nothing was compared yet. */
  lastComparison: z.object({ at: z.string(), isComplete: z.boolean(), differences: z.int() }).nullable(),
});

export const differenceParamsSchema = z.object({
  differenceId: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'Name a difference as differences lists it.')
    .transform(Number),
});

export const acknowledgementSchema = z.strictObject({ note: requiredText('note', 500) });

export type Differences = z.infer<typeof differencesSchema>;
export type Difference = Differences['items'][number];
