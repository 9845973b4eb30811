import { readFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { useEmulator } from '../../../test/emulator.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../../test/factories/payments/payments.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  payAsCustomer,
  portalSale,
} from '../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../test/factories/users.ts';
import { termsAcceptance, termsText } from '../../db/schema/terms.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);
const db = () => portal.deps.db.query;
const acceptanceOf = ({ invoiceId }: { invoiceId: number }) =>
  db().select().from(termsAcceptance).where(eq(termsAcceptance.invoiceId, invoiceId));

test('stores the shown text under its version', async () => {
  const { version, text } = portal.deps.env.TERMS;
  expect(await db().select().from(termsText)).toMatchObject([{ version, body: text }]);
});

test.each([
  ['completed', '2026-11-03'],
  ['upcoming', null],
] as const)('a guest’s payment for %s work stores what was accepted', async (work, completedDate) => {
  const invoice = await makeInvoice(db(), { completedDate });
  const sale = await guestSale(emulator, invoice);
  expect((await payAsGuest(portal, sale, { 'terms-version': 'as-shown' })).statusCode).toBe(200);
  expect(await acceptanceOf(invoice)).toMatchObject([
    { userId: null, version: 'as-shown', work, acceptedAt: expect.any(Date) },
  ]);
});

test('the guide’s statement finds what was accepted, with its text', async () => {
  const invoice = await makeInvoice(db());
  const { version, text } = portal.deps.env.TERMS;
  await payAsGuest(portal, await guestSale(emulator, invoice), { 'terms-version': version });
  const guide = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8');
  const statement = /^SELECT a\.accepted_at[^;]+;/m.exec(guide)?.[0] ?? 'no statement in the guide';
  const ours = statement
    .replace('= 11', `= ${invoice.franchiseId}`)
    .replace('= 1001', `= ${invoice.workOrderNumber}`);
  expect((await db().execute(sql.raw(ours))).rows).toMatchObject([{ version, body: text }]);
});

test.each([{}, { 'terms-version': 'not a version!' }])(
  'a client that names no version (%j) gets the current one',
  async (headers) => {
    const invoice = await makeInvoice(db());
    expect((await payAsGuest(portal, await guestSale(emulator, invoice), headers)).statusCode).toBe(200);
    expect(await acceptanceOf(invoice)).toMatchObject([{ version: portal.deps.env.TERMS.version }]);
  },
);

test('a refused payment accepts nothing', async () => {
  const invoice = await makeInvoice(db());
  const declined = await guestSale(emulator, invoice, { card: '4000300611112224' });
  expect((await payAsGuest(portal, declined)).statusCode).toBe(400);
  expect(await acceptanceOf(invoice)).toEqual([]);
});

async function customerWith(invoices: number) {
  const user = await signInUser(portal);
  const paymentMethodId = await addCard(portal, emulator, user);
  const franchises = await makeFranchises(portal, emulator, { accounts: 1 });
  const unpaid = await makeUnpaidInvoices(portal, { user, franchises, invoices });
  const pay = (index: number, version: string, given = {}) => {
    const [invoice] = unpaid.slice(index);
    if (!invoice) throw new Error('there are not so many invoices');
    return payAsCustomer(portal, user.token, portalSale([invoice], { paymentMethodId, ...given }), {
      'terms-version': version,
    });
  };
  return { user, unpaid, pay };
}

test('a customer’s acceptance for a location covers later payments there', async () => {
  const { user, unpaid, pay } = await customerWith(2);
  const [first, later] = unpaid as [(typeof unpaid)[0], (typeof unpaid)[0]];
  expect((await pay(0, 'one')).statusCode).toBe(200);
  expect((await pay(1, 'two', { legalAccepted: false })).statusCode).toBe(200);
  const [accepted] = await acceptanceOf(first);
  expect(accepted).toMatchObject({ userId: user.userId, version: 'one', work: 'completed' });
  expect(await acceptanceOf(later)).toMatchObject([{ version: 'one', acceptedAt: accepted?.acceptedAt }]);
  // Compare microseconds, which a Date doesn't hold.
  const { rows } = await db().execute<{ moments: number }>(sql`
    SELECT count(DISTINCT at)::integer AS moments
      FROM (SELECT legal_accepted_at AS at FROM user_location WHERE user_id = ${user.userId} AND terms_version = 'one'
            UNION ALL SELECT accepted_at FROM terms_acceptance WHERE user_id = ${user.userId}) AS dated`);
  expect(rows).toEqual([{ moments: 1 }]);
});

test('dates acceptances by the engine’s clock', async () => {
  await advanceEngineClock(portal.deps, 3 * 86_400);
  const { user, unpaid, pay } = await customerWith(1);
  expect((await pay(0, 'one')).statusCode).toBe(200);
  const { rows } = await db().execute<{ seconds: number }>(sql`
    SELECT extract(epoch FROM engine_now() - at)::float8 AS seconds
      FROM (SELECT legal_accepted_at AS at FROM user_location WHERE user_id = ${user.userId} AND terms_version = 'one'
            UNION ALL
            SELECT accepted_at FROM terms_acceptance WHERE invoice_id = ${unpaid[0]?.invoiceId}) AS dated`);
  expect(rows).toHaveLength(2);
  for (const { seconds } of rows) expect(Math.abs(seconds)).toBeLessThan(86_400);
  await advanceEngineClock(portal.deps, -3 * 86_400);
});

test('asks for terms again that must be accepted again, and stores the new ones', async () => {
  const { user, unpaid, pay } = await customerWith(3);
  expect((await pay(0, 'one')).statusCode).toBe(200);
  const { env } = portal.deps;
  // Use the engine's clock, like acceptances do.
  const { rows } = await db().execute<{ now: string }>('SELECT clock_timestamp()::text AS now');
  env.TERMS_ASK_AGAIN_SINCE = rows[0]?.now ?? '';
  try {
    const locations = await portal.app.inject({
      url: '/api/user/location',
      headers: { 'x-apisecret': 'test-api-secret', authorization: `Bearer ${user.token}` },
    });
    expect(locations.json()).toMatchObject([{ legalAccepted: false }]);
    const refused = await pay(1, 'two', { legalAccepted: false });
    expect(refused.json()).toMatchObject({ status: 400, detail: 'Please accept the terms to pay.' });
    expect((await pay(1, 'two')).statusCode).toBe(200);
    expect((await pay(2, 'three', { legalAccepted: false })).statusCode).toBe(200);
  } finally {
    env.TERMS_ASK_AGAIN_SINCE = null;
  }
  const versions = [];
  for (const invoice of unpaid) versions.push(...(await acceptanceOf(invoice)).map(({ version }) => version));
  expect(versions).toEqual(['one', 'two', 'two']);
});

test.each([
  'UPDATE terms_acceptance SET version = null',
  'DELETE FROM terms_acceptance',
  "UPDATE terms_text SET body = ''",
  'DELETE FROM terms_text',
])('an acceptance never changes: %s', async (statement) => {
  const failed = await db()
    .execute(statement)
    .then(
      () => null,
      (error: { cause?: { message?: string } }) => error.cause?.message,
    );
  expect(failed).toMatch(/is append only/);
});
