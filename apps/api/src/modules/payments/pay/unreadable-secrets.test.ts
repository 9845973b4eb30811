import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { chargesOf } from '../../../../test/books/compare-ledgers.ts';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { call } from '../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { guestSale, payAsGuest } from '../../../../test/factories/payments/payments.ts';
import { addCard, payAsCustomer, portalSale } from '../../../../test/factories/unpaid-invoices.ts';
import { linkLocation, signInUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { sealUnbound } from '../../../../test/releases/seal-unbound.ts';
import { usePayments } from '../../../../test/use-payments.ts';
import { createSecretBox } from '../../../crypto/secret-box.ts';
import { noteUnreadable } from '../../../crypto/unreadable-secrets.ts';
import { merchantAccount } from '../../../db/schema/franchises.ts';
import { paymentMethod } from '../../../db/schema/payments.ts';
import { openDeps } from '../../../open-deps.ts';
import { findCurrentAccount } from '../../merchant-accounts/merchant-accounts.queries.ts';
import { replaceMerchantAccount } from '../../merchant-accounts/replace-merchant-account.ts';
import { sealKeys } from '../../merchant-accounts/sealed-keys.ts';
import { cardPlace } from '../../payment-methods/card-place.ts';

const { emulator, portal, db, guestPays, sweepAll, expectBalanced } = usePayments();
const lost = createSecretBox(['a data key that nobody has any more']);

beforeEach(() => {
  portal.now = new Date(portal.now.getTime() + 2 * 60 * 60 * 1000);
});

/** Starts another instance on this database. */
async function start(): Promise<void> {
  const deps = await openDeps(portal.deps.env, { clock: portal.deps.clock });
  await deps.db.close();
}

const unreadable = async (): Promise<string[]> =>
  (await callOffice(portal, 'GET', '/status')).json().unreadableSecrets;

describe('a card that is sealed under a lost key', () => {
  async function loseCard() {
    const user = await signInUser(portal);
    const [id, other] = [await addCard(portal, emulator, user), await addCard(portal, emulator, user)];
    const cardToken = lost.seal('gone', cardPlace(id));
    await db().update(paymentMethod).set({ cardToken }).where(eq(paymentMethod.id, id));
    const made = await makeInvoice(db());
    await linkLocation(portal, { ...user, ...made });
    const payWith = (paymentMethodId: string) =>
      payAsCustomer(portal, user.token, portalSale([made], { paymentMethodId }));
    return { user, id, other, payWith };
  }

  test('has to be added again, affects nothing else, and is reported', async () => {
    const { user, id, other, payWith } = await loseCard();
    await start();
    expect(await unreadable()).toContain(`payment_method ${id}`);
    expect((await callOffice(portal, 'GET', '/status')).json().secretsUnderEarlierKey).toBe(0);
    const listed = await call(portal, 'GET', '/usaepay/portal/paymentmethods', { token: user.token });
    expect(listed.json()).toMatchObject([
      { id, addAgain: true },
      { id: other, addAgain: false },
    ]);
    const refused = await payWith(id);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      detail: 'This card cannot be used any more. Add it again, or choose another card.',
      errors: [{ code: 'CardUnreadable' }],
    });
    expect((await payWith(other)).statusCode).toBe(200);
    await call(portal, 'DELETE', `/usaepay/portal/paymentmethods/${id}`, { token: user.token });
    expect(await unreadable()).not.toContain(`payment_method ${id}`);
  });

  test('is not reported once its account is closed, not even by a payment that had read it before', async () => {
    const { user, id, payWith } = await loseCard();
    await payWith(id);
    const body = { password: TEST_PASSWORD };
    expect((await call(portal, 'POST', '/user/close', { token: user.token, body })).statusCode).toBe(204);
    expect(await unreadable()).not.toContain(`payment_method ${id}`);
    await noteUnreadable(portal.deps, db(), { table: 'payment_method', id });
    expect(await unreadable()).not.toContain(`payment_method ${id}`);
  });

  test('is reported by the payment that finds it, and forgotten once its key is back', async () => {
    const { id, other, payWith } = await loseCard();
    await payWith(id);
    expect(await unreadable()).toContain(`payment_method ${id}`);
    const [row] = await db().select().from(paymentMethod).where(eq(paymentMethod.id, other));
    const token = portal.deps.secretBox.open(row?.cardToken ?? '', cardPlace(other));
    const cardToken = portal.deps.secretBox.seal(token, cardPlace(id));
    await db().update(paymentMethod).set({ cardToken }).where(eq(paymentMethod.id, id));
    await start();
    expect(await unreadable()).not.toContain(`payment_method ${id}`);
  });
});

describe('a sealed value', () => {
  test('does not open in another row', async () => {
    const [mine, theirs] = [await signInUser(portal), await signInUser(portal)];
    const [one, two] = [await addCard(portal, emulator, mine), await addCard(portal, emulator, theirs)];
    await db().execute(sql`
      UPDATE payment_method p SET card_token = other.card_token FROM payment_method other
       WHERE (p.id, other.id) IN ((${one}::uuid, ${two}::uuid), (${two}::uuid, ${one}::uuid))`);
    for (const user of [mine, theirs]) {
      const listed = await call(portal, 'GET', '/usaepay/portal/paymentmethods', { token: user.token });
      expect(listed.json()).toMatchObject([{ addAgain: true }]);
    }
    await db().delete(paymentMethod);
  });

  test('is bound to its row at the next start if it was not', async () => {
    const user = await signInUser(portal);
    const id = await addCard(portal, emulator, user);
    const [dataKey = ''] = portal.deps.env.DATA_KEY;
    const tokenOf = async () =>
      (await db().select().from(paymentMethod).where(eq(paymentMethod.id, id)))[0]?.cardToken ?? '';
    const token = portal.deps.secretBox.open(await tokenOf(), cardPlace(id));
    await db()
      .update(paymentMethod)
      .set({ cardToken: sealUnbound(dataKey, token) })
      .where(eq(paymentMethod.id, id));
    await start();
    expect(await tokenOf()).toMatch(/^2\./);
    expect(portal.deps.secretBox.open(await tokenOf(), cardPlace(id))).toBe(token);
  });
});

describe('a merchant account whose keys are sealed under a lost key', () => {
  async function withOwnAccount(name: string) {
    const made = await makeInvoice(db());
    const { apiKey, pin, publicKey } = await emulator.merchant(name);
    const keys = { apiKey, pin, publicKey };
    const { franchiseId } = made;
    const sendKeys = () =>
      portal.deps.db.transaction((tx) => replaceMerchantAccount(portal.deps, { tx, franchiseId, keys }));
    await sendKeys();
    return {
      made,
      sendKeys,
      pay: async () => guestPays(made, { merchant: name }),
    };
  }

  async function loseKeysOf(franchiseId: number): Promise<number> {
    const account = await findCurrentAccount(db(), franchiseId);
    if (!account) throw new Error('no account of its own');
    const sealed = sealKeys(lost, account.id, { apiKey: 'gone', pin: 'gone' });
    await db().update(merchantAccount).set(sealed).where(eq(merchantAccount.id, account.id));
    return account.id;
  }

  test('takes no payments and is reported; others continue, and sending the keys again opens it', async () => {
    const { made, sendKeys, pay } = await withOwnAccount('north');
    // Pay once first: a new account takes no payments until its list was looked at.
    const first = await makeInvoice(db(), { franchiseId: made.franchiseId });
    const sale = await guestSale(emulator, first, { merchant: 'north' });
    expect((await payAsGuest(portal, sale)).statusCode).toBe(200);
    const id = await loseKeysOf(made.franchiseId);
    // This process has opened the row's earlier keys, and must not use them now.
    expect((await pay()).json().errors).toMatchObject([{ code: 'AccountClosed' }]);
    portal.deps.secretBox = createSecretBox(portal.deps.env.DATA_KEY);
    await start();
    expect(await unreadable()).toContain(`merchant_account ${id}`);
    const before = (await chargesOf(portal.deps)).length;
    const refused = await pay();
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({
      detail: `Franchise ${made.franchiseId} cannot take cards here at the moment. Try again later, or call the office to pay.`,
      errors: [{ code: 'AccountClosed' }],
    });
    expect((await chargesOf(portal.deps)).length).toBe(before);
    const other = await guestPays(await makeInvoice(db()));
    expect(other.statusCode).toBe(200);
    await sendKeys();
    expect((await pay()).statusCode).toBe(200);
    // The old row stays listed until its last charge ends, under the new keys.
    await sweepAll();
    expect(await unreadable()).not.toContain(`merchant_account ${id}`);
    await expectBalanced();
  });

  test('keeps its charges until the keys are sent again; the sweep continues with the others', async () => {
    const { made, sendKeys, pay } = await withOwnAccount('south');
    expect((await pay()).statusCode).toBe(200);
    const id = await loseKeysOf(made.franchiseId);
    await guestPays(await makeInvoice(db()));
    await sweep(portal.deps);
    const states = async () => (await chargesOf(portal.deps)).slice(-2).map(({ state }) => state);
    expect((await states()).toSorted()).toEqual(['accepted', 'captured']);
    expect(await unreadable()).toContain(`merchant_account ${id}`);
    await sendKeys();
    await advanceEngineClock(portal.deps, 60 * 60);
    await sweepAll();
    expect(await states()).toEqual(['captured', 'captured']);
    await expectBalanced();
  });

  test('is replaced from the settings at the next start if it is the portal’s own', async () => {
    const account = await findCurrentAccount(db(), null);
    if (!account) throw new Error('no account');
    const sealed = sealKeys(lost, account.id, { apiKey: 'gone', pin: 'gone' });
    await db().update(merchantAccount).set(sealed).where(eq(merchantAccount.id, account.id));
    await start();
    const answer = await guestPays(await makeInvoice(db()));
    expect(answer.statusCode).toBe(200);
    await sweepAll();
    await expectBalanced();
  });
});
