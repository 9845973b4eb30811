import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { callOffice } from '../../../../test/office/office.ts';
import {
  callConsole,
  makeStaff,
  OFFICE_SETTINGS,
  refusalOf,
  signInStaff,
} from '../../../../test/office/office-people.ts';
import { usePayments } from '../../../../test/use-payments.ts';

const { emulator, portal, db } = usePayments(() => OFFICE_SETTINGS);

const office = (method: 'GET' | 'POST', path: string) => callOffice(portal, method, path);

// Each minute has its own listing budget.
beforeEach(() => advanceEngineClock(portal.deps, 61));

describe('differences', () => {
  const list = async (state: string) => (await office('GET', `/differences?state=${state}`)).json();
  const acknowledge = (id: number, body: object, headers: Record<string, string> = {}) =>
    callOffice(portal, 'POST', `/differences/${id}/acknowledge`, { body, headers });

  /** Captures at the provider by hand, under an order that isn't ours. */
  async function payByHand(amount: string) {
    const orderid = randomUUID().slice(0, 8);
    await emulator.callAs('portal', 'POST', '/transactions', {
      command: 'sale',
      orderid,
      amount,
      creditcard: { number: '4000100011112224', expiration: '1230', cvc: '123' },
    });
    return orderid;
  }

  test('of a comparison are rows until somebody notes what came of them', async () => {
    const orderId = await payByHand('12.00');
    const compared = (await office('POST', '/reconcile')).json();
    expect(compared.differences).toContainEqual(
      expect.objectContaining({ kind: 'not-in-our-books', orderId, amount: '12.00' }),
    );
    await office('POST', '/reconcile');
    const { items, lastComparison } = await list('open');
    const rows = items.filter((item: { orderId: string }) => item.orderId === orderId);
    expect(rows).toMatchObject([
      { kind: 'not-in-our-books', amount: 12, franchiseName: null, acknowledgedAt: null, note: null },
    ]);
    expect(lastComparison).toMatchObject({ isComplete: true, differences: compared.differences.length });

    const [{ differenceId }] = rows;
    expect((await acknowledge(differenceId, {})).statusCode).toBe(400);
    expect((await acknowledge(differenceId, { note: 'A test of ours.' })).statusCode).toBe(204);
    expect((await acknowledge(differenceId, { note: 'Again.' })).statusCode).toBe(404);
    await office('POST', '/reconcile');
    expect((await list('open')).items).not.toContainEqual(expect.objectContaining({ orderId }));
    expect((await list('acknowledged')).items[0]).toMatchObject({
      differenceId,
      orderId,
      acknowledgedBy: 'key:environment',
      note: 'A test of ours.',
    });
    const person = await makeStaff(portal);
    await db().execute(sql`
      UPDATE book_difference SET acknowledged_by = ${person.email} WHERE id = ${differenceId}`);
    expect((await list('acknowledged')).items[0].acknowledgedBy).toBe(person.name);
    const { rows: acts } = await db().execute(sql`
      SELECT actor, action, reason FROM audit_event WHERE subject = ${`difference ${differenceId}`}`);
    expect(acts).toEqual([
      { actor: 'key:environment', action: 'acknowledge difference', reason: 'A test of ours.' },
    ]);
  });

  test('that recur with another amount are new', async () => {
    const orderId = await payByHand('13.00');
    await office('POST', '/reconcile');
    await db().execute(sql`
      UPDATE book_difference SET acknowledged_at = engine_now(), acknowledged_by = 'x', note = 'x', amount_cents = 5
       WHERE order_id = ${orderId}`);
    await office('POST', '/reconcile');
    expect((await list('open')).items).toContainEqual(expect.objectContaining({ orderId, amount: 13 }));
  });

  test('are acknowledged as they were shown, or not at all', async () => {
    const orderId = await payByHand('120.00');
    await office('POST', '/reconcile');
    const shown = async () =>
      (await list('open')).items.find((item: { orderId: string }) => item.orderId === orderId);
    const { differenceId, version } = await shown();
    await db().execute(sql`UPDATE book_difference SET amount_cents = 120000 WHERE id = ${differenceId}`);
    for (const other of [version, 2_147_483_648, 9_999_999_999]) {
      const late = await acknowledge(differenceId, { note: 'Ours.' }, { 'if-match': `"${other}"` });
      expect(refusalOf(late)).toEqual([409, 'EditedMeanwhile']);
    }
    const now = await shown();
    expect(now).toMatchObject({ amount: 1200, acknowledgedAt: null });

    const person = await makeStaff(portal);
    const cookie = await signInStaff(portal, person);
    const path = `/differences/${differenceId}/acknowledge`;
    const blind = await callConsole(portal, 'POST', path, { cookie, body: { note: 'Ours.' } });
    expect(refusalOf(blind)).toEqual([428, 'VersionRequired']);
    const seenNow = { 'if-match': `"${now.version}"` };
    expect((await acknowledge(differenceId, { note: 'Ours.' }, seenNow)).statusCode).toBe(204);
    expect((await acknowledge(differenceId, { note: 'Ours.' }, seenNow)).statusCode).toBe(404);
  });

  test('accept no other state and no made-up cursor', async () => {
    expect((await office('GET', '/differences?state=x')).statusCode).toBe(400);
    const answer = await office('GET', '/differences?cursor=x');
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, 'CursorUnknown']);
  });

  test('have pages of fifty', async () => {
    for (let count = 0; count < 51; count++) {
      await db().execute(sql`
        INSERT INTO book_difference (kind, merchant_account_id, order_id, reference, amount_cents)
        SELECT 'not-in-our-books', min(id), ${`many-${count}`}, '', 100 FROM merchant_account`);
    }
    const ids: number[] = [];
    for (let path = '/differences'; ; ) {
      const { items, next } = (await office('GET', path)).json();
      expect(items.length).toBeLessThanOrEqual(50);
      ids.push(...items.map(({ differenceId }: { differenceId: number }) => differenceId));
      if (next === null) break;
      path = `/differences?cursor=${next}`;
    }
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
