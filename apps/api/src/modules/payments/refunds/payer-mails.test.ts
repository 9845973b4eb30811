import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { openAccounts } from '../../../../test/books/sweep.ts';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { type DecidedPayment, makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { makeRefund } from '../../../../test/factories/refund-rows.ts';
import { type SignedInUser, signInUser, TEST_PASSWORD } from '../../../../test/factories/users.ts';
import { adoptedPayment } from '../../../db/schema/payments.ts';
import { appUser } from '../../../db/schema/people.ts';
import { decideRefund } from './decide-refund.ts';
import type { SeenOf } from './moves/refund-decision.ts';
import type { RefundEvent } from './moves/refund-transitions.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;
const PART = { invoiceCents: 46_19, taxCents: 3_81 };

beforeAll(() => openAccounts(portal.deps));

type Given = Parameters<typeof makePayment>[1] & { parts?: Parameters<typeof makeRefund>[2] };

async function waiting({ parts = PART, ...given }: Given = {}) {
  const payment = await makePayment(portal.deps, { payerEmail: 'guest@example.com', ...given });
  const { refundId } = await makeRefund(portal.deps, payment, parts);
  return { payment, refundId };
}

type Waiting = { payment: DecidedPayment; refundId: string };

const decide = ({ payment, refundId }: Waiting, seen: SeenOf<RefundEvent>) =>
  decideRefund(portal.deps, { intentId: payment.paymentId, decision: { refundId, ...seen } });

async function send(refund: Waiting, method: 'void' | 'refund' = 'refund') {
  await db().execute(sql`UPDATE refund SET looked_at = engine_now() WHERE id = ${refund.refundId}`);
  await decide(refund, { event: 'send', method });
}

const proved = () => ({ transactionKey: randomUUID(), reference: '881', batchKey: null });

async function make(refund: Waiting, method: 'void' | 'refund' = 'refund') {
  await send(refund, method);
  await decide(refund, { event: 'confirm', method, ...proved() });
}

type Mail = { kind: string; recipient: string; subject: string; text: string };

async function mailsOf({ refundId }: Waiting): Promise<Mail[]> {
  const { rows } = await db().execute<Mail>(sql`
    SELECT kind, recipient, content ->> 'subject' AS subject, content ->> 'text' AS text FROM outgoing_mail
     WHERE refund_id = ${refundId} ORDER BY created_at`);
  return rows;
}

const linesOf = ({ text }: Mail) => text.split('\n').filter((line) => line !== '');

/** As if the guest had named the zip code of the place. */
const showZip = ({ payment }: Waiting) =>
  db().execute(sql`
    UPDATE payment_intent SET zip_shown = true, zip_key_shown = '62704',
           location_shown = (SELECT location_id FROM invoice WHERE id = ${payment.invoices[0]?.invoiceId})
     WHERE id = ${payment.paymentId}`);

/** Lowers the amount that the payment paid in full, by $20.00. */
const overpay = ({ payment }: Waiting) =>
  db().execute(sql`
    UPDATE invoice SET amount_cents = 88_25, tax_cents = 6_73 WHERE id = ${payment.invoices[0]?.invoiceId}`);

const adopt = ({ payment }: Waiting, { userId }: Pick<SignedInUser, 'userId'>) =>
  db()
    .insert(adoptedPayment)
    .values({ intentId: payment.paymentId, userId, adoptedAt: portal.now, through: 'page' });

describe('the payer', () => {
  test('hears of a refund once it is made, once, and of what is due again', async () => {
    const refund = await waiting();
    const { workOrderNumber } = refund.payment.invoices[0] ?? {};
    await send(refund);
    expect(await mailsOf(refund)).toEqual([]);
    await decide(refund, { event: 'lose', againInSeconds: 5 });
    expect(await mailsOf(refund)).toEqual([]);
    const confirm = { event: 'confirm', method: 'refund', ...proved() } as const;
    await decide(refund, confirm);
    await decide(refund, confirm);
    const mails = await mailsOf(refund);
    expect(mails).toMatchObject([
      { kind: 'refund-made', recipient: 'guest@example.com', subject: 'Your refund of $50.00' },
    ]);
    expect(mails.flatMap(linesOf).slice(0, 4)).toEqual([
      'We refunded $50.00 to your card Visa xxxx2224. Banks show it in 5 to 10 business days.',
      // A column is as wide as its longest entry, which depends on the work order's number.
      `${'Reference'.padEnd(`Work order ${workOrderNumber}`.length)}  881`,
      `Work order ${workOrderNumber}  $50.00`,
      `$50.00 is due again on work order ${workOrderNumber}.`,
    ]);
  });

  test('hears what is due again above an overpayment, and nothing of what is due by now', async () => {
    const refund = await waiting();
    const { workOrderNumber } = refund.payment.invoices[0] ?? {};
    await showZip(refund);
    await overpay(refund);
    await make(refund);
    expect((await mailsOf(refund)).flatMap(linesOf)[3]).toBe(
      `$30.00 is due again on work order ${workOrderNumber}.`,
    );
    const second = { ...refund, ...(await makeRefund(portal.deps, refund.payment, { invoiceCents: 10_00 })) };
    await make(second);
    expect((await mailsOf(second)).flatMap(linesOf)[3]).toBe(
      `$10.00 is due again on work order ${workOrderNumber}.`,
    );
  });

  test('hears of a part that is due again with an account of their own, and not as a stranger to the invoice', async () => {
    const user = await signInUser(portal);
    const [own, adopted, stranger] = [
      await waiting({ userId: user.userId }),
      await waiting(),
      await waiting(),
    ];
    await adopt(adopted, user);
    const said = async (refund: Waiting) => {
      await overpay(refund);
      await make(refund);
      const [mail] = await mailsOf(refund);
      expect(mail?.text).toContain('We refunded $50.00');
      return mail?.text.match(/.* is due again/)?.[0];
    };
    expect([await said(own), await said(adopted)]).toEqual(Array(2).fill('$30.00 is due again'));
    // A smaller part would tell what others paid.
    expect(await said(stranger)).toBeUndefined();
  });

  test('hears of a void as one, and of no debt for credits and tips', async () => {
    const voided = await waiting({
      tipCents: 5_00,
      parts: { invoiceCents: 100_00, taxCents: 8_25, tipCents: 5_00 },
    });
    await make(voided, 'void');
    expect((await mailsOf(voided)).flatMap(linesOf)[0]).toBe(
      'We voided the charge of $113.25 on your card Visa xxxx2224. It disappears from the statement.',
    );
    const credited = await waiting({ parts: { ...PART, effect: 'credited' } });
    await make(credited);
    const tip = await waiting({ tipCents: 5_00, parts: { tipCents: 5_00 } });
    await make(tip);
    for (const refund of [credited, tip]) {
      const [mail] = await mailsOf(refund);
      expect(mail?.text).toContain('We refunded $');
      expect(mail?.text).not.toContain('due again');
    }
  });

  test('hears nothing of a refund that was refused or ruled out', async () => {
    const refused = await waiting();
    await send(refused);
    await decide(refused, { event: 'refuse', words: 'Declined.' });
    const notMade = await waiting();
    await send(notMade);
    await decide(notMade, { event: 'lose', againInSeconds: 5 });
    await decide(notMade, { event: 'rule-out' });
    for (const refund of [refused, notMade]) expect(await mailsOf(refund)).toEqual([]);
  });

  test('hears again if it is undone', async () => {
    const refund = await waiting();
    await make(refund);
    await decide(refund, { event: 'undo' });
    expect((await mailsOf(refund)).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['refund-made', 'Your refund of $50.00'],
      ['refund-undone', 'Your refund of $50.00 was taken back'],
    ]);
  });

  test('no longer hears of a refund that was undone before its mail went out', async () => {
    const refund = await waiting();
    await make(refund);
    await decide(refund, { event: 'undo' });
    const { rows } = await db().execute(sql`
      SELECT kind, cancelled_at IS NOT NULL AS "isCancelled", next_try_at IS NOT NULL AS "isDue" FROM outgoing_mail
       WHERE refund_id = ${refund.refundId} ORDER BY created_at`);
    expect(rows).toEqual([
      { kind: 'refund-made', isCancelled: true, isDue: false },
      { kind: 'refund-undone', isCancelled: false, isDue: true },
    ]);
  });

  test('hears of it at the account’s current address, even for a payment adopted as a guest', async () => {
    const user = await signInUser(portal);
    const own = await waiting({ userId: user.userId, payerEmail: 'before@example.com' });
    const adopted = await waiting();
    await adopt(adopted, user);
    const email = `moved-${user.email}`;
    await db().update(appUser).set({ email }).where(sql`id = ${user.userId}`);
    for (const refund of [own, adopted]) {
      await make(refund);
      expect(await mailsOf(refund)).toMatchObject([{ recipient: email }]);
    }
  });

  test('of a closed account hears of it at the payment’s address', async () => {
    const user = await signInUser(portal);
    const refund = await waiting({ userId: user.userId, payerEmail: 'before@example.com' });
    const body = { password: TEST_PASSWORD };
    expect((await call(portal, 'POST', '/user/close', { token: user.token, body })).statusCode).toBe(204);
    await make(refund);
    expect(await mailsOf(refund)).toMatchObject([{ recipient: 'before@example.com' }]);
    const { rows } = await db().execute(sql`
      SELECT blank_at > engine_now() + interval '29 days' AS "isBlankedLater" FROM outgoing_mail
       WHERE refund_id = ${refund.refundId}`);
    expect(rows).toEqual([{ isBlankedLater: true }]);
  });

  test('gets no mail without an address', async () => {
    const refund = await waiting({ payerEmail: null });
    await make(refund);
    expect(await mailsOf(refund)).toEqual([]);
  });
});
