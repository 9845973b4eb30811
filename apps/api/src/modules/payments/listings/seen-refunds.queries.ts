import type { Queryable } from '../../../db/client.ts';
import { isAhead } from '../../../db/clock/ahead.queries.ts';
import { query, unnest } from '../../../db/query.ts';
import type { TransactionRecord } from '../../../gateway/payment-gateway.ts';
import type { Scan } from './scan-listing.ts';

const isApprovedRefund = ({ type, result }: TransactionRecord) =>
  (type === 'C' || type === 'Z') && (result === 'A' || result === 'P');

/** A refund may be voided by its status alone. */
const byItsState = (row: TransactionRecord) => ({ ...row, type: row.state === 'voided' ? 'Z' : 'C' });

/** Stores every approved refund that a reading showed, and whether it was voided since. */
export async function storeSeenRefunds(
  db: Queryable,
  { accountId, byOrderId }: { accountId: number; byOrderId: Scan['byOrderId'] },
): Promise<void> {
  const rows = [...byOrderId.values()].flat().filter(isApprovedRefund).map(byItsState);
  if (rows.length === 0) return;
  await query(db)`
    INSERT INTO seen_refund (transaction_key, merchant_account_id, order_id, amount_cents, type, clerk, created_on)
    SELECT DISTINCT ON (key) key, ${accountId}::bigint, order_id, amount_cents, type, clerk, created_on
      FROM ${unnest(rows, {
        transactionKey: 'text',
        orderId: 'text',
        amountCents: 'bigint',
        type: 'text',
        clerk: 'text',
        createdAt: 'timestamptz',
      })}
             AS seen (key, order_id, amount_cents, type, clerk, created_on)
     ORDER BY key
    ON CONFLICT (transaction_key) DO UPDATE SET type = excluded.type WHERE seen_refund.type <> excluded.type`;
}

/**
 * After a complete reading: the account's refunds are known without a gap back to `from`. A period that ends ahead of the
 * engine's clock, as that was set back, says nothing about what happens until then: nothing is known later than now, and
 * what was known before such a period restarts with this reading.
 */
export async function moveCoverage(
  db: Queryable,
  { accountId, from, until }: { accountId: number; from: Date; until: Date },
): Promise<void> {
  await query(db)`
    INSERT INTO refund_coverage AS k (merchant_account_id, covered_from, covered_until)
    SELECT ${accountId}, read.since, least(read.until, engine_now())
      FROM (SELECT ${from.toISOString()}::timestamptz AS since, ${until.toISOString()}::timestamptz AS until) AS read
     WHERE read.since < engine_now()
    ON CONFLICT (merchant_account_id) DO UPDATE SET
      -- A reading that doesn't reach back to the known period leaves a gap, so the known period restarts with it.
      covered_from = CASE WHEN excluded.covered_from <= k.covered_until AND NOT ${isAhead('k.covered_until', 0)}
                          THEN least(k.covered_from, excluded.covered_from) ELSE excluded.covered_from END,
      covered_until = CASE WHEN ${isAhead('k.covered_until', 0)} THEN excluded.covered_until
                           ELSE greatest(k.covered_until, excluded.covered_until) END`;
}
