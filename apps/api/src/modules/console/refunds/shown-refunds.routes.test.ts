import { randomUUID } from 'node:crypto';
import type { OfficeInvoice } from '@brightpane/contract/office/invoices';
import type { Payment, PaymentList } from '@brightpane/contract/office/payments';
import type {
  Refund,
  RefundList,
  RefundPage,
  RefundRequestAnswer,
} from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { sweep } from '../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeOfficeCaller, type OfficeCall } from '../../../../test/factories/office-keys.ts';
import { makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { makeRefund } from '../../../../test/factories/refund-rows.ts';
import { makeRefundable, type Refundable } from '../../../../test/factories/requested-refunds.ts';
import { OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, db, guestPays, sweepAll } = usePayments(() => OFFICE_SETTINGS);

let sale: Refundable & { franchiseId: number; workOrderNumber: number };
let office: OfficeCall;

// Tests what screens show of refunds, besides the answers of the calls themselves.
beforeEach(async () => {
  await emulator.clearFaults();
  const { franchiseId, workOrderNumber, ...invoice } = await makeInvoice(db());
  await guestPays({ ...invoice, franchiseId, workOrderNumber }, { tipAmount: 5 });
  await sweepAll();
  sale = { ...(await makeRefundable(db(), invoice)), franchiseId, workOrderNumber };
  office = await makeOfficeCaller(portal, { franchiseId });
  await emulator.callAs('portal', 'POST', '/batches/current/close');
});

async function request(line: { amount?: number; tip?: number; effect?: string }): Promise<string> {
  const { franchiseId, workOrderNumber } = sale;
  const answer = await office('POST', `/payments/${sale.paymentId}/refunds`, {
    body: { reason: 'work-not-done', lines: [{ franchiseId, workOrderNumber, ...line }] },
    headers: { 'idempotency-key': randomUUID() },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  return answer.json<RefundRequestAnswer>().refunds[0]?.refundId ?? '';
}

async function refund(line: Parameters<typeof request>[0]): Promise<string> {
  const refundId = await request(line);
  await sweepAll();
  return refundId;
}

const read = async <Page>(path: string): Promise<Page> => {
  const answer = await office('GET', path);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const payment = () => read<Payment>(`/payments/${sale.paymentId}`);

test('a payment says what one person may still refund alone, and how much of it is overpaid tax', async () => {
  expect((await payment()).refundAllowances).toEqual([{ franchiseId: sale.franchiseId, left: 200 }]);
  // What is returned as due again takes of what is overpaid.
  await request({ amount: 50, effect: 'credited' });
  expect((await payment()).refundAllowances).toMatchObject([{ left: 150 }]);
  await db().execute(
    sql`UPDATE invoice SET tax_cents = 0, amount_cents = amount_cents - 825 WHERE id = ${sale.invoiceId}`,
  );
  expect((await payment()).refundable).toMatchObject([{ overpaid: 8.25, overpaidTax: 8.25, excess: 8.25 }]);
  const viewer = await makeOfficeCaller(portal, { franchiseId: sale.franchiseId, rights: ['view'] });
  const seen = await viewer('GET', `/payments/${sale.paymentId}`);
  expect(seen.json()).toMatchObject({
    refundAllowances: [],
    refunds: [{ isOwn: false, timeZone: 'America/Chicago' }],
  });
});

test('a refund that a copied credit covers makes nothing due, and waits for a person once that has changed', async () => {
  const { franchiseId, workOrderNumber, ...invoice } = await makeInvoice(db());
  const credit = { additionalServiceAmount: -10, additionalServicesNote: 'One window less' };
  await guestPays({ ...invoice, franchiseId, workOrderNumber }, credit);
  await sweepAll();
  await emulator.callAs('portal', 'POST', '/batches/current/close');
  sale = { ...(await makeRefundable(db(), invoice)), franchiseId, workOrderNumber };
  office = await makeOfficeCaller(portal, { franchiseId });
  await setAmount(97_42, 7_42);
  expect((await payment()).refundable).toMatchObject([{ overpaid: 0, excess: 10.83 }]);
  const refundId = await request({ amount: 9, effect: 'due-again' });
  expect((await read<RefundPage>(`/refunds/${refundId}`)).lines).toMatchObject([{ dueAgain: 0 }]);
  await setAmount(108_25, 8_25);
  await sweepAll();
  expect(await read<RefundPage>(`/refunds/${refundId}`)).toMatchObject({ state: 'held' });
});

test('a payment’s timeline tells each step of its refunds, and their reasons', async () => {
  await refund({ amount: 50, effect: 'credited' });
  const told = (await payment()).timeline.filter(({ kind }) => kind === 'refund');
  expect(told.map(({ text, detail }) => [text, detail])).toEqual([
    ['Refund of $50.00: requested', 'Work not done'],
    ['Refund of $50.00: sent to the provider', 'As a refund'],
    ['Refund of $50.00: the provider answered', null],
    ['Refund of $50.00: made: the provider’s record shows it', 'As a refund'],
  ]);
  expect(told[0]?.by).toMatch(/^key:/);
  expect(told[1]?.by).toBe('portal');
});

test('a dispute that bars refunds is shown at its share', async () => {
  expect((await payment()).shares[0]?.disputeId).toBeNull();
  await db().execute(sql`
    INSERT INTO dispute (charge_id, amount_cents, opened_on) VALUES (${sale.chargeId}, 100, '2026-11-01')`);
  expect((await payment()).shares[0]?.disputeId).toEqual(expect.any(String));
});

test('payments are partly refunded, then refunded, in lists, totals and exports', async () => {
  const states = async () => {
    const of = async (state: string) =>
      (await read<PaymentList>(`/payments?state=${state}`)).items.map(({ refunded }) => refunded);
    return { paid: await of('paid'), partly: await of('partly-refunded'), refunded: await of('refunded') };
  };
  expect(await states()).toEqual({ paid: [0], partly: [], refunded: [] });
  await refund({ amount: 50, effect: 'due-again' });
  expect(await states()).toEqual({ paid: [], partly: [50], refunded: [] });
  expect(await payment()).toMatchObject({ state: 'partly-refunded' });
  expect(await read('/payments/summary')).toMatchObject({ in: 113.25, back: 50, net: 63.25 });
  const exported = await office('GET', '/payments.csv');
  expect(exported.body).toMatch(/,partly-refunded,.*,50\.00,63\.25,/);

  await refund({ amount: 58.25, effect: 'due-again' });
  await refund({ tip: 5 });
  expect(await states()).toEqual({ paid: [], partly: [], refunded: [113.25] });
  expect(await payment()).toMatchObject({ state: 'refunded' });
  expect(await read('/payments/summary')).toMatchObject({ back: 113.25, net: 0 });
});

const setAmount = (amount: number, tax: number) =>
  db().execute(
    sql`UPDATE invoice SET amount_cents = ${amount}, tax_cents = ${tax} WHERE id = ${sale.invoiceId}`,
  );

test('a refund above an overpayment says what fell due then, whatever the invoice becomes', async () => {
  const dueAgainOf = async (path: string) =>
    (await read<{ refunds: Refund[] }>(path)).refunds.flatMap(({ lines }) =>
      lines.map(({ dueAgain }) => dueAgain),
    );
  const invoicePath = `/invoices/${sale.franchiseId}/${sale.workOrderNumber}`;
  await setAmount(88_25, 6_73);
  const refundId = await request({ amount: 50, effect: 'due-again' });
  expect((await read<RefundPage>(`/refunds/${refundId}`)).lines).toMatchObject([{ dueAgain: 30 }]);
  await sweepAll();
  expect(await read<RefundPage>(`/refunds/${refundId}`)).toMatchObject({
    state: 'made',
    lines: [{ dueAgain: 30 }],
  });
  expect(await read<OfficeInvoice>(invoicePath)).toMatchObject({ balance: 30 });
  await setAmount(20_00, 0);
  for (const path of [invoicePath, `/payments/${sale.paymentId}`])
    expect([path, await dueAgainOf(path)]).toEqual([path, [30]]);
  const { items } = await read<{ items: Refund[] }>('/refunds');
  expect(items.find((each) => each.refundId === refundId)?.lines).toMatchObject([{ dueAgain: 30 }]);
});

test('a refund that was to make nothing due says what it would make due by now', async () => {
  await setAmount(88_25, 6_73);
  const refundId = await request({ amount: 20, effect: 'due-again' });
  const page = () => read<RefundPage>(`/refunds/${refundId}`);
  expect((await page()).lines).toMatchObject([{ dueAgain: 0 }]);
  await setAmount(103_25, 7_87);
  expect((await page()).lines).toMatchObject([{ dueAgain: 15 }]);
});

test('a refund booked before what fell due was stored says its amount, or nothing', async () => {
  const page = (refundId: string) => read<RefundPage>(`/refunds/${refundId}`);
  const forget = (refundId: string) =>
    portal.deps.db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx.execute(sql`UPDATE refund_line SET fell_due_cents = NULL WHERE refund_id = ${refundId}`);
    });
  await setAmount(88_25, 6_73);
  const covered = await refund({ amount: 20, effect: 'due-again' });
  const uncovered = await refund({ amount: 50, effect: 'due-again' });
  for (const refundId of [covered, uncovered]) await forget(refundId);
  expect((await page(covered)).lines).toMatchObject([{ dueAgain: 0 }]);
  expect((await page(uncovered)).lines).toMatchObject([{ dueAgain: 50 }]);
});

test('an invoice shows its refunds, and in its history what they took off what was paid, and what they credited', async () => {
  const refundId = await refund({ amount: 50, effect: 'credited' });
  await refund({ amount: 8.25, effect: 'due-again' });
  const invoice = await read<OfficeInvoice>(`/invoices/${sale.franchiseId}/${sale.workOrderNumber}`);
  expect(invoice.refunds).toMatchObject([
    { amount: 8.25, state: 'made' },
    { refundId, amount: 50 },
  ]);
  const paid = invoice.history.flatMap(({ kind, by, changes }) =>
    changes.map(({ field, before, after }) => [kind, by, field, before, after]),
  );
  expect(paid).toEqual([
    ['payment', 'payer', 'paid', 0, 108.25],
    ['refund', 'portal', 'paid', 108.25, 58.25],
    ['refund', 'portal', 'credited', 0, 50],
    ['refund', 'portal', 'paid', 58.25, 50],
  ]);
});

test('refunds that need somebody are counted until they are dealt with', async () => {
  const waiting = async () => (await read<{ refunds: number }>('/waiting')).refunds;
  expect(await waiting()).toBe(0);
  await emulator.script({ fault: 'decline', command: 'refund', orderId: sale.orderId, times: 1 });
  const refundId = await refund({ amount: 5, effect: 'due-again' });
  const page = await read<RefundPage>(`/refunds/${refundId}`);
  expect(page).toMatchObject({ state: 'refused', isClosed: false, payerEmail: null });
  expect(page.timeline.at(-1)).toMatchObject({ text: 'Refused', detail: page.providerWords });
  expect(await waiting()).toBe(1);
  const elsewhere = await makeOfficeCaller(portal, { franchiseId: (await makeInvoice(db())).franchiseId });
  expect((await elsewhere('GET', '/waiting')).json()).toMatchObject({ refunds: 0 });
  await office('POST', `/refunds/${refundId}/withdraw`, { body: { note: 'By check.' } });
  expect(await waiting()).toBe(0);
  expect(await read<RefundPage>(`/refunds/${refundId}`)).toMatchObject({ isClosed: true });
});

test('a payment voided at the provider can be taken over as the refund', async () => {
  await advanceEngineClock(portal.deps, 1);
  const row = (await emulator.ledger()).find(({ orderid }) => orderid === sale.orderId);
  const refundId = await request({ amount: 5, effect: 'due-again' });
  await db().execute(sql`
    UPDATE refund SET state = 'held', held_for = 'voided-there', review_since = engine_now(), next_try_at = NULL
     WHERE id = ${refundId}`);
  await sweep(portal.deps);
  expect((await read<RefundPage>(`/refunds/${refundId}`)).candidates).toMatchObject([
    { transactionKey: row?.key, amount: 113.25, isSale: true, isVoided: true },
  ]);
});

test('a list of one office shows of a refund that several share what goes back there', async () => {
  const [mine, theirs] = [await makeInvoice(db()), await makeInvoice(db())];
  const paid = await makePayment(portal.deps, { invoices: [mine, theirs] });
  const half = { invoiceCents: 46_19, taxCents: 3_81, effect: 'due-again' } as const;
  await makeRefund(portal.deps, paid, { ...half, also: [{ invoiceId: theirs.invoiceId, ...half }] });
  const headquarters = await makeOfficeCaller(portal);
  const listed = async (query: string) =>
    (await headquarters('GET', `/refunds?search=${paid.paymentId}${query}`))
      .json<RefundList>()
      .items.map(({ amount, lines }) => [amount, lines.map(({ franchiseId }) => franchiseId)]);
  expect(await listed('')).toEqual([[100, [mine.franchiseId, theirs.franchiseId]]]);
  expect(await listed(`&franchiseId=${mine.franchiseId}&maxAmount=60`)).toEqual([[50, [mine.franchiseId]]]);
});
