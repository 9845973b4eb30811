import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { callOffice } from '../../../test/office/office.ts';
import { callConsole, makeStaff, OFFICE_SETTINGS, signInStaff } from '../../../test/office/office-people.ts';
import { customer } from '../../db/schema/franchises.ts';

const portal = useTestApp(OFFICE_SETTINGS);

test('a person may send 200 invitations a day through all calls, even at once, and a key any number', async () => {
  const db = portal.deps.db.query;
  const { franchiseId, customerId } = await makeInvoice(db);
  const [row] = await db.select().from(customer).where(eq(customer.id, customerId));
  const customerNumber = row?.number ?? 0;
  const cookie = await signInStaff(
    portal,
    await makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] }),
  );
  const path = `/customers/${franchiseId}/${customerNumber}/invitations`;
  const there = (email: string) => callConsole(portal, 'POST', path, { cookie, body: { email } });
  const byNumbers = (email: string) =>
    callConsole(portal, 'POST', '/invitations', { cookie, body: { franchiseId, customerNumber, email } });

  for (let count = 0; count < 99; count++) {
    expect((await there('ana@example.com')).statusCode).toBe(201);
    expect((await byNumbers('ana@example.com')).statusCode).toBe(201);
  }
  const atOnce = await Promise.all([1, 2, 3, 4].map((n) => there(`ana${n}@example.com`)));
  expect(atOnce.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 429, 429]);
  for (const refused of [await there('zoe@example.com'), await byNumbers('zoe@example.com')]) {
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, 86_400]);
  }
  const body = { franchiseId, customerNumber, email: 'zoe@example.com' };
  expect((await callOffice(portal, 'POST', '/invitations', { body })).statusCode).toBe(201);
});
