import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea } from './columns.ts';
import { instant, int8 } from './franchises.ts';

const madeNow = (name: string) => instant(name).notNull().default(sql`engine_now()`);

export const staff = pgTable('staff', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id').notNull(),
  role: text('role', { enum: ['admin', 'finance', 'support', 'owner', 'clerk', 'viewer'] }).notNull(),
  state: text('state', { enum: ['invited', 'active', 'off'] }).notNull(),
  webauthnId: bytea('webauthn_id').notNull(),
  shortcuts: boolean('shortcuts').notNull().default(true),
  invitedBy: uuid('invited_by'),
  createdAt: madeNow('created_at'),
  heldAt: instant('held_at'),
});

export const staffFactor = pgTable('staff_factor', {
  id: uuid('id').primaryKey().defaultRandom(),
  staffId: uuid('staff_id').notNull(),
  kind: text('kind', { enum: ['totp', 'passkey'] }).notNull(),
  name: text('name').notNull(),
  createdAt: madeNow('created_at'),
  confirmedAt: instant('confirmed_at'),
  lastUsedAt: instant('last_used_at'),
  removedAt: instant('removed_at'),
  totpSecret: text('totp_secret'),
  totpLastStep: int8('totp_last_step'),
  credentialId: bytea('credential_id'),
  publicKey: bytea('public_key'),
  signCount: int8('sign_count'),
  transports: text('transports').array(),
});

export const officeSession = pgTable('office_session', {
  id: uuid('id').primaryKey().defaultRandom(),
  tokenHash: bytea('token_hash').notNull(),
  staffId: uuid('staff_id').notNull(),
  level: text('level', { enum: ['password', 'enrol', 'full'] }).notNull(),
  method: text('method', {
    enum: ['password', 'welcome', 'totp', 'passkey', 'recovery', 'demo'],
  }).notNull(),
  createdAt: madeNow('created_at'),
  seenAt: madeNow('seen_at'),
  expiresAt: instant('expires_at').notNull(),
  endedAt: instant('ended_at'),
  endReason: text('end_reason'),
  device: text('device').notNull().default(''),
});

export const officeChallenge = pgTable('office_challenge', {
  id: uuid('id').primaryKey().defaultRandom(),
  challenge: bytea('challenge').notNull(),
  purpose: text('purpose', { enum: ['sign-in', 'resume', 'enrol', 'step-up'] }).notNull(),
  sessionId: uuid('session_id'),
  staffId: uuid('staff_id'),
  actHash: bytea('act_hash'),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
});

export const officeApiKey = pgTable('office_api_key', {
  id: uuid('id').primaryKey().defaultRandom(),
  publicId: text('public_id').notNull(),
  name: text('name').notNull(),
  keyHash: bytea('key_hash'),
  franchiseId: integer('franchise_id'),
  rights: text('rights').array().notNull(),
  createdBy: uuid('created_by'),
  createdAt: madeNow('created_at'),
  lastUsedAt: instant('last_used_at'),
  revokedAt: instant('revoked_at'),
  revokedBy: uuid('revoked_by'),
  heldAt: instant('held_at'),
});
