import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { identity, instant, int8 } from './franchises.ts';

export type MailContent = { subject: string; text: string; html: string };

export const outgoingMail = pgTable('outgoing_mail', {
  id: uuid('id').primaryKey().defaultRandom(),
  kind: text('kind').notNull(),
  recipient: text('recipient').notNull(),
  content: jsonb('content').$type<MailContent | Record<string, never>>().notNull(),
  intentId: uuid('intent_id'),
  createdAt: instant('created_at').notNull().defaultNow(),
  sentAt: instant('sent_at'),
  cancelledAt: instant('cancelled_at'),
  nextTryAt: instant('next_try_at').defaultNow(),
  leaseUntil: instant('lease_until'),
  fence: int8('fence').notNull().default(0),
  attempts: integer('attempts').notNull().default(0),
  refusals: integer('refusals').notNull().default(0),
  refundId: uuid('refund_id'),
  /** Set for mail that must be queued only once. */
  onceKey: text('once_key'),
  /** The franchise whose people typed the recipient of a receipt; null if it is the payer's own. */
  franchiseId: integer('franchise_id'),
  /** When the recipient is erased. */
  blankAt: instant('blank_at'),
});

export const auditEvent = pgTable('audit_event', {
  id: identity(),
  at: instant('at').notNull().defaultNow(),
  actor: text('actor').notNull(),
  action: text('action').notNull(),
  subject: text('subject').notNull(),
  detail: jsonb('detail').notNull().default({}),
  /** A staff member or an API key. */
  actorId: uuid('actor_id'),
  franchiseId: integer('franchise_id'),
  /** The offices of an act that concerned several. */
  franchiseIds: integer('franchise_ids').array(),
  before: jsonb('before'),
  after: jsonb('after'),
  reason: text('reason'),
  requestId: text('request_id'),
});
