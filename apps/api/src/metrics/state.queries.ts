import { sql } from 'drizzle-orm';
import { stillMatters } from '../crypto/unreadable-secrets.queries.ts';
import type { Queryable } from '../db/client.ts';
import { isUnleased } from '../db/clock/ahead.queries.ts';
import { onlyRow, query } from '../db/query.ts';
import { isStuck } from '../mail/mail.queries.ts';
import { incompleteComparisons } from '../modules/payments/books/comparison.queries.ts';
import { openDifferences } from '../modules/payments/books/differences.queries.ts';
import { brokenRules } from '../modules/payments/books/known-violations.queries.ts';
import { creditsToLookAt } from '../modules/payments/engine/credits.queries.ts';
import { countClosedAccounts } from '../modules/payments/epoch/epoch.queries.ts';
import { heldKeys, heldPeople } from '../modules/payments/epoch/hold-access.queries.ts';
import { isOwnOrder } from '../modules/payments/epoch/own-orders.queries.ts';
import {
  refundedTwice,
  refundsThatNeedPerson,
  unclaimedRefunds,
} from '../modules/payments/refunds/refunds-left.queries.ts';
import { refundLag } from '../modules/payments/refunds/sweep/refund-leases.queries.ts';

export type PortalState = {
  /** How long the oldest undecided payment is past its deadline. */
  sweepLagSeconds: number;
  /** How long this deployment's oldest due, unleased charge has waited. */
  chargeLagSeconds: number;
  mailLagSeconds: number;
  mailWaiting: number;
  /** 1 if mail waits and none has gone out for a quarter of an hour. */
  mailStuck: number;
  mailGivenUp: number;
  undecided: number;
  inReview: number;
  found: number;
  creditsUnseen: number;
  closedAccounts: number;
  /** Staff and keys of offices that wait to be confirmed after a restore. */
  accessHeld: number;
  /** Identifying marks that this server hides; without them some restores are noticed later. */
  unreadMarks: number;
  /** How long the oldest merchant account has lacked a complete comparison. */
  comparisonLagSeconds: number;
  differences: number;
  /** Rules of the books that a check found broken. */
  brokenRules: number;
  secretsUnreadable: number;
  /** How long this deployment's oldest due, unleased refund has waited. */
  refundLagSeconds: number;
  refundsNeedPerson: number;
  refundsUnclaimed: number;
  refundedTwice: number;
};

const ageOf = (column: string) =>
  sql`greatest(0, coalesce(extract(epoch FROM engine_now() - min(${sql.raw(column)})), 0))::float8`;

/** Every part uses an index of what is open. */
export async function readPortalState(
  db: Queryable,
  { publicUrl }: { publicUrl: string },
): Promise<PortalState> {
  const rows = await query<PortalState>(db)`
    SELECT
      (SELECT ${ageOf('deadline_at')} FROM payment_intent WHERE state = 'undecided') AS "sweepLagSeconds",
      (SELECT ${ageOf('next_try_at')} FROM charge c
        WHERE next_try_at IS NOT NULL AND ${isUnleased('lease_until')} AND ${isOwnOrder(publicUrl)}) AS "chargeLagSeconds",
      (SELECT ${ageOf('next_try_at')} FROM outgoing_mail
        WHERE next_try_at IS NOT NULL AND ${isUnleased('lease_until')}) AS "mailLagSeconds",
      (SELECT count(*)::integer FROM outgoing_mail WHERE next_try_at IS NOT NULL) AS "mailWaiting",
      ${isStuck}::integer AS "mailStuck",
      (SELECT count(*)::integer FROM outgoing_mail
        WHERE next_try_at IS NULL AND sent_at IS NULL AND cancelled_at IS NULL) AS "mailGivenUp",
      (SELECT count(*)::integer FROM payment_intent WHERE state = 'undecided') AS undecided,
      (SELECT count(*)::integer FROM charge WHERE review_since IS NOT NULL) AS "inReview",
      (SELECT count(*)::integer FROM found_payment WHERE settled_at IS NULL) AS found,
      (SELECT count(*)::integer FROM ${creditsToLookAt}) AS "creditsUnseen",
      (SELECT count(*)::integer FROM unreadable_secret WHERE ${stillMatters}) AS "secretsUnreadable",
      ${countClosedAccounts(publicUrl)} AS "closedAccounts",
      ${heldPeople} + ${heldKeys} AS "accessHeld",
      (SELECT cardinality(unread) FROM database_marks()) AS "unreadMarks",
      (SELECT ${ageOf('since')} FROM ${incompleteComparisons}) AS "comparisonLagSeconds",
      ${openDifferences} AS differences,
      ${brokenRules} AS "brokenRules",
      greatest(0, coalesce(${refundLag({ publicUrl })}, 0))::float8 AS "refundLagSeconds",
      ${refundsThatNeedPerson} AS "refundsNeedPerson", ${unclaimedRefunds} AS "refundsUnclaimed",
      ${refundedTwice} AS "refundedTwice"`;
  return onlyRow(rows);
}

export async function readUnfinishedCharges(
  db: Queryable,
): Promise<{ state: string; count: number; oldestSeconds: number }[]> {
  return query<{ state: string; count: number; oldestSeconds: number }>(db)`
    SELECT state, count(*)::integer AS count, ${ageOf('created_at')} AS "oldestSeconds"
      FROM charge WHERE next_try_at IS NOT NULL GROUP BY state`;
}
