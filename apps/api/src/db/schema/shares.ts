import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, int8 } from './franchises.ts';

/** What one charge paid, or tried to pay, to one franchise. */
export const paymentShare = pgTable('payment_share', {
  chargeId: uuid('charge_id').notNull(),
  franchiseId: integer('franchise_id').notNull(),
  intentId: uuid('intent_id').notNull(),
  at: instant('at').notNull(),
  outcome: text('outcome', { enum: ['accepted', 'declined', 'abandoned'] }).notNull(),
  amountCents: int8('amount_cents').notNull(),
  tipCents: int8('tip_cents').notNull(),
  servicesCents: int8('services_cents').notNull(),
  brand: text('brand'),
  lastFour: text('last_four'),
});

export const officeNote = pgTable('office_note', {
  id: uuid('id').primaryKey().defaultRandom(),
  /** Null: for every office of the payment. */
  franchiseId: integer('franchise_id'),
  subject: text('subject', { enum: ['payment', 'invoice', 'customer'] }).notNull(),
  subjectId: text('subject_id').notNull(),
  staffId: uuid('staff_id'),
  apiKeyId: uuid('api_key_id'),
  at: instant('at').notNull().defaultNow(),
  text: text('text').notNull(),
});

export const creditLook = pgTable('credit_look', {
  chargeId: uuid('charge_id').notNull(),
  invoiceId: int8('invoice_id').notNull(),
  actorId: uuid('actor_id').notNull(),
  at: instant('at').notNull().defaultNow(),
  note: text('note'),
});
