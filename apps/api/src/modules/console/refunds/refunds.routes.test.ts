import { randomUUID } from 'node:crypto';
import type { AuditList } from '@brightpane/contract/office/audit';
import type { RefundList, RefundPage, RefundRequestAnswer } from '@brightpane/contract/office/refunds';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { listViolations } from '../../../../test/books/list-violations.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeRefundable, requestRefund } from '../../../../test/factories/requested-refunds.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { mailsTo, makeStaff } from '../../../../test/office/office-people.ts';
import {
  codeOf,
  detailOf,
  type Line,
  refundOf,
  type Signed,
  useRefundDesk,
} from '../../../../test/office/refund-desk.ts';
import { decideRefund } from '../../payments/refunds/decide-refund.ts';

const {
  bodyOf,
  byHand,
  call,
  closeBatch,
  decide: decideAs,
  db,
  desk,
  emulator,
  guestPays,
  portal,
  read,
  request,
  requested,
  sign,
  sweepAll,
  sweepAt,
} = useRefundDesk();

describe('what came to nothing', () => {
  async function ruledOut(): Promise<string> {
    await closeBatch();
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: desk.sale.orderId });
    for (const seconds of [1, 10, 1000, 70]) await sweepAt(seconds);
    expect(await read(refundId)).toMatchObject({
      state: 'not-made',
      safeToSendAgain: true,
      words: 'Not made. Nothing went back. It is safe to send again.',
    });
    return refundId;
  }

  test('is sent again once, as a new request that names it', async () => {
    const refundId = await ruledOut();
    const again = await call(desk.clerk, 'POST', `/refunds/${refundId}/send-again`, {
      body: {},
      key: randomUUID(),
    });
    expect(again.statusCode, again.body).toBe(202);
    const [successor] = again.json<RefundRequestAnswer>().refunds;
    expect(successor).toMatchObject({ retryOf: refundId, amount: 5 });
    const twice = await call(desk.clerk, 'POST', `/refunds/${refundId}/send-again`, {
      body: {},
      key: randomUUID(),
    });
    expect([twice.statusCode, codeOf(twice)]).toEqual([409, 'SentAgainAlready']);
    await sweepAt(1);
    expect(await read(successor?.refundId ?? '')).toMatchObject({ state: 'made' });
    const [mail] = (await mailsTo(portal, desk.clerk.person.email)).slice(-1);
    expect(mail?.text).toContain('Not made. Nothing went back.');
  });

  test('needs a person until it is closed with a note', async () => {
    const refundId = await ruledOut();
    const needs = async () =>
      (await call(desk.clerk, 'GET', '/refunds?needs=person'))
        .json<RefundList>()
        .items.map((each) => each.refundId);
    expect(await needs()).toContain(refundId);
    const closed = await call(desk.clerk, 'POST', `/refunds/${refundId}/withdraw`, {
      body: { note: 'Paid by check.' },
    });
    expect(closed.statusCode).toBe(200);
    expect(await needs()).not.toContain(refundId);
  });

  test('is not sent again once it is closed, also from a page that was loaded before', async () => {
    const refundId = await ruledOut();
    const body = { note: 'Paid back by check.' };
    expect((await call(desk.clerk, 'POST', `/refunds/${refundId}/withdraw`, { body })).statusCode).toBe(200);
    expect(await read(refundId)).toMatchObject({
      isClosed: true,
      safeToSendAgain: false,
      words: 'Not made. Nothing went back; it was closed with a note.',
    });
    const again = await call(desk.owner, 'POST', `/refunds/${refundId}/send-again`, {
      body: {},
      key: randomUUID(),
    });
    expect([again.statusCode, codeOf(again), detailOf(again)]).toEqual([
      409,
      'Ended',
      'This refund has ended.',
    ]);
  });

  const sendAgain = (refundId: string) =>
    call(desk.clerk, 'POST', `/refunds/${refundId}/send-again`, { body: {}, key: randomUUID() });

  test('is not sent again while its charge is disputed', async () => {
    const refundId = await ruledOut();
    const { chargeId } = desk.sale;
    const body = { chargeId, amount: 5, openedOn: '2026-11-16' };
    expect((await call(desk.owner, 'POST', '/disputes', { body })).statusCode).toBe(201);
    const again = await sendAgain(refundId);
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'Disputed']);
  });

  test('is not sent again once too little is left', async () => {
    const refundId = await ruledOut();
    await requested({ amount: 105, effect: 'due-again' });
    await sweepAt(1);
    const again = await sendAgain(refundId);
    expect([again.statusCode, codeOf(again), detailOf(again)]).toEqual([
      409,
      'MoreThanLeft',
      `At most $3.25 of work order ${desk.sale.workOrderNumber} can still be refunded.`,
    ]);
  });

  test('does not send a tip again that went back meanwhile', async () => {
    await closeBatch();
    const { refundId } = refundOf(await requested({ tip: 3 }));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: desk.sale.orderId });
    for (const seconds of [1, 10, 1000, 70]) await sweepAt(seconds);
    expect(await read(refundId)).toMatchObject({ state: 'not-made' });
    await requested({ tip: 4 });
    await sweepAt(1);
    const again = await sendAgain(refundId);
    expect([again.statusCode, codeOf(again), detailOf(again)]).toEqual([
      409,
      'MoreThanLeft',
      `At most $1.00 of the tip of work order ${desk.sale.workOrderNumber} can still be refunded.`,
    ]);
  });

  /** Another payment, with services or a payer's credit, and a refund of it that came to nothing. */
  async function ruledOutWith({ services, line }: { services: number; line: Line }): Promise<string> {
    const { franchiseId } = desk.sale;
    const invoice = await makeInvoice(db(), { franchiseId });
    const { workOrderNumber } = invoice;
    const extra = { additionalServiceAmount: services, additionalServicesNote: 'as agreed' };
    expect((await guestPays(invoice, extra)).statusCode).toBe(200);
    await sweepAll();
    // Signed out by the hours that have passed.
    desk.clerk = await sign('clerk');
    desk.sale = { ...(await makeRefundable(db(), invoice)), franchiseId, workOrderNumber };
    await closeBatch();
    const { refundId } = refundOf(await requested(line));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: desk.sale.orderId });
    for (const seconds of [1, 10, 1000, 70]) await sweepAt(seconds);
    expect(await read(refundId)).toMatchObject({ state: 'not-made' });
    return refundId;
  }

  test.each([
    { paid: 97.42, services: -10, half: 48.71 },
    { paid: 129.9, services: 20, half: 64.95 },
    { paid: 108.26, services: 0.01, half: 54.13 },
  ])('is sent again although the other half of $paid took the odd cents', async ({ services, half }) => {
    const line = { amount: half, effect: 'due-again' };
    const refundId = await ruledOutWith({ services, line });
    await requested(line, { rest: { again: true } });
    await sweepAt(1);
    const again = await sendAgain(refundId);
    expect(again.statusCode, again.body).toBe(202);
    const [successor] = again.json<RefundRequestAnswer>().refunds;
    expect(successor).toMatchObject({ retryOf: refundId, amount: half });
    await sweepAt(1);
    expect(await read(successor?.refundId ?? '')).toMatchObject({ state: 'made' });
    const more = await request({ amount: 0.01, effect: 'due-again' });
    expect(codeOf(more)).toBe('AlreadyRefunded');
    expect(await listViolations(db())).toEqual([]);
  });

  test('is not sent again while another refund takes what it needs', async () => {
    const refundId = await ruledOut();
    await requested({ amount: 105, effect: 'due-again' });
    const again = await sendAgain(refundId);
    expect([again.statusCode, codeOf(again), detailOf(again)]).toEqual([
      409,
      'RefundUnderWay',
      '$105.00 of this payment is being refunded already.',
    ]);
  });

  test('of services is not taken from the invoice, not even by a cent', async () => {
    const refundId = await ruledOutWith({ services: 20, line: { amount: 21.65, services: 21.65 } });
    await requested({ amount: 0.01, services: 0.01 });
    await sweepAt(1);
    const again = await sendAgain(refundId);
    expect([again.statusCode, codeOf(again), detailOf(again)]).toEqual([
      409,
      'MoreThanLeft',
      `At most $21.64 of the services of work order ${desk.sale.workOrderNumber} can still be refunded.`,
    ]);
  });

  test('is not closed as paid back otherwise once it was sent again', async () => {
    const refundId = await ruledOut();
    await call(desk.owner, 'POST', `/refunds/${refundId}/send-again`, { body: {}, key: randomUUID() });
    const closed = await call(desk.clerk, 'POST', `/refunds/${refundId}/withdraw`, {
      body: { note: 'Paid back by check.' },
    });
    expect([closed.statusCode, codeOf(closed)]).toEqual([409, 'SentAgainAlready']);
    expect(await read(refundId)).toMatchObject({
      isClosed: false,
      words: 'Not made. Nothing went back; it was sent again.',
    });
  });
});

describe('a held refund', () => {
  let admin: Signed;
  beforeEach(async () => {
    admin = await sign('admin');
    await closeBatch();
  });

  async function held(): Promise<string> {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await byHand('refund', '5.00');
    await sweepAt(1);
    expect(await read(refundId)).toMatchObject({
      state: 'held',
      heldFor: 'unclaimed',
      words: 'Needs a decision: the provider shows a refund that nobody has claimed.',
    });
    return refundId;
  }
  const decide = (refundId: string, body: object, confirmed = true) =>
    decideAs(admin, refundId, { body, confirmed });

  test('takes over the provider’s own refund when it is adopted', async () => {
    const refundId = await held();
    const [candidate] = (await read(refundId, admin)).candidates ?? [];
    expect(candidate).toMatchObject({ amount: 5, isVoided: false });
    expect(codeOf(await decide(refundId, { decision: 'adopt' }))).toBe('TransactionKeyMissing');
    expect(codeOf(await decide(refundId, { decision: 'adopt', transactionKey: 'enfnone' }))).toBe(
      'NoSuchTransaction',
    );
    const transactionKey = candidate?.transactionKey;
    expect(codeOf(await decide(refundId, { decision: 'adopt', transactionKey }, false))).toBe(
      'StepUpRequired',
    );
    const adopted = await decide(refundId, { decision: 'adopt', transactionKey });
    expect(adopted.json()).toMatchObject({ state: 'made', method: 'refund' });
    expect((await emulator.ledger()).filter((row) => row.orderid === desk.sale.orderId)).toHaveLength(2);
    expect(await listViolations(db())).toEqual([]);
  });

  test('continues despite refunds that a person has seen', async () => {
    const refundId = await held();
    expect((await decide(refundId, { decision: 'keep-asking' })).json()).toMatchObject({ state: 'waiting' });
    await sweepAt(1);
    expect(await read(refundId)).toMatchObject({ state: 'made' });
  });

  test('blocks other requests for its charge', async () => {
    await held();
    const answer = await request({ tip: 1 });
    expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'RefundHeld']);
  });

  test('cannot be ruled out if it was never sent, and an open one needs no decision', async () => {
    const refundId = await held();
    expect(codeOf(await decide(refundId, { decision: 'not-made' }))).toBe('RecordsUnclear');
    await decide(refundId, { decision: 'keep-asking' });
    expect(codeOf(await decide(refundId, { decision: 'keep-asking' }))).toBe('NotHeld');
  });

  test('that was sent is ruled out by a complete listing, unless that shows an unowned refund', async () => {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await emulator.script({ fault: 'reset', when: 'before', command: 'refund', orderId: desk.sale.orderId });
    await sweepAt(1);
    await byHand('refund', '5.00');
    await byHand('refund', '5.00');
    await sweepAt(10);
    expect(await read(refundId)).toMatchObject({ state: 'held', heldFor: 'several-candidates' });
    expect(codeOf(await decide(refundId, { decision: 'not-made' }))).toBe('UnclaimedRefund');
  });

  test('once made is undone only with the provider’s record', async () => {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await sweepAt(1);
    expect(codeOf(await decide(refundId, { decision: 'not-made' }))).toBe('RecordsUnclear');
    const row = (await emulator.ledger()).findLast((each) => each.orderid === desk.sale.orderId);
    await emulator.callAs('portal', 'POST', '/transactions', { command: 'void', trankey: row?.key });
    const undone = await decide(refundId, { decision: 'not-made' });
    expect(undone.statusCode, undone.body).toBe(200);
    expect(undone.json<RefundPage>().undoneAt).not.toBeNull();
    const { rows } = await db().execute<{ balance: number }>(sql`
      SELECT balance_cents AS balance FROM invoice WHERE id = ${desk.sale.invoiceId}`);
    expect(rows[0]?.balance).toBe(0);
    expect(await listViolations(db())).toEqual([]);
  });
});

describe('a refund that a restore holds', () => {
  const hold = (refundId: string) =>
    decideRefund(portal.deps, {
      intentId: desk.sale.paymentId,
      decision: { event: 'hold', refundId, heldFor: 'restored' },
    });

  test('of the whole charge can be taken for a void that was made in the lost time', async () => {
    const admin = await sign('admin');
    const { refundId } = refundOf(await requested({ effect: 'due-again' }, { who: admin, confirmed: true }));
    await hold(refundId);
    const { candidates: [sale] = [] } = await read(refundId, admin);
    expect(sale).toMatchObject({ amount: 113.25, isSale: true, isVoided: false });
    const adopt = () =>
      decideAs(admin, refundId, { body: { decision: 'adopt', transactionKey: sale?.transactionKey } });
    expect(codeOf(await adopt())).toBe('NoSuchTransaction');
    await byHand('void');
    expect((await adopt()).json()).toMatchObject({ state: 'made', method: 'void' });
    expect(await listViolations(db())).toEqual([]);
  });

  test('of a part cannot be: a void takes the whole charge', async () => {
    const { refundId } = refundOf(await requested({ amount: 5, effect: 'due-again' }));
    await hold(refundId);
    expect(await read(refundId, await sign('admin'))).toMatchObject({ state: 'held', candidates: [] });
  });
});

describe('the list', () => {
  /** Requests of one cent each, that many seconds from now, written past the guards, which look at all of a charge's. */
  async function addPast({ from, to, state }: { from: number; to: number; state: string }): Promise<void> {
    const { paymentId, chargeId, invoiceId } = desk.sale;
    await portal.deps.db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx.execute(sql`
        WITH request AS (
          INSERT INTO refund_request (intent_id, actor, idem_key, request_hash, reason, total_cents, needs_approval, created_at)
          SELECT ${paymentId}, gen_random_uuid(), n, 'none', CASE WHEN n IN (1, 500, 501, 1000) THEN 'fraud' ELSE 'complaint' END,
                 1, false, engine_now() + n * interval '1 second'
            FROM generate_series(${from}::integer, ${to}::integer) AS n RETURNING id),
        asked AS (
          INSERT INTO refund (request_id, charge_id, amount_cents, mark, state)
          SELECT id, ${chargeId}, 1, 'r' || left(replace(id::text, '-', ''), 23), ${state} FROM request RETURNING id)
        INSERT INTO refund_line (refund_id, charge_id, invoice_id, invoice_cents, tax_cents, services_cents,
                                 services_tax_cents, tip_cents, effect)
        SELECT id, ${chargeId}, ${invoiceId}, 1, 0, 0, 0, 0, 'due-again' FROM asked`);
    });
  }

  const list = async (query: string) =>
    (await call(desk.clerk, 'GET', `/refunds?${query}`)).json<RefundList>();

  test('shows the caller’s own offices, with filters, page by page', async () => {
    const { refundId } = refundOf(await requested({ tip: 1 }));
    const ids = async (who: Signed, query: string) =>
      (await call(who, 'GET', `/refunds?${query}`)).json<RefundList>().items.map((each) => each.refundId);
    expect(await ids(desk.clerk, '')).toEqual([refundId]);
    expect(await ids(desk.clerk, 'state=waiting&reason=complaint&minAmount=1&maxAmount=1.00')).toEqual([
      refundId,
    ]);
    expect(await ids(desk.clerk, 'state=made')).toEqual([]);
    expect(await ids(desk.clerk, `search=${desk.sale.workOrderNumber}&actor=Robin&order=oldest`)).toEqual([
      refundId,
    ]);
    expect(await ids(desk.clerk, 'needs=approval')).toEqual([]);
    const stranger = await makeInvoice(db());
    expect(await ids(await sign('clerk', [stranger.franchiseId]), '')).toEqual([]);
    expect((await call(desk.clerk, 'GET', '/refunds?cursor=made-up')).statusCode).toBe(400);
    const hidden = await call(await sign('clerk', [stranger.franchiseId]), 'GET', `/refunds/${refundId}`);
    expect([hidden.statusCode, detailOf(hidden)]).toEqual([404, 'Refund not found.']);
  });

  test('is searched by what it shows of customer and card', async () => {
    const { refundId } = refundOf(await requested({ tip: 1 }));
    await db().execute(sql`
      UPDATE customer SET name = 'Zoë O’Brien'
       WHERE id = (SELECT l.customer_id FROM invoice i JOIN location l ON l.id = i.location_id
                    WHERE i.id = ${desk.sale.invoiceId})`);
    const [{ card } = { card: null }] = (await list('')).items;
    expect(card?.lastFour).toMatch(/^\d{4}$/);
    const found = async (search: string) =>
      (await list(`search=${encodeURIComponent(search)}`)).items.map((each) => each.refundId);
    for (const search of ['zoe', 'ZOË O’B', 'Brien', card?.lastFour ?? ''])
      expect(await found(search), search).toEqual([refundId]);
    // Full-width signs are folded into those that LIKE knows.
    for (const search of ['z_e', 'zoe%', 'z\uff3fe', 'ruiz', '0000'])
      expect(await found(search), search).toEqual([]);
  });

  test('reaches every match, five hundred requests at a time', async () => {
    await addPast({ from: 1, to: 1000, state: 'withdrawn' });
    const pages: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null && pages.length < 5) {
      const query = `reason=fraud${cursor && `&cursor=${cursor}`}`;
      const page = await list(query);
      pages.push(page.items.length);
      cursor = page.next;
    }
    // The match that ended the first page is among the five hundred of the second.
    expect(pages).toEqual([2, 1, 1]);
  });

  test.each(['', '&order=oldest'])(
    'tells nobody which refund of another office a page ended with%s',
    async (order) => {
      await addPast({ from: 1, to: 1000, state: 'withdrawn' });
      const stranger = await makeInvoice(db());
      const other = await sign('clerk', [stranger.franchiseId]);
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null; pages++) {
        expect(pages).toBeLessThan(50);
        const query: string = `reason=complaint${order}${cursor && `&cursor=${cursor}`}`;
        const page = (await call(other, 'GET', `/refunds?${query}`)).json<RefundList>();
        expect(page.items).toEqual([]);
        cursor = page.next;
        const told = Buffer.from(cursor ?? '', 'base64url').toString();
        const { rows } = await db().execute(sql`SELECT FROM refund WHERE strpos(${told}, id::text) > 0`);
        expect(rows).toEqual([]);
      }
    },
  );

  test.each(['', '&order=oldest'])(
    'shows all that waits for somebody at once, however much ended before and after%s',
    async (order) => {
      await addPast({ from: -501, to: -1, state: 'withdrawn' });
      const toApprove = await requestRefund(portal.deps, desk.sale, {
        invoiceCents: 100,
        needsApproval: true,
      });
      const held = await requestRefund(portal.deps, desk.sale, { invoiceCents: 200 });
      await db().execute(sql`
      UPDATE refund SET state = 'held', held_for = 'voided-there', review_since = engine_now(), next_try_at = NULL
       WHERE id = ${held}`);
      await addPast({ from: 1, to: 501, state: 'withdrawn' });
      for (const [filter, refundId] of [
        ['needs=approval', toApprove],
        ['state=requested', toApprove],
        ['needs=person', held],
        ['state=held', held],
      ]) {
        const { items, next, searchedTo } = await list(`${filter}${order}`);
        expect([filter, ...items.map((each) => each.refundId)]).toEqual([filter, refundId]);
        expect({ next, searchedTo }).toEqual({ next: null, searchedTo: undefined });
      }
    },
  );

  test.each(['', '&order=oldest'])('shows what waits page by page%s', async (order) => {
    await addPast({ from: 1, to: 120, state: 'waiting' });
    const found = new Set<string>();
    const pages: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null && pages.length < 5) {
      const page = await list(`state=waiting${order}${cursor && `&cursor=${cursor}`}`);
      for (const { refundId } of page.items) found.add(refundId);
      pages.push(page.items.length);
      cursor = page.next;
    }
    expect([pages, found.size]).toEqual([[50, 50, 20], 120]);
  });

  test('of a request by one office stands in its audit', async () => {
    const { refundId } = refundOf(await requested({ tip: 1 }));
    const audit = (await call(desk.owner, 'GET', '/audit?what=refund')).json<AuditList>();
    expect(audit.items.map(({ action, subject }) => [action, subject])).toEqual([
      ['refund: request', `refund ${refundId}`],
    ]);
  });

  test('stands in page and audit at the time of its request, also where the clock is ahead', async () => {
    const { refundId, requestedAt } = refundOf(await requested({ tip: 1 }));
    const [act] = (await read(refundId)).timeline;
    const [row] = (await call(desk.owner, 'GET', '/audit?what=refund')).json<AuditList>().items;
    for (const at of [act?.at, row?.at])
      expect(Math.abs(Date.parse(at ?? '') - Date.parse(requestedAt))).toBeLessThan(60_000);
  });

  test('finds what a program asked for by the name that the list shows', async () => {
    const answer = await callOffice(portal, 'POST', `/payments/${desk.sale.paymentId}/refunds`, {
      body: bodyOf({ tip: 1 }),
      headers: { 'idempotency-key': randomUUID() },
    });
    const { refundId } = refundOf(answer.json<RefundRequestAnswer>());
    const found = async (actor: string) =>
      (await call(desk.clerk, 'GET', `/refunds?actor=${actor}`)).json<RefundList>().items;
    expect(await found('Key+environment')).toMatchObject([{ refundId, requestedBy: 'key:environment' }]);
    expect(await found('Key+other')).toEqual([]);
  });

  test('finds what a person asked for by the name and address that the list shows for two of one name', async () => {
    const { refundId } = refundOf(await requested({ tip: 1 }));
    const { name, email } = desk.clerk.person;
    await makeStaff(portal, { lastName: name.replace('Robin ', '') });
    const { items } = (await call(desk.clerk, 'GET', '/refunds')).json<RefundList>();
    const shown = items[0]?.requestedBy ?? '';
    expect(shown).toBe(`${name} (${email})`);
    const found = await call(desk.clerk, 'GET', `/refunds?actor=${encodeURIComponent(shown)}`);
    expect(found.json<RefundList>().items).toMatchObject([{ refundId }]);
  });
});
