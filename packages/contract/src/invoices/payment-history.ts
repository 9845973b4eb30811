import * as z from 'zod';

export const HISTORY_STATES = ['paid', 'partly-refunded', 'refunded', 'not-collected'] as const;
export const PAID_BY = ['you', 'someone-else', 'office'] as const;
export const PAID_HOW = ['card', 'guest', 'office'] as const;

const year = () =>
  z
    .string()
    .regex(/^[1-9]\d{3}$/, 'Please choose a year.')
    .transform(Number);
const locationId = () =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'Location not found')
    .transform(Number);

export const paymentsQuerySchema = z.strictObject({
  year: year().optional(),
  locationId: locationId().optional(),
  cursor: z.string().max(500, 'Please load the list again.').optional(),
});

export const statementQuerySchema = z.strictObject({
  year: year(),
  locationId: locationId().optional(),
});

export const paymentIdParamsSchema = z.strictObject({
  /** For an office payment: `office-` and a number. */
  paymentId: z
    .string()
    .regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|office-\d{1,15})$/, 'Payment not found'),
});

/** What a payment paid on one invoice. Address and link are null if the location no longer belongs to the account. */
export const paymentLineSchema = z.object({
  franchiseId: z.int(),
  franchiseName: z.string(),
  workOrderNumber: z.int(),
  locationId: z.int().nullable(),
  description: z.string().nullable(),
  addressLine1: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  service: z.string(),
  /** Less its sales tax. These five add up to the total. */
  invoiceAmount: z.number(),
  salesTax: z.number(),
  services: z.number(),
  servicesTax: z.number(),
  tip: z.number(),
  total: z.number(),
  /** The refunded part of the total. */
  refunded: z.number(),
  note: z.string().nullable(),
  /** Of the charge on the card that paid the line: a payment over several merchant accounts has one for each. */
  reference: z.string().nullable(),
  pdfLink: z.string().nullable(),
});

const paymentFacts = {
  paymentId: z.string(),
  /** In the franchise's local time, with its offset. */
  paidAt: z.string(),
  by: z.enum(PAID_BY),
  how: z.enum(PAID_HOW),
};

/** A payment with those of its lines that the account may see and that match the filter; `amount` is their sum. */
export const listedPaymentSchema = z.object({
  ...paymentFacts,
  amount: z.number(),
  refundedAmount: z.number(),
  state: z.enum(HISTORY_STATES),
  card: z.string().nullable(),
  references: z.array(z.string()),
  receiptLink: z.string().nullable(),
  refunds: z.array(z.object({ refundedAt: z.string(), amount: z.number() })),
  lines: z.array(paymentLineSchema),
});

export const paymentsSchema = z.object({
  items: z.array(listedPaymentSchema),
  next: z.string().nullable(),
  /** The years that have payments, latest first. */
  years: z.array(z.int()),
});

/** One line of the statement: only money that was collected. */
export const statementRowSchema = z.object({
  ...paymentFacts,
  ...paymentLineSchema.shape,
});

const sums = { paidByYou: z.number(), paidByOthers: z.number(), refunded: z.number() };

export const MAX_STATEMENT_ROWS = 2_000;

export const statementSchema = z.object({
  /** Empty if there are more than `MAX_STATEMENT_ROWS`. */
  rows: z.array(statementRowSchema),
  count: z.int(),
  franchises: z.array(z.object({ franchiseId: z.int(), franchiseName: z.string(), ...sums })),
  ...sums,
  csvLink: z.string(),
});

export type ListedPayment = z.infer<typeof listedPaymentSchema>;
export type PaymentLine = z.infer<typeof paymentLineSchema>;
export type Payments = z.infer<typeof paymentsSchema>;
export type StatementRow = z.infer<typeof statementRowSchema>;
export type Statement = z.infer<typeof statementSchema>;
