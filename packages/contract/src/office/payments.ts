import * as z from 'zod';
import { email, franchiseId, requiredText } from '../fields.ts';
import { checkBounds, cursor, day, dollarAmount, franchiseFilter, listAnswer, search } from './lists.ts';
import { refundAllowanceSchema, refundableSchema, refundSchema } from './refunds.ts';

export const PAYMENT_STATES = [
  'paid',
  'declined',
  'not-charged',
  'failed',
  'refunded',
  'partly-refunded',
  'review',
  'disputed',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What the list can be narrowed to: a state, or credits that couldn't be mailed and nobody has looked at yet. */
export const PAYMENT_STATE_FILTERS = [...PAYMENT_STATES, 'credit'] as const;

export const PAYMENT_METHODS = ['visa', 'mastercard', 'amex', 'discover', 'other'] as const;
export const PAYMENT_KINDS = ['guest', 'account', 'autopay'] as const;

const choice = <const Values extends readonly [string, ...string[]]>(values: Values, which: string) =>
  z.enum(values, { error: `Please choose ${which}.` });

const filters = {
  search: search().optional(),
  franchiseId: franchiseFilter().optional(),
  state: choice(PAYMENT_STATE_FILTERS, 'a state from the list').optional(),
  method: choice(PAYMENT_METHODS, 'a method from the list').optional(),
  from: day().optional(),
  to: day().optional(),
  minAmount: dollarAmount().optional(),
  maxAmount: dollarAmount().optional(),
  order: choice(['newest', 'oldest'], 'newest or oldest').optional(),
};

export const paymentFiltersSchema = z.strictObject(filters).superRefine(checkBounds);
export const paymentListQuerySchema = z
  .strictObject({ ...filters, cursor: cursor().optional() })
  .superRefine(checkBounds);

const money = z.number();

/** One share: what a payment paid, or tried to pay, to one franchise. */
export const paymentRowSchema = z.object({
  paymentId: z.string(),
  franchiseId: z.int(),
  at: z.string(),
  day: z.string(),
  timeZone: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  state: z.enum(PAYMENT_STATES),
  isInReview: z.boolean(),
  customer: z.object({ customerNumber: z.int(), name: z.string() }),
  /** The first three. */
  workOrders: z.array(z.int()),
  workOrderCount: z.int(),
  method: z.object({ brand: z.string(), lastFour: z.string() }).nullable(),
  amount: money,
  tip: money,
  refunded: money,
  reference: z.string().nullable(),
  payerEmail: z.string().nullable(),
});

export const paymentListSchema = listAnswer(paymentRowSchema).extend({
  /** Payments still undecided; they have no rows yet. */
  underWay: z.int(),
});

/** `count` is null above 10,000, or where counting would read too many rows. */
export const paymentSummarySchema = z.object({
  count: z.int().nullable(),
  isMore: z.boolean(),
  in: money.nullable(),
  back: money.nullable(),
  net: money.nullable(),
  tips: money.nullable(),
});

export const paymentParamsSchema = z.object({ paymentId: z.guid('Name a payment by its paymentId.') });

/** A note about a payment, an invoice or a customer. */
export const officeNoteSchema = z.object({
  noteId: z.string(),
  at: z.string(),
  by: z.string(),
  text: z.string(),
});

const lineSchema = z.object({
  workOrderNumber: z.int(),
  customerNumber: z.int(),
  customerName: z.string(),
  address: z.string(),
  service: z.string(),
  invoice: money,
  tax: money,
  services: money,
  servicesTax: money,
  tip: money,
  note: z.string().nullable(),
  total: money,
  refunded: money,
  creditLookedAt: z.string().nullable(),
  /** What they noted. An instance from before an update doesn't send it. */
  creditLookedNote: z.string().nullable().optional(),
});

const shareSchema = z.object({
  chargeId: z.string(),
  franchiseId: z.int(),
  franchiseName: z.string(),
  timeZone: z.string(),
  account: z.enum(['own', 'portal']),
  amount: money,
  chargeState: z.string(),
  /** Its outcome, as staff read it. */
  words: z.string(),
  method: z.string().nullable(),
  maskedCard: z.string().nullable(),
  reference: z.string().nullable(),
  orderId: z.string(),
  acceptedAt: z.string().nullable(),
  collectedAt: z.string().nullable(),
  disputeId: z.string().nullable(),
  lines: z.array(lineSchema),
});

export const paymentSchema = z.object({
  paymentId: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  state: z.enum(PAYMENT_STATES),
  startedAt: z.string(),
  decidedAt: z.string().nullable(),
  /** The sentence that the payer read. */
  answer: z.string().nullable(),
  payer: z.object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    userId: z.string().nullable(),
    /** Where refund mails go; null: we have no address to write to. */
    refundEmail: z.string().nullable(),
  }),
  shares: z.array(shareSchema),
  timeline: z.array(
    z.object({
      at: z.string(),
      kind: z.string(),
      text: z.string(),
      detail: z.string().nullable(),
      by: z.string().nullable(),
    }),
  ),
  mails: z.array(
    z.object({ mailId: z.string(), kind: z.string(), to: z.string(), state: z.string(), at: z.string() }),
  ),
  notes: z.array(officeNoteSchema),
  /** Other payments of these work orders, declined ones included. */
  others: z.array(
    z.object({ paymentId: z.string(), at: z.string(), state: z.enum(PAYMENT_STATES), amount: money }),
  ),
  refunds: z.array(refundSchema),
  refundable: z.array(refundableSchema),
  /** Empty for callers who may not refund. */
  refundAllowances: z.array(refundAllowanceSchema),
});

export const sendReceiptSchema = z.strictObject({ email: email().optional() });
export const sendReceiptAnswerSchema = z.object({ mailId: z.string() });

export const officeNoteTextSchema = z.strictObject({ text: requiredText('note', 1000) });
export const officeNoteAnswerSchema = z.object({ noteId: z.string() });

export const creditLookParamsSchema = z.object({
  franchiseId: franchiseId(),
  chargeId: z.guid('Name a charge by its chargeId.'),
  workOrderNumber: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'Name a work order by its number.')
    .transform(Number),
});
export const lookedAtSchema = z.strictObject({ note: requiredText('note', 500).optional() });

export type OfficeNote = z.infer<typeof officeNoteSchema>;
export type PaymentFilters = z.output<typeof paymentFiltersSchema>;
export type PaymentRow = z.infer<typeof paymentRowSchema>;
export type PaymentList = z.infer<typeof paymentListSchema>;
export type PaymentSummary = z.infer<typeof paymentSummarySchema>;
export type Payment = z.infer<typeof paymentSchema>;
export type PaymentShare = Payment['shares'][number];
export type PaymentLine = PaymentShare['lines'][number];
