import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { addCard, payAsCustomer, portalSale } from '../../../../test/factories/unpaid-invoices.ts';
import { linkLocation, signInUser } from '../../../../test/factories/users.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { invoice } from '../../../db/schema/franchises.ts';
import { compareBooks } from '../books/compare-books.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();

beforeEach(async () => {
  await emulator.clearFaults();
  portal.now = new Date(portal.now.getTime() + 2 * 60 * 60 * 1000);
});

type Made = Awaited<ReturnType<typeof makeInvoice>>;

async function raise({ invoiceId }: Made, byCents: number): Promise<number> {
  const [row] = await db().select().from(invoice).where(eq(invoice.id, invoiceId));
  if (!row) throw new Error('no invoice');
  const [changed] = await db()
    .update(invoice)
    .set({ amountCents: row.amountCents + byCents })
    .where(eq(invoice.id, invoiceId))
    .returning({ version: invoice.version });
  return changed?.version ?? 0;
}

/** How often the provider was asked for money. */
const asked = async () => (await emulator.ledger()).length;

describe('a guest whose answer was lost and whose invoice was raised', () => {
  async function payFirst(fields: Record<string, unknown> = {}) {
    const made = await makeInvoice(db());
    const headers = { 'idempotency-key': `key-${made.workOrderNumber}` };
    const press = async (version: number, more: Record<string, unknown> = {}) =>
      guestPays(made, {
        ...fields,
        ...more,
        headers: {
          ...headers,
          'if-match': `"${version}"`,
        },
      });
    return { made, press, first: await press(1) };
  }

  test('hears what was paid and what is due, and pays it under a new key', async () => {
    const { made, press, first } = await payFirst();
    const { reference } = first.json();
    const version = await raise(made, 50_00);
    const before = await asked();
    const again = await press(version);
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({
      detail: `You paid $108.25 earlier (reference ${reference}). $50.00 is still due. Press Pay again to pay it.`,
      errors: [{ code: 'PaidEarlier' }],
    });
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect(await asked()).toBe(before);
    const rest = await guestPays(made, { headers: { 'if-match': `"${version}"` } });
    expect(rest.json()).toMatchObject({ amount: 50 });
    await sweep(portal.deps);
    await expectBalanced();
  });

  test('gets a replay for what was seen the first time, or for no version', async () => {
    const { made, press, first } = await payFirst();
    await raise(made, 50_00);
    const replay = await press(1);
    expect(replay.json()).toEqual(first.json());
    expect(replay.headers['idempotency-replayed']).toBe('true');
    const unseen = await guestPays(made, {
      headers: {
        'idempotency-key': `key-${made.workOrderNumber}`,
      },
    });
    expect(unseen.json()).toEqual(first.json());
  });

  test('hears if nothing more is due', async () => {
    const { press } = await payFirst();
    expect((await press(2)).json().detail).toMatch(
      /^You paid \$108\.25 earlier \(reference \d+\)\. Nothing more is due\.$/,
    );
  });

  test('is not told what is due without the zip code', async () => {
    const { made, press } = await payFirst({ zipCode: undefined });
    const version = await raise(made, 50_00);
    const again = await press(version);
    expect(again.json().detail).toMatch(/^You paid \$108\.25 earlier \(reference \d+\)\.$/);
    // A key that has paid can't be used to guess the zip code: what counts is what the payment stored.
    for (const zipCode of ['62704', '62705']) {
      const { requestId: _, ...told } = (await press(version, { zipCode })).json();
      const { requestId: __, ...before } = again.json();
      expect(told).toEqual(before);
    }
  });

  test('hears that the first attempt was not charged', async () => {
    const made = await makeInvoice(db());
    const headers = { 'idempotency-key': `key-${made.workOrderNumber}` };
    const card = '4000300611112224';
    await guestPays(made, { card, headers: { ...headers, 'if-match': '"1"' } });
    const version = await raise(made, 50_00);
    const again = await guestPays(made, {
      headers: {
        ...headers,
        'if-match': `"${version}"`,
      },
    });
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({
      detail:
        'Your earlier payment did not go through. Your card was not charged. $158.25 is still due. Press Pay again to pay it.',
      errors: [{ code: 'NotCharged' }, { code: 'InvoiceChanged' }],
    });
    await sweepAll();
    await expectBalanced();
  });

  test('hears of the amount that the first attempt left pending', async () => {
    const made = await makeInvoice(db());
    const headers = { 'idempotency-key': `key-${made.workOrderNumber}` };
    await emulator.script({ fault: 'partial', command: 'authonly' });
    const first = await guestPays(made, { headers: { ...headers, 'if-match': '"1"' } });
    expect(first.json().errors).toMatchObject([{ code: 'NotCharged' }, { code: 'NotInFull' }]);
    const version = await raise(made, 50_00);
    const again = await guestPays(made, { headers: { ...headers, 'if-match': `"${version}"` } });
    expect(again.json().detail).toBe(
      'Your earlier payment did not go through. Your card was not charged. A pending amount at your bank disappears by itself. $158.25 is still due. Press Pay again to pay it.',
    );
    await sweepAll();
    await expectBalanced();
  });

  test('gets a conflict for another tip', async () => {
    const { press } = await payFirst();
    expect((await press(1, { tipAmount: 1 })).statusCode).toBe(422);
  });
});

describe('a payment under a key that was used for other versions', () => {
  async function payTwo() {
    const user = await signInUser(portal);
    const paymentMethodId = await addCard(portal, emulator, user);
    const made = [await makeInvoice(db()), await makeInvoice(db())] as const;
    for (const { locationId } of made) await linkLocation(portal, { ...user, locationId });
    const headers = { 'idempotency-key': `several-${made[0].workOrderNumber}` };
    const press = (versions: readonly [number, number]) => {
      const body = portalSale([...made], { paymentMethodId });
      const workOrders = (body.workOrders as object[]).map((line, index) => ({
        ...line,
        version: versions[index],
      }));
      return payAsCustomer(portal, user.token, { ...body, workOrders }, headers);
    };
    return { user, made, press, first: await press([1, 1]) };
  }

  test('is answered with what was paid and what is due in total', async () => {
    const { made, press, first } = await payTwo();
    expect(first.json()).toMatchObject({ amount: 216.5 });
    const version = await raise(made[1], 30_00);
    const before = await asked();
    const again = await press([1, version]);
    expect(again.statusCode).toBe(409);
    expect(again.json().detail).toBe(
      `You paid $216.50 earlier (reference ${first.json().references[0]}). $30.00 is still due. Press Pay again to pay it.`,
    );
    expect(await asked()).toBe(before);
    expect((await press([1, 1])).json()).toEqual(first.json());
  });

  test('is not told what is due at a location that is no longer theirs', async () => {
    const { user, made, press } = await payTwo();
    const version = await raise(made[1], 30_00);
    await portal.deps.db.pool.query('UPDATE user_location SET hidden_at = now() WHERE user_id = $1', [
      user.userId,
    ]);
    expect((await press([1, version])).json().detail).toMatch(
      /^You paid \$216\.50 earlier \(reference \d+\)\.$/,
    );
  });
});

describe('a payment that was told as not charged', () => {
  async function loseAnswer() {
    const made = await makeInvoice(db());
    await emulator.script({ fault: 'reset', when: 'after', command: 'authonly' });
    const press = () => guestPays(made, { headers: { 'idempotency-key': `lost-${made.workOrderNumber}` } });
    expect(codesOf(await press())).toContain('NotCharged');
    return press;
  }
  const codesOf = (answer: { json(): { errors: { code: string }[] } }) =>
    answer.json().errors.map(({ code }) => code);

  test('is in doubt once somebody has captured its hold by hand, until a person has ended that', async () => {
    const press = await loseAnswer();
    const held = (await emulator.ledger()).at(-1);
    const byHand = (command: string) =>
      emulator.callAs('portal', 'POST', '/transactions', { command, trankey: held?.key });
    await byHand('cc:capture');
    await advanceEngineClock(portal.deps, 6);
    await sweep(portal.deps);
    expect(codesOf(await press())).toEqual(['PaymentFound']);
    await byHand('void');
    const chargeId = (await chargesOf(portal.deps)).at(-1)?.id;
    const closed = await callOffice(portal, 'POST', `/review/${chargeId}`, { body: { decision: 'close' } });
    expect(closed.statusCode).toBe(200);
    expect(codesOf(await press())).toContain('NotCharged');
  });

  test('is in doubt while a person has not looked at money that was collected under its order', async () => {
    const made = await makeInvoice(db());
    await emulator.script({ fault: 'reset', when: 'before', command: 'authonly' });
    const press = () => guestPays(made, { headers: { 'idempotency-key': `none-${made.workOrderNumber}` } });
    expect(codesOf(await press())).toContain('NotCharged');
    await sweepAll();
    const charge = (await chargesOf(portal.deps)).at(-1);
    expect(charge?.state).toBe('absent');
    await emulator.callAs('portal', 'POST', '/transactions', {
      command: 'sale',
      amount: '108.25',
      orderid: charge?.orderId,
      creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
    });
    const { differences } = await compareBooks(portal.deps);
    expect(differences).toMatchObject([{ kind: 'captured-but-not-accepted', orderId: charge?.orderId }]);
    expect(codesOf(await press())).toEqual(['PaymentFound']);
  });

  test('is in no doubt while its hold is only looked for', async () => {
    const press = await loseAnswer();
    expect(codesOf(await press())).toContain('NotCharged');
    await advanceEngineClock(portal.deps, 6);
    await sweep(portal.deps);
    expect(codesOf(await press())).toContain('NotCharged');
  });
});
