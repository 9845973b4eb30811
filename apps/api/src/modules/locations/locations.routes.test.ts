import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice } from '../../../test/factories/invoices.ts';
import { linkCustomer, linkLocation, signInUser } from '../../../test/factories/users.ts';
import { location } from '../../db/schema/franchises.ts';
import { outgoingMail } from '../../db/schema/operations.ts';
import { userLocation } from '../../db/schema/people.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;

const list = (token: string) => call(portal, 'GET', '/user/location', { token });
const add = (token: string, body: unknown) => call(portal, 'POST', '/user/location', { token, body });
const remove = (token: string, locationId: number | string) =>
  call(portal, 'DELETE', `/user/location/${locationId}`, { token });
const history = (token: string, locationId: number | string) =>
  call(portal, 'GET', `/user/location/${locationId}/history`, { token });

const numbersOf = (made: { franchiseId: number; workOrderNumber: number; zipCode: string }) => ({
  franchiseId: made.franchiseId,
  workOrderNumber: made.workOrderNumber,
  zipCode: made.zipCode,
});
const idsOf = async (token: string) =>
  (await list(token)).json<{ locationId: number }[]>().map((each) => each.locationId);
const linkMails = async (recipient: string) =>
  db()
    .select()
    .from(outgoingMail)
    .where(and(eq(outgoingMail.kind, 'location-linked'), eq(outgoingMail.recipient, recipient)));

const NOT_FOUND = { title: 'Not Found', status: 404, detail: 'Location not found', errors: [] };

describe('GET /user/location', () => {
  test('lists linked and invited locations once each, sorted by description', async () => {
    const user = await signInUser(portal);
    const first = await makeInvoice(db());
    const second = await makeInvoice(db(), {
      franchiseId: first.franchiseId,
      customerId: first.customerId,
    });
    await db().update(location).set({ description: 'attic' }).where(eq(location.id, second.locationId));
    const foreign = await makeInvoice(db());
    await linkLocation(portal, { ...user, locationId: first.locationId });
    await linkCustomer(portal, { ...user, customerId: first.customerId });

    const answer = await list(user.token);

    expect(answer.json()).toEqual([
      {
        locationId: second.locationId,
        description: 'attic',
        addressLine1: 'Maple Street 12',
        city: 'Springfield',
        state: 'IL',
        legalAccepted: false,
      },
      expect.objectContaining({ locationId: first.locationId, description: 'Home' }),
    ]);
    expect(await idsOf(user.token)).not.toContain(foreign.locationId);
  });

  test('tells for each whether this user has accepted its terms', async () => {
    const user = await signInUser(portal);
    const other = await signInUser(portal);
    const made = await makeInvoice(db());
    await linkLocation(portal, { ...user, locationId: made.locationId });
    await db().insert(userLocation).values({
      userId: other.userId,
      locationId: made.locationId,
      linkedAt: portal.now,
      legalAcceptedAt: portal.now,
    });
    expect((await list(user.token)).json()).toMatchObject([{ legalAccepted: false }]);
    expect((await list(other.token)).json()).toMatchObject([{ legalAccepted: true }]);
  });

  test('is empty for somebody new', async () => {
    const user = await signInUser(portal);
    expect((await list(user.token)).json()).toEqual([]);
  });
});

describe('POST /user/location', () => {
  test('links the location of an invoice, and tells the account by mail', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());

    const answer = await add(user.token, numbersOf(made));

    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(await idsOf(user.token)).toEqual([made.locationId]);
    expect(await linkMails(user.email)).toMatchObject([
      { content: { text: expect.stringContaining('Maple Street 12, Springfield, IL') } },
    ]);
  });

  test('is dated by the engine’s clock', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    await advanceEngineClock(portal.deps, 3 * 86_400);
    expect((await add(user.token, numbersOf(made))).statusCode).toBe(204);
    const { rows } = await db().execute<{ seconds: number }>(sql`
      SELECT extract(epoch FROM engine_now() - linked_at)::float8 AS seconds FROM user_location
       WHERE user_id = ${user.userId}`);
    expect(rows).toHaveLength(1);
    expect(Math.abs(rows[0]?.seconds ?? Number.NaN)).toBeLessThan(86_400);
    await advanceEngineClock(portal.deps, -3 * 86_400);
  });

  test('succeeds again without a second mail', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    const answers = await Promise.all([1, 2, 3].map(() => add(user.token, numbersOf(made))));
    answers.push(await add(user.token, numbersOf(made)));

    expect(answers.map((answer) => answer.statusCode)).toEqual([204, 204, 204, 204]);
    expect(await idsOf(user.token)).toEqual([made.locationId]);
    expect(await linkMails(user.email)).toHaveLength(1);
  });

  test('restores a removed location', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    await add(user.token, numbersOf(made));
    await remove(user.token, made.locationId);
    expect((await add(user.token, numbersOf(made))).statusCode).toBe(204);
    expect(await idsOf(user.token)).toEqual([made.locationId]);
  });

  test('accepts a form’s digits and a ZIP+4', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    const answer = await add(user.token, {
      franchiseId: String(made.franchiseId),
      workOrderNumber: String(made.workOrderNumber),
      zipCode: '62704-1234',
    });
    expect(answer.statusCode).toBe(204);
  });

  test('answers that the location is not found whichever number is wrong', async () => {
    const made = await makeInvoice(db());
    const right = numbersOf(made);
    for (const miss of [
      { ...right, franchiseId: 999_999 },
      { ...right, workOrderNumber: 999_999 },
      { ...right, zipCode: '10001' },
    ]) {
      const answer = await add((await signInUser(portal)).token, miss);
      expect(answer.json()).toEqual(NOT_FOUND);
    }
  });

  test('makes even the right numbers wait after five misses in an hour, for this user only', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    const right = numbersOf(made);
    for (let miss = 0; miss < 5; miss++) {
      expect((await add(user.token, { ...right, zipCode: '10001' })).statusCode).toBe(404);
    }
    const refused = await add(user.token, right);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    const another = numbersOf(await makeInvoice(db()));
    expect((await add(user.token, another)).statusCode).toBe(429);
    expect((await add((await signInUser(portal)).token, another)).statusCode).toBe(204);
  });

  test('does not count links that succeed', async () => {
    const user = await signInUser(portal);
    for (let count = 0; count < 8; count++) {
      const made = await makeInvoice(db());
      expect((await add(user.token, numbersOf(made))).statusCode).toBe(204);
    }
  });

  const right = { franchiseId: 1, workOrderNumber: 1, zipCode: '62704' };
  test.each([
    ['franchise zero', { ...right, franchiseId: 0 }, 'Invalid franchise number'],
    ['a franchise of letters', { ...right, franchiseId: 'abc' }, 'Invalid franchise number'],
    ['no franchise', { ...right, franchiseId: undefined }, 'Invalid franchise number'],
    ['work order zero', { ...right, workOrderNumber: '0' }, 'Invalid work order number'],
    ['a list of work orders', { ...right, workOrderNumber: [1] }, 'Invalid work order number'],
    ['no zip', { ...right, zipCode: ' ' }, 'Please enter your zip code.'],
    ['a zip with a NUL', { ...right, zipCode: '6\u0000' }, 'Please check your zip code.'],
    ['somebody to link it to', { ...right, userId: 'someone' }, 'This field is not known.'],
  ])('%s is refused', async (_what, body, detail) => {
    const answer = await add((await signInUser(portal)).token, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ status: 400, detail });
  });
});

describe('DELETE /user/location/{locationId}', () => {
  test('hides a linked location and its invoices from this user only', async () => {
    const user = await signInUser(portal);
    const other = await signInUser(portal);
    const made = await makeInvoice(db());
    await linkLocation(portal, { ...user, locationId: made.locationId });
    await linkLocation(portal, { ...other, locationId: made.locationId });

    const answer = await remove(user.token, made.locationId);

    expect(answer.statusCode).toBe(204);
    expect(await idsOf(user.token)).toEqual([]);
    expect((await call(portal, 'GET', '/user/invoice', { token: user.token })).json()).toEqual([]);
    expect(await idsOf(other.token)).toEqual([made.locationId]);
  });

  test('hides one location of an invited customer; the others stay, and later ones appear', async () => {
    const user = await signInUser(portal);
    const first = await makeInvoice(db());
    const { franchiseId, customerId } = first;
    const second = await makeInvoice(db(), { franchiseId, customerId });
    await linkCustomer(portal, { ...user, customerId });

    expect((await remove(user.token, first.locationId)).statusCode).toBe(204);
    const third = await makeInvoice(db(), { franchiseId, customerId });

    expect(await idsOf(user.token)).toEqual([second.locationId, third.locationId]);
  });

  test('is not found the second time', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    await linkLocation(portal, { ...user, locationId: made.locationId });
    await remove(user.token, made.locationId);
    expect((await remove(user.token, made.locationId)).json()).toEqual(NOT_FOUND);
  });

  test.each(['abc', '1.5', '-1', '99999999999999999', '%00'])('finds no location %s', async (locationId) => {
    const user = await signInUser(portal);
    const answer = await remove(user.token, locationId);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ detail: 'Location not found' });
  });
});

describe('GET /user/location/{locationId}/history', () => {
  test('lists what has been paid there, latest work first, and nothing that is due', async () => {
    const user = await signInUser(portal);
    const paid = { paidElsewhereCents: 108_25 };
    const early = await makeInvoice(db(), { ...paid, completedDate: '2026-05-04' });
    const { franchiseId, customerId, locationId } = early;
    const at = { franchiseId, customerId, locationId };
    const undated = await makeInvoice(db(), { ...paid, ...at, completedDate: null });
    const late = await makeInvoice(db(), { ...paid, ...at, completedDate: '2026-10-04' });
    await makeInvoice(db(), at);
    await makeInvoice(db(), { ...paid, franchiseId, customerId });
    await linkLocation(portal, { ...user, locationId });

    const answer = await history(user.token, locationId);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject([
      { workOrderNumber: late.workOrderNumber, balanceDue: 0, completedDate: '2026-10-04T12:00:00-05:00' },
      { workOrderNumber: early.workOrderNumber, pdfLink: expect.stringContaining('/api/documents/') },
      { workOrderNumber: undated.workOrderNumber },
    ]);
  });

  test('is empty if nothing has been paid', async () => {
    const user = await signInUser(portal);
    const made = await makeInvoice(db());
    await linkLocation(portal, { ...user, locationId: made.locationId });
    expect((await history(user.token, made.locationId)).json()).toEqual([]);
  });

  test('somebody else’s location answers like one that does not exist', async () => {
    const user = await signInUser(portal);
    const other = await signInUser(portal);
    const made = await makeInvoice(db(), { paidElsewhereCents: 108_25 });
    await linkLocation(portal, { ...other, locationId: made.locationId });
    expect((await history(user.token, made.locationId)).json()).toEqual(NOT_FOUND);
    expect((await history(user.token, 999_999)).json()).toEqual(NOT_FOUND);
  });
});
