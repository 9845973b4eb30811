import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { makeInvoice } from '../../../../../test/factories/invoices.ts';
import { makePayment } from '../../../../../test/factories/payments/decided-payments.ts';
import { codeOf, useRefundDesk } from '../../../../../test/office/refund-desk.ts';

const { call, db, desk, portal, request, sign } = useRefundDesk();

test('a request is refused while the charge is disputed, which is recorded here', async () => {
  const body = { chargeId: desk.sale.chargeId, amount: 20, openedOn: '2026-11-01' };
  expect((await call(desk.clerk, 'POST', '/disputes', { body })).statusCode).toBe(403);
  expect((await call(desk.owner, 'POST', '/disputes', { body })).statusCode).toBe(201);
  const answer = await request({ tip: 1 });
  expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'Disputed']);
});

test('a dispute that the guide’s statement records as won bars no refund any more', async () => {
  const { chargeId } = desk.sale;
  await call(desk.owner, 'POST', '/disputes', { body: { chargeId, amount: 20, openedOn: '2026-11-01' } });
  expect(codeOf(await request({ tip: 1 }))).toBe('Disputed');
  const guide = readFileSync(new URL('../../../../../../../docs/operations.md', import.meta.url), 'utf8');
  const statement = /^UPDATE dispute [^;]+;/m.exec(guide)?.[0] ?? 'no statement in the guide';
  await db().execute(sql.raw(statement.replace('<charge id>', chargeId)));
  expect((await request({ tip: 1 })).statusCode).toBe(202);
});

test('a dispute of a charge that offices share is an act on none of them, and on the one that recorded it', async () => {
  const invoices = [await makeInvoice(db()), await makeInvoice(db())];
  const { chargeId } = await makePayment(portal.deps, { invoices });
  const franchiseIds = invoices.map(({ franchiseId }) => franchiseId);
  const officeNamed = async (who: Awaited<ReturnType<typeof sign>>) => {
    const body = { chargeId, amount: 1, openedOn: '2026-11-01' };
    const answer = await call(who, 'POST', '/disputes', { body });
    expect(answer.statusCode, answer.body).toBe(201);
    const { rows } = await db().execute<{ franchiseId: number | null }>(sql`
      SELECT franchise_id AS "franchiseId" FROM audit_event WHERE action = 'record-dispute' ORDER BY id DESC LIMIT 1`);
    return rows[0]?.franchiseId;
  };
  expect(await officeNamed(await sign('finance'))).toBeNull();
  expect(await officeNamed(await sign('owner', franchiseIds))).toBeNull();
  for (const franchiseId of franchiseIds)
    expect(await officeNamed(await sign('owner', [franchiseId]))).toBe(franchiseId);
});
