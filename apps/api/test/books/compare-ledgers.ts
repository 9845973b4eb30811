import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import type { Deps } from '../../src/deps.ts';
import type { LedgerRow, TestEmulator } from '../emulator.ts';
import { judgeRefunds, type RefundsJudged } from './judge-refunds.ts';
import { listViolations } from './list-violations.ts';

export type ChargeRow = {
  id: string;
  intentId: string;
  state: string;
  intentState: string;
  orderId: string;
  amount: string;
  publicKey: string;
};

export async function chargesOf(deps: Pick<Deps, 'db'>): Promise<ChargeRow[]> {
  const { rows } = await deps.db.query.execute<ChargeRow>(sql`
    SELECT c.id, c.intent_id AS "intentId", c.state, p.state AS "intentState", c.order_id AS "orderId",
           to_char(c.amount_cents / 100.0, 'FM999999990.00') AS amount, m.public_key AS "publicKey"
      FROM charge c
      JOIN payment_intent p ON p.id = c.intent_id
      JOIN merchant_account m ON m.id = c.merchant_account_id
     ORDER BY c.created_at, c.id`);
  return rows;
}

const isCaptured = (row: LedgerRow) => row.trantype_code === 'L' || row.trantype_code === 'S';
const isOpenHold = (row: LedgerRow) => row.trantype_code === 'A' && row.status_code === 'P';

/** The provider's ledger, ours and the balances agree to the cent; after a sweep no hold is left open either. */
export async function expectBooksBalanced(
  deps: Pick<Deps, 'db'>,
  emulator: TestEmulator,
  options: { swept?: boolean } = {},
): Promise<void> {
  assert.deepEqual(await compareLedgers(deps, emulator, options), []);
}

/** Differences between the provider's ledger, ours and the balances, in words. */
export async function compareLedgers(
  deps: Pick<Deps, 'db'>,
  emulator: TestEmulator,
  {
    swept = true,
    except = new Set(),
    refunds = {},
  }: {
    swept?: boolean;
    /** Ids of charges that the provider has forgotten since. */
    except?: ReadonlySet<string>;
    refunds?: Omit<RefundsJudged, 'isJudged'>;
  } = {},
): Promise<string[]> {
  const wrong = (await listViolations(deps.db.query)).map(({ rule, subject }) => `${rule}: ${subject}`);
  const charges = await chargesOf(deps);
  const merchants = new Map((await emulator.merchants()).map(({ name, publicKey }) => [publicKey, name]));
  const rows = await emulator.ledger();
  const {
    voided,
    moving,
    wrong: wrongRefunds,
  } = await judgeRefunds(deps, rows, {
    ...refunds,
    isJudged: (chargeId) => !except.has(chargeId),
  });
  wrong.push(...wrongRefunds);
  for (const charge of charges) {
    if (except.has(charge.id)) continue;
    const what = `charge ${charge.orderId} (${charge.state})`;
    const own = rows.filter((row) => row.orderid === charge.orderId);
    const captured = own.filter(isCaptured);
    const isPaid = charge.state === 'captured';
    const isAccepted = isPaid || charge.state === 'accepted';
    const isVoided = voided.has(charge.id);
    const most = isAccepted && !isVoided ? 1 : 0;
    const least = isPaid && !isVoided && !moving.has(charge.id) ? 1 : 0;
    if (captured.length > most || captured.length < least)
      wrong.push(`${what} is captured ${captured.length} times`);
    for (const { amount, merchant } of isPaid ? captured : []) {
      if (amount !== charge.amount) wrong.push(`${what} is ${charge.amount}, captured ${amount}`);
      if (merchant !== merchants.get(charge.publicKey)) wrong.push(`${what} is captured on ${merchant}`);
    }
    if (swept && !isAccepted && own.some(isOpenHold)) wrong.push(`${what} still has a hold`);
  }
  const { rows: deployments } = await deps.db.query.execute<{ prefix: string }>(sql`
    SELECT order_prefix || '-' AS prefix FROM deployment`);
  const ours = rows.filter((row) => deployments.some(({ prefix }) => row.orderid.startsWith(prefix)));
  const known = new Set(charges.map((charge) => charge.orderId));
  for (const { orderid } of ours) if (!known.has(orderid)) wrong.push(`only the provider has ${orderid}`);
  return wrong;
}
