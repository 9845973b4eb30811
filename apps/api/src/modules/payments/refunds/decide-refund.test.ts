import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openAccounts } from '../../../../test/books/sweep.ts';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { type Refundable, requestRefund } from '../../../../test/factories/requested-refunds.ts';
import { ADVISORY_LOCKS } from '../../../db/advisory-locks.ts';
import { openDatabase, sqlState } from '../../../db/client.ts';
import { REFUND_STATES, type RefundState } from '../../../db/schema/refunds.ts';
import { decideRefund, decideRefundIn } from './decide-refund.ts';
import type { RefundDecision } from './moves/refund-decision.ts';
import { REFUND_TRANSITIONS, type RefundEvent, refundTransitionOf } from './moves/refund-transitions.ts';

const portal = useTestApp();
const EVENTS = Object.keys(REFUND_TRANSITIONS) as RefundEvent[];
const PART = { invoiceCents: 46_19, taxCents: 3_81 };

beforeAll(() => openAccounts(portal.deps));

type Made = Refundable & { refundId: string };

async function makePaid(): Promise<Refundable> {
  const { paymentId, chargeId, orderId, invoices } = await makePayment(portal.deps);
  return { paymentId, chargeId, orderId, invoiceId: invoices[0]?.invoiceId ?? 0 };
}

/** Splits `held` by whether anything was sent for the row. */
const STANDINGS = [...REFUND_STATES.filter((state) => state !== 'held'), 'held-unsent', 'held-sent'] as const;
type Standing = (typeof STANDINGS)[number];

const stateOfStanding = (standing: Standing): RefundState =>
  standing === 'held-unsent' || standing === 'held-sent' ? 'held' : standing;

/** The events that bring a row to each standing, in order. */
const WAYS: Record<Standing, RefundEvent[]> = {
  requested: [],
  waiting: [],
  withdrawn: ['withdraw'],
  'held-unsent': ['hold'],
  sending: ['send'],
  unknown: ['send', 'lose'],
  'held-sent': ['send', 'lose', 'hold'],
  made: ['send', 'confirm'],
  refused: ['send', 'refuse'],
  not_made: ['send', 'lose', 'rule-out'],
};

async function arrange(standing: Standing): Promise<Made> {
  const sale = await makePaid();
  const refundId = await requestRefund(portal.deps, sale, {
    ...PART,
    needsApproval: standing === 'requested',
  });
  const made = { ...sale, refundId };
  for (const event of WAYS[standing]) {
    await look(made);
    expect(await decide(made, event), `${event} on the way to ${standing}`).toBe('applied');
  }
  await look(made);
  return made;
}

/** Marks the row as looked up in the provider's list; only `send` requires it. */
const look = ({ refundId }: Made) =>
  portal.deps.db.query
    .execute(sql`UPDATE refund SET looked_at = engine_now() WHERE id = ${refundId} AND state = 'waiting'`)
    .then(() => undefined);

function decisionOf(event: RefundEvent, refundId: string): RefundDecision {
  const proved = { transactionKey: randomUUID(), reference: '1', batchKey: null };
  switch (event) {
    case 'approve':
      return { event, refundId, actor: { id: randomUUID(), name: 'Ben' } };
    case 'send':
      return { event, refundId, method: 'refund' };
    case 'store-answer':
      return { event, refundId, ...proved };
    case 'confirm':
    case 'adopt':
      return { event, refundId, method: 'refund', ...proved };
    case 'lose':
    case 'not-executed':
    case 'batch-closed':
      return { event, refundId, againInSeconds: 60 };
    case 'refuse':
      return { event, refundId, words: 'The provider refused it.' };
    case 'hold':
      return { event, refundId, heldFor: 'restored' };
    case 'keep-asking':
      return { event, refundId, knownKeys: ['one'] };
    default:
      return { event, refundId };
  }
}

async function decide({ paymentId, refundId }: Made, event: RefundEvent, deps = portal.deps) {
  const { result } = await decideRefund(deps, {
    intentId: paymentId,
    decision: decisionOf(event, refundId),
  });
  return result;
}

type Seen = { state: RefundState; next: string; isSent: boolean; acts: number; entries: number };

async function seenOf({ refundId }: Made): Promise<Seen> {
  const { rows } = await portal.deps.db.query.execute<Seen>(sql`
    SELECT state, sent_at IS NOT NULL AS "isSent",
           CASE WHEN review_since IS NOT NULL AND next_try_at IS NULL THEN 'by-a-person'
                WHEN next_try_at IS NULL THEN 'never' WHEN next_try_at <= engine_now() THEN 'now'
                WHEN abs(extract(epoch FROM next_try_at - deadline_at)) < 1 THEN 'at-its-deadline' ELSE 'as-told' END AS next,
           (SELECT count(*) FROM audit_event a WHERE a.subject = 'refund ' || refund.id)::integer AS acts,
           (SELECT count(*) FROM ledger_entry e WHERE e.reason LIKE 'refund%:' || refund.id)::integer AS entries
      FROM refund WHERE id = ${refundId}`);
  const [row] = rows;
  if (!row) throw new Error('no refund');
  return row;
}

function expectedOf(event: RefundEvent, standing: Standing): RefundState | null {
  const { from, to, only, unsent } = refundTransitionOf(event);
  const state = stateOfStanding(standing);
  if (!from.includes(state)) return null;
  if (standing === 'held-sent' && only === 'unsent') return null;
  if (standing === 'held-unsent' && only === 'sent') return null;
  if (standing === 'held-unsent' && unsent) return 'waiting';
  return to === 'as-before' ? state : to;
}

describe('every event in every state', () => {
  test.each(EVENTS)('%s moves a refund as its table says, and not otherwise', async (event) => {
    for (const standing of STANDINGS) {
      const made = await arrange(standing);
      const before = await seenOf(made);
      const result = await decide(made, event);
      const after = await seenOf(made);
      const expected = expectedOf(event, standing);
      const what = `${event} of a refund ${standing}`;
      if (expected === null) {
        expect(result, what).not.toBe('applied');
        expect(after, what).toEqual(before);
        continue;
      }
      const { next, unsends, stamps } = refundTransitionOf(event);
      expect(result, what).toBe('applied');
      expect(after.state, what).toBe(expected);
      expect(after.next, what).toBe(next === 'as-before' ? before.next : next);
      expect(after.isSent, what).toBe(unsends ? false : before.isSent || event === 'send');
      expect(after.acts, what).toBe(before.acts + 1);
      if (stamps) expect(after.entries, what).toBeGreaterThan(before.entries);
      else expect(after.entries, what).toBe(before.entries);
    }
  });

  test('a made refund is undone once', async () => {
    const made = await arrange('made');
    expect(await decide(made, 'undo')).toBe('applied');
    expect(await decide(made, 'undo')).toBe('unmoved');
  });

  test('a held refund that needs an approval waits for it again when a person releases it', async () => {
    const made = await arrange('requested');
    await decide(made, 'hold');
    expect(await decide(made, 'keep-asking')).toBe('applied');
    expect(await seenOf(made)).toMatchObject({ state: 'requested', next: 'never' });
  });

  test('a refund approved a moment before it would expire is not withdrawn', async () => {
    const made = await arrange('requested');
    expect(await decide(made, 'approve')).toBe('applied');
    expect(await decide(made, 'expire')).toBe('unmoved');
    expect(await seenOf(made)).toMatchObject({ state: 'waiting', next: 'now' });
  });

  test('each waits for the payment before anything else', async () => {
    const refused = await whileLocked(
      (made) => sql`SELECT FROM payment_intent WHERE id = ${made.paymentId} FOR UPDATE`,
    );
    expect(refused).toEqual(Object.fromEntries(EVENTS.map((event) => [event, true])));
  });

  test('each takes the lock of its invoices only where its table says so', async () => {
    const refused = await whileLocked(
      (made) => sql`SELECT FROM invoice WHERE id = ${made.invoiceId} FOR UPDATE`,
    );
    const expected = EVENTS.map((event) => [event, refundTransitionOf(event).locks.includes('invoices')]);
    expect(refused).toEqual(Object.fromEntries(expected));
  });

  test('a refund is sent only once it was decided about others of its invoice', async () => {
    const refused = await whileLocked(
      (made) => sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.sends}, hashint8(${made.invoiceId}))`,
    );
    expect(refused).toEqual(Object.fromEntries(EVENTS.map((event) => [event, event === 'send'])));
  });
});

test('of two refunds of what is overpaid on an invoice, decided at once, one is sent', async () => {
  const { db } = portal.deps;
  const paid = await makePayment(portal.deps);
  const [invoice] = paid.invoices;
  const invoiceId = invoice?.invoiceId ?? 0;
  const write = (amount: number, tax: number) =>
    db.query.execute(
      sql`UPDATE invoice SET amount_cents = ${amount}, tax_cents = ${tax} WHERE id = ${invoiceId}`,
    );
  await write(216_50, 16_50);
  const rest = await makePayment(portal.deps, { invoices: paid.invoices });
  await write(108_25, 8_25);
  const parts = { invoiceCents: 100_00, taxCents: 8_25, nothingDue: true };
  const ask = async (of: typeof paid): Promise<Made> => {
    const made = { ...of, invoiceId };
    return { ...made, refundId: await requestRefund(portal.deps, made, parts) };
  };
  const [one, other] = [await ask(paid), await ask(rest)];
  for (const made of [one, other]) await look(made);
  const isWaiting = async () =>
    (
      await db.query.execute(sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`)
    ).rows.length > 0;
  const second = await db.transaction(async (tx) => {
    const decision = { event: 'send', refundId: one.refundId, method: 'refund' } as const;
    const first = await decideRefundIn(portal.deps, tx, { intentId: one.paymentId, decision });
    expect(first).toEqual({ result: 'applied' });
    const told = decide(other, 'send');
    await Promise.race([told, vi.waitUntil(isWaiting, { timeout: 60_000 })]);
    return { told };
  });
  expect(await second.told).toBe('barred');
});

/**
 * Tries every event at once while another transaction holds a row of each refund. Returns which of them were blocked.
 */
async function whileLocked(lock: (made: Made) => ReturnType<typeof sql>): Promise<Record<string, boolean>> {
  const db = openDatabase({ url: portal.deps.env.DATABASE_URL, poolSize: 3 * EVENTS.length });
  const deps = { ...portal.deps, db };
  const tries = EVENTS.map(async (event) => {
    const [state = 'waiting'] = refundTransitionOf(event).from;
    const made = await arrange(state === 'held' ? 'held-sent' : state);
    const refused = await db.transaction(async (tx) => {
      await tx.execute(lock(made));
      return decide(made, event, deps).then(
        () => undefined,
        (error: unknown) => sqlState(error),
      );
    });
    return [event, refused === '55P03'] as const;
  });
  const refusals = await Promise.all(tries).finally(db.close);
  return Object.fromEntries(refusals);
}

test('does not adopt another refund’s transaction', async () => {
  const [mine, theirs] = [await arrange('sending'), await arrange('made')];
  const { rows } = await portal.deps.db.query.execute<{ key: string }>(sql`
    SELECT transaction_key AS key FROM refund WHERE id = ${theirs.refundId}`);
  const proved = { transactionKey: rows[0]?.key ?? '', reference: '1', batchKey: null };
  const decision = { event: 'confirm', refundId: mine.refundId, method: 'refund', ...proved } as const;
  expect(await decideRefund(portal.deps, { intentId: mine.paymentId, decision })).toEqual({
    result: 'taken',
  });
  expect(await seenOf(mine)).toMatchObject({ state: 'sending' });
});

test('nobody approves their own request', async () => {
  const sale = await makePaid();
  const actorId = randomUUID();
  const refundId = await requestRefund(portal.deps, sale, { ...PART, needsApproval: true, actorId });
  const decision = { event: 'approve', refundId, actor: { id: actorId, name: 'Ana' } } as const;
  expect(await decideRefund(portal.deps, { intentId: sale.paymentId, decision })).toEqual({
    result: 'unmoved',
  });
});
