import { expect, test } from 'vitest';
import { codeOf, useRefundDesk } from '../../../../../test/office/refund-desk.ts';

const { call, desk, request } = useRefundDesk();

test('a request is refused while the charge is disputed, which is recorded here', async () => {
  const body = { chargeId: desk.sale.chargeId, amount: 20, openedOn: '2026-11-01' };
  expect((await call(desk.clerk, 'POST', '/disputes', { body })).statusCode).toBe(403);
  expect((await call(desk.owner, 'POST', '/disputes', { body })).statusCode).toBe(201);
  const answer = await request({ tip: 1 });
  expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'Disputed']);
});
