import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { openAccounts, sweep, sweepUntilDone } from '../../../../test/books/sweep.ts';
import { useCommandLine } from '../../../../test/command-line.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { chargeState } from '../../../../test/factories/payments/charges.ts';
import { makeRefundable, requestRefund } from '../../../../test/factories/requested-refunds.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { callConsole, OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { PORTAL } from '../../../db/audit.queries.ts';
import type { Deps } from '../../../deps.ts';
import { prepareDeployment } from './prepare-deployment.ts';
import { takeOverAddress } from './take-over-address.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments(() => OFFICE_SETTINGS);
const commands = useCommandLine(portal);

/** 50.00 of 108.25. */
const PART = { invoiceCents: 46_19, taxCents: 3_81 };
const OPERATOR = { OPERATOR_KEY: OFFICE_SETTINGS.OPERATOR_KEY };
const HERE = 'https://pay.example.com';

/** The portal of these books at another address, where it has looked at every list. */
async function at(publicUrl: string): Promise<Deps> {
  const deps = { ...portal.deps, env: { ...portal.deps.env, PUBLIC_URL: publicUrl } };
  await prepareDeployment(deps);
  await openAccounts(deps);
  return deps;
}

const takeOver = (deps: Deps, from: string) => takeOverAddress(deps, { from, actor: PORTAL });

const movesOf = async () => {
  const { rows } = await db().execute<{ from: string; to: string | null }>(
    sql`SELECT public_url AS "from", moved_to AS "to" FROM deployment ORDER BY created_at`,
  );
  return Object.fromEntries(rows.map(({ from, to }) => [from, to]));
};

async function paidChargeId(): Promise<string> {
  expect((await guestPays(await makeInvoice(db()))).statusCode).toBe(200);
  const { rows } = await db().execute<{ id: string }>(
    sql`SELECT id FROM charge ORDER BY created_at DESC LIMIT 1`,
  );
  return rows[0]?.id ?? '';
}

async function refundState(refundId: string): Promise<string | undefined> {
  const { rows } = await db().execute<{ state: string }>(
    sql`SELECT state FROM refund WHERE id = ${refundId}`,
  );
  return rows[0]?.state;
}

beforeEach(() => db().execute(sql`UPDATE deployment SET moved_to = NULL`));

describe('a portal that has moved to another address', () => {
  test('captures what was accepted at the earlier one, once an operator says so', async () => {
    const chargeId = await paidChargeId();
    const moved = await at('https://moved.example.com');
    await sweepUntilDone(moved);
    expect(await chargeState(moved, chargeId)).toBe('accepted');

    expect(await takeOver(moved, HERE)).toEqual([HERE]);
    await advanceEngineClock(portal.deps, 60);
    await sweep(moved);
    expect(await chargeState(moved, chargeId)).toBe('captured');
    await expectBalanced();
  });

  test('refunds what was paid at the earlier one, once an operator says so', async () => {
    const invoice = await makeInvoice(db());
    await guestPays(invoice, { email: 'payer@example.com' });
    await sweepAll();
    await emulator.callAs('portal', 'POST', '/batches/current/close');
    const refundId = await requestRefund(portal.deps, await makeRefundable(db(), invoice), PART);
    const moved = await at('https://moved.example.com');
    const copy = await at('https://copy.example.com');
    await sweepUntilDone(moved);
    expect(await refundState(refundId)).toBe('waiting');

    await takeOver(moved, HERE);
    await sweepUntilDone(copy);
    expect(await refundState(refundId), 'a copy at a third address stays quiet').toBe('waiting');
    await sweepUntilDone(moved);
    expect(await refundState(refundId)).toBe('made');
  });
});

test('a payment of another address is not refunded until that has moved here', async () => {
  const invoice = await makeInvoice(db());
  await guestPays(invoice);
  await sweepAll();
  const { paymentId } = await makeRefundable(db(), invoice);
  const { franchiseId, workOrderNumber } = invoice;
  const line = { franchiseId, workOrderNumber, amount: 50, effect: 'due-again' };
  const request = () =>
    callOffice(portal, 'POST', `/payments/${paymentId}/refunds`, {
      headers: { 'idempotency-key': randomUUID() },
      body: { reason: 'complaint', lines: [line] },
    });
  // As if this portal had been at another address then.
  const before = 'https://before.example.com';
  await at(before);
  await db().execute(sql`
    WITH here AS (UPDATE deployment d SET order_prefix = 'here00' FROM deployment old
                   WHERE d.public_url = ${HERE} AND old.public_url = d.public_url RETURNING old.order_prefix)
    UPDATE deployment SET order_prefix = (SELECT order_prefix FROM here) WHERE public_url = ${before}`);

  const refused = await request();
  expect([refused.statusCode, refused.json().errors?.[0]?.code]).toEqual([409, 'BegunElsewhere']);
  await takeOver(portal.deps, before);
  expect((await request()).statusCode).toBeLessThan(300);
});

test('a second move takes along what had moved before, and a move back ends it', async () => {
  const [first, second] = [await at('https://first.example.com'), await at('https://second.example.com')];
  await takeOver(first, HERE);
  await takeOver(second, 'https://first.example.com');
  expect(await movesOf()).toMatchObject({
    [HERE]: 'https://second.example.com',
    'https://first.example.com': 'https://second.example.com',
    'https://second.example.com': null,
  });

  await takeOver(portal.deps, 'https://second.example.com');
  expect(await movesOf()).toMatchObject({
    [HERE]: null,
    'https://first.example.com': HERE,
    'https://second.example.com': HERE,
  });
});

test.each(['https://PAY.example.com/', 'https://pay.example.com:443/?x'])(
  'an address written as %s is the same place',
  async (from) => {
    expect(await takeOver(await at('https://moved.example.com'), from)).toEqual([HERE]);
  },
);

test('an address that these books do not know, or the portal’s own, is not taken over', async () => {
  expect(await takeOver(portal.deps, 'https://nowhere.example.com')).toEqual([]);
  expect(await takeOver(portal.deps, HERE)).toEqual([]);
});

test.each(['https://Pay.example.com', 'https://pay.example.com:443', 'https://pay.example.com/portal'])(
  'orders begun while the address was stored as %s are this portal’s after a start',
  async (typed) => {
    await db().execute(sql`DELETE FROM deployment WHERE order_prefix = 'typed0'`);
    await db().execute(sql`INSERT INTO deployment (public_url, order_prefix) VALUES (${typed}, 'typed0')`);
    await at('https://another.example.com');
    expect(await movesOf()).toMatchObject({ [typed]: null });
    await prepareDeployment(portal.deps);
    expect(await movesOf()).toMatchObject({ [typed]: HERE });
  },
);

describe('portal moved', () => {
  beforeEach(() => at('https://before.example.com'));

  test('takes over an address with the operator’s key', async () => {
    expect(await commands.run(['moved', '--from', 'https://before.example.com'], OPERATOR)).toEqual({
      code: 0,
      output: 'This portal works on the payments of https://before.example.com from now on.\n',
      complaint: '',
    });
    expect(await movesOf()).toMatchObject({ 'https://before.example.com': HERE });
    const { rows } = await db().execute(
      sql`SELECT subject, detail FROM audit_event WHERE action = 'take over payments' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ subject: 'books', detail: { from: ['https://before.example.com'], to: HERE } }]);
  });

  test.each([
    [['--from', 'https://nowhere.example.com'], 1, 'begun at another address https://nowhere.example.com.'],
    [['--from', 'before'], 1, 'Please give the earlier address, such as https://pay.example.com.'],
    [[], 2, 'Say --from with the address that the portal had before.'],
  ])('refuses %j', async (args, code, words) => {
    const heard = await commands.run(['moved', ...args], OPERATOR);
    expect(heard).toMatchObject({ code, complaint: expect.stringContaining(words) });
  });

  test('is not for offices', async () => {
    const body = { from: 'https://before.example.com' };
    const asOffice = { authorization: `Bearer ${portal.deps.env.OFFICE_API_KEY[0]}` };
    expect((await callConsole(portal, 'POST', '/moved', { headers: asOffice, body })).statusCode).toBe(403);
  });
});
