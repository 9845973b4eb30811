import { randomUUID } from 'node:crypto';
import type { Payment } from '@brightpane/contract/office/payments';
import { desc, eq, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { isSomebodyWaitingForALock } from '../../../../test/database/overtake.ts';
import { makeInvoice, receiveElsewhere } from '../../../../test/factories/invoices.ts';
import { makeOfficeCaller, type OfficeCall } from '../../../../test/factories/office-keys.ts';
import { makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { makeRefund, refundAll } from '../../../../test/factories/refund-rows.ts';
import { signInUser } from '../../../../test/factories/users.ts';
import { mailsTo } from '../../../../test/mail/mailbox.ts';
import { franchise } from '../../../db/schema/franchises.ts';
import { auditEvent, outgoingMail } from '../../../db/schema/operations.ts';
import { charge } from '../../../db/schema/payments.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { decide } from '../../payments/engine/decide.ts';
import { lockIntent } from '../../payments/engine/payments.queries.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;

type Given = Parameters<typeof makeInvoice>[1];

async function makeOffice() {
  const { franchiseId } = await makeInvoice(db());
  const call = await makeOfficeCaller(portal, { franchiseId });
  return {
    franchiseId,
    call,
    invoice: (given: Given = {}) => makeInvoice(db(), { franchiseId, ...given }),
  };
}

async function page(call: OfficeCall, paymentId: string) {
  const answer = await call('GET', `/payments/${paymentId}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return { payment: answer.json<Payment>(), body: answer.body };
}

const auditOf = (subject: string) =>
  db().select().from(auditEvent).where(eq(auditEvent.subject, subject)).orderBy(desc(auditEvent.id));

describe('the page of a payment that two offices share', () => {
  test('shows an office its own share, and nothing about the other’s', async () => {
    const [one, other] = [await makeOffice(), await makeOffice()];
    const [mine, theirs] = [await one.invoice(), await other.invoice()];
    await db()
      .update(franchise)
      .set({ name: 'Secret Panes', email: 'other@example.com' })
      .where(eq(franchise.id, other.franchiseId));
    const { paymentId } = await makePayment(portal.deps, { invoices: [mine, theirs], tipCents: 5_00 });
    // An attempt to pay only the other office's work order isn't another payment of mine.
    await makePayment(portal.deps, { invoices: [theirs], state: 'refused' });
    const again = await makePayment(portal.deps, { invoices: [mine], state: 'refused' });
    const content = { subject: 'One', text: 'One', html: 'One' };
    for (const recipient of ['other@example.com', 'mine@example.com']) {
      await queueMail(db(), { kind: 'credit-note', recipient, content, intentId: paymentId });
    }

    const { payment, body } = await page(one.call, paymentId);
    expect(payment).toMatchObject({
      paymentId,
      kind: 'guest',
      state: 'paid',
      shares: [
        {
          franchiseId: one.franchiseId,
          account: 'portal',
          amount: 113.25,
          chargeState: 'captured',
          words: 'Paid. Collected Nov 15, 12:02 PM.',
          maskedCard: 'xxxx2224',
          lines: [
            {
              workOrderNumber: mine.workOrderNumber,
              invoice: 100,
              tax: 8.25,
              tip: 5,
              total: 113.25,
              refunded: 0,
            },
          ],
        },
      ],
      others: [{ paymentId: again.paymentId, state: 'declined', amount: 108.25 }],
      mails: [],
    });
    for (const hidden of ['Secret Panes', `:${theirs.workOrderNumber},`, '226.5', 'other@example.com']) {
      expect(body).not.toContain(hidden);
    }
    const headquarters = await makeOfficeCaller(portal);
    expect((await page(headquarters, paymentId)).payment.shares).toHaveLength(2);
  });

  test.each([
    ['an address of their own', 'payer@example.com'],
    ['the address of the one office', 'one@example.com'],
    ['the address of the other', 'other@example.com'],
    ['no address', null],
  ])(
    'names of whom was told of a failed capture only the payer and the office itself: a payer with %s',
    async (_what, payerEmail) => {
      const [one, other] = [await makeOffice(), await makeOffice()];
      const emails = new Map([
        [one, 'one@example.com'],
        [other, 'other@example.com'],
      ]);
      for (const [{ franchiseId }, email] of emails) {
        await db().update(franchise).set({ email }).where(eq(franchise.id, franchiseId));
      }
      const { paymentId, chargeId } = await makePayment(portal.deps, {
        invoices: [await one.invoice(), await other.invoice()],
        payerEmail,
        state: 'accepted',
      });
      for (const event of ['refuse-capture', 'confirm-reversal'] as const) {
        await decide(portal.deps, { intentId: paymentId, decision: { event, chargeId } });
      }
      const told = async (call: OfficeCall) =>
        new Set((await page(call, paymentId)).payment.mails.map(({ kind, to }) => `${kind} ${to}`));
      const payers = payerEmail === null ? [] : [payerEmail];
      for (const [{ call }, email] of emails) {
        expect(await told(call)).toEqual(new Set([...payers, email].map((to) => `capture-failed ${to}`)));
      }
      const everybody = [...payers, ...emails.values()].map((to) => `capture-failed ${to}`);
      expect(await told(await makeOfficeCaller(portal))).toEqual(new Set(everybody));
    },
  );

  test('hides the sentence of a decline that may name the other office, unless its own charge was declined', async () => {
    const [one, other] = [await makeOffice(), await makeOffice()];
    const { paymentId } = await makePayment(portal.deps, {
      invoices: [await one.invoice(), await other.invoice()],
      state: 'released',
    });
    expect((await page(one.call, paymentId)).payment).toMatchObject({ answer: null, state: 'not-charged' });
    expect((await page(await makeOfficeCaller(portal), paymentId)).payment.answer).toMatch(/declined/);
  });

  test('is not found by an office without a share of it, by any call', async () => {
    const stranger = await makeOffice();
    const owner = await makeOffice();
    const invoice = await owner.invoice();
    const { paymentId, chargeId } = await makePayment(portal.deps, {
      invoices: [invoice],
      servicesCents: -5_00,
    });
    const credit = `/credits/${owner.franchiseId}/${chargeId}/${invoice.workOrderNumber}/looked-at`;
    const answers = await Promise.all([
      stranger.call('GET', `/payments/${paymentId}`),
      stranger.call('POST', `/payments/${paymentId}/receipt`, { body: { email: 'me@example.com' } }),
      stranger.call('POST', `/payments/${paymentId}/notes`, { body: { text: 'Mine?' } }),
      stranger.call('POST', credit, { body: {} }),
      owner.call('GET', `/payments/${randomUUID()}`),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
    expect((await owner.call('GET', '/payments/17')).statusCode).toBe(400);
  });
});

test.each([
  ['accepted', 'Paid, being collected.'],
  ['captured', 'Paid. Collected Nov 15, 12:02 PM.'],
  [
    'capture_failed',
    'Not collected. The card was not charged, the invoice is due again, the payer was not told by mail.',
  ],
  ['refused', 'Declined: The card was declined. Your card was not charged.'],
  ['released', 'Not charged.'],
  [
    'unresolved',
    "It is unclear whether the card is held or charged. Look at the provider's record before the customer pays again; headquarters is looking.",
  ],
] as const)('describes a charge that is %s', async (state, words) => {
  const office = await makeOffice();
  const at = state === 'accepted' ? new Date().toISOString() : undefined;
  const { paymentId } = await makePayment(portal.deps, {
    invoices: [await office.invoice()],
    state,
    ...(at !== undefined && { at }),
  });
  const { payment } = await page(office.call, paymentId);
  expect(payment.shares[0]?.words).toBe(words);
  expect(payment.timeline[0]).toMatchObject({ kind: 'started', text: 'Payment started' });
});

test('a failed capture says what is due now, and whether the payer was told', async () => {
  const office = await makeOffice();
  const invoice = await office.invoice();
  const { paymentId, chargeId } = await makePayment(portal.deps, {
    invoices: [invoice],
    payerEmail: 'payer@example.com',
    state: 'accepted',
  });
  for (const event of ['refuse-capture', 'confirm-reversal'] as const)
    await decide(portal.deps, { intentId: paymentId, decision: { event, chargeId } });
  const words = async () => (await page(office.call, paymentId)).payment.shares[0]?.words;
  expect(await words()).toBe(
    'Not collected. The card was not charged, the invoice is due again, the payer was told.',
  );
  await receiveElsewhere(db(), { invoiceId: invoice.invoiceId, receivedCents: 108_25 });
  expect(await words()).toBe(
    'Not collected. The card was not charged, nothing is due on the invoice now, the payer was told.',
  );
  const { payment } = await page(office.call, paymentId);
  expect(payment.timeline).toContainEqual(expect.objectContaining({ kind: 'failed', text: 'Not collected' }));
});

test.each(['unresolved', 'conflict'] as const)(
  'never says that a charge was not made while it is %s: somebody may have captured it',
  async (state) => {
    const office = await makeOffice();
    const invoice = await office.invoice();
    const { paymentId, chargeId } = await makePayment(portal.deps, {
      invoices: [invoice],
      state: 'unresolved',
    });
    await db().update(charge).set({ state }).where(eq(charge.id, chargeId));
    const { payment } = await page(office.call, paymentId);
    expect(payment.state).toBe('review');
    expect(payment.timeline).toMatchObject([
      { kind: 'started' },
      {
        kind: 'not-charged',
        text: 'Not paid',
        detail: 'The payer was told: The card was declined. Your card was not charged.',
      },
      { kind: 'review', text: 'Headquarters is looking at it' },
    ]);
    const told = [payment.shares[0]?.words, ...payment.timeline.map(({ text }) => text)].join(' ');
    expect(told).not.toMatch(/not charged|may pay again/i);
    const another = await makePayment(portal.deps, { invoices: [invoice] });
    expect((await page(office.call, another.paymentId)).payment.others).toMatchObject([{ state: 'review' }]);
    expect((await office.call('GET', '/payments')).json()).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ paymentId, state: 'review' })]),
    });
    const notCharged = (await office.call('GET', '/payments?state=not-charged')).json();
    expect(notCharged).toMatchObject({ items: [] });
  },
);

describe('sending the receipt again', () => {
  test('goes to the first recipient, or to a given address, with the caller’s own share', async () => {
    const [one, other] = [await makeOffice(), await makeOffice()];
    const [mine, theirs] = [await one.invoice(), await other.invoice()];
    const { paymentId } = await makePayment(portal.deps, { invoices: [mine, theirs], tipCents: 5_00 });
    const send = (body: object, headers = {}) =>
      one.call('POST', `/payments/${paymentId}/receipt`, { body, headers });

    const unknown = await send({});
    expect(unknown.statusCode).toBe(400);
    expect(unknown.json()).toMatchObject({ errors: [{ field: 'email' }] });

    const key = { 'idempotency-key': randomUUID() };
    const sent = await send({ email: 'ana@example.com' }, key);
    expect(sent.statusCode, sent.body).toBe(202);
    const { mailId } = sent.json<{ mailId: string }>();
    expect((await send({ email: 'ana@example.com' }, key)).json()).toEqual({ mailId });
    expect((await send({ email: 'bob@example.com' }, key)).statusCode).toBe(422);

    const [mail, ...more] = await db()
      .select()
      .from(outgoingMail)
      .where(eq(outgoingMail.intentId, paymentId));
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ id: mailId, kind: 'payment-receipt', recipient: 'ana@example.com' });
    const text = mail && 'text' in mail.content ? mail.content.text : '';
    expect(text).toContain(`Work order ${mine.workOrderNumber}`);
    expect(text).toContain('$113.25');
    for (const hidden of [`Work order ${theirs.workOrderNumber}`, '$226.50'])
      expect(text).not.toContain(hidden);

    const again = await send({});
    expect(again.statusCode).toBe(202);
    expect((await page(one.call, paymentId)).payment.mails).toMatchObject([
      { kind: 'payment-receipt', to: 'ana@example.com', state: 'queued' },
      { to: 'ana@example.com' },
    ]);
    expect(await auditOf(`payment ${paymentId}`)).toMatchObject([
      { action: 'send-receipt', franchiseId: one.franchiseId },
      { action: 'send-receipt' },
    ]);
  });

  test('is an act on none of the offices if it covers several', async () => {
    const invoices = [await (await makeOffice()).invoice(), await (await makeOffice()).invoice()];
    const { paymentId } = await makePayment(portal.deps, { invoices });
    const headquarters = await makeOfficeCaller(portal);
    const sent = await headquarters('POST', `/payments/${paymentId}/receipt`, {
      body: { email: 'ana@example.com' },
    });
    expect(sent.statusCode, sent.body).toBe(202);
    expect(await auditOf(`payment ${paymentId}`)).toMatchObject([
      { action: 'send-receipt', franchiseId: null },
    ]);
  });

  test('shows and offers an office what its own people typed and the payer’s own address, never another office’s', async () => {
    const [one, other] = [await makeOffice(), await makeOffice()];
    const { paymentId } = await makePayment(portal.deps, {
      invoices: [await one.invoice(), await other.invoice()],
    });
    const send = (office: typeof one, body: object) =>
      office.call('POST', `/payments/${paymentId}/receipt`, { body });
    const addresses = async (call: OfficeCall) =>
      (await page(call, paymentId)).payment.mails.map(({ to }) => to);
    const all = await makeOfficeCaller(portal);

    expect((await send(other, { email: 'typed@elsewhere.example' })).statusCode).toBe(202);
    expect((await send(other, {})).statusCode).toBe(202);
    expect(await addresses(one.call)).toEqual([]);
    expect((await send(one, {})).statusCode).toBe(400);
    expect(await addresses(other.call)).toEqual(['typed@elsewhere.example', 'typed@elsewhere.example']);

    const content = { subject: 'One', text: 'One', html: 'One' };
    const receipt = { kind: 'payment-receipt', content, intentId: paymentId } as const;
    await queueMail(db(), { ...receipt, recipient: 'payer@example.com' });
    expect((await send(one, {})).statusCode).toBe(202);
    expect(await addresses(one.call)).toEqual(['payer@example.com', 'payer@example.com']);
    expect(await addresses(other.call)).toHaveLength(4);
    expect(await addresses(all)).toHaveLength(4);
  });

  test('lists refunds of the caller’s share since, with their days and a net total', async () => {
    const [one, other] = [await makeOffice(), await makeOffice()];
    const [mine, theirs] = [await one.invoice(), await other.invoice()];
    const payment = await makePayment(portal.deps, { invoices: [mine, theirs] });
    await makeRefund(portal.deps, payment, { tipCents: 0, invoiceCents: 1_00 });
    await refundAll(portal.deps, payment, {
      invoiceCents: 46_19,
      taxCents: 3_81,
      also: [{ invoiceId: theirs.invoiceId, invoiceCents: 7_77 }],
    });
    await refundAll(portal.deps, { ...payment, invoices: [theirs] }, { invoiceCents: 5_55 });
    await one.call('POST', `/payments/${payment.paymentId}/receipt`, {
      body: { email: 'refunded@example.com' },
    });
    const [mail] = await mailsTo(portal, 'refunded@example.com');
    const lines = (mail?.content.text ?? '').split('\n').map((line) => line.trim());
    expect(lines.slice(lines.indexOf('Refunded')).filter((line) => line !== '')).toEqual([
      'Refunded',
      '--------',
      expect.stringMatching(/^\w+ \d+, \d{4} +\$50\.00$/),
      expect.stringMatching(/^Net total +\$58\.25$/),
      'Please keep this receipt for your records.',
    ]);
  });

  test('is refused while collection is failing', async () => {
    const office = await makeOffice();
    const { paymentId, chargeId } = await makePayment(portal.deps, {
      invoices: [await office.invoice()],
      state: 'accepted',
      at: new Date().toISOString(),
    });
    await db().update(charge).set({ state: 'reversing' }).where(eq(charge.id, chargeId));
    const sent = await office.call('POST', `/payments/${paymentId}/receipt`, {
      body: { email: 'failing@example.com' },
    });
    expect([sent.statusCode, sent.json().detail]).toEqual([
      409,
      'There is no receipt while collection is failing.',
    ]);
    expect(await mailsTo(portal, 'failing@example.com')).toEqual([]);
  });

  test('waits for the failure of its capture, and is then refused', async () => {
    const office = await makeOffice();
    const { paymentId, chargeId } = await makePayment(portal.deps, {
      invoices: [await office.invoice()],
      state: 'accepted',
      at: new Date().toISOString(),
    });
    const { sent } = await portal.deps.db.transaction(async (tx) => {
      await lockIntent(tx, paymentId);
      await tx.update(charge).set({ state: 'reversing' }).where(eq(charge.id, chargeId));
      const sent = office.call('POST', `/payments/${paymentId}/receipt`, {
        body: { email: 'racing@example.com' },
      });
      await Promise.race([sent, vi.waitUntil(() => isSomebodyWaitingForALock(portal), { timeout: 60_000 })]);
      return { sent };
    });
    expect((await sent).statusCode).toBe(409);
    expect(await mailsTo(portal, 'racing@example.com')).toEqual([]);
  });

  test.each(['refused', 'released', 'capture_failed'] as const)(
    'is refused if nothing was paid: %s',
    async (state) => {
      const office = await makeOffice();
      const { paymentId } = await makePayment(portal.deps, { invoices: [await office.invoice()], state });
      const sent = await office.call('POST', `/payments/${paymentId}/receipt`, {
        body: { email: 'a@example.com' },
      });
      expect(sent.statusCode).toBe(409);
      expect(sent.json()).toMatchObject({ detail: 'There is no receipt: nothing was paid.' });
    },
  );

  test('is limited to five a day for one payment, even at once', async () => {
    const office = await makeOffice();
    const { paymentId } = await makePayment(portal.deps, { invoices: [await office.invoice()] });
    const send = () =>
      office.call('POST', `/payments/${paymentId}/receipt`, { body: { email: 'a@example.com' } });
    const atOnce = await Promise.all(Array.from({ length: 8 }, send));
    expect(atOnce.filter(({ statusCode }) => statusCode === 202)).toHaveLength(5);
    expect((await send()).statusCode).toBe(429);
  });

  test('is limited to a hundred an hour per sender', async () => {
    const office = await makeOffice();
    const send = async (payment: { paymentId: string }) =>
      office.call('POST', `/payments/${payment.paymentId}/receipt`, { body: { email: 'a@example.com' } });
    const make = async () => makePayment(portal.deps, { invoices: [await office.invoice()] });
    for (let count = 0; count < 20; count++) {
      const payment = await make();
      for (let again = 0; again < 5; again++) expect((await send(payment)).statusCode).toBe(202);
    }
    expect((await send(await make())).statusCode).toBe(429);
  });

  test('needs its right', async () => {
    const { franchiseId, invoice } = await makeOffice();
    const viewer = await makeOfficeCaller(portal, { franchiseId, rights: ['view'] });
    const { paymentId } = await makePayment(portal.deps, { invoices: [await invoice()] });
    expect((await viewer('POST', `/payments/${paymentId}/receipt`, { body: {} })).statusCode).toBe(403);
    expect((await viewer('POST', `/payments/${paymentId}/notes`, { body: { text: 'x' } })).statusCode).toBe(
      403,
    );
  });
});

test('a note is shown on the page and in the timeline, with its author', async () => {
  const office = await makeOffice();
  const { paymentId } = await makePayment(portal.deps, { invoices: [await office.invoice()] });
  const add = (body: unknown) => office.call('POST', `/payments/${paymentId}/notes`, { body });
  const added = await add({ text: '  She called: <b>why</b> two rows?  ' });
  expect(added.statusCode).toBe(201);
  const { payment } = await page(office.call, paymentId);
  const note = { by: expect.stringMatching(/^key:Key /), text: 'She called: <b>why</b> two rows?' };
  expect(payment.notes).toMatchObject([{ noteId: added.json<{ noteId: string }>().noteId, ...note }]);
  expect(payment.timeline.at(-1)).toMatchObject({ kind: 'note', detail: note.text, by: note.by });
  for (const text of ['', ' ', 'x'.repeat(1001), 'My card is 4000 0000 0000 0002', 'a\u0000b']) {
    expect((await add({ text })).statusCode, text.slice(0, 40)).toBe(400);
  }
});

test('a note by headquarters reaches each office of the payment, and an office’s note its own', async () => {
  const [one, other] = [await makeOffice(), await makeOffice()];
  const { paymentId } = await makePayment(portal.deps, {
    invoices: [await one.invoice(), await other.invoice()],
  });
  const all = await makeOfficeCaller(portal);
  const add = async (call: OfficeCall, text: string) =>
    expect((await call('POST', `/payments/${paymentId}/notes`, { body: { text } })).statusCode).toBe(201);
  const notes = async (call: OfficeCall) =>
    (await page(call, paymentId)).payment.notes.map(({ text }) => text).toSorted();
  await add(all, 'For both');
  await add(one.call, 'Ours');
  expect(await notes(one.call)).toEqual(['For both', 'Ours']);
  expect(await notes(other.call)).toEqual(['For both']);
  expect(await notes(all)).toEqual(['For both', 'Ours']);
});

test('a credit is looked at once, and repeating it changes nothing', async () => {
  const office = await makeOffice();
  const invoice = await office.invoice();
  const { paymentId, chargeId } = await makePayment(portal.deps, {
    invoices: [invoice],
    servicesCents: -10_00,
    note: 'Two windows were not done',
  });
  const path = `/credits/${office.franchiseId}/${chargeId}/${invoice.workOrderNumber}/looked-at`;
  const before = (await page(office.call, paymentId)).payment.shares[0]?.lines[0];
  expect(before).toMatchObject({ services: -10, note: 'Two windows were not done', creditLookedAt: null });
  const pressed = await Promise.all([
    office.call('POST', path, { body: { note: 'True' } }),
    office.call('POST', path, { body: { note: 'True' } }),
  ]);
  expect(pressed.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  expect((await office.call('POST', path, { body: {} })).statusCode).toBe(204);
  const { payment } = await page(office.call, paymentId);
  expect(payment.shares[0]?.lines[0]?.creditLookedAt).not.toBeNull();
  expect(payment.shares[0]?.lines[0]?.creditLookedNote).toBe('True');
  expect(payment.timeline.at(-1)).toMatchObject({ kind: 'credit-looked-at', detail: 'True' });
  const subject = `credit ${office.franchiseId}/${chargeId}/${invoice.workOrderNumber}`;
  expect(await auditOf(subject)).toMatchObject([{ action: 'look-at-credit', reason: 'True' }]);

  const plain = await makePayment(portal.deps, { invoices: [await office.invoice()] });
  const [line] = plain.invoices;
  const none = await office.call(
    'POST',
    `/credits/${office.franchiseId}/${plain.chargeId}/${line?.workOrderNumber}/looked-at`,
    { body: {} },
  );
  expect(none.statusCode).toBe(404);
});

test('a credit of a payment to two offices says whose work order it is on, as two may have the same number', async () => {
  const [one, other] = [await makeOffice(), await makeOffice()];
  const invoice = await one.invoice();
  const { paymentId, chargeId } = await makePayment(portal.deps, {
    invoices: [invoice, await other.invoice({ workOrderNumber: invoice.workOrderNumber })],
    servicesCents: -10_00,
  });
  const all = await makeOfficeCaller(portal);
  await all('POST', `/credits/${one.franchiseId}/${chargeId}/${invoice.workOrderNumber}/looked-at`, {
    body: {},
  });
  const lookedAt = async (call: OfficeCall) =>
    (await page(call, paymentId)).payment.timeline.find(({ kind }) => kind === 'credit-looked-at')?.text;
  const number = invoice.workOrderNumber;
  expect(await lookedAt(all)).toBe(
    `Credit on work order ${number} of Franchise ${one.franchiseId} looked at`,
  );
  expect(await lookedAt(one.call)).toBe(`Credit on work order ${number} looked at`);
});

test('a credit that could not be mailed is looked at once, by its id or on the page', async () => {
  const office = await makeOffice();
  const headquarters = await makeOfficeCaller(portal);
  const add = async () => {
    const invoice = await office.invoice();
    const payment = await makePayment(portal.deps, {
      invoices: [invoice],
      servicesCents: -10_00,
      note: 'Less',
    });
    const { rows } = await db().execute<{ id: string }>(sql`
      INSERT INTO unmailed_credit (charge_id, invoice_id) VALUES (${payment.chargeId}, ${invoice.invoiceId})
      RETURNING id`);
    return { ...payment, byId: `/credits/${rows[0]?.id}/seen`, onPage: pagePath(payment.chargeId, invoice) };
  };
  const pagePath = (chargeId: string, { workOrderNumber }: { workOrderNumber: number }) =>
    `/credits/${office.franchiseId}/${chargeId}/${workOrderNumber}/looked-at`;
  const press = async (path: string) => (await headquarters('POST', path, { body: {} })).statusCode;
  const toLookAt = async (call: OfficeCall) => ({
    counted: (await call('GET', '/waiting')).json().credits,
    listed: (await call('GET', '/payments?state=credit'))
      .json()
      .items.map(({ paymentId }: { paymentId: string }) => paymentId),
  });

  const one = await add();
  expect(await toLookAt(office.call)).toEqual({ counted: 1, listed: [one.paymentId] });
  expect(await toLookAt((await makeOffice()).call)).toEqual({ counted: 0, listed: [] });
  expect(await press(one.byId)).toBe(200);
  expect(await toLookAt(office.call)).toEqual({ counted: 0, listed: [] });
  const { payment } = await page(office.call, one.paymentId);
  expect(payment.shares[0]?.lines[0]?.creditLookedAt).not.toBeNull();
  expect(await press(one.byId)).toBe(404);

  const other = await add();
  expect(await press(other.onPage)).toBe(204);
  expect(await press(other.byId)).toBe(404);
});

test('names the account that paid', async () => {
  const office = await makeOffice();
  const user = await signInUser(portal);
  const { paymentId } = await makePayment(portal.deps, {
    invoices: [await office.invoice()],
    userId: user.userId,
    payerEmail: user.email,
  });
  expect((await page(office.call, paymentId)).payment).toMatchObject({
    kind: 'account',
    payer: { name: 'Robin Example', email: user.email, userId: user.userId },
  });
  // As closing the account leaves it.
  await portal.deps.db.query.execute(sql`
    UPDATE app_user SET first_name = '', last_name = '' WHERE id = ${user.userId}`);
  expect((await page(office.call, paymentId)).payment.payer.name).toBeNull();
});
