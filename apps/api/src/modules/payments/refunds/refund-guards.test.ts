import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DecidedPayment, makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import {
  confirmRefund,
  makeRefund,
  newMark,
  refundAll,
  sendRefund,
} from '../../../../test/factories/refund-rows.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { grantAppRights } from '../../../db/prepare/grant-rights.ts';

const { portal, db } = usePayments();

const role = `brightpane_test_${randomBytes(4).toString('hex')}_refunds`;
const clients = {} as Record<'the portal' | 'the owner', pg.Client>;
const AT = '2026-01-15T18:00:00Z';
const PART = { invoiceCents: 46_19, taxCents: 3_81 };

beforeAll(async () => {
  const ownerUrl = portal.deps.env.DATABASE_URL;
  const appUrl = new URL(ownerUrl);
  appUrl.username = role;
  appUrl.password = 'only for this test';
  clients['the owner'] = await connect(ownerUrl);
  await clients['the owner'].query(`CREATE ROLE ${role} LOGIN PASSWORD '${appUrl.password}'`);
  await clients['the owner'].query(`ALTER ROLE ${role} PASSWORD 'only for this test'`);
  await grantAppRights({ ownerUrl, appUrl: appUrl.href });
  clients['the portal'] = await connect(appUrl.href);
});

afterAll(async () => {
  await clients['the portal'].end();
  await clients['the owner'].query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await clients['the owner'].end();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const WHO = ['the portal', 'the owner'] as const;
type Who = (typeof WHO)[number];

/** Runs statements in a transaction that is always rolled back, and returns the result. */
async function attempt(who: Who, ...statements: string[]): Promise<string> {
  const client = clients[who];
  await client.query('BEGIN');
  try {
    for (const statement of statements) await client.query(statement);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    return 'done';
  } catch (error) {
    return (error as { message: string }).message;
  } finally {
    await client.query('ROLLBACK');
  }
}

type Line = { invoice?: number; tax?: number; services?: number; servicesTax?: number; tip?: number };

/** The statements that request one refund; `given` overrides the defaults. */
function requestOf(
  { paymentId, chargeId, invoices }: DecidedPayment,
  line: Line,
  given: { total?: number; amount?: number; state?: string; needsApproval?: boolean; effect?: string } = {},
): string[] {
  const { invoice = 0, tax = 0, services = 0, servicesTax = 0, tip = 0 } = line;
  const sum = invoice + tax + services + servicesTax + tip;
  const { total = sum, amount = sum, state = 'waiting', needsApproval = false } = given;
  const effect = given.effect ?? (invoice + tax > 0 ? `'due-again'` : 'NULL');
  const [request, refund] = [randomUUID(), randomUUID()];
  return [
    `INSERT INTO refund_request (id, intent_id, actor, idem_key, request_hash, reason, total_cents, needs_approval)
     VALUES ('${request}', '${paymentId}', '${randomUUID()}', '${request}', 'none', 'complaint', ${total}, ${needsApproval})`,
    `INSERT INTO refund (id, request_id, charge_id, amount_cents, mark, state)
     VALUES ('${refund}', '${request}', '${chargeId}', ${amount}, '${newMark()}', '${state}')`,
    `INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                              services_tax_cents, tip_cents, effect)
     VALUES ('${refund}', '${chargeId}', ${invoices[0]?.invoiceId}, ${invoice}, ${tax}, ${services}, ${servicesTax},
             ${tip}, ${effect})`,
  ];
}

describe.each(WHO)('under the role of %s', (who) => {
  test('accepts a request within its payment', async () => {
    const payment = await makePayment(portal.deps, { at: AT, tipCents: 15_00, servicesCents: 20_00 });
    const whole = { invoice: 100_00, tax: 8_25, services: 20_00, servicesTax: 1_65, tip: 15_00 };
    expect(await attempt(who, ...requestOf(payment, whole))).toBe('done');
  });

  test.each<[part: string, line: Line]>([
    ['the invoice', { invoice: 100_01 }],
    ['its tax', { invoice: 1, tax: 8_26 }],
    ['the services', { services: 20_01 }],
    ['their tax', { services: 1, servicesTax: 1_66 }],
    ['the tip', { tip: 15_01 }],
  ])('more of %s than was paid is refused', async (_part, line) => {
    const payment = await makePayment(portal.deps, { at: AT, tipCents: 15_00, servicesCents: 20_00 });
    expect(await attempt(who, ...requestOf(payment, line))).toMatch(/^more than charge/);
  });

  test('refuses more than is left beside other requests', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    await makeRefund(portal.deps, payment, PART);
    expect(await attempt(who, ...requestOf(payment, { invoice: 53_82 }))).toMatch(/^more than charge/);
    expect(await attempt(who, ...requestOf(payment, { invoice: 53_81, tax: 4_44 }))).toBe('done');
  });

  test('a payer’s credit is refunded with its own sign, and never beyond all of it', async () => {
    const payment = await makePayment(portal.deps, { at: AT, servicesCents: -10_00 });
    const part = { invoice: 50_00, tax: 4_13, services: -5_00, servicesTax: -42 };
    expect(await attempt(who, ...requestOf(payment, part))).toBe('done');
    for (const services of [1, -10_01])
      expect(await attempt(who, ...requestOf(payment, { invoice: 50_00, services }))).toMatch(
        /^more than charge/,
      );
    expect(await attempt(who, ...requestOf(payment, { invoice: 100_00, tax: 8_25 }))).toMatch(
      /^more than charge/,
    );
  });

  test('a refund is the sum of its lines, and a request of its refunds', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    for (const given of [{ amount: 10_01, total: 10_01 }, { total: 10_01 }])
      expect(await attempt(who, ...requestOf(payment, { invoice: 10_00 }, given))).toMatch(
        /is not the sum of its lines$/,
      );
    const [request = '', refund = ''] = requestOf(payment, { invoice: 10_00 });
    expect(await attempt(who, request)).toMatch(/is not the sum of its lines$/);
    expect(await attempt(who, request, refund)).toMatch(/is not the sum of its lines$/);
  });

  test('a refunded invoice has an effect', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    expect(await attempt(who, ...requestOf(payment, { invoice: 10_00 }, { effect: 'NULL' }))).toMatch(
      /violates check constraint/,
    );
  });

  test('a refund begins in its request’s state, and only for an accepted charge', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const line = { invoice: 10_00 };
    for (const given of [
      { state: 'made' },
      { state: 'requested' },
      { state: 'sending' },
      { needsApproval: true },
    ])
      expect(await attempt(who, ...requestOf(payment, line, given))).toMatch(/does not begin as/);
    for (const state of ['capture_failed', 'refused'] as const) {
      const other = await makePayment(portal.deps, { at: AT, state });
      expect(await attempt(who, ...requestOf(other, line))).toMatch(/is not refundable$/);
    }
    const another = await makePayment(portal.deps, { at: AT });
    expect(await attempt(who, ...requestOf({ ...payment, paymentId: another.paymentId }, line))).toMatch(
      /is not refundable$/,
    );
  });

  const send = (refundId: string) =>
    `UPDATE refund SET state = 'sending', method = 'refund', sent_at = engine_now(), deadline_at = engine_now()
      WHERE id = '${refundId}'`;

  test('nothing is sent before the charge is captured', async () => {
    const at = new Date().toISOString();
    const payment = await makePayment(portal.deps, { at, state: 'accepted' });
    const { refundId } = await makeRefund(portal.deps, payment, PART);
    expect(await attempt(who, send(refundId))).toMatch(/may not start$/);
  });

  test('nothing is made before the charge is captured, or if it never is', async () => {
    const at = new Date().toISOString();
    const payment = await makePayment(portal.deps, { at, state: 'accepted' });
    const { refundId } = await makeRefund(portal.deps, payment, PART);
    const hold = `UPDATE refund SET state = 'held', held_for = 'restored', review_since = now() WHERE id = '${refundId}'`;
    const adopt = `UPDATE refund SET state = 'made', made_at = now(), method = 'refund', transaction_key = 'k'
      WHERE id = '${refundId}'`;
    const end = (state: string) => `UPDATE charge SET state = '${state}' WHERE id = '${payment.chargeId}'`;
    expect(await attempt(who, hold, adopt)).toMatch(/was not collected$/);
    expect(await attempt(who, hold, end('reversing'), adopt)).toMatch(/was not collected$/);
  });

  test('nothing is sent while it is disputed, or after the dispute was lost', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const { refundId } = await makeRefund(portal.deps, payment, PART);
    const dispute = (outcome: string, ended: string) =>
      `INSERT INTO dispute (charge_id, amount_cents, opened_on, outcome, ended_at)
       VALUES ('${payment.chargeId}', 100, '2026-01-20', ${outcome}, ${ended})`;
    expect(await attempt(who, dispute('NULL', 'NULL'), send(refundId))).toMatch(/may not start$/);
    expect(await attempt(who, dispute(`'lost'`, 'now()'), send(refundId))).toMatch(/may not start$/);
    expect(await attempt(who, dispute(`'won'`, 'now()'), send(refundId))).toBe('done');
  });

  test('nothing is sent without another person’s approval', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const { refundId, requestId } = await makeRefund(portal.deps, payment, { ...PART, needsApproval: true });
    const wait = `UPDATE refund SET state = 'waiting' WHERE id = '${refundId}'`;
    const approve = (by: string) =>
      `UPDATE refund_request SET approved_by = ${by}, approved_at = now() WHERE id = '${requestId}'`;
    expect(await attempt(who, send(refundId))).toMatch(
      /does not go from requested to sending$|may not start$/,
    );
    expect(await attempt(who, wait)).toMatch(/is not approved$/);
    expect(await attempt(who, approve('actor'), wait)).toMatch(/violates check constraint/);
    expect(await attempt(who, approve(`'${randomUUID()}'`), wait, send(refundId))).toBe('done');
    expect(await attempt(who, approve(`'${randomUUID()}'`), approve('NULL'))).toMatch(
      /keeps what was asked for$/,
    );
  });

  test('one refund of a charge is on its way', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const [one, other] = [
      await makeRefund(portal.deps, payment, { invoiceCents: 1_00 }),
      await makeRefund(portal.deps, payment, { invoiceCents: 2_00 }),
    ];
    await sendRefund(portal.deps, one.refundId);
    expect(await attempt(who, send(other.refundId))).toMatch(/one_moving_refund/);
  });

  test('a transaction belongs to one refund, and a charge is voided once', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    await refundAll(portal.deps, payment, { invoiceCents: 1_00 });
    const { refundId } = await makeRefund(portal.deps, payment, { invoiceCents: 2_00 });
    const make = (method: string, key: string) =>
      `UPDATE refund SET state = 'made', made_at = now(), method = '${method}', transaction_key = ${key}
        WHERE id = '${refundId}'`;
    const sameKey = `(SELECT transaction_key FROM refund WHERE state = 'made' AND charge_id = '${payment.chargeId}')`;
    expect(await attempt(who, send(refundId), make('refund', sameKey))).toMatch(/one_refund_a_transaction/);
    const undo = `UPDATE refund SET undone_at = now() WHERE state = 'made' AND charge_id = '${payment.chargeId}'`;
    expect(await attempt(who, send(refundId), undo, make('refund', sameKey))).toBe('done');
    const voided = await makePayment(portal.deps, { at: AT });
    const [first, second] = [
      await makeRefund(portal.deps, voided, { invoiceCents: 1_00 }),
      await makeRefund(portal.deps, voided, { invoiceCents: 2_00 }),
    ];
    const voids = ({ refundId: id }: { refundId: string }) =>
      `UPDATE refund SET state = 'made', made_at = now(), method = 'void', transaction_key = 'k' WHERE id = '${id}'`;
    expect(
      await attempt(who, send(first.refundId), voids(first), send(second.refundId), voids(second)),
    ).toMatch(/one_void/);
  });

  test.each([
    ['waiting', 'made'],
    ['waiting', 'unknown'],
    ['waiting', 'refused'],
    ['waiting', 'not_made'],
    ['waiting', 'requested'],
    ['sending', 'withdrawn'],
    ['sending', 'not_made'],
    ['sending', 'requested'],
  ])('a refund that is %s does not become %s', async (from, to) => {
    const payment = await makePayment(portal.deps, { at: AT });
    const { refundId } = await makeRefund(portal.deps, payment, PART);
    if (from === 'sending') await sendRefund(portal.deps, refundId);
    const move = `UPDATE refund SET state = '${to}', method = 'refund', transaction_key = 'k',
      made_at = CASE '${to}' WHEN 'made' THEN now() END WHERE id = '${refundId}'`;
    expect(await attempt(who, move)).toMatch(/does not go from/);
  });

  test.each([
    `UPDATE refund SET amount_cents = 1 WHERE id = %id%`,
    `UPDATE refund SET mark = 'r00000000000000000000000' WHERE id = %id%`,
    'DELETE FROM refund WHERE id = %id%',
    'DELETE FROM refund_request',
    'UPDATE refund_request SET total_cents = 1',
    'UPDATE refund_line SET tip_cents = 1 WHERE refund_id = %id%',
    `UPDATE refund_line SET tip_cents = 1, fell_due_cents = 1 WHERE refund_id = %id%`,
    'UPDATE refund_line SET uncredited_cents = 1 WHERE refund_id = %id%',
    'UPDATE refund_line SET copied_cents = 1 WHERE refund_id = %id%',
    'DELETE FROM refund_line WHERE refund_id = %id%',
  ])('a request never changes: %s', async (statement) => {
    const payment = await makePayment(portal.deps, { at: AT });
    const { refundId } = await makeRefund(portal.deps, payment, PART);
    expect(await attempt(who, statement.replace('%id%', `'${refundId}'`))).toMatch(
      /permission denied|is append only|keeps what was asked for/,
    );
  });

  test('what fell due is not given with a request, and stays', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const [request = '', refund = '', line = ''] = requestOf(payment, { invoice: 10_00 });
    const given = line
      .replace('effect)', 'effect, fell_due_cents)')
      .replace(`'due-again')`, `'due-again', 0)`);
    expect(await attempt(who, request, refund, given)).toMatch(/refund_line is append only/);
    const refundId = await refundAll(portal.deps, payment, PART);
    const change = `UPDATE refund_line SET fell_due_cents = 1 WHERE refund_id = '${refundId}'`;
    expect(await attempt(who, change)).toMatch(/permission denied|is append only/);
  });

  test('what the invoice asked is not given with a request', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const [request = '', refund = '', line = ''] = requestOf(payment, { invoice: 10_00 });
    const given = line
      .replace('effect)', 'effect, uncredited_cents, uncredited_tax_cents, copied_cents, copied_tax_cents)')
      .replace(`'due-again')`, `'credited', 1, 1, 1, 1)`);
    const isOfInvoice = `SELECT 1 / ((uncredited_cents, uncredited_tax_cents, copied_cents, copied_tax_cents)
                                     = (10825, 825, 0, 0))::integer
      FROM refund_line WHERE charge_id = '${payment.chargeId}'`;
    expect(await attempt(who, request, refund, given, isOfInvoice)).toBe('done');
  });

  test('an ended refund is only undone once, closed once, and told that its void lands sooner', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const refundId = await refundAll(portal.deps, payment, PART);
    const change = (what: string) => `UPDATE refund SET ${what} WHERE id = '${refundId}'`;
    for (const what of [
      `state = 'waiting', made_at = NULL, transaction_key = NULL, method = NULL, sent_at = NULL, deadline_at = NULL`,
      `transaction_key = 'another'`,
      `made_at = made_at + interval '1 day'`,
      `provider_words = 'Another.'`,
    ])
      expect(await attempt(who, change(what))).toMatch(/is made for good$/);
    expect(await attempt(who, change('undone_at = now()'))).toBe('done');
    expect(await attempt(who, change('undone_at = now()'), change('undone_at = NULL'))).toMatch(
      /is made for good$/,
    );
    expect(await attempt(who, change(`lease_until = now(), fence = fence + 1`))).toBe('done');
    const { refundId: withdrawn } = await makeRefund(portal.deps, payment, PART);
    await db().execute(sql`
      UPDATE refund SET state = 'withdrawn', void_until = now() + interval '1 hour' WHERE id = ${withdrawn}`);
    const lands = (when: string) =>
      `UPDATE refund SET void_until = now() + interval '${when}' WHERE id = '${withdrawn}'`;
    expect(await attempt(who, lands('15 minutes'))).toBe('done');
    expect(await attempt(who, lands('2 hours'))).toMatch(/is withdrawn for good$/);
    expect(await attempt(who, `UPDATE refund SET state = 'waiting' WHERE id = '${withdrawn}'`)).toMatch(
      /is withdrawn for good$/,
    );
  });

  test('a refused refund is closed with a note, once', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const { refundId } = await makeRefund(portal.deps, payment, PART);
    await sendRefund(portal.deps, refundId);
    await db().execute(
      sql`UPDATE refund SET state = 'refused', provider_words = 'No.' WHERE id = ${refundId}`,
    );
    const close = (note: string) =>
      `UPDATE refund SET closed_at = now(), closed_note = '${note}' WHERE id = '${refundId}'`;
    expect(await attempt(who, close('Paid back in cash.'))).toBe('done');
    expect(await attempt(who, close('Paid back in cash.'), close('Or not.'))).toMatch(/is refused for good$/);
  });

  test('what the provider showed never changes, and belongs to one refund until that is undone', async () => {
    const payment = await makePayment(portal.deps, { at: AT });
    const refundId = await refundAll(portal.deps, payment, PART);
    const { rows } = await db().execute<{ account: number }>(sql`
      SELECT merchant_account_id AS account FROM charge WHERE id = ${payment.chargeId}`);
    const see = `INSERT INTO seen_refund (transaction_key, merchant_account_id, order_id, amount_cents, type, clerk)
      VALUES ('seen', ${rows[0]?.account}, '${payment.orderId}', 5000, 'C', '')`;
    const change = (what: string) => `UPDATE seen_refund SET ${what} WHERE transaction_key = 'seen'`;
    expect(await attempt(who, see, change(`type = 'Z'`), change(`refund_id = '${refundId}'`))).toBe('done');
    expect(await attempt(who, see, change(`refund_id = '${refundId}'`), change('refund_id = NULL'))).toMatch(
      /stays$/,
    );
    const undo = `UPDATE refund SET undone_at = now() WHERE id = '${refundId}'`;
    const own = change(`refund_id = '${refundId}'`);
    const isFree = `DO $$ BEGIN ASSERT (SELECT refund_id IS NULL AND type = 'Z' FROM seen_refund
      WHERE transaction_key = 'seen'), 'it is not free'; END $$`;
    expect(await attempt(who, see, own, undo, isFree)).toBe('done');
    expect(await attempt(who, see, own, isFree)).toMatch(/it is not free/);
    expect(await attempt(who, see, change('amount_cents = 1'))).toMatch(/permission denied|stays$/);
    expect(await attempt(who, see, `DELETE FROM seen_refund`)).toMatch(/permission denied|is append only/);
  });
});

test('the portal writes no credit and no paid amount', async () => {
  for (const column of ['credited_cents', 'office_amount_cents', 'credit_basis_cents', 'paid_cents'])
    expect(await attempt('the portal', `UPDATE invoice SET ${column} = 1`)).toMatch(/permission denied/);
});

test('the portal’s role books a made refund without the right to write paid amounts', async () => {
  const payment = await makePayment(portal.deps, { at: AT });
  const { refundId } = await makeRefund(portal.deps, payment, PART);
  await sendRefund(portal.deps, refundId);
  const made = `UPDATE refund SET state = 'made', made_at = now(), transaction_key = 'a key' WHERE id = '${refundId}'`;
  expect(await attempt('the portal', made)).toBe('done');
  await confirmRefund(portal.deps, refundId);
});
