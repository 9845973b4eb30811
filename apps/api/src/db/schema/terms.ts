import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, int8 } from './franchises.ts';

export const termsText = pgTable('terms_text', {
  version: text('version').primaryKey(),
  body: text('body').notNull(),
  firstUsedAt: instant('first_used_at').notNull().defaultNow(),
});

export const termsAcceptance = pgTable('terms_acceptance', {
  intentId: uuid('intent_id').notNull(),
  invoiceId: int8('invoice_id').notNull(),
  userId: uuid('user_id'),
  version: text('version'),
  work: text('work', { enum: ['completed', 'upcoming'] }).notNull(),
  acceptedAt: instant('accepted_at').notNull(),
});
