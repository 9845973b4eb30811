import { randomUUID } from 'node:crypto';
import type { RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../../test/books/engine-clock.ts';
import { listViolations } from '../../../../../test/books/list-violations.ts';
import { sweep } from '../../../../../test/books/sweep.ts';
import { makeInvoice } from '../../../../../test/factories/invoices.ts';
import { makeRefundable } from '../../../../../test/factories/requested-refunds.ts';
import {
  addCard,
  makeUnpaidInvoices,
  payAsCustomer,
  portalSale,
} from '../../../../../test/factories/unpaid-invoices.ts';
import { signInUser } from '../../../../../test/factories/users.ts';
import { mailsTo } from '../../../../../test/office/office-people.ts';
import {
  codeOf,
  detailOf,
  type Line,
  refundOf,
  useRefundDesk,
} from '../../../../../test/office/refund-desk.ts';
import { replaceMerchantAccount } from '../../../merchant-accounts/replace-merchant-account.ts';

const {
  bodyOf,
  call,
  closeBatch,
  db,
  desk,
  emulator,
  guestPays,
  portal,
  read,
  request,
  requested,
  setLimits,
  sign,
  sweepAt,
} = useRefundDesk();

describe('a request', () => {
  test('of everything includes the tip, and is voided before the settlement', async () => {
    const refund = refundOf(await requested({ effect: 'due-again' }));
    expect(refund).toMatchObject({
      state: 'waiting',
      words: 'Waits to be sent',
      amount: 113.25,
      safeToSendAgain: false,
      lines: [{ invoice: 100, tax: 8.25, tip: 5, effect: 'due-again', dueAgain: 108.25 }],
      card: { brand: 'Visa', lastFour: '2224' },
      requestedBy: desk.clerk.person.name,
    });
    await sweepAt(1);
    const made = await read(refund.refundId);
    expect(made).toMatchObject({
      state: 'made',
      method: 'void',
      words: 'Charge voided. It disappears from the statement.',
    });
    expect(made.timeline.map(({ event, to, text, detail }) => [event, to, text, detail])).toEqual([
      ['request', 'waiting', 'Requested', null],
      ['send', 'sending', 'Sent to the provider', 'As a void of the whole charge'],
      ['confirm', 'made', 'Made: the provider’s record shows it', 'As a void of the whole charge'],
      ['mail', null, 'Mail about the refund queued', 'payer@example.com'],
    ]);
    expect(made.timeline.map(({ by }) => by)).toEqual([desk.clerk.person.name, 'portal', 'portal', 'portal']);
    const [mail] = (await mailsTo(portal, 'payer@example.com')).slice(-1);
    expect(mail?.text).toContain(`$108.25 is due again on work order ${desk.sale.workOrderNumber}.`);
    expect(await listViolations(db())).toEqual([]);
  });

  test('of an amount is spread by the formula, and of the tip alone touches no balance', async () => {
    expect(refundOf(await requested({ amount: 50, effect: 'due-again' })).lines).toMatchObject([
      { invoice: 46.19, tax: 3.81, tip: 0 },
    ]);
    expect(refundOf(await requested({ tip: 5 })).lines).toMatchObject([
      { invoice: 0, tax: 0, tip: 5, effect: null, dueAgain: 0 },
    ]);
  });

  test('sent again under its key stays one request', async () => {
    const key = randomUUID();
    const first = await requested({ tip: 1 }, { key });
    const again = await request({ tip: 1 }, { key });
    expect(again.statusCode).toBe(202);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json<RefundRequestAnswer>().requestId).toBe(first.requestId);
    const other = await request({ tip: 2 }, { key });
    expect([other.statusCode, codeOf(other)]).toEqual([422, 'KeyReused']);
    expect(detailOf(other)).toBe('This refund was begun with other details. Please load the page again.');
  });

  test('is shown with its payment, and what is left', async () => {
    await closeBatch();
    await requested({ amount: 50, effect: 'due-again' });
    await sweepAt(1);
    const page = (await call(desk.clerk, 'GET', `/payments/${desk.sale.paymentId}`)).json<{
      refunds: object[];
      refundable: object[];
      shares: { lines: { refunded: number }[] }[];
    }>();
    expect(page.refunds).toMatchObject([{ state: 'made', amount: 50 }]);
    expect(page.refundable).toMatchObject([{ invoice: 53.81, tax: 4.44, tip: 5, overpaid: 0 }]);
    expect(page.shares[0]?.lines[0]?.refunded).toBe(50);
  });

  const refusals: [string, Line, object, number, string, string][] = [
    [
      'needs its effect',
      { amount: 5 },
      {},
      400,
      'EffectMissing',
      'Please say whether work order N is due again or credited.',
    ],
    [
      'needs an amount',
      { tip: 0 },
      {},
      400,
      'NothingChosen',
      'Please choose an amount or a tip for work order N.',
    ],
    [
      'of another reason needs a note',
      { tip: 1 },
      { reason: 'other' },
      400,
      'NoteMissing',
      'Please add a note.',
    ],
    [
      'is never more than is left',
      { amount: 108.26, effect: 'due-again' },
      {},
      409,
      'MoreThanLeft',
      'At most $108.25 of work order N can still be refunded.',
    ],
    [
      'is never more than the tip',
      { tip: 5.01 },
      {},
      409,
      'MoreThanLeft',
      'At most $5.00 of the tip of work order N can still be refunded.',
    ],
  ];
  test.each(refusals)('%s', async (_says, line, rest, status, code, detail) => {
    const answer = await request(line, { rest });
    expect([answer.statusCode, codeOf(answer)]).toEqual([status, code]);
    expect(detailOf(answer)).toBe(detail.replace('N', String(desk.sale.workOrderNumber)));
  });

  test('names the line that asks for too much, and the part of it', async () => {
    const user = await signInUser(portal);
    const { franchiseId } = desk.sale;
    const franchises = [{ franchiseId, merchant: 'portal' }];
    const invoices = await makeUnpaidInvoices(portal, { user, franchises, invoices: 2 });
    const paymentMethodId = await addCard(portal, emulator, user);
    const paid = await payAsCustomer(portal, user.token, portalSale(invoices, { paymentMethodId }));
    expect(paid.statusCode, paid.body).toBe(200);
    await sweep(portal.deps);
    const [first, second] = invoices.map(({ workOrderNumber }) => workOrderNumber);
    const { paymentId } = await makeRefundable(db(), invoices[0] as { invoiceId: number });
    const faultOf = async (line: Line) => {
      const lines = [
        { franchiseId, workOrderNumber: first, amount: 1, effect: 'due-again' },
        { franchiseId, workOrderNumber: second, effect: 'due-again', ...line },
      ];
      const answer = await call(desk.clerk, 'POST', `/payments/${paymentId}/refunds`, {
        body: { reason: 'complaint', lines },
        key: randomUUID(),
      });
      return [answer.statusCode, answer.json<{ errors: object[] }>().errors];
    };
    const refusal = (field: string, description: string) => [
      409,
      [{ code: 'MoreThanLeft', field, description: `At most ${description} can still be refunded.` }],
    ];
    const left = String(
      (
        await db().execute(sql`SELECT amount_cents / 100.0 AS dollars FROM invoice
      WHERE id = ${invoices[1]?.invoiceId}`)
      ).rows[0]?.dollars,
    );
    expect(await faultOf({ amount: 5000 })).toEqual(
      refusal('lines.1.amount', `$${Number(left).toFixed(2)} of work order ${second}`),
    );
    expect(await faultOf({ tip: 1 })).toEqual(
      refusal('lines.1.tip', `$0.00 of the tip of work order ${second}`),
    );
    expect(await faultOf({ amount: 5, services: 1 })).toEqual(
      refusal('lines.1.services', `$0.00 of the services of work order ${second}`),
    );
  });

  test('names each work order once, and only the payment’s own', async () => {
    const { franchiseId, workOrderNumber } = desk.sale;
    const path = `/payments/${desk.sale.paymentId}/refunds`;
    const twice = {
      ...bodyOf({ tip: 1 }),
      lines: [1, 2].map(() => ({ franchiseId, workOrderNumber, tip: 1 })),
    };
    const repeated = await call(desk.clerk, 'POST', path, { body: twice, key: randomUUID() });
    expect(detailOf(repeated)).toBe(`Work order ${workOrderNumber} is in this refund twice.`);
    const stranger = {
      ...bodyOf({}),
      lines: [{ franchiseId, workOrderNumber: workOrderNumber + 1, tip: 1 }],
    };
    const missing = await call(desk.clerk, 'POST', path, { body: stranger, key: randomUUID() });
    expect([missing.statusCode, detailOf(missing)]).toEqual([
      404,
      `Work order ${workOrderNumber + 1} is not in this payment.`,
    ]);
    const keyless = await call(desk.clerk, 'POST', path, { body: bodyOf({ tip: 1 }) });
    expect([keyless.statusCode, codeOf(keyless)]).toEqual([400, 'IdempotencyKeyMissing']);
  });

  test('waits for refunds in progress, and asks before the same is refunded twice', async () => {
    await requested({ amount: 100, effect: 'due-again' });
    const beyond = await request({ amount: 100, effect: 'due-again' });
    expect([beyond.statusCode, codeOf(beyond), detailOf(beyond)]).toEqual([
      409,
      'RefundUnderWay',
      '$100.00 of this payment is being refunded already.',
    ]);
    await requested({ tip: 1 });
    const same = await request({ tip: 1 });
    expect([codeOf(same), detailOf(same)]).toEqual([
      'SameAgain',
      'The same amount was requested less than a minute ago. Confirm that it goes back a second time.',
    ]);
    await requested({ tip: 1 }, { rest: { again: true } });
  });

  test('asks for ten minutes before the same is refunded twice, whoever asks', async () => {
    const other = await sign('clerk');
    await requested({ tip: 1 });
    await advanceEngineClock(portal.deps, 9 * 60);
    for (const who of [desk.clerk, other]) {
      const same = await request({ tip: 1 }, { who });
      expect([same.statusCode, codeOf(same), detailOf(same)]).toEqual([
        409,
        'SameAgain',
        'The same amount was requested 9 minutes ago. Confirm that it goes back a second time.',
      ]);
    }
    await advanceEngineClock(portal.deps, 61);
    await requested({ tip: 1 }, { who: other });
  });

  test('is refused if everything was refunded', async () => {
    await requested({ effect: 'due-again' });
    await sweepAt(1);
    const answer = await request({ effect: 'due-again' });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'AlreadyRefunded']);
  });

  test('refunds what is overpaid before anything is credited, and says that nothing is due', async () => {
    await db().execute(
      sql`UPDATE invoice SET amount_cents = 8825, tax_cents = 673 WHERE id = ${desk.sale.invoiceId}`,
    );
    const first = await request({ amount: 5, effect: 'credited' });
    expect([codeOf(first), detailOf(first)]).toEqual([
      'OverpaidFirst',
      `Work order ${desk.sale.workOrderNumber} is overpaid by $20.00. Return that first; it makes nothing due.`,
    ]);
    const { lines } = refundOf(await requested({ amount: 20, effect: 'due-again', services: 0 }));
    expect(lines).toMatchObject([{ invoice: 18.48, tax: 1.52, dueAgain: 0 }]);
  });

  describe('of an invoice that was overpaid by a second payment', () => {
    const write = (amount: number, tax: number) =>
      db().execute(
        sql`UPDATE invoice SET amount_cents = ${amount}, tax_cents = ${tax} WHERE id = ${desk.sale.invoiceId}`,
      );
    const askOf = (paymentId: string, line: Line) =>
      call(desk.owner, 'POST', `/payments/${paymentId}/refunds`, {
        body: bodyOf({ amount: 108.25, effect: 'due-again', ...line }),
        key: randomUUID(),
      });

    async function payAgain(): Promise<string> {
      const { franchiseId, workOrderNumber, invoiceId, paymentId } = desk.sale;
      await setLimits(1000_00, 1000_00);
      await write(216_50, 16_50);
      await guestPays({ franchiseId, workOrderNumber, zipCode: '62701' });
      await sweep(portal.deps);
      await write(108_25, 8_25);
      await closeBatch();
      const { rows } = await db().execute<{ id: string }>(sql`
        SELECT c.intent_id AS id FROM charge c JOIN charge_allocation a ON a.charge_id = c.id
         WHERE a.invoice_id = ${invoiceId} AND c.intent_id <> ${paymentId}`);
      return rows[0]?.id ?? '';
    }
    const refundableOf = async (paymentId: string) =>
      (await call(desk.clerk, 'GET', `/payments/${paymentId}`)).json<{ refundable: object[] }>().refundable;

    test('shows what would fall due once the overpayment is being returned of the other', async () => {
      const other = await payAgain();
      expect(await refundableOf(other)).toMatchObject([
        { overpaid: 108.25, overpaidTax: 8.25, excess: 108.25 },
      ]);
      const first = refundOf(await requested({ amount: 108.25, effect: 'due-again' }));
      expect(first.lines).toMatchObject([{ dueAgain: 0 }]);
      expect(await refundableOf(other)).toMatchObject([{ overpaid: 0, overpaidTax: 0, excess: 0 }]);
      const second = refundOf((await askOf(other, {})).json());
      expect(second.lines).toMatchObject([{ dueAgain: 108.25 }]);
      expect((await read(first.refundId)).lines).toMatchObject([{ dueAgain: 0 }]);
    });

    test('says that it waits for the other, and is a person’s instead of making something due', async () => {
      const other = await payAgain();
      const first = refundOf(await requested({ amount: 108.25, effect: 'due-again' }));
      // From a page that was loaded before.
      const second = refundOf((await askOf(other, {})).json());
      await emulator.script({
        fault: 'reset',
        when: 'after',
        command: 'refund',
        orderId: desk.sale.orderId,
      });
      await sweepAt(1);
      expect(await read(first.refundId)).toMatchObject({ state: 'unknown', lines: [{ dueAgain: 0 }] });
      expect(await read(second.refundId)).toMatchObject({
        state: 'waiting',
        words: 'Waits until another refund of the invoice has ended',
        waitsForRefundId: first.refundId,
        lines: [{ dueAgain: 108.25 }],
      });
      for (const seconds of [10, 100]) await sweepAt(seconds);
      expect((await read(first.refundId)).state).toBe('made');
      expect(await read(second.refundId)).toMatchObject({
        state: 'held',
        heldFor: 'would-be-due',
        waitsForRefundId: null,
      });
      const told = (await mailsTo(portal, 'payer@example.com')).map(({ text }) => text).join('\n');
      expect(told).not.toContain(`is due again on work order ${desk.sale.workOrderNumber}.`);
      expect(await listViolations(db())).toEqual([]);
    });

    test('credits nothing until the overpayment was returned', async () => {
      const other = await payAgain();
      await requested({ amount: 108.25, effect: 'due-again' });
      const answer = await askOf(other, { amount: 5, effect: 'credited' });
      expect([answer.statusCode, codeOf(answer), detailOf(answer)]).toEqual([
        409,
        'OverpaidFirst',
        `Work order ${desk.sale.workOrderNumber} is overpaid by $108.25, which is being returned. Wait until that is made.`,
      ]);
    });
  });

  test('of a payment with a payer’s credit includes the credit, or is refused', async () => {
    const invoice = await makeInvoice(db(), { franchiseId: desk.sale.franchiseId });
    await guestPays(invoice, { additionalServiceAmount: -10, additionalServicesNote: 'As agreed' });
    await sweep(portal.deps);
    desk.sale = {
      ...desk.sale,
      ...(await makeRefundable(db(), invoice)),
      workOrderNumber: invoice.workOrderNumber,
    };
    const kept = await request({ amount: 50, effect: 'due-again', services: 0 });
    expect([kept.statusCode, codeOf(kept)]).toEqual([409, 'MoreThanLeft']);
    const { lines } = refundOf(await requested({ amount: 48.71, effect: 'due-again' }));
    expect(lines).toMatchObject([{ invoice: 50, tax: 4.13, services: -5, servicesTax: -0.42 }]);
  });

  test('is refused while the books are compared after a restore', async () => {
    await db().execute(sql`UPDATE deployment SET restore_noticed_at = engine_now()`);
    const answer = await request({ tip: 1 });
    await db().execute(sql`UPDATE deployment SET restore_noticed_at = NULL`);
    expect([answer.statusCode, codeOf(answer), answer.headers['retry-after']]).toEqual([
      503,
      'RefundsClosed',
      '60',
    ]);
  });

  test('is refused until the list of a new merchant account was read, and hears of no restore', async () => {
    const { franchiseId } = desk.sale;
    const keys = await emulator.merchant('north');
    await portal.deps.db.transaction((tx) => replaceMerchantAccount(portal.deps, { tx, franchiseId, keys }));
    const answer = await request({ tip: 1 });
    expect([answer.statusCode, codeOf(answer), detailOf(answer)]).toEqual([
      503,
      'RefundsClosed',
      'Refunds are not possible until the books have been compared with the provider’s list.',
    ]);
  });

  test('waits for others only a moment, and is sent again under its key', async () => {
    const key = randomUUID();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isHeld = new Promise<void>((begun, failed) => {
      portal.deps.db
        .transaction(async (tx) => {
          await tx.execute(sql`SELECT FROM payment_intent WHERE id = ${desk.sale.paymentId} FOR UPDATE`);
          begun();
          await held;
        })
        .catch(failed);
    });
    await isHeld;
    const answer = await request({ tip: 1 }, { key });
    release();
    expect([answer.statusCode, codeOf(answer), answer.headers['retry-after']]).toEqual([503, 'Busy', '2']);
    expect(detailOf(answer)).toBe('We are busy at the moment. Please try again.');
    expect((await request({ tip: 1 }, { key })).statusCode).toBe(202);
  });

  test('of two clerks at once never exceeds what was paid', async () => {
    const other = await sign('clerk');
    const answers = await Promise.all(
      [desk.clerk, other].map((who) => request({ amount: 100, effect: 'due-again' }, { who })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409]);
  });
});
