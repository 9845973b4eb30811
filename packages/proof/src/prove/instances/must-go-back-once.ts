import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { compareDueBooks } from '../../../../../apps/api/src/modules/payments/books/compare-books.ts';
import { advanceEngineClock } from '../../../../../apps/api/test/books/engine-clock.ts';
import { sweep } from '../../../../../apps/api/test/books/sweep.ts';
import { callConsole } from '../../../../../apps/api/test/office/office-people.ts';
import { isRefunded, isVoided } from '../../simulation/judge/provider-ledger.ts';
import { countListings } from '../listing-day.ts';
import { alignClocks } from '../races/align-clocks.ts';
import { closeBatches, type RefundDesk, signInClerk } from './refund-load.ts';
import type { InstancesRig } from './rig.ts';

/** What many processes have left takes its share of each minute's listings, and a quarter of an hour to be ruled out. */
const MOST_SWEEPS = 240;
const BETWEEN_SWEEPS_SECONDS = 60;
/** The list of a day with thousands of payments is too long for a refund: it waits for the night, and for the day after it. */
const LONGEST_BETWEEN_SWEEPS_SECONDS = 4 * 60 * 60;
/** Refunds leave it one listing of each minute, and each listing shows 240 rows. */
const MOST_COMPARING_MINUTES = 120;

/** A healthy instance ends what was asked for. Each refund then was made once, as the clerk was told. */
export async function mustGoBackOnce(rig: InstancesRig, { asked }: RefundDesk): Promise<void> {
  await endRefunds(rig);
  const refunds = await listRefunds(
    rig,
    asked.map(({ key }) => key),
  );
  const ledger = (await rig.emulator.ledger()).filter((row) => isVoided(row) || isRefunded(row));
  const wrong: string[] = [];
  for (const { key, heard } of asked) {
    const own = refunds.filter((refund) => refund.key === key);
    const stored = own.map(({ refundId, amount }) => `${refundId} ${amount}`).sort();
    for (const { refunds: told } of heard)
      if (told && String(told) !== String(stored)) wrong.push(`${key} heard ${told}, and there is ${stored}`);
    if (stored.length === 0) wrong.push(`${key} is lost`);
    for (const { orderId, amount, made, mails } of own) {
      const there = ledger.filter((row) => row.orderid === orderId).map((row) => row.amount);
      if (String(made) !== amount)
        wrong.push(`of ${orderId} ${amount} was to go back, and [${made}] was made`);
      if (String(there) !== amount) wrong.push(`of ${orderId} ${amount} was to go back, and [${there}] did`);
      if (mails > 1) wrong.push(`the payer of ${orderId} was told ${mails} times`);
    }
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** Lets time pass until all have ended; those that were not made are sent again, as their page advises. */
async function endRefunds(rig: InstancesRig): Promise<void> {
  const [{ deps }] = rig.instances;
  let left = Number.POSITIVE_INFINITY;
  let seconds = BETWEEN_SWEEPS_SECONDS;
  for (let sweeps = 0; sweeps < MOST_SWEEPS; sweeps++) {
    await compareInFull(rig);
    await sweep(deps);
    const open = await listOpen(rig);
    if (open.length === 0) return;
    seconds =
      open.length < left ? BETWEEN_SWEEPS_SECONDS : Math.min(2 * seconds, LONGEST_BETWEEN_SWEEPS_SECONDS);
    left = open.length;
    const notMade = open.filter(({ state }) => state === 'not_made').map(({ refundId }) => refundId);
    if (notMade.length > 0) await sendAgain(rig, notMade);
    await closeBatches(rig);
    // On a slow machine each refund reads the list anew, and a day's listings are spent: then all wait for the next day.
    const dueInSeconds = Math.min(...open.map(({ dueInSeconds }) => dueInSeconds ?? 0));
    await advanceEngineClock(deps, Math.max(seconds, Math.ceil(dueInSeconds)));
    await alignClocks(rig);
  }
  const waiting = (await listOpen(rig)).map(
    ({ refundId, state, waitsFor, dueInSeconds }) =>
      `${refundId} is ${state}${waitsFor ? ` for ${waitsFor}` : ''}, due in ${dueInSeconds} s`,
  );
  throw new Error(
    `refunds that never end: ${waiting.join(', ')}; pages read today: ${await countListings(deps)}`,
  );
}

/** A comparison that the minute's listings cut off goes on with the next minute. */
async function compareInFull(rig: InstancesRig): Promise<void> {
  const [{ deps }] = rig.instances;
  for (let minutes = 0; minutes < MOST_COMPARING_MINUTES; minutes++) {
    await compareDueBooks(deps);
    const { rows } = await deps.db.query.execute(sql`
      SELECT FROM book_comparison WHERE due_at < engine_now() + interval '1 minute'`);
    if (rows.length === 0) return;
    await advanceEngineClock(deps, BETWEEN_SWEEPS_SECONDS);
    await alignClocks(rig);
  }
  throw new Error('the comparison never ends');
}

async function sendAgain(rig: InstancesRig, refundIds: string[]): Promise<void> {
  const cookie = await signInClerk(rig);
  for (const refundId of refundIds) {
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/refunds/${refundId}/send-again`;
    const answer = await callConsole(rig.instances[0], 'POST', path, { cookie, headers, body: {} });
    if (answer.statusCode !== 202) throw new Error(`sending again was answered ${answer.body}`);
  }
}

/** Refunds that have not ended, or were not made and not sent again. */
async function listOpen({ instances: [{ deps }] }: InstancesRig) {
  const { rows } = await deps.db.query.execute<{
    refundId: string;
    state: string;
    waitsFor: string | null;
    dueInSeconds: number | null;
  }>(sql`
    SELECT id AS "refundId", state, waits_for AS "waitsFor",
           extract(epoch FROM next_try_at - engine_now())::float8 AS "dueInSeconds" FROM refund r
     WHERE state IN ('requested', 'waiting', 'sending', 'unknown', 'not_made')
       AND NOT EXISTS (SELECT FROM refund n WHERE n.retry_of = r.id)`);
  return rows;
}

type AskedFor = {
  key: string;
  refundId: string;
  orderId: string;
  amount: string;
  /** The amounts of what was made of the same charge. */
  made: string[];
  mails: number;
};

async function listRefunds({ instances: [{ deps }] }: InstancesRig, keys: string[]): Promise<AskedFor[]> {
  const { rows } = await deps.db.query.execute<AskedFor>(sql`
    SELECT q.idem_key AS key, r.id AS "refundId", c.order_id AS "orderId",
           to_char(r.amount_cents / 100.0, 'FM999999990.00') AS amount,
           (SELECT coalesce(json_agg(to_char(m.amount_cents / 100.0, 'FM999999990.00')), '[]')
              FROM refund m WHERE m.charge_id = c.id AND m.state = 'made') AS made,
           (SELECT count(*)::integer FROM refund m JOIN outgoing_mail o ON o.refund_id = m.id
             WHERE m.charge_id = c.id AND o.kind = 'refund-made') AS mails
      FROM refund_request q JOIN refund r ON r.request_id = q.id JOIN charge c ON c.id = r.charge_id
     WHERE q.idem_key = ANY(${sql.param(keys)}::text[])`);
  return rows;
}
