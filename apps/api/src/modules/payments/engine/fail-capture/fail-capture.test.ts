import type { Payment } from '@brightpane/contract/office/payments';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { setEngineClock } from '../../../../../test/books/engine-clock.ts';
import { call } from '../../../../../test/build-test-app.ts';
import { moveTo } from '../../../../../test/factories/email-changes.ts';
import { makeInvoice, receiveElsewhere } from '../../../../../test/factories/invoices.ts';
import { useOfferOf } from '../../../../../test/factories/offers.ts';
import { makeOfficeCaller } from '../../../../../test/factories/office-keys.ts';
import { type DecidedPayment, makePayment } from '../../../../../test/factories/payments/decided-payments.ts';
import {
  addCard,
  makeFranchises,
  makeUnpaidInvoices,
  portalSale,
} from '../../../../../test/factories/unpaid-invoices.ts';
import { type SignedInUser, signInUser, TEST_PASSWORD } from '../../../../../test/factories/users.ts';
import { usePayments } from '../../../../../test/use-payments.ts';
import { mintOffer } from '../../../offers/offer-token.ts';
import { listPayments } from '../../history/list-payments.ts';
import { makeStatement } from '../../history/make-statement.ts';
import { paymentProblem } from '../../pay/payments.problems.ts';
import { decide } from '../decide.ts';
import type { CaptureFailure } from '../outcomes.ts';

const { emulator, portal, db, guestPays, sweepAll } = usePayments();

type Charge = Pick<DecidedPayment, 'paymentId' | 'chargeId'>;

async function failCapture({ paymentId, chargeId }: Charge): Promise<void> {
  for (const event of ['refuse-capture', 'confirm-reversal'] as const) {
    const decided = await decide(portal.deps, { intentId: paymentId, decision: { event, chargeId } });
    expect(decided).toEqual({ result: 'applied' });
  }
}

/** What is told of it: the stored answer, and the texts of the mails by their recipients. */
async function toldOf({ paymentId }: Pick<Charge, 'paymentId'>) {
  const { rows: intents } = await db().execute<{ outcome: CaptureFailure }>(sql`
    SELECT outcome FROM payment_intent WHERE id = ${paymentId}`);
  const { rows: mails } = await db().execute<{ recipient: string; text: string }>(sql`
    SELECT recipient, content ->> 'text' AS text FROM outgoing_mail
     WHERE intent_id = ${paymentId} AND kind = 'capture-failed'`);
  const [intent] = intents;
  if (!intent) throw new Error('no payment');
  const answer = paymentProblem(intent.outcome).body.detail;
  const textTo = (isWanted: (recipient: string) => boolean) =>
    mails.find(({ recipient }) => isWanted(recipient))?.text ?? '';
  return { answer, payer: textTo((to) => to !== OFFICE), office: textTo((to) => to === OFFICE) };
}

const PAYER = 'payer@example.com';
const OFFICE = 'office@example.com';

async function listensToOffice({ franchiseId }: { franchiseId: number }): Promise<void> {
  await db().execute(sql`UPDATE franchise SET email = ${OFFICE} WHERE id = ${franchiseId}`);
}

const writeAmount = ({ invoiceId }: { invoiceId: number }, amount: number) =>
  db().execute(sql`
    UPDATE invoice SET amount_cents = ${amount}, tax_cents = least(tax_cents, ${amount}) WHERE id = ${invoiceId}`);

const NOT_COLLECTED = 'Your payment could not be collected from your card.';

describe('a payment whose capture fails names as due again', () => {
  async function paid(given: Parameters<typeof makePayment>[1] = {}) {
    const { userId } = await signInUser(portal);
    const made = await makePayment(portal.deps, { ...given, userId, payerEmail: PAYER, state: 'accepted' });
    for (const each of made.invoices) await listensToOffice(each);
    return made;
  }
  const dueOn = (amount: string, { invoices }: DecidedPayment, index = 0) => ({
    answer: `work order ${invoices[index]?.workOrderNumber} ($${amount})`,
    mails: `Work order ${invoices[index]?.workOrderNumber}  $${amount}`,
  });

  test.each([
    ['the invoice without services and tip', { tipCents: 15_00, servicesCents: 20_00 }, 108_25, '108.25'],
    ['the invoice with the payer’s credit', { servicesCents: -10_00 }, 108_25, '108.25'],
    ['what an import lowered it to', {}, 50_00, '50.00'],
    ['only its own part, where an import raised it', {}, 150_00, '108.25'],
  ])('%s', async (_what, given, amountCents, due) => {
    const payment = await paid(given);
    for (const each of payment.invoices) await writeAmount(each, amountCents);
    await failCapture(payment);
    const { answer, payer, office } = await toldOf(payment);
    expect(answer).toBe(`${NOT_COLLECTED} Due again: ${dueOn(due, payment).answer}.`);
    expect(payer).toContain('for the work order below, and it is due again.');
    expect(office).toContain('and this invoice is due again.');
    for (const mail of [payer, office]) expect(mail).toContain(dueOn(due, payment).mails);
  });

  test.each([
    ['made free', (invoice: { invoiceId: number }) => writeAmount(invoice, 0)],
    [
      'paid at the office',
      ({ invoiceId }: { invoiceId: number }) => receiveElsewhere(db(), { invoiceId, receivedCents: 108_25 }),
    ],
  ])('no invoice that was %s meanwhile', async (_how, change) => {
    const payment = await paid();
    const [invoice] = payment.invoices;
    if (!invoice) throw new Error('no invoice');
    await change(invoice);
    await failCapture(payment);
    const { answer, payer, office } = await toldOf(payment);
    expect(answer).toBe(NOT_COLLECTED);
    expect(payer).toContain(`Your card was not charged for work order ${invoice.workOrderNumber}. A pending`);
    expect(office).toContain(`Nothing is due again on work order ${invoice.workOrderNumber}.`);
    for (const each of [payer, office]) expect(each).not.toMatch(/(is|are) due again\.|Due again|Pay now|\$/);
  });

  test('all invoices of which something is', async () => {
    const payment = await paid({ invoices: [await makeInvoice(db()), await makeInvoice(db())] });
    await failCapture(payment);
    const { payer, office } = await toldOf(payment);
    expect(payer).toContain('for the work orders below, and they are due again.');
    expect(office).toContain('and these invoices are due again.');
  });

  test('only those of its invoices of which something is', async () => {
    const invoices = [await makeInvoice(db()), await makeInvoice(db())];
    const payment = await paid({ invoices });
    const [first, second] = payment.invoices;
    if (!first || !second) throw new Error('no invoices');
    await writeAmount(second, 0);
    await failCapture(payment);
    const { answer, payer } = await toldOf(payment);
    expect(answer).toBe(`${NOT_COLLECTED} Due again: ${dueOn('108.25', payment).answer}.`);
    expect(payer).toContain(
      `for the work order below, and it is due again. It was not charged for work order ${second.workOrderNumber} either.`,
    );
    expect(payer).toContain(dueOn('108.25', payment).mails);
  });
});

describe('a guest whose payment is not collected', () => {
  async function paid({ isStranger }: { isStranger: boolean }) {
    const { zipCode, ...invoice } = await makeInvoice(db());
    await listensToOffice(invoice);
    const known = isStranger ? invoice : { ...invoice, zipCode };
    const answer = await guestPays(known, { email: PAYER });
    expect(answer.statusCode, answer.body).toBe(200);
    const { rows } = await db().execute<Charge>(sql`
      SELECT c.intent_id AS "paymentId", c.id AS "chargeId"
        FROM charge_allocation a JOIN charge c ON c.id = a.charge_id WHERE a.invoice_id = ${invoice.invoiceId}`);
    if (!rows[0]) throw new Error('no charge');
    return { ...invoice, ...rows[0] };
  }

  test.each([
    [
      'hears what they paid of the invoice, as a stranger',
      { isStranger: true, amountCents: 108_25 },
      '108.25',
    ],
    ['hears what it asks now, if the zip code was right', { isStranger: false, amountCents: 50_00 }, '50.00'],
  ])('%s', async (_what, { isStranger, amountCents }, due) => {
    const payment = await paid({ isStranger });
    await writeAmount(payment, amountCents);
    await failCapture(payment);
    const { answer, payer } = await toldOf(payment);
    expect(answer).toBe(`${NOT_COLLECTED} Due again: work order ${payment.workOrderNumber} ($${due}).`);
    expect(payer).toContain(`Work order ${payment.workOrderNumber}  $${due}`);
  });

  test('hears nothing else of it, as a stranger; the office does', async () => {
    const payment = await paid({ isStranger: true });
    await writeAmount(payment, 50_00);
    await failCapture(payment);
    const { answer, payer, office } = await toldOf(payment);
    expect(answer).toBe(NOT_COLLECTED);
    expect(payer).toContain(`Your card was not charged for work order ${payment.workOrderNumber}.`);
    expect(payer).not.toMatch(/\$|due/i);
    expect(office).toContain(`Work order ${payment.workOrderNumber}  $50.00`);
  });
});

describe('the payer hears of a failed capture', () => {
  /** A guest's payment with that address, which an account then took by its offer. */
  async function adopted({ payerEmail, user }: { payerEmail: string | null; user: SignedInUser }) {
    const invoice = await makeInvoice(db());
    await listensToOffice(invoice);
    const { rows } = await db().execute<{ at: string }>(sql`SELECT engine_now()::text AS at`);
    const payment = await makePayment(portal.deps, {
      invoices: [invoice],
      state: 'accepted',
      at: rows[0]?.at ?? '',
      payerEmail,
    });
    const offer = mintOffer(portal.deps, {
      intentId: payment.paymentId,
      locationId: invoice.locationId,
      zipKey: invoice.zipCode,
    });
    const used = await useOfferOf(portal, offer, user);
    expect(used.statusCode, used.body).toBeLessThan(300);
    return payment;
  }

  async function toldTo({ paymentId }: Charge): Promise<string[]> {
    const { rows } = await db().execute<{ recipient: string }>(sql`
      SELECT recipient FROM outgoing_mail
       WHERE intent_id = ${paymentId} AND kind = 'capture-failed' AND recipient <> ${OFFICE}`);
    return rows.map(({ recipient }) => recipient);
  }

  /** What the console says of it: in the share's words, and as the mails that it lists. */
  async function shown({ paymentId }: Charge) {
    const call = await makeOfficeCaller(portal);
    const page = (await call('GET', `/payments/${paymentId}`)).json<Payment>();
    const told = page.mails.filter(({ kind, to }) => kind === 'capture-failed' && to !== OFFICE);
    return { words: page.shares.map(({ words }) => words).join(), told: told.map(({ to }) => to) };
  }

  test.each([
    ['where a guest gave no address', null],
    ['where a guest mistyped it', 'mistyped@example.com'],
  ])('at the account that took the payment, %s', async (_how, payerEmail) => {
    const user = await signInUser(portal);
    const payment = await adopted({ payerEmail, user });
    await failCapture(payment);
    expect(await toldTo(payment)).toEqual([user.email]);
    const { words, told } = await shown(payment);
    expect(words).toContain('the payer was told.');
    expect(told).toEqual([user.email]);
  });

  test('at the address that the account has by then, and the console shows it after the next', async () => {
    const user = await signInUser(portal);
    const payment = await makePayment(portal.deps, {
      userId: user.userId,
      payerEmail: user.email,
      state: 'accepted',
    });
    const moved = `moved-${user.email}`;
    await moveTo(portal, user, moved);
    await failCapture(payment);
    expect(await toldTo(payment)).toEqual([moved]);
    await db().execute(sql`UPDATE app_user SET email = ${`again-${user.email}`} WHERE id = ${user.userId}`);
    const { words, told } = await shown(payment);
    expect(words).toContain('the payer was told.');
    expect(told).toEqual([moved]);
  });

  test('at the address given with the payment, once the account is closed', async () => {
    const user = await signInUser(portal);
    const payment = await adopted({ payerEmail: PAYER, user });
    const body = { password: TEST_PASSWORD };
    expect((await call(portal, 'POST', '/user/close', { token: user.token, body })).statusCode).toBe(204);
    await failCapture(payment);
    expect(await toldTo(payment)).toEqual([PAYER]);
    const { rows } = await db().execute(sql`
      SELECT blank_at > engine_now() + interval '29 days' AS "isBlankedLater" FROM outgoing_mail
       WHERE intent_id = ${payment.paymentId} AND recipient = ${PAYER}`);
    expect(rows).toEqual([{ isBlankedLater: true }]);
  });
});

test('a payment stays in the year in which it was accepted when one of its charges fails in the next', async () => {
  const franchises = await makeFranchises(portal, emulator, { accounts: 2 });
  await setEngineClock(portal.deps, '2026-12-30T18:00:00Z');
  const user = await signInUser(portal);
  const paymentMethodId = await addCard(portal, emulator, user);
  const invoices = await makeUnpaidInvoices(portal, { user, franchises, invoices: 2 });
  const body = portalSale(invoices, { paymentMethodId });
  const paying = await call(portal, 'POST', '/usaepay/customerportalsale', { token: user.token, body });
  expect(paying.statusCode, paying.body).toBe(200);
  const { rows } = await db().execute<Charge & { invoiceId: number }>(sql`
    SELECT c.intent_id AS "paymentId", c.id AS "chargeId", a.invoice_id AS "invoiceId"
      FROM charge_allocation a JOIN charge c ON c.id = a.charge_id JOIN payment_intent p ON p.id = c.intent_id
     WHERE p.user_id = ${user.userId} AND p.kind = 'portal'`);
  const failing = rows.find(({ invoiceId }) => Number(invoiceId) === invoices[1]?.invoiceId);
  if (!failing) throw new Error('no charge');
  await decide(portal.deps, {
    intentId: failing.paymentId,
    decision: { event: 'refuse-capture', chargeId: failing.chargeId },
  });

  await setEngineClock(portal.deps, '2027-01-05T18:00:00Z');
  await decide(portal.deps, {
    intentId: failing.paymentId,
    decision: { event: 'confirm-reversal', chargeId: failing.chargeId },
  });
  await sweepAll();
  const seen = async (year: number) => {
    const asked = { userId: user.userId, year };
    const [list, statement] = [
      await listPayments(portal.deps, asked),
      await makeStatement(portal.deps, asked),
    ];
    if (!list.ok || !statement.ok) throw new Error('refused');
    return { states: list.value.items.map(({ state }) => state), collected: statement.value.count };
  };
  expect([await seen(2026), await seen(2027)]).toEqual([
    { states: ['paid'], collected: 1 },
    { states: [], collected: 0 },
  ]);
});

test('an office isn’t told of a credit on an invoice whose charge failed; another charge’s credit stays told', async () => {
  const franchises = await makeFranchises(portal, emulator, { accounts: 2 });
  for (const each of franchises) await listensToOffice(each);
  const user = await signInUser(portal);
  const paymentMethodId = await addCard(portal, emulator, user);
  const invoices = await makeUnpaidInvoices(portal, { user, franchises, invoices: 2 });
  const credit = { additionalServiceAmount: -10, additionalServicesNote: 'The gutters were left out.' };
  const body = portalSale(invoices, { paymentMethodId }, credit);
  const paying = await call(portal, 'POST', '/usaepay/customerportalsale', { token: user.token, body });
  expect(paying.statusCode, paying.body).toBe(200);
  const { rows: charges } = await db().execute<Charge & { workOrderNumber: number }>(sql`
    SELECT c.intent_id AS "paymentId", c.id AS "chargeId", i.work_order_number AS "workOrderNumber"
      FROM charge_allocation a JOIN charge c ON c.id = a.charge_id JOIN invoice i ON i.id = a.invoice_id
      JOIN payment_intent p ON p.id = c.intent_id
     WHERE p.user_id = ${user.userId} AND p.kind = 'portal' ORDER BY i.work_order_number`);
  const [failing, other] = charges;
  if (!failing || !other) throw new Error('no charges');
  await failCapture(failing);
  const { rows } = await db().execute<{ subject: string; isCancelled: boolean }>(sql`
    SELECT content ->> 'subject' AS subject, cancelled_at IS NOT NULL AS "isCancelled"
      FROM outgoing_mail WHERE intent_id = ${failing.paymentId} AND kind = 'credit-note'`);
  const cancelled = rows.map(({ subject, isCancelled }) => [subject.split(' ').at(-1), isCancelled]);
  expect(Object.fromEntries(cancelled)).toEqual({
    [failing.workOrderNumber]: true,
    [other.workOrderNumber]: false,
  });
});
