import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytea } from './columns.ts';
import { identity, instant, int8 } from './franchises.ts';

export const appUser = pgTable('app_user', {
  id: uuid('id').primaryKey().defaultRandom(),
  email: text('email').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  passwordHash: text('password_hash').notNull(),
  userType: smallint('user_type').notNull().default(2),
  emailConfirmedAt: instant('email_confirmed_at'),
  active: boolean('active').notNull().default(true),
  createdAt: instant('created_at').notNull().defaultNow(),
  closedAt: instant('closed_at'),
});

export const userCustomer = pgTable('user_customer', {
  userId: uuid('user_id').notNull(),
  customerId: int8('customer_id').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  endedAt: instant('ended_at'),
});

export const userLocation = pgTable('user_location', {
  userId: uuid('user_id').notNull(),
  locationId: int8('location_id').notNull(),
  /** Filled in by a trigger with the location's customer, unless given. */
  customerId: int8('customer_id').notNull().default(sql`NULL`),
  linkedAt: instant('linked_at'),
  hiddenAt: instant('hidden_at'),
  legalAcceptedAt: instant('legal_accepted_at'),
  termsVersion: text('terms_version'),
});

export const invitation = pgTable('invitation', {
  id: uuid('id').primaryKey().defaultRandom(),
  customerId: int8('customer_id').notNull(),
  email: text('email').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
  acceptedAt: instant('accepted_at'),
  acceptedBy: uuid('accepted_by'),
  withdrawnAt: instant('withdrawn_at'),
  renewedAt: instant('renewed_at'),
});

export const session = pgTable('session', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  generation: integer('generation').notNull().default(1),
  rotatedAt: instant('rotated_at').notNull().defaultNow(),
  createdAt: instant('created_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
  endedAt: instant('ended_at'),
  device: text('device').notNull().default('Unknown browser'),
  /** The newest notice of a restore that it comes after; 0 if there was none. */
  afterNotice: int8('after_notice').notNull().default(0),
});

export const knownAddress = pgTable('known_address', {
  userId: uuid('user_id').notNull(),
  address: text('address').notNull(),
  seenAt: instant('seen_at').notNull(),
});

export const mailToken = pgTable('mail_token', {
  tokenHash: bytea('token_hash').primaryKey(),
  purpose: text('purpose', {
    enum: ['confirm', 'reset', 'invitation', 'staff', 'office-reset', 'demo'],
  }).notNull(),
  email: text('email').notNull(),
  invitationId: uuid('invitation_id'),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
});

export const mailRequest = pgTable('mail_request', {
  id: identity(),
  purpose: text('purpose', { enum: ['confirm', 'reset', 'office-reset'] }).notNull(),
  email: text('email').notNull(),
  requestedAt: instant('requested_at').notNull().defaultNow(),
  isPastLimit: boolean('is_past_limit').notNull().default(false),
});

export const emailChange = pgTable('email_change', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  oldEmail: text('old_email').notNull(),
  newEmail: text('new_email').notNull(),
  confirmHash: bytea('confirm_hash').notNull(),
  askedAt: instant('asked_at').notNull(),
  confirmedAt: instant('confirmed_at'),
  cancelledAt: instant('cancelled_at'),
  undoneAt: instant('undone_at'),
});
