import * as z from 'zod';
import { dollars, franchiseId, optionalText, requiredText, workOrderNumber } from '../fields.ts';
import {
  checkBounds,
  cursor,
  day,
  dollarAmount,
  franchiseFilter,
  listAnswer,
  part,
  search,
} from './lists.ts';

export const REFUND_REASONS = [
  'overpaid',
  'wrong-amount',
  'work-not-done',
  'complaint',
  'paid-twice',
  'tip-mistake',
  'fraud',
  'other',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export const REFUND_STATES = [
  'requested',
  'waiting',
  'sending',
  'unknown',
  'held',
  'made',
  'refused',
  'not-made',
  'withdrawn',
] as const;
export type RefundWireState = (typeof REFUND_STATES)[number];

export const REFUND_EFFECTS = ['due-again', 'credited'] as const;
export const REFUND_NEEDS = ['approval', 'person'] as const;
export const REFUND_DECISIONS = ['adopt', 'not-made', 'keep-asking'] as const;
export type RefundPersonDecision = (typeof REFUND_DECISIONS)[number];

const MOST_LINES = 500;
const CHOOSE_ORDER = 'Please choose a work order.';

const amount = (message: string) => dollars(message, { min: 0 });
const choice = <const Values extends readonly [string, ...string[]]>(values: Values, message: string) =>
  z.enum(values, { error: message });

const requestedLine = z
  .strictObject({
    franchiseId: franchiseId(),
    workOrderNumber: workOrderNumber(),
    /** Without it and without `tip`, everything that is left is refunded. */
    amount: amount('Please enter an amount between 0.01 and 99,999.00.').optional(),
    services: amount('Please enter how much of it comes from services.').optional(),
    tip: amount('Please enter a tip between 0.01 and 99,999.00.').optional(),
    effect: choice(REFUND_EFFECTS, 'Please choose what becomes of the invoice.').optional(),
  })
  .superRefine(({ amount: whole, services }, context) => {
    if (services !== undefined && services > (whole ?? 0))
      context.addIssue({ code: 'custom', path: ['services'], message: 'Services are a part of the amount.' });
  });

export const requestRefundSchema = z.strictObject({
  reason: choice(REFUND_REASONS, 'Please choose a reason.'),
  note: optionalText('note', 1000),
  /** Confirms a second refund of the same thing. */
  again: z.boolean().optional(),
  lines: z
    .array(requestedLine, CHOOSE_ORDER)
    .min(1, CHOOSE_ORDER)
    .max(MOST_LINES, 'Please choose at most 500 work orders.'),
});

export const refundParamsSchema = z.object({ refundId: z.guid('Name a refund by its refundId.') });
export const refundNoteSchema = z.strictObject({ note: requiredText('note', 1000) });
export const refundDecisionSchema = z.strictObject({
  decision: choice(REFUND_DECISIONS, 'Please choose a decision.'),
  transactionKey: part(100).optional(),
  note: requiredText('note', 1000),
});
export const noFieldsSchema = z.strictObject({});

const filters = {
  search: search().optional(),
  state: choice(REFUND_STATES, 'Please choose a state from the list.').optional(),
  needs: choice(REFUND_NEEDS, 'Please choose what it needs.').optional(),
  franchiseId: franchiseFilter().optional(),
  /** Part of the requester's name. */
  actor: part(100).optional(),
  reason: choice(REFUND_REASONS, 'Please choose a reason from the list.').optional(),
  from: day().optional(),
  to: day().optional(),
  minAmount: dollarAmount().optional(),
  maxAmount: dollarAmount().optional(),
  order: choice(['newest', 'oldest'], 'Please choose newest or oldest.').optional(),
};

export const refundListQuerySchema = z
  .strictObject({ ...filters, cursor: cursor().optional() })
  .superRefine(checkBounds);

const money = z.number();
const instant = z.string();

const refundLineSchema = z.object({
  franchiseId: z.int(),
  workOrderNumber: z.int(),
  invoice: money,
  tax: money,
  services: money,
  servicesTax: money,
  tip: money,
  effect: z.enum(REFUND_EFFECTS).nullable(),
  /** What falls due again because of it. */
  dueAgain: money,
});

export const refundSchema = z.object({
  refundId: z.string(),
  requestId: z.string(),
  paymentId: z.string(),
  state: z.enum(REFUND_STATES),
  /** Its outcome, as staff read it. */
  words: z.string(),
  safeToSendAgain: z.boolean(),
  method: z.enum(['void', 'refund']).nullable(),
  /** The sum of the lines that the caller may see. */
  amount: money,
  reason: z.enum(REFUND_REASONS),
  note: z.string().nullable(),
  requestedBy: z.string(),
  requestedAt: instant,
  approvedBy: z.string().nullable(),
  approvedAt: instant.nullable(),
  madeAt: instant.nullable(),
  undoneAt: instant.nullable(),
  heldFor: z.string().nullable(),
  providerWords: z.string().nullable(),
  reference: z.string().nullable(),
  card: z.object({ brand: z.string(), lastFour: z.string() }).nullable(),
  retryOf: z.string().nullable(),
  /** The invoice's customer (the first of several), and its franchise's time zone. */
  customer: z.object({ customerNumber: z.int(), name: z.string() }),
  timeZone: z.string(),
  /** The caller requested it. */
  isOwn: z.boolean(),
  /** It may have reached the provider. */
  isSent: z.boolean(),
  /** Somebody closed it with a note. */
  isClosed: z.boolean(),
  lines: z.array(refundLineSchema),
});

export const refundRequestAnswerSchema = z.object({
  requestId: z.string(),
  needsApproval: z.boolean(),
  refunds: z.array(refundSchema),
});

export const refundListSchema = listAnswer(refundSchema);

export const refundPageSchema = refundSchema.extend({
  /** The refund that has to end before this one is sent. */
  waitsForRefundId: z.string().nullable(),
  /**
   * What one request asked for, one refund per charge, as far as the caller sees it: this refund and those beside it. An
   * instance from before an update doesn't send it.
   */
  requested: z
    .object({
      amount: money,
      /** What one approval sends: the refunds that still wait for it. */
      toApprove: money,
      refunds: z.array(
        z.object({
          refundId: z.string(),
          amount: money,
          state: z.enum(REFUND_STATES),
          words: z.string(),
        }),
      ),
    })
    .optional(),
  /** Where mails about it go; null: we have no address to write to. */
  payerEmail: z.string().nullable(),
  timeline: z.array(
    z.object({
      at: instant,
      by: z.string(),
      event: z.string(),
      /** The event in words, and further details. */
      text: z.string(),
      detail: z.string().nullable(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      note: z.string().nullable(),
    }),
  ),
  /**
   * For a held refund, of why it is held and of the candidates. The decision `keep-asking` sends it as
   * `If-Match: "<version>"`. An instance from before an update doesn't send it.
   */
  version: z.int().optional(),
  /** For a held refund: what of this payment at the provider may be it, and no refund of ours accounts for. */
  candidates: z
    .array(
      z.object({
        transactionKey: z.string(),
        amount: money,
        isVoided: z.boolean(),
        /** The payment itself rather than a refund of it: voided or, with `isVoided` false, perhaps voided. */
        isSale: z.boolean(),
        createdOn: instant.nullable(),
        clerk: z.string(),
      }),
    )
    .optional(),
});

/** What is left of each work order that the caller may see. */
export const refundableSchema = z.object({
  franchiseId: z.int(),
  workOrderNumber: z.int(),
  invoice: money,
  tax: money,
  services: money,
  servicesTax: money,
  tip: money,
  /** Less what unfinished refunds of any payment will return. */
  overpaid: money,
  /** The part of the overpayment that was paid as tax, for `spreadRefund`. */
  overpaidTax: money,
  /**
   * Paid beyond the amount, copied credits of payers included: so much less falls due again. An instance from before an
   * update doesn't send it.
   */
  excess: money.optional(),
});

/** What a caller may still refund of a franchise's share without a second person's approval. */
export const refundAllowanceSchema = z.object({ franchiseId: z.int(), left: money });

export const disputeSchema = z.strictObject({
  chargeId: z.guid('Name a charge by its chargeId.'),
  amount: dollars('Please enter an amount between 0.01 and 99,999.00.', { min: 1 }),
  openedOn: day(),
  answerBy: day().optional(),
  note: optionalText('note', 1000),
});
export const disputeAnswerSchema = z.object({ disputeId: z.string() });

export type RefundRequestBody = z.output<typeof requestRefundSchema>;
export type RequestedLineBody = RefundRequestBody['lines'][number];
export type RefundFilters = Omit<z.output<typeof refundListQuerySchema>, 'cursor'>;
export type Refund = z.infer<typeof refundSchema>;
export type RefundPage = z.infer<typeof refundPageSchema>;
export type RefundList = z.infer<typeof refundListSchema>;
export type RefundRequestAnswer = z.infer<typeof refundRequestAnswerSchema>;
export type RefundAllowance = z.infer<typeof refundAllowanceSchema>;
export type RefundableWorkOrder = z.infer<typeof refundableSchema>;
