import { type AccountData, accountDataSchema } from '@brightpane/contract/customers/account';
import type { ListedPayment } from '@brightpane/contract/invoices/payment-history';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { askEmailChange, moveTo } from '../../../../test/factories/email-changes.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { makeRefund, refundAll, undoRefund } from '../../../../test/factories/refund-rows.ts';
import {
  linkLocation,
  type SignedInUser,
  signInUser,
  startSessionOf,
  TEST_PASSWORD,
} from '../../../../test/factories/users.ts';
import { mailsTo } from '../../../../test/mail/mailbox.ts';
import { paymentMethod } from '../../../db/schema/payments.ts';
import { readOwnPayments } from '../../payments/history/read-own-payments.ts';
import { downloadData } from './download-data.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;
const START = portal.now;

beforeEach(async () => {
  portal.now = START;
  await db().execute('DELETE FROM limit_counter');
});

const download = ({ token }: Pick<SignedInUser, 'token'>, password: string = TEST_PASSWORD) =>
  call(portal, 'POST', '/user/export', { token, body: { password } });

const sessionOf = ({ token }: SignedInUser): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;

/** A download whose reader hasn't started reading. */
const open = (user: SignedInUser) =>
  downloadData(portal.deps, {
    userId: user.userId,
    sessionId: sessionOf(user),
    ip: '203.0.113.1',
    password: TEST_PASSWORD,
  });

async function household() {
  const user = await signInUser(portal);
  const first = await makeInvoice(db());
  await linkLocation(portal, { ...user, ...first });
  const { franchiseId, customerId, locationId } = first;
  const another = () => makeInvoice(db(), { franchiseId, customerId, locationId });
  return { ...user, ...first, first, another };
}

const withoutLinks = ({ receiptLink: _receipt, lines, ...payment }: ListedPayment) => ({
  ...payment,
  lines: lines.map(({ pdfLink: _pdf, ...line }) => line),
});

describe('the download', () => {
  test('contains the account’s own data, and nobody else’s', async () => {
    const user = await household();
    const own = await makePayment(portal.deps, {
      userId: user.userId,
      invoices: [user.first, await makeInvoice(db())],
      note: 'Two more panes',
    });
    const failed = await makePayment(portal.deps, {
      userId: user.userId,
      invoices: [await user.another()],
      state: 'capture_failed',
      at: '2026-11-10T18:00:00Z',
    });
    const neighbor = await signInUser(portal);
    const others = await makePayment(portal.deps, {
      userId: neighbor.userId,
      invoices: [await user.another()],
    });
    await db().insert(paymentMethod).values({
      userId: user.userId,
      chargeId: own.chargeId,
      cardToken: 'v1.sealed-card-token',
      maskedCard: 'xxxx2224',
      brand: 'Visa',
      expiresMonth: '2027-04-01',
    });
    const before = user.email;
    const email = `moved-${user.email}`;
    await moveTo(portal, user, email);

    const answer = await download(user);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="brightpane-\d{4}-\d\d-\d\d\.json"$/,
      ),
      'cache-control': 'no-store',
    });
    const data = accountDataSchema.parse(answer.json());
    expect(Object.keys(answer.json())).toEqual([
      'account',
      'sessions',
      'locations',
      'paymentMethods',
      'payments',
      'emailChanges',
      'mails',
    ]);
    expect(data).toMatchObject({
      account: { id: user.userId, email, firstName: 'Robin' },
      sessions: [{ sessionId: sessionOf(user), current: true }],
      locations: [{ locationId: user.locationId }],
      paymentMethods: [{ maskedCard: 'xxxx2224', brand: 'Visa', expires: '2027-04' }],
      emailChanges: [{ oldEmail: before, newEmail: email, undoneAt: null }],
    });
    const shown = await Promise.all(
      [own, failed].map(async ({ paymentId }) =>
        withoutLinks((await call(portal, 'GET', `/user/payments/${paymentId}`, user)).json()),
      ),
    );
    expect(data.payments).toEqual(shown);
    expect(data.mails.map(({ kind, recipient }) => [kind, recipient])).toEqual(
      expect.arrayContaining([
        ['email-change-asked', before],
        ['email-change', email],
        ['email-changed', before],
      ]),
    );
    expect(answer.body).not.toContain(others.paymentId);
    expect(answer.body).not.toMatch(/signature=|sealed-card-token|argon2|hash/i);
  });

  test('has refunds with their payments, to the cent: what is made, and nothing that waits or was taken back', async () => {
    const user = await household();
    const invoices = [user.first, await makeInvoice(db())] as const;
    const payment = await makePayment(portal.deps, {
      userId: user.userId,
      invoices: [...invoices],
      tipCents: 5_00,
    });
    await refundAll(portal.deps, payment, {
      ...{ invoiceCents: 46_18, taxCents: 3_81, tipCents: 1 },
      also: [{ invoiceId: invoices[1].invoiceId, invoiceCents: 18_48, taxCents: 1_52 }],
    });
    await refundAll(portal.deps, payment, { tipCents: 4_98 });
    await undoRefund(portal.deps, await refundAll(portal.deps, payment, { tipCents: 1 }));
    await makeRefund(portal.deps, payment, { invoiceCents: 1_00 });

    const { payments } = accountDataSchema.parse((await download(user)).json());
    expect(payments).toMatchObject([
      { paymentId: payment.paymentId, amount: 226.5, state: 'partly-refunded', refundedAmount: 74.98 },
    ]);
    expect(payments[0]?.refunds.map(({ amount }) => amount)).toEqual([70, 4.98]);
    expect(payments[0]?.lines.map(({ total, refunded }) => [total, refunded])).toEqual([
      [113.25, 54.98],
      [113.25, 20],
    ]);
    expect(payments).toEqual([
      withoutLinks((await call(portal, 'GET', `/user/payments/${payment.paymentId}`, user)).json()),
    ]);
  });

  test('does not reveal by a mail’s kind whether an address has an account', async () => {
    const stranger = await signInUser(portal);
    const user = await signInUser(portal);
    await askEmailChange(portal, user, stranger.email);
    const { mails, account } = (await download(user)).json<AccountData>();
    expect(account.pendingEmail).toBe(stranger.email);
    expect(mails.map(({ kind }) => kind)).toEqual(['data-downloaded', 'email-change-asked']);
  });

  test('is announced by mail, with a link to choose a new password', async () => {
    const user = await signInUser(portal);
    await download(user);
    const [mail] = await mailsTo(portal, user.email);
    expect(mail).toMatchObject({
      kind: 'data-downloaded',
      content: { subject: 'Your data was downloaded' },
    });
    expect(mail?.content.text).toContain('https://pay.example.com/mail/password');
  });

  test('needs the current password, and sends no mail if it is wrong', async () => {
    const user = await signInUser(portal);
    expect((await download(user, 'not the password')).json()).toMatchObject({
      status: 400,
      errors: [{ code: 'PasswordMismatch', field: 'password' }],
    });
    expect(await mailsTo(portal, user.email)).toEqual([]);
  });

  test('keeps payments whole whose lines continue on the next page', async () => {
    const user = await household();
    for (let count = 0; count < 4; count++) {
      await makePayment(portal.deps, {
        userId: user.userId,
        invoices: [await user.another(), await user.another()],
        at: `2026-11-1${count}T18:00:00Z`,
      });
    }
    const payments: ListedPayment[] = [];
    await portal.deps.db.transaction(async (tx) => {
      for await (const page of readOwnPayments(portal.deps, tx, { userId: user.userId, linesAtATime: 3 })) {
        payments.push(...page);
      }
    });
    const { items } = (await call(portal, 'GET', '/user/payments?year=2026', user)).json();
    expect(payments.map(({ paymentId, lines }) => [paymentId, lines.length])).toEqual(
      items.map(({ paymentId }: ListedPayment) => [paymentId, 2]),
    );
  });
});

describe('downloads', () => {
  test('are limited to five a day', async () => {
    const user = await signInUser(portal);
    for (let count = 0; count < 5; count++) expect((await download(user)).statusCode).toBe(200);
    const refused = await download(user);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '86400']);
    expect((await mailsTo(portal, user.email)).length).toBe(5);
    portal.now = new Date(START.getTime() + 86_401_000);
    const { accessToken: token } = await startSessionOf(portal.deps, user);
    expect((await download({ token })).statusCode).toBe(200);
  });

  test('run one at a time per account and two per instance, even if a reader has left', async () => {
    const [one, two, three] = [await signInUser(portal), await signInUser(portal), await signInUser(portal)];
    const first = await open(one);
    expect((await download(one)).json()).toMatchObject({
      status: 429,
      errors: [{ code: 'DownloadUnderWay' }],
    });
    const second = await open(two);
    const refused = await download(three);
    expect(refused.json()).toMatchObject({ status: 503, errors: [{ code: 'DownloadsBusy' }] });
    expect(refused.headers['retry-after']).toBe('10');
    for (const opened of [first, second]) {
      if (!opened.ok) throw new Error(opened.code);
      opened.value.stream.destroy();
      await new Promise((gone) => opened.value.stream.once('close', gone));
    }
    await expect.poll(async () => (await download(three)).statusCode).toBe(200);
  });
});
