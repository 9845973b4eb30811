import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import { addCard, payAsCustomer, portalSale } from '../../../../test/factories/unpaid-invoices.ts';
import { linkLocation, signInUser } from '../../../../test/factories/users.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { paymentIntent } from '../../../db/schema/payments.ts';

const { emulator, portal, sweepAll, expectBalanced } = usePayments();

const DECLINED_CARD = '4000300611112224';

async function stored(key: string) {
  const [row] = await portal.deps.db.query.select().from(paymentIntent).where(eq(paymentIntent.idemKey, key));
  if (!row) throw new Error(`nothing was paid under ${key}`);
  return row;
}

/** Leaves a payment as the previous version would have stored it. */
async function storeAsBefore(key: string, answer?: { status: number; body: object }): Promise<void> {
  await portal.deps.db.transaction(async (tx) => {
    await tx.execute(sql`ALTER TABLE payment_intent DISABLE TRIGGER keep_decided_intent`);
    await tx.execute(sql`UPDATE payment_intent SET outcome = NULL WHERE idem_key = ${key}`);
    if (answer) {
      const body = JSON.stringify(answer.body);
      await tx.execute(sql`
        UPDATE payment_intent SET response_status = ${answer.status}, response_body = ${body}::jsonb
         WHERE idem_key = ${key}`);
    }
    await tx.execute(sql`ALTER TABLE payment_intent ENABLE TRIGGER keep_decided_intent`);
  });
}

async function pressAsGuest(key: string, card?: string) {
  const made = await makeInvoice(portal.deps.db.query);
  const body = { ...(await guestSale(emulator, made, card ? { card } : {})) };
  return () => payAsGuest(portal, body, { 'idempotency-key': key });
}

test("stores a guest's payment so that the previous version can replay it", async () => {
  const press = await pressAsGuest('guest-paid');
  // Leave out the offer: a replay mints a new one, and the previous version didn't know them.
  const { amount, reference } = (await press()).json();
  const { outcome, responseStatus, responseBody } = await stored('guest-paid');
  expect(outcome).toEqual({ code: 'paid', amountCents: 10825, references: [reference] });
  expect({ responseStatus, responseBody }).toEqual({
    responseStatus: 200,
    responseBody: { amount, reference },
  });
  await sweepAll();
  await expectBalanced();
});

test("stores a customer's payment and a saved card so too", async () => {
  const user = await signInUser(portal);
  const paymentMethodId = await addCard(portal, emulator, user);
  const made = await makeInvoice(portal.deps.db.query);
  await linkLocation(portal, { ...user, locationId: made.locationId });
  const body = portalSale([made], { paymentMethodId });
  const first = await payAsCustomer(portal, user.token, body, { 'idempotency-key': 'customer-paid' });
  // The previous version doesn't name the payment.
  const { paymentId, ...told } = first.json();
  expect(await stored('customer-paid')).toMatchObject({ id: paymentId, responseBody: told });
  const [card] = await portal.deps.db.query
    .select()
    .from(paymentIntent)
    .where(eq(paymentIntent.kind, 'card'));
  expect(card).toMatchObject({ outcome: { code: 'card-added' }, responseStatus: 200, responseBody: {} });
  await sweepAll();
  await expectBalanced();
});

test('stores for a decline that nothing was charged, for a version without words for it', async () => {
  const press = await pressAsGuest('declined', DECLINED_CARD);
  expect((await press()).json().errors.at(-1).code).toBe('Declined');
  expect(await stored('declined')).toMatchObject({
    outcome: { code: 'declined', franchise: null },
    responseStatus: 503,
    responseBody: { status: 503, errors: [{ code: 'NotCharged' }, { code: 'TimeUp' }] },
  });
});

test('replays a payment that the previous version stored', async () => {
  const press = await pressAsGuest('paid-before');
  const first = await press();
  await storeAsBefore('paid-before');
  const replay = await press();
  expect(replay.json()).toEqual(first.json());
  expect(replay.headers['idempotency-replayed']).toBe('true');
  await sweepAll();
  await expectBalanced();
});

test("replays the previous version's answer to a decline, word for word", async () => {
  const press = await pressAsGuest('declined-before', DECLINED_CARD);
  const first = await press();
  await storeAsBefore('declined-before', { status: first.statusCode, body: first.json() });
  const replay = await press();
  expect(replay.statusCode).toBe(first.statusCode);
  expect(replay.json()).toEqual(first.json());
});
