import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { nextNumber } from '../../../test/factories/invoices.ts';
import { linkCustomer, type SignedInUser, signInUser } from '../../../test/factories/users.ts';
import { importRows, officeRow, type Row } from '../../../test/office/office.ts';
import { customer } from '../../db/schema/franchises.ts';
import { userLocation } from '../../db/schema/people.ts';
import { resolveInvoices } from '../invoices/payable-invoices.queries.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;

const numbersOf = (row: Row) => ({
  franchiseId: Number(row.franchiseId),
  workOrderNumber: Number(row.workOrderNumber),
  zipCode: row.zipCode,
});
const add = ({ token }: SignedInUser, row: Row) =>
  call(portal, 'POST', '/user/location', { token, body: numbersOf(row) });
const get = ({ token }: SignedInUser, path: string) => call(portal, 'GET', path, { token });
const locationsOf = async (user: SignedInUser) =>
  (await get(user, '/user/location')).json<{ locationId: number }[]>().map(({ locationId }) => locationId);
const workOrders = (invoices: { workOrderNumber: number }[]) =>
  invoices.map(({ workOrderNumber }) => String(workOrderNumber));
const unpaidOf = async (user: SignedInUser) => workOrders((await get(user, '/user/invoice')).json());
const remove = ({ token }: SignedInUser, locationId: number) =>
  call(portal, 'DELETE', `/user/location/${locationId}`, { token });

async function mustImport(rows: Row[], counts: object): Promise<void> {
  const answer = await importRows(portal, rows);
  expect(answer.json()).toMatchObject(counts);
}

const rowOf = (before: Row, given: Partial<Row> = {}): Row => ({
  ...before,
  workOrderNumber: String(nextNumber()),
  ...given,
});
const ofNext = { customerNumber: '', customerName: 'The next occupant' };

/** A user adds a location of two invoices, which then passes to another customer with a new invoice. */
async function occupantsChange() {
  const former = await signInUser(portal);
  const oldRow = officeRow();
  const leftRow = rowOf(oldRow);
  await mustImport([oldRow, leftRow], { created: 2 });
  expect((await add(former, oldRow)).statusCode).toBe(204);
  const [locationId = 0] = await locationsOf(former);
  const newRow = rowOf(oldRow, { ...ofNext, customerNumber: String(nextNumber()) });
  await mustImport([newRow], { created: 1, updated: 0 });
  return { former, oldRow, leftRow, newRow, locationId };
}

async function customerOf({ franchiseId, customerNumber }: Row): Promise<number> {
  const rows = await db()
    .select()
    .from(customer)
    .where(eq(customer.number, Number(customerNumber)));
  const found = rows.find((row) => row.franchiseId === Number(franchiseId));
  return found?.id ?? 0;
}

test('a former occupant sees, pays and adds nothing of the next one’s', async () => {
  const { former, oldRow, newRow, locationId } = await occupantsChange();
  expect(await locationsOf(former)).toEqual([]);
  expect(await unpaidOf(former)).toEqual([]);
  expect((await get(former, `/user/location/${locationId}/history`)).statusCode).toBe(404);
  for (const row of [oldRow, newRow]) {
    const asked = { workOrders: [numbersOf(row)], userId: former.userId };
    expect(await resolveInvoices(db(), asked)).toEqual([]);
  }
  // The user's own old invoice doesn't restore the location.
  expect((await add(former, oldRow)).json()).toMatchObject({ status: 404, detail: 'Location not found' });
  expect(await locationsOf(former)).toEqual([]);
  // The old invoice can still be paid with its three numbers.
  const found = await call(portal, 'POST', '/user/invoice/search', { body: numbersOf(oldRow) });
  expect(found.json()).toMatchObject({ isOfFormerCustomer: true });
  expect(found.json()).not.toHaveProperty('formerCustomerId');
});

test('the next occupant sees nothing of the former one’s', async () => {
  const { oldRow, newRow, locationId } = await occupantsChange();
  const byNumbers = await signInUser(portal);
  expect((await add(byNumbers, newRow)).statusCode).toBe(204);
  const byInvitation = await signInUser(portal);
  await linkCustomer(portal, { ...byInvitation, customerId: await customerOf(newRow) });
  await mustImport([{ ...oldRow, paidElsewhere: oldRow.amount }, newRow], {});
  for (const user of [byNumbers, byInvitation]) {
    expect(await unpaidOf(user)).toEqual([newRow.workOrderNumber]);
    expect((await get(user, '/user/invoice')).json()).toMatchObject([{ isOfFormerCustomer: false }]);
    expect((await get(user, `/user/location/${locationId}/history`)).json()).toEqual([]);
  }
});

test('a file with invoices of both occupants keeps them apart, and importing it again changes nothing', async () => {
  const { oldRow, newRow } = await occupantsChange();
  const user = await signInUser(portal);
  await add(user, newRow);
  await mustImport([oldRow, newRow], { created: 0, updated: 0, unchanged: 2 });
  expect(await unpaidOf(user)).toEqual([newRow.workOrderNumber]);
});

test('a customer with a new number keeps the invoices that the file has', async () => {
  const row = officeRow();
  const left = rowOf(row);
  await mustImport([row, left], { created: 2 });
  const renumbered = { ...row, customerNumber: String(nextNumber()) };
  await mustImport([renumbered], { updated: 1 });
  const user = await signInUser(portal);
  expect((await add(user, left)).statusCode).toBe(404);
  expect((await add(user, renumbered)).statusCode).toBe(204);
  expect(await unpaidOf(user)).toEqual([row.workOrderNumber]);
});

test('a location corrected back to its customer is restored with its invoices', async () => {
  const { former, oldRow, leftRow, newRow, locationId } = await occupantsChange();
  await mustImport([oldRow], { updated: 1 });
  expect(await locationsOf(former)).toEqual([locationId]);
  expect((await unpaidOf(former)).toSorted()).toEqual(
    [oldRow.workOrderNumber, leftRow.workOrderNumber].toSorted(),
  );
  expect((await add(await signInUser(portal), leftRow)).statusCode).toBe(204);
  expect((await add(await signInUser(portal), newRow)).statusCode).toBe(404);
  // The next occupant gets theirs back too.
  await mustImport([rowOf(newRow)], { created: 1 });
  expect((await add(await signInUser(portal), newRow)).statusCode).toBe(204);
  expect(await unpaidOf(former)).toEqual([]);
});

test('a user who is the next occupant’s too adds the location again', async () => {
  const { former, newRow, locationId } = await occupantsChange();
  expect((await add(former, newRow)).statusCode).toBe(204);
  expect(await locationsOf(former)).toEqual([locationId]);
  expect(await unpaidOf(former)).toEqual([newRow.workOrderNumber]);
});

test('a location removed under another customer comes back with an invitation', async () => {
  const user = await signInUser(portal);
  const oldRow = officeRow();
  await mustImport([oldRow], { created: 1 });
  await add(user, oldRow);
  const [locationId = 0] = await locationsOf(user);
  await remove(user, locationId);
  const newRow = rowOf(oldRow, { ...ofNext, customerNumber: String(nextNumber()) });
  await mustImport([newRow], { created: 1 });
  await linkCustomer(portal, { ...user, customerId: await customerOf(newRow) });
  expect(await locationsOf(user)).toEqual([locationId]);
  // Removing it again leaves nothing of the earlier link.
  await remove(user, locationId);
  expect(await locationsOf(user)).toEqual([]);
  const links = await db().select().from(userLocation).where(eq(userLocation.userId, user.userId));
  expect(links).toMatchObject([{ linkedAt: null, customerId: await customerOf(newRow) }]);
});
