import { randomUUID } from 'node:crypto';
import { cents } from '@brightpane/money/cents';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { chargeState, type MadeCharge, makeCharge } from '../../../../test/factories/payments/charges.ts';
import { openDatabase, sqlState } from '../../../db/client.ts';
import { CHARGE_STATES, type ChargeState } from '../../../db/schema/payments.ts';
import { type Decision, decide } from './decide.ts';
import { lockIntent } from './payments.queries.ts';
import { moveAlone } from './run-transition.ts';
import { type Arrival, type DecisionEvent, TRANSITIONS, transitionOf } from './transitions.ts';

const portal = useTestApp();
const EVENTS = Object.keys(TRANSITIONS) as DecisionEvent[];
let userId: string;

beforeAll(async () => {
  const { rows } = await portal.deps.db.query.execute<{ id: string }>(sql`
    INSERT INTO app_user (email, first_name, last_name, password_hash)
    VALUES ('ana@example.com', 'Ana', 'Ruiz', 'none') RETURNING id`);
  userId = rows[0]?.id ?? '';
});

const NOT_CHARGED = { code: 'expired' } as const;

function decisionOf(event: DecisionEvent, { chargeId }: MadeCharge): Decision {
  const key = randomUUID();
  const approved = {
    chargeId,
    transactionKey: key,
    reference: key,
    maskedCard: 'xxxx2224',
    cardBrand: 'Visa',
  };
  const hold = { transactionKey: key, reference: key };
  switch (event) {
    case 'store-approval':
      return { event, ...approved };
    case 'accept':
      return {
        event,
        approved,
        outcome: { code: 'paid', amountCents: cents(108_25), references: [key] },
        legal: null,
        mails: () => [],
      };
    case 'abandon':
      return { event, outcome: NOT_CHARGED, refused: [] };
    case 'store-card':
      return {
        event,
        approved,
        card: { id: randomUUID(), userId, sealedToken: 'sealed', expiresMonth: null },
        outcome: { code: 'card-added' },
      };
    case 'find-hold':
    case 'find-released':
      return { event, chargeId, hold };
    default:
      return { event, chargeId };
  }
}

/** `accept` brings its approval only for a charge that isn't authorised yet; `start-release` needs a key. */
async function arrange(event: DecisionEvent, state: ChargeState) {
  const needsKey = event === 'start-release' || state === 'authorised';
  const made = await makeCharge(portal.deps, {
    state,
    kind: event === 'store-card' ? 'card' : 'guest',
    userId: event === 'store-card' ? userId : null,
    transactionKey: needsKey ? randomUUID() : null,
  });
  const decision = decisionOf(event, made);
  if (decision.event === 'accept' && state === 'authorised') decision.approved = null;
  return { made, decision };
}

describe('every event in every state', () => {
  test.each(EVENTS)('%s moves a charge as its table says, and not otherwise', async (event) => {
    for (const state of CHARGE_STATES) {
      const { made, decision } = await arrange(event, state);
      const decided = await decide(portal.deps, { intentId: made.intentId, decision });
      const { from, to, next, decides } = transitionOf(event);
      const expected = from.includes(state) ? to : undefined;
      expect(decided.result === 'applied', `${event} of a charge ${state}`).toBe(expected !== undefined);
      expect(await chargeState(portal.deps, made.chargeId), `${event} of a charge ${state}`).toBe(
        expected ?? state,
      );
      const intent = await lockIntent(portal.deps.db.query, made.intentId);
      if (expected && decides) expect(intent.state).toBe(decides.to);
      const soonest = state === 'authorised' && next === 'once-listed' ? 'now' : next;
      if (expected) expect(await nextOf(made), `next of a charge ${expected}`).toBe(soonest);
    }
  });

  test('each waits for the payment before anything else', async () => {
    const refused = await whileLocked(
      (made) => sql`SELECT FROM payment_intent WHERE id = ${made.intentId} FOR UPDATE`,
    );
    expect(refused).toEqual(Object.fromEntries(EVENTS.map((event) => [event, true])));
  });

  test('each takes the lock of its invoices only where its table says so', async () => {
    const refused = await whileLocked(
      (made) => sql`SELECT FROM invoice WHERE id = ${made.invoiceId} FOR UPDATE`,
    );
    const expected = EVENTS.map((event) => [event, transitionOf(event).locks.includes('invoices')]);
    expect(refused).toEqual(Object.fromEntries(expected));
  });
});

/** When the charge is looked at next, derived from its row. */
async function nextOf({ chargeId }: MadeCharge): Promise<Arrival['next']> {
  const { rows } = await portal.deps.db.query.execute<{ next: Arrival['next'] }>(sql`
    SELECT CASE WHEN review_since IS NOT NULL AND next_try_at IS NULL THEN 'by-a-person'
                WHEN next_try_at IS NULL THEN 'never'
                WHEN next_try_at > engine_now() AND transaction_key IS NULL THEN 'once-listed'
                WHEN next_try_at <= engine_now() THEN 'now' END AS next
      FROM charge WHERE id = ${chargeId}`);
  return rows[0]?.next ?? 'never';
}

/**
 * Tries every event at once while another transaction holds a row of each payment. Returns which of them were blocked.
 */
async function whileLocked(
  lock: (made: MadeCharge) => ReturnType<typeof sql>,
): Promise<Record<string, boolean>> {
  const db = openDatabase({ url: portal.deps.env.DATABASE_URL, poolSize: 3 * EVENTS.length });
  const deps = { ...portal.deps, db };
  const tries = EVENTS.map(async (event) => {
    const [state] = transitionOf(event).from;
    const { made, decision } = await arrange(event, state ?? 'authorising');
    const refused = await db.transaction(async (tx) => {
      await tx.execute(lock(made));
      return decide(deps, { intentId: made.intentId, decision }).then(
        () => undefined,
        (error: unknown) => sqlState(error),
      );
    });
    return [event, refused === '55P03'] as const;
  });
  const refusals = await Promise.all(tries).finally(db.close);
  return Object.fromEntries(refusals);
}

describe('a payment past its deadline', () => {
  test.each(['store-approval', 'accept', 'store-card'] as const)('refuses %s', async (event) => {
    const { made, decision } = await arrange(event, 'authorising');
    await advanceEngineClock(portal.deps, 26);
    expect(await decide(portal.deps, { intentId: made.intentId, decision })).toEqual({ result: 'expired' });
    expect(await chargeState(portal.deps, made.chargeId)).toBe('authorising');
  });

  test('can be ended before it only by its own request', async () => {
    const { made } = await arrange('abandon', 'authorising');
    const decision: Decision = { event: 'abandon', outcome: NOT_CHARGED, refused: [], onlyIfExpired: true };
    expect(await decide(portal.deps, { intentId: made.intentId, decision })).toEqual({ result: 'unmoved' });
    await advanceEngineClock(portal.deps, 26);
    expect(await decide(portal.deps, { intentId: made.intentId, decision })).toEqual({ result: 'applied' });
  });
});

test('a decision is final, and told to whoever comes second', async () => {
  const { made, decision } = await arrange('accept', 'authorising');
  const abandon: Decision = { event: 'abandon', outcome: NOT_CHARGED, refused: [] };
  const results = await Promise.all([
    decide(portal.deps, { intentId: made.intentId, decision }),
    decide(portal.deps, { intentId: made.intentId, decision: abandon }),
    decide(portal.deps, { intentId: made.intentId, decision }),
  ]);
  expect(results.map(({ result }) => result).sort()).toEqual(['applied', 'decided', 'decided']);
});

test.each([
  ['is declined', true, 'refused', 'declined'],
  ['holds nothing', false, 'refused', 'abandoned'],
] as const)(
  'a charge whose card %s is refused, and nobody looks for its hold',
  async (_, declined, charge, intent) => {
    const made = await makeCharge(portal.deps, { state: 'authorising' });
    const refused = [made.chargeId];
    const decision: Decision = { event: 'abandon', outcome: NOT_CHARGED, refused, declined };
    await decide(portal.deps, { intentId: made.intentId, decision });
    expect(await chargeState(portal.deps, made.chargeId)).toBe(charge);
    expect(await nextOf(made)).toBe('never');
    expect((await lockIntent(portal.deps.db.query, made.intentId)).state).toBe(intent);
  },
);

test('a hold with another charge’s key becomes a conflict, and the other charge does not change', async () => {
  const key = randomUUID();
  const other = await makeCharge(portal.deps, { state: 'captured', transactionKey: key });
  const mine = await makeCharge(portal.deps, { state: 'abandoned' });
  const hold = { transactionKey: key, reference: 'another reference' };
  const decision: Decision = { event: 'find-hold', chargeId: mine.chargeId, hold };
  await decide(portal.deps, { intentId: mine.intentId, decision });
  expect(await chargeState(portal.deps, mine.chargeId)).toBe('conflict');
  expect(await nextOf(mine)).toBe('by-a-person');
  expect(await chargeState(portal.deps, other.chargeId)).toBe('captured');
});

test('a payment is accepted with all of its charges or not at all, although its COMMIT is sent with them', async () => {
  const { made, decision } = await arrange('accept', 'authorising');
  // No approval comes with it.
  const without: Decision = { ...decision, event: 'accept', approved: null } as Decision;
  const failed = decide(portal.deps, { intentId: made.intentId, decision: without });
  await expect(failed).rejects.toThrow();
  const alone = sql`UPDATE payment_intent SET state = 'accepted' WHERE id = ${made.intentId}`;
  const refused = portal.deps.db.query.execute(alone);
  await expect(refused).rejects.toSatisfy((error) => sqlState(error) === '23001');
  expect(await chargeState(portal.deps, made.chargeId)).toBe('authorising');
  expect((await lockIntent(portal.deps.db.query, made.intentId)).state).toBe('undecided');
  const { rows } = await portal.deps.db.query.execute(
    sql`SELECT FROM ledger_entry WHERE charge_id = ${made.chargeId}`,
  );
  expect(rows).toEqual([]);
});

test('a worker whose lease was taken over changes nothing', async () => {
  const made = await makeCharge(portal.deps, { state: 'accepted', transactionKey: randomUUID() });
  const stale: Decision = { event: 'confirm-capture', chargeId: made.chargeId, fence: 7 };
  expect(await decide(portal.deps, { intentId: made.intentId, decision: stale })).toEqual({
    result: 'unmoved',
  });
  expect(await chargeState(portal.deps, made.chargeId)).toBe('accepted');
});

describe('an event that is one statement', () => {
  const ALONE = EVENTS.filter((event) => transitionOf(event).isAlone);

  test.each(ALONE)('%s leaves the charge of an undecided payment alone', async (event) => {
    const [state] = transitionOf(event).from;
    const made = await makeCharge(portal.deps, { state: 'authorising' });
    const moves: boolean[] = [];
    const tried = portal.deps.db.transaction(async (tx) => {
      await tx.execute(
        sql`UPDATE charge SET state = ${state}, transaction_key = ${randomUUID()} WHERE id = ${made.chargeId}`,
      );
      moves.push(await moveAlone(tx, event, made));
      throw new Error('taken back, as the rules of the books forbid such a charge');
    });
    await expect(tried).rejects.toThrow('taken back');
    expect(moves).toEqual([false]);
  });

  test('judges the charge as it is once its payment is free', async () => {
    const { db } = portal.deps;
    const made = await makeCharge(portal.deps, { state: 'accepted', transactionKey: randomUUID() });
    const { intentId, chargeId } = made;
    const decisions = [
      // Its worker's lease is taken over meanwhile.
      { event: 'confirm-capture', chargeId, fence: 0 },
      // Another worker begins to reverse it meanwhile.
      { event: 'refuse-capture', chargeId },
    ] as const;
    const decided = await db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM payment_intent WHERE id = ${intentId} FOR UPDATE`);
      await tx.execute(sql`UPDATE charge SET fence = fence + 1, state = 'reversing' WHERE id = ${chargeId}`);
      const waiting = decisions.map((decision) => decide(portal.deps, { intentId, decision }));
      await vi.waitUntil(async () => (await countWaiting()) === decisions.length, 10_000);
      return waiting;
    });
    expect(await Promise.all(decided)).toEqual(decisions.map(() => ({ result: 'unmoved' })));
    expect(await chargeState(portal.deps, chargeId)).toBe('reversing');
  });

  /** Statements that wait for a lock. */
  async function countWaiting(): Promise<number> {
    const { rows } = await portal.deps.db.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  }
});
