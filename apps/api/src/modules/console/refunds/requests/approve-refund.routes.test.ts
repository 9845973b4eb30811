import { randomUUID } from 'node:crypto';
import type { Payment } from '@brightpane/contract/office/payments';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { listViolations } from '../../../../../test/books/list-violations.ts';
import { call as callAs } from '../../../../../test/build-test-app.ts';
import { makeInvoice } from '../../../../../test/factories/invoices.ts';
import { makeOfficeCaller } from '../../../../../test/factories/office-keys.ts';
import { makePayment } from '../../../../../test/factories/payments/decided-payments.ts';
import { makeRefund, sendRefund } from '../../../../../test/factories/refund-rows.ts';
import { makeRefundable, requestRefundOfEach } from '../../../../../test/factories/requested-refunds.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  portalSale,
} from '../../../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../../../test/factories/users.ts';
import { mailsTo } from '../../../../../test/office/office-people.ts';
import {
  codeOf,
  detailOf,
  refundOf,
  type Signed,
  useRefundDesk,
} from '../../../../../test/office/refund-desk.ts';

const {
  bodyOf,
  call,
  closeBatch,
  db,
  desk,
  emulator,
  portal,
  read,
  request,
  requested,
  setLimits,
  sign,
  sweepAt,
} = useRefundDesk();

describe('above the limits', () => {
  test('a request needs a second factor, and one approval by another person', async () => {
    await setLimits(20_00, 1000_00);
    const bare = await request({ amount: 50, effect: 'due-again' });
    expect([bare.statusCode, codeOf(bare)]).toEqual([403, 'StepUpRequired']);
    const answer = await requested({ amount: 50, effect: 'due-again' }, { who: desk.owner, confirmed: true });
    expect(answer.needsApproval).toBe(true);
    const { refundId, words } = refundOf(answer);
    expect(words).toBe('Waits for approval');
    await closeBatch();
    await sweepAt(1);
    expect((await read(refundId)).state).toBe('requested');

    const approve = (who: Signed, confirmed = true) =>
      call(who, 'POST', `/refunds/${refundId}/approve`, { body: {}, confirmed });
    expect(codeOf(await approve(desk.owner))).toBe('OwnRequest');
    expect((await approve(desk.clerk)).statusCode).toBe(403);
    const finance = await sign('finance');
    expect(codeOf(await approve(finance, false))).toBe('StepUpRequired');
    const approved = await approve(finance);
    expect(approved.statusCode, approved.body).toBe(200);
    expect(codeOf(await approve(await sign('finance')))).toBe('NotRequested');
    await sweepAt(1);
    expect(await read(refundId)).toMatchObject({ state: 'made', approvedBy: finance.person.name });
    expect(await listViolations(db())).toEqual([]);
  });

  test('only those who may approve are told', async () => {
    await setLimits(0, 0);
    const { franchiseId } = await makeInvoice(db());
    const stranger = await sign('owner', [franchiseId]);
    await requested({ tip: 1 }, { confirmed: true });
    const subjects = async ({ person }: Signed) =>
      (await mailsTo(portal, person.email)).map(({ subject }) => subject);
    expect(await subjects(desk.owner)).toContain('A refund of $1.00 waits for approval');
    expect(await subjects(desk.clerk)).not.toContain('A refund of $1.00 waits for approval');
    expect(await subjects(stranger)).not.toContain('A refund of $1.00 waits for approval');
  });

  test.each([
    ['of a payment', 20_00, 1000_00],
    ['of a day', 1000_00, 20_00],
  ])('several requests count together against the limit %s', async (_says, limit, day) => {
    await setLimits(limit, day);
    expect((await requested({ amount: 15, effect: 'due-again' })).needsApproval).toBe(false);
    expect(codeOf(await request({ amount: 6, effect: 'due-again' }))).toBe('StepUpRequired');
    expect((await requested({ tip: 5 })).needsApproval).toBe(false);
  });

  test('a key may request within its limits, and not above', async () => {
    const caller = await makeOfficeCaller(portal, { franchiseId: desk.sale.franchiseId });
    const ask = (amount: number) =>
      caller('POST', `/payments/${desk.sale.paymentId}/refunds`, {
        body: bodyOf({ amount, effect: 'due-again' }),
        headers: { 'idempotency-key': randomUUID() },
      });
    await setLimits(20_00, 1000_00);
    expect((await ask(10)).statusCode).toBe(202);
    const above = await ask(20);
    expect([above.statusCode, codeOf(above)]).toEqual([403, 'PersonNeeded']);
  });
});

test('a refund tells what one approval sends: all that was asked for at once, less what was withdrawn', async () => {
  const franchises = await makeFranchises(portal, emulator, { accounts: 2 });
  const user = await signInUser(portal);
  const paymentMethodId = await addCard(portal, emulator, user);
  const invoices = await makeUnpaidInvoices(portal, { user, franchises, invoices: 2 });
  const body = portalSale(invoices, { paymentMethodId });
  const paid = await callAs(portal, 'POST', '/usaepay/customerportalsale', { token: user.token, body });
  expect(paid.statusCode, paid.body).toBe(200);
  await sweepAt(1);
  const sales = await Promise.all(invoices.map((invoice) => makeRefundable(db(), invoice)));
  const [one = '', other = ''] = await requestRefundOfEach(portal.deps, sales, {
    invoiceCents: 30_00,
    needsApproval: true,
  });
  const admin = await sign('admin');
  const waits = { amount: 30, state: 'requested', words: 'Waits for approval' };
  const { requested: asked, amount } = await read(one, admin);
  expect(amount).toBe(30);
  expect(asked).toMatchObject({ amount: 60, toApprove: 60 });
  expect(asked?.refunds).toHaveLength(2);
  expect(asked?.refunds).toEqual(
    expect.arrayContaining([one, other].map((refundId) => ({ refundId, ...waits }))),
  );
  // An office of one of the two sees its own alone.
  const owner = await sign('owner', [franchises[0]?.franchiseId ?? 0]);
  expect((await read(one, owner)).requested).toEqual({
    amount: 30,
    toApprove: 30,
    refunds: [{ refundId: one, ...waits }],
  });

  const act = (path: string, given: object) => call(admin, 'POST', `/refunds/${path}`, given);
  expect((await act(`${other}/withdraw`, { body: { note: 'A mistake.' } })).statusCode).toBe(200);
  expect((await read(one, admin)).requested).toMatchObject({ amount: 60, toApprove: 30 });
  expect((await act(`${one}/approve`, { body: {}, confirmed: true })).statusCode).toBe(200);
  expect((await read(other, admin)).requested).toMatchObject({ toApprove: 0 });
});

describe('an unsent refund', () => {
  test('is withdrawn by its requester, and not by another clerk', async () => {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    const withdraw = (who: Signed) =>
      call(who, 'POST', `/refunds/${refundId}/withdraw`, { body: { note: 'A mistake.' } });
    expect((await withdraw(await sign('clerk'))).statusCode).toBe(403);
    const done = await withdraw(desk.clerk);
    expect(done.json()).toMatchObject({ state: 'withdrawn', words: 'Withdrawn. Nothing was sent.' });
    const again = await withdraw(desk.clerk);
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'Ended']);
    await requested({ effect: 'due-again' });
  });

  test('cannot be withdrawn once it is in progress', async () => {
    await closeBatch();
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: desk.sale.orderId });
    await sweepAt(1);
    const answer = await call(desk.clerk, 'POST', `/refunds/${refundId}/withdraw`, {
      body: { note: 'Too late?' },
    });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'TooLate']);
    const again = await call(desk.clerk, 'POST', `/refunds/${refundId}/send-again`, {
      body: {},
      key: randomUUID(),
    });
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'StillOpen']);
  });
});

describe('a payment that two offices share', () => {
  async function share() {
    const { franchiseId } = desk.sale;
    const [mine, theirs] = [await makeInvoice(db(), { franchiseId }), await makeInvoice(db())];
    const payment = await makePayment(portal.deps, { invoices: [mine, theirs] });
    return { ...payment, mine, theirs, admin: await sign('admin') };
  }

  test('shows an office whom the other asked to approve only to that other', async () => {
    const { paymentId, mine, theirs } = await share();
    await setLimits(0, 0);
    const { franchiseId, workOrderNumber } = mine;
    const asked = await call(desk.clerk, 'POST', `/payments/${paymentId}/refunds`, {
      body: {
        reason: 'complaint',
        lines: [{ franchiseId, workOrderNumber, amount: 5, effect: 'due-again' }],
      },
      key: randomUUID(),
      confirmed: true,
    });
    expect(asked.statusCode, asked.body).toBe(202);
    const told = async (who: Signed) =>
      (await call(who, 'GET', `/payments/${paymentId}`)).json<Payment>().mails.map(({ to }) => to);
    expect(await told(desk.owner)).toContain(desk.owner.person.email);
    expect(await told(await sign('owner', [theirs.franchiseId]))).toEqual([]);
  });

  test('lets only somebody who sees all of a refund withdraw it', async () => {
    const { theirs, admin, ...payment } = await share();
    const also = [{ invoiceId: theirs.invoiceId, invoiceCents: 20_00 }];
    const { refundId } = await makeRefund(portal.deps, payment, { invoiceCents: 10_00, also });
    const withdraw = (who: Signed) =>
      call(who, 'POST', `/refunds/${refundId}/withdraw`, { body: { note: 'Not ours.' } });
    expect((await withdraw(desk.owner)).statusCode).toBe(403);
    expect((await withdraw(admin)).json()).toMatchObject({ state: 'withdrawn' });
  });

  test('lets only somebody who sees all of a request approve it', async () => {
    const { theirs, admin, ...payment } = await share();
    const also = [{ invoiceId: theirs.invoiceId, invoiceCents: 20_00 }];
    const given = { invoiceCents: 10_00, also, needsApproval: true };
    const { refundId } = await makeRefund(portal.deps, payment, given);
    const approve = (who: Signed) =>
      call(who, 'POST', `/refunds/${refundId}/approve`, { body: {}, confirmed: true });
    const refused = await approve(desk.owner);
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'NotAllowed']);
    expect((await read(refundId)).state).toBe('requested');
    const approved = await approve(admin);
    expect([approved.statusCode, approved.json()]).toMatchObject([200, { state: 'waiting' }]);
  });

  test('lets only somebody who sees all of a refused refund send it again', async () => {
    const { theirs, admin, ...payment } = await share();
    const also = [{ invoiceId: theirs.invoiceId, invoiceCents: 20_00 }];
    const { refundId } = await makeRefund(portal.deps, payment, { invoiceCents: 10_00, also });
    await sendRefund(portal.deps, refundId);
    await db().execute(sql`UPDATE refund SET state = 'refused' WHERE id = ${refundId}`);
    const again = (who: Signed) =>
      call(who, 'POST', `/refunds/${refundId}/send-again`, { body: {}, key: randomUUID() });
    const refused = await again(desk.owner);
    expect([refused.statusCode, detailOf(refused)]).toEqual([404, 'Refund not found.']);
    const sent = await again(admin);
    expect(sent.statusCode, sent.body).toBe(202);
    expect(refundOf(sent.json())).toMatchObject({ retryOf: refundId, amount: 30 });
  });

  test('shows the provider’s refunds, which are of both, to nobody who sees one', async () => {
    const { admin, ...payment } = await share();
    const { refundId } = await makeRefund(portal.deps, payment, { invoiceCents: 10_00 });
    await db().execute(sql`
      UPDATE refund SET state = 'held', held_for = 'unclaimed', review_since = engine_now() WHERE id = ${refundId}`);
    await db().execute(sql`
      INSERT INTO seen_refund (transaction_key, merchant_account_id, order_id, amount_cents, type, clerk)
      SELECT 'of-' || id, merchant_account_id, order_id, 7777, 'C', '' FROM charge WHERE id = ${payment.chargeId}`);
    expect((await read(refundId, admin)).candidates).toMatchObject([{ amount: 77.77 }]);
    expect((await read(refundId, desk.owner)).candidates).toEqual([]);
  });

  test('is disputed by an office up to its own share, whose amount alone it is told', async () => {
    const { chargeId, admin } = await share();
    const dispute = (who: Signed, amount: number) =>
      call(who, 'POST', '/disputes', { body: { chargeId, amount, openedOn: '2026-11-16' } });
    const refused = await dispute(desk.owner, 108.26);
    expect([refused.statusCode, detailOf(refused)]).toEqual([
      400,
      'At most $108.25 of this charge can be disputed.',
    ]);
    expect((await dispute(admin, 216.5)).statusCode).toBe(201);
  });
});
