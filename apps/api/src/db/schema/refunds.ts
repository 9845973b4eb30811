import { boolean, date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, int8 } from './franchises.ts';

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
  'not_made',
  'withdrawn',
] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** What an unsent refund waits for; shown to people. */
export type RefundWait = 'settlement' | 'keys' | 'older-list';
export type RefundMethod = 'void' | 'refund';
export type RefundEffect = 'due-again' | 'credited';

/** One request of a person or key: one refund per charge. */
export const refundRequest = pgTable('refund_request', {
  id: uuid('id').primaryKey().defaultRandom(),
  intentId: uuid('intent_id').notNull(),
  actor: uuid('actor').notNull(),
  idemKey: text('idem_key').notNull(),
  requestHash: text('request_hash').notNull(),
  reason: text('reason', { enum: REFUND_REASONS }).notNull(),
  note: text('note'),
  totalCents: int8('total_cents').notNull(),
  needsApproval: boolean('needs_approval').notNull(),
  approvedBy: uuid('approved_by'),
  approvedAt: instant('approved_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const refund = pgTable('refund', {
  id: uuid('id').primaryKey().defaultRandom(),
  requestId: uuid('request_id').notNull(),
  chargeId: uuid('charge_id').notNull(),
  amountCents: int8('amount_cents').notNull(),
  mark: text('mark').notNull(),
  state: text('state', { enum: REFUND_STATES }).notNull(),
  method: text('method', { enum: ['void', 'refund'] }),
  voidUntil: instant('void_until'),
  beforeKeys: text('before_keys').array().notNull().default([]),
  knownKeys: text('known_keys').array().notNull().default([]),
  waitsFor: text('waits_for', { enum: ['settlement', 'keys', 'older-list'] }),
  mayMakeDue: boolean('may_make_due').notNull().default(false),
  lookedAt: instant('looked_at'),
  sentAt: instant('sent_at'),
  deadlineAt: instant('deadline_at'),
  answerKey: text('answer_key'),
  transactionKey: text('transaction_key'),
  reference: text('reference'),
  batchKey: text('batch_key'),
  madeAt: instant('made_at'),
  undoneAt: instant('undone_at'),
  heldFor: text('held_for'),
  providerWords: text('provider_words'),
  closedAt: instant('closed_at'),
  closedNote: text('closed_note'),
  firstAbsentAt: instant('first_absent_at'),
  reviewSince: instant('review_since'),
  nextTryAt: instant('next_try_at'),
  leaseUntil: instant('lease_until'),
  fence: int8('fence').notNull().default(0),
  attempts: integer('attempts').notNull().default(0),
  retryOf: uuid('retry_of'),
});

/** The refunded parts of one work order. */
export const refundLine = pgTable('refund_line', {
  refundId: uuid('refund_id').notNull(),
  chargeId: uuid('charge_id').notNull(),
  invoiceId: int8('invoice_id').notNull(),
  invoiceCents: int8('invoice_cents').notNull(),
  taxCents: int8('tax_cents').notNull(),
  servicesCents: int8('services_cents').notNull(),
  servicesTaxCents: int8('services_tax_cents').notNull(),
  tipCents: int8('tip_cents').notNull(),
  effect: text('effect', { enum: ['due-again', 'credited'] }),
  nothingDue: boolean('nothing_due').notNull().default(false),
  fellDueCents: int8('fell_due_cents'),
  uncreditedCents: int8('uncredited_cents'),
  uncreditedTaxCents: int8('uncredited_tax_cents'),
  copiedCents: int8('copied_cents'),
  copiedTaxCents: int8('copied_tax_cents'),
});

/** The provider's approved refunds, as seen on its lists. */
export const seenRefund = pgTable('seen_refund', {
  transactionKey: text('transaction_key').primaryKey(),
  merchantAccountId: int8('merchant_account_id').notNull(),
  orderId: text('order_id').notNull(),
  amountCents: int8('amount_cents').notNull(),
  type: text('type', { enum: ['C', 'Z'] }).notNull(),
  clerk: text('clerk').notNull(),
  createdOn: instant('created_on'),
  firstSeenAt: instant('first_seen_at').notNull().defaultNow(),
  refundId: uuid('refund_id'),
});

export const refundCoverage = pgTable('refund_coverage', {
  merchantAccountId: int8('merchant_account_id').primaryKey(),
  coveredFrom: instant('covered_from').notNull(),
  coveredUntil: instant('covered_until').notNull(),
});

/** A charge that its payer disputes with the card company. */
export const dispute = pgTable('dispute', {
  id: uuid('id').primaryKey().defaultRandom(),
  chargeId: uuid('charge_id').notNull(),
  amountCents: int8('amount_cents').notNull(),
  openedOn: date('opened_on', { mode: 'string' }).notNull(),
  answerBy: date('answer_by', { mode: 'string' }),
  outcome: text('outcome', { enum: ['won', 'lost'] }),
  note: text('note'),
  createdAt: instant('created_at').notNull().defaultNow(),
  endedAt: instant('ended_at'),
});
