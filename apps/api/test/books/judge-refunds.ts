import { sql } from 'drizzle-orm';
import type { Deps } from '../../src/deps.ts';
import type { LedgerRow } from '../emulator.ts';

type Refund = {
  refundId: string;
  chargeId: string;
  orderId: string;
  amount: string;
  state: string;
  method: 'void' | 'refund' | null;
  key: string | null;
  isUndone: boolean;
  isMoving: boolean;
  beforeKeys: string[];
  hasAddress: boolean;
  mails: number;
};

export type RefundsJudged = {
  /** Limits the check to these, if the provider has forgotten others. */
  isJudged?: (chargeId: string) => boolean;
  /** The provider's lists may have hidden a refund for longer than proving its absence takes. */
  mayBeHidden?: boolean;
  /** Keys of refunds that somebody made at the provider. */
  byHand?: ReadonlySet<string>;
};

/**
 * Rules RB and RE: the provider shows each refund that we made, once, and none that we don't own; the payer was told of
 * each one made, and nobody was told "not made" about one that the provider shows.
 */
export async function judgeRefunds(
  { db }: Pick<Deps, 'db'>,
  ledger: LedgerRow[],
  { isJudged = () => true, mayBeHidden = false, byHand = new Set() }: RefundsJudged = {},
): Promise<{ voided: Set<string>; moving: Set<string>; wrong: string[] }> {
  const { rows: all } = await db.query.execute<Refund>(sql`
    SELECT r.id AS "refundId", c.id AS "chargeId", c.order_id AS "orderId", r.state, r.method,
           to_char(r.amount_cents / 100.0, 'FM999999990.00') AS amount, r.transaction_key AS key,
           r.undone_at IS NOT NULL AS "isUndone",
           r.state IN ('sending', 'unknown', 'held') AND r.sent_at IS NOT NULL AS "isMoving",
           array_to_json(r.before_keys) AS "beforeKeys", p.payer_email IS NOT NULL AS "hasAddress",
           (SELECT count(*)::integer FROM outgoing_mail m WHERE m.refund_id = r.id AND m.kind = 'refund-made') AS mails
      FROM refund r JOIN charge c ON c.id = r.charge_id JOIN payment_intent p ON p.id = c.intent_id`);
  const rows = all.filter(({ chargeId }) => isJudged(chargeId));
  const made = rows.filter(({ state, isUndone }) => state === 'made' && !isUndone);
  const wrong = made.flatMap((refund) => judgeMade(refund, ledger));
  const owned = new Set(made.map(({ key }) => key));
  for (const { refundId } of rows.filter(isUntold)) wrong.push(`RE: nobody was told of refund ${refundId}`);
  if (!mayBeHidden) {
    const foreign = new Set([...owned, ...byHand]);
    for (const refund of rows.filter(({ state }) => state === 'not_made'))
      wrong.push(
        ...judgeNotMade(
          refund,
          ledger.filter(({ key }) => !foreign.has(key)),
        ),
      );
  }
  const moving = new Set(rows.filter(({ isMoving }) => isMoving).map(({ chargeId }) => chargeId));
  const unclaimed = await listUnclaimed(db);
  const mayOwn = new Set(rows.filter((row) => moving.has(row.chargeId)).map(({ orderId }) => orderId));
  const ofRefunds = new Set(rows.map(({ orderId }) => orderId));
  for (const row of ledger.filter(isRefund)) {
    const isExplained = owned.has(row.key) || mayOwn.has(row.orderid) || unclaimed.has(row.key);
    if (ofRefunds.has(row.orderid) && !isExplained)
      wrong.push(`RB: nobody owns refund ${row.key} of ${row.orderid}`);
  }
  const voided = new Set(made.filter(({ method }) => method === 'void').map(({ chargeId }) => chargeId));
  return { voided, moving, wrong };
}

const isUntold = ({ state, hasAddress, mails }: Refund) => state === 'made' && hasAddress && mails === 0;

/** Checks refunds reported as "Not made. Nothing went back." */
function judgeNotMade({ refundId, orderId, amount, beforeKeys }: Refund, ledger: LedgerRow[]): string[] {
  const there = ledger.filter(
    (row) =>
      isRefund(row) && row.orderid === orderId && row.amount === amount && !beforeKeys.includes(row.key),
  );
  return there.map(
    ({ key }) => `RE: refund ${refundId} is said not to be made, and the provider shows ${key}`,
  );
}

const isRefund = (row: LedgerRow) => row.trantype_code === 'C' && row.result_code === 'A';

function judgeMade({ refundId, method, key, orderId, amount }: Refund, ledger: LedgerRow[]): string[] {
  const [row, ...more] = ledger.filter((each) => each.key === key);
  const what = `RB: refund ${refundId}`;
  if (!row || more.length > 0) return [`${what} is made, and not at the provider`];
  const isThere = method === 'void' ? row.trantype_code === 'V' : isRefund(row);
  return [
    ...(isThere ? [] : [`${what} is made, and the provider shows ${row.trantype_code}`]),
    ...(row.amount === amount ? [] : [`${what} is ${amount}, at the provider ${row.amount}`]),
    ...(row.orderid === orderId ? [] : [`${what} is of ${orderId}, at the provider of ${row.orderid}`]),
  ];
}

/** The refunds that a comparison has reported. */
async function listUnclaimed(db: Deps['db']): Promise<Set<string>> {
  const { rows } = await db.query.execute<{ key: string }>(sql`
    SELECT s.transaction_key AS key FROM seen_refund s
      JOIN book_difference d ON d.order_id = s.order_id AND d.kind IN ('unclaimed-refund', 'late-refund', 'refunded-twice')
     WHERE s.refund_id IS NULL`);
  return new Set(rows.map(({ key }) => key));
}
