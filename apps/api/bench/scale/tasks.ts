import { sql } from 'drizzle-orm';
import type { Queryable } from '../../src/db/client.ts';
import type { Deps } from '../../src/deps.ts';
import { forgetOld } from '../../src/jobs/forget-old.ts';
import { readStatus } from '../../src/modules/office/read-status.ts';
import {
  BEFORE_ALL_INTENTS,
  checkIntents,
  checkInvoices,
} from '../../src/modules/payments/books/books.queries.ts';
import { AT_A_TIME } from '../../src/modules/payments/books/check-all-books.ts';
import { checkBooks } from '../../src/modules/payments/books/check-books.ts';
import { compareBooks } from '../../src/modules/payments/books/compare-books.ts';
import { expirePayments } from '../../src/modules/payments/sweep/expire-payments.ts';
import { findAllHolds, sweepCharges } from '../../test/books/sweep.ts';

/** Tasks that look at all the books, and must not get slower as the books grow. */
export const TASKS: Record<string, (deps: Deps) => Promise<unknown>> = {
  sweep: async (deps) => {
    await expirePayments(deps);
    await findAllHolds(deps);
    await sweepCharges(deps);
  },
  'check of the recent books': checkBooks,
  'page of the nightly check': async ({ db: { query } }) => {
    await checkIntents(query, { after: await anyPayment(query), limit: AT_A_TIME });
    await checkInvoices(query, { after: await anyInvoice(query), limit: AT_A_TIME });
  },
  'nightly comparison': async (deps) => {
    // Rounds follow sooner than nights; without this they would wait for the listings' budget to refill.
    await deps.db.query.execute(sql`DELETE FROM provider_budget`);
    await compareBooks(deps);
  },
  'status of the office': readStatus,
  'removal of what is old': forgetOld,
};

async function anyPayment(query: Queryable) {
  const { rows } = await query.execute<{ createdAt: string; id: string }>(sql`
    SELECT (min(created_at) + random() * (max(created_at) - min(created_at)))::text AS "createdAt",
           gen_random_uuid() AS id FROM payment_intent`);
  return rows[0] ?? BEFORE_ALL_INTENTS;
}

async function anyInvoice(query: Queryable): Promise<number> {
  const { rows } = await query.execute<{ id: number }>(sql`
    SELECT floor(random() * max(id))::bigint AS id FROM invoice`);
  return rows[0]?.id ?? 0;
}
