import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/client.ts';
import { instantText, onlyRow, query } from '../../db/query.ts';
import { isLate, isStuck } from '../../mail/mail.queries.ts';
import { incompleteComparisons } from '../payments/books/comparison.queries.ts';
import { openDifferences } from '../payments/books/differences.queries.ts';
import { creditsToLookAt } from '../payments/engine/credits.queries.ts';
import { countClosedAccounts } from '../payments/epoch/epoch.queries.ts';
import { heldKeys, heldPeople } from '../payments/epoch/hold-access.queries.ts';
import { countOpenRefunds, refundsThatNeedPerson } from '../payments/refunds/refunds-left.queries.ts';

// Reads other modules' tables directly: asking each module for a count would say less and cost more. Every count uses
// an index of what is open, so it stays fast as the books grow.

type OpenPayments = {
  undecided: number;
  inReview: number;
  closedAccounts: number;
  isRestored: boolean;
  unreadMarks: string[];
  found: number;
  creditsUnseen: number;
  incompleteComparisons: number;
  incompleteSince: string | null;
  differences: number;
};

type Unfinished = { state: string; count: number; since: string };

export async function countOpenPayments(
  db: Queryable,
  { publicUrl }: { publicUrl: string },
): Promise<OpenPayments & { isClosed: boolean; unfinished: Unfinished[] }> {
  const row = onlyRow(
    await query<OpenPayments>(db)`
    SELECT (SELECT count(*) FROM payment_intent WHERE state = 'undecided')::integer AS undecided,
           (SELECT count(*) FROM charge WHERE review_since IS NOT NULL)::integer AS "inReview",
           (SELECT count(*) FROM found_payment WHERE settled_at IS NULL)::integer AS found,
           (SELECT count(*) FROM ${creditsToLookAt})::integer AS "creditsUnseen",
           ${countClosedAccounts(publicUrl)} AS "closedAccounts",
           (SELECT unread FROM database_marks()) AS "unreadMarks",
           EXISTS (SELECT FROM deployment
                    WHERE public_url = ${publicUrl} AND restore_noticed_at IS NOT NULL) AS "isRestored",
           (SELECT count(*) FROM ${incompleteComparisons})::integer AS "incompleteComparisons",
           (SELECT ${instantText(sql`min(since)`)} FROM ${incompleteComparisons}) AS "incompleteSince",
           ${openDifferences} AS differences`,
  );
  const unfinished = await query<Unfinished>(db)`
    SELECT state, count(*)::integer AS count, ${instantText(sql`min(created_at)`)} AS since
      FROM charge WHERE next_try_at IS NOT NULL GROUP BY state ORDER BY state`;
  return { ...row, unfinished, isClosed: row.closedAccounts > 0 || row.isRestored };
}

export async function countHeldAccess(db: Queryable): Promise<{ heldPeople: number; heldKeys: number }> {
  return onlyRow(
    await query<{ heldPeople: number; heldKeys: number }>(db)`
    SELECT ${heldPeople} AS "heldPeople", ${heldKeys} AS "heldKeys"`,
  );
}

export async function countRefunds(
  db: Queryable,
): Promise<{ underWay: { state: string; count: number; since: string }[]; needPerson: number }> {
  const open = await countOpenRefunds(db);
  const row = onlyRow(
    await query<{ needPerson: number }>(db)`SELECT ${refundsThatNeedPerson} AS "needPerson"`,
  );
  const underWay = open.filter(({ state }) => state !== 'held');
  return {
    underWay: underWay.map(({ state, count, since }) => ({ state, count, since })),
    needPerson: row.needPerson,
  };
}

type OpenMail = {
  waiting: number;
  waitingSince: string | null;
  late: number;
  isStuck: boolean;
  givenUp: number;
};

export async function countOpenMail(db: Queryable): Promise<OpenMail> {
  return onlyRow(
    await query<OpenMail>(db)`
    SELECT count(*)::integer AS waiting, ${instantText(sql`min(created_at)`)} AS "waitingSince",
           (count(*) FILTER (WHERE ${isLate}))::integer AS late, ${isStuck} AS "isStuck",
           (SELECT count(*) FROM outgoing_mail
             WHERE next_try_at IS NULL AND sent_at IS NULL AND cancelled_at IS NULL)::integer AS "givenUp"
      FROM outgoing_mail WHERE next_try_at IS NOT NULL`,
  );
}

export async function findLastImport(db: Queryable): Promise<string | null> {
  const row = onlyRow(
    await query<{ at: string | null }>(db)`
    SELECT ${instantText(sql`max(at)`)} AS at FROM audit_event WHERE subject = 'invoices'`,
  );
  return row.at;
}
