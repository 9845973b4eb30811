import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import type { Deps } from '../../src/deps.ts';
import { listAccounts } from '../../src/modules/merchant-accounts/merchant-accounts.queries.ts';
import { currentEpoch } from '../../src/modules/payments/epoch/begin-epoch.ts';
import { storeLook } from '../../src/modules/payments/epoch/looks.queries.ts';
import { listRefundingAccounts } from '../../src/modules/payments/refunds/sweep/refund-leases.queries.ts';
import { sweepRefunds } from '../../src/modules/payments/refunds/sweep/sweep-refunds.ts';
import { expirePayments } from '../../src/modules/payments/sweep/expire-payments.ts';
import { findHolds } from '../../src/modules/payments/sweep/find-holds.ts';
import { sweepCharges } from '../../src/modules/payments/sweep/sweep-charges.ts';
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

/** Moves the engine's clock ahead, in addition to earlier moves. */
export async function advanceEngineClock(deps: Pick<Deps, 'db'>, seconds: number): Promise<void> {
  await deps.db.query.execute(sql`
    INSERT INTO engine_clock (ahead) VALUES (make_interval(secs => ${seconds}))
    ON CONFLICT (is_only) DO UPDATE SET ahead = engine_clock.ahead + excluded.ahead`);
}

/** Sets the engine's clock, so that a test across days controls the hour it runs at. */
export async function setEngineClock(deps: Pick<Deps, 'db'>, to: string | Date): Promise<void> {
  const { rows } = await deps.db.query.execute<{ seconds: number }>(sql`
    SELECT extract(epoch FROM ${new Date(to).toISOString()}::timestamptz - engine_now())::float8 AS seconds`);
  await advanceEngineClock(deps, rows[0]?.seconds ?? 0);
}

/** Moves the engine's clock to the start of its next minute, so that per-minute counts have a whole minute. */
export async function beginEngineMinute(deps: Pick<Deps, 'db'>): Promise<void> {
  const { rows } = await deps.db.query.execute<{ seconds: number }>(sql`
    SELECT 60 - extract(second FROM engine_now())::float8 AS seconds`);
  await advanceEngineClock(deps, rows[0]?.seconds ?? 60);
}

/** Opens the accounts as a look at each list does, for portals without a provider. */
export async function openAccounts(deps: Deps): Promise<void> {
  const publicUrl = deps.env.PUBLIC_URL;
  const { epoch } = await currentEpoch(deps);
  for (const { id } of await listAccounts(deps.db.query)) {
    await storeLook(deps.db.query, { publicUrl, accountId: id, epoch });
  }
}

/** Runs the background tasks once. */
export async function sweep(deps: Deps): Promise<void> {
  await expirePayments(deps);
  await findHolds(deps);
  await sweepCharges(deps);
  for (const accountId of await listRefundingAccounts(deps.db.query)) await sweepRefunds(deps, { accountId });
}

/** Past the retries, a hold's proof of absence and the longest back-off; then two more sweeps. */
const WAITS_SECONDS = [70, 16 * 60, 60 * 60, 70, 70];

/** Sweeps past every wait, until nothing is left to do. */
export async function sweepUntilDone(deps: Deps): Promise<void> {
  await sweep(deps);
  for (const seconds of WAITS_SECONDS) {
    await advanceEngineClock(deps, seconds);
    await sweep(deps);
  }
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
