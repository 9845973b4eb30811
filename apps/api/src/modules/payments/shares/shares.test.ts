import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listViolations } from '../../../../test/books/list-violations.ts';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { execute } from '../../../../test/database/make-database.ts';
import { makeCharge } from '../../../../test/factories/payments/charges.ts';
import { CHARGE_STATES } from '../../../db/schema/payments.ts';
import { fillShares } from './fill-shares.ts';

const portal = useTestApp();

const sharesOf = async (chargeId: string) => {
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT s.outcome, s.amount_cents AS "amountCents", s.franchise_id = i.franchise_id AS "isOwn",
           s.at = coalesce(c.accepted_at, p.decided_at) AS "isThen"
      FROM payment_share s JOIN charge c ON c.id = s.charge_id JOIN payment_intent p ON p.id = s.intent_id
      JOIN charge_allocation a ON a.charge_id = c.id JOIN invoice i ON i.id = a.invoice_id
     WHERE s.charge_id = ${chargeId}`);
  return rows;
};

/** Bypasses the triggers as the database's owner, which our code can't do. */
const tamper = (statement: string) =>
  execute(portal.deps.env.DATABASE_URL, `SET session_replication_role = replica; ${statement}`);

const entriesOf = async (chargeId: string) => {
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT e.account, e.reason, e.franchise_id = i.franchise_id AS "isPlaced", e.created_at = c.accepted_at AS "isThen"
      FROM ledger_entry e JOIN invoice i ON i.id = e.invoice_id JOIN charge c ON c.id = e.charge_id
     WHERE e.charge_id = ${chargeId} ORDER BY e.id`);
  return rows;
};

test.each(CHARGE_STATES)('a payment whose charge is %s gets a share once it is decided', async (state) => {
  const { chargeId } = await makeCharge(portal.deps, { state });
  const isDecided = state !== 'authorising' && state !== 'authorised';
  const shares = await sharesOf(chargeId);
  expect(shares).toHaveLength(isDecided ? 1 : 0);
  if (isDecided) expect(shares).toMatchObject([{ amountCents: 108_25, isOwn: true, isThen: true }]);
});

test('a card check has no share', async () => {
  const { chargeId } = await makeCharge(portal.deps, { state: 'released', kind: 'card' });
  expect(await sharesOf(chargeId)).toEqual([]);
});

test('dates a payment’s entries by its acceptance, and those of its reversal by their own time', async () => {
  const { chargeId } = await makeCharge(portal.deps, { state: 'capture_failed' });
  const entries = await entriesOf(chargeId);
  expect(entries).toHaveLength(4);
  expect(entries.filter(({ isPlaced }) => !isPlaced)).toEqual([]);
  expect(entries.filter(({ reason, isThen }) => reason === 'payment' && !isThen)).toEqual([]);
});

test.each([
  ['UPDATE payment_share SET amount_cents = amount_cents + 1', 'PS1 a share is the sum of its allocations'],
  ['DELETE FROM payment_share', 'PS1 a share is the sum of its allocations'],
  [`UPDATE payment_share SET at = at + interval '1 second'`, 'PS1 a share is the sum of its allocations'],
  [
    `UPDATE ledger_entry SET created_at = created_at + interval '1 second'`,
    'PS1 an accepted share is what the ledger',
  ],
])('the books report %s', async (statement, rule) => {
  const { chargeId } = await makeCharge(portal.deps, { state: 'captured' });
  await tamper(`${statement} WHERE charge_id = '${chargeId}'`);
  const violations = await listViolations(portal.deps.db.query);
  expect(violations.filter(({ rule: broken }) => broken.startsWith(rule))).toHaveLength(1);
  await tamper(`
    DELETE FROM payment_share WHERE charge_id = '${chargeId}';
    UPDATE ledger_entry SET created_at = (SELECT accepted_at FROM charge WHERE id = '${chargeId}')
     WHERE charge_id = '${chargeId}';
    SELECT share_payments(ARRAY(SELECT intent_id FROM charge WHERE id = '${chargeId}'))`);
});

test('nothing changes a share, and an entry only gains a missing franchise', async () => {
  const { chargeId } = await makeCharge(portal.deps, { state: 'captured' });
  const url = portal.deps.env.DATABASE_URL;
  for (const statement of [
    'UPDATE payment_share SET amount_cents = 1',
    'DELETE FROM payment_share',
    'UPDATE ledger_entry SET franchise_id = 1',
    'UPDATE ledger_entry SET amount_cents = 1',
    'DELETE FROM ledger_entry',
  ]) {
    await expect(execute(url, `${statement} WHERE charge_id = '${chargeId}'`)).rejects.toThrow('append only');
  }
});

test('older books get their shares and their entries’ franchises page by page, and are consistent meanwhile', async () => {
  const made = [];
  for (const state of ['captured', 'capture_failed', 'refused', 'authorising'] as const) {
    made.push(await makeCharge(portal.deps, { state }));
  }
  const before = await Promise.all(made.map(({ chargeId }) => sharesOf(chargeId)));
  await tamper(`
    DELETE FROM payment_share;
    UPDATE ledger_entry SET franchise_id = NULL, created_at = created_at + interval '3 milliseconds';
    UPDATE share_filling SET payments_before = 'infinity', payments_before_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff',
           entries_after = 0`);
  expect(await listViolations(portal.deps.db.query)).toEqual([]);
  await portal.deps.db.query.execute(sql`SELECT fill_shares(1)`);
  expect(await listViolations(portal.deps.db.query)).toEqual([]);
  await fillShares(portal.deps);
  expect(await Promise.all(made.map(({ chargeId }) => sharesOf(chargeId)))).toEqual(before);
  for (const { chargeId } of made) {
    expect((await entriesOf(chargeId)).filter(({ isPlaced }) => !isPlaced)).toEqual([]);
  }
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT payments_before AS payments, entries_after AS entries FROM share_filling`);
  expect(rows).toEqual([{ payments: null, entries: null }]);
});
