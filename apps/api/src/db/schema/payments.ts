import { boolean, date, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, int8 } from './franchises.ts';

const INTENT_STATES = ['undecided', 'accepted', 'declined', 'abandoned'] as const;
export type IntentState = (typeof INTENT_STATES)[number];

export const CHARGE_STATES = [
  'authorising',
  'authorised',
  'accepted',
  'captured',
  'reversing',
  'capture_failed',
  'refused',
  'abandoned',
  'releasing',
  'released',
  'absent',
  'conflict',
  'unresolved',
] as const;
export type ChargeState = (typeof CHARGE_STATES)[number];

export const paymentIntent = pgTable('payment_intent', {
  id: uuid('id').primaryKey().defaultRandom(),
  kind: text('kind', { enum: ['guest', 'portal', 'card'] }).notNull(),
  userId: uuid('user_id'),
  idemScope: text('idem_scope').notNull(),
  idemKey: text('idem_key'),
  requestHash: text('request_hash').notNull(),
  state: text('state', { enum: INTENT_STATES }).notNull().default('undecided'),
  createdAt: instant('created_at').notNull().defaultNow(),
  deadlineAt: instant('deadline_at').notNull(),
  decidedAt: instant('decided_at'),
  outcome: jsonb('outcome'),
  /** Written by the previous version: see migration 28. */
  responseStatus: integer('response_status'),
  responseBody: jsonb('response_body'),
  payerEmail: text('payer_email'),
  /** A guest named the matching zip code. */
  zipShown: boolean('zip_shown').notNull().default(false),
  /** As it was at payment: an import may later correct the zip code or move the invoice. */
  zipKeyShown: text('zip_key_shown'),
  locationShown: int8('location_shown'),
});

/** A guest's payment adopted by an account, once and permanently. */
export const adoptedPayment = pgTable('adopted_payment', {
  intentId: uuid('intent_id').primaryKey(),
  userId: uuid('user_id').notNull(),
  adoptedAt: instant('adopted_at').notNull(),
  through: text('through', { enum: ['page', 'signed-in'] }).notNull(),
});

export const charge = pgTable('charge', {
  id: uuid('id').primaryKey().defaultRandom(),
  intentId: uuid('intent_id').notNull(),
  merchantAccountId: int8('merchant_account_id').notNull(),
  amountCents: int8('amount_cents').notNull(),
  orderId: text('order_id').notNull(),
  state: text('state', { enum: CHARGE_STATES }).notNull().default('authorising'),
  transactionKey: text('transaction_key'),
  reference: text('reference'),
  maskedCard: text('masked_card'),
  cardBrand: text('card_brand'),
  createdAt: instant('created_at').notNull().defaultNow(),
  acceptedAt: instant('accepted_at'),
  captureSentAt: instant('capture_sent_at'),
  capturedAt: instant('captured_at'),
  firstAbsentListingAt: instant('first_absent_listing_at'),
  firstImpossibleAt: instant('first_impossible_at'),
  reviewSince: instant('review_since'),
  nextTryAt: instant('next_try_at'),
  leaseUntil: instant('lease_until'),
  fence: int8('fence').notNull().default(0),
  attempts: integer('attempts').notNull().default(0),
});

export const chargeAllocation = pgTable('charge_allocation', {
  chargeId: uuid('charge_id').notNull(),
  invoiceId: int8('invoice_id').notNull(),
  invoiceCents: int8('invoice_cents').notNull(),
  taxCents: int8('tax_cents').notNull(),
  servicesCents: int8('services_cents').notNull(),
  servicesTaxCents: int8('services_tax_cents').notNull(),
  tipCents: int8('tip_cents').notNull(),
  servicesNote: text('services_note'),
  pricedVersion: integer('priced_version').notNull(),
});

export const invoiceClaim = pgTable('invoice_claim', {
  invoiceId: int8('invoice_id').notNull(),
  intentId: uuid('intent_id').notNull(),
  state: text('state', { enum: ['live', 'paid', 'freed'] })
    .notNull()
    .default('live'),
});

export const paymentMethod = pgTable('payment_method', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id').notNull(),
  chargeId: uuid('charge_id').notNull(),
  cardToken: text('card_token').notNull(),
  maskedCard: text('masked_card').notNull(),
  brand: text('brand').notNull(),
  expiresMonth: date('expires_month', { mode: 'string' }),
  createdAt: instant('created_at').notNull().defaultNow(),
});
