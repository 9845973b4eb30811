import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { overtake } from '../../../../test/database/overtake.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeOfficeCaller } from '../../../../test/factories/office-keys.ts';
import {
  linkLocation,
  type SignedInUser,
  signInUser,
  TEST_PASSWORD,
} from '../../../../test/factories/users.ts';
import { mailsTo } from '../../../../test/mail/mailbox.ts';
import { customer } from '../../../db/schema/franchises.ts';
import { appUser } from '../../../db/schema/people.ts';
import type { Deps } from '../../../deps.ts';
import { setEmail } from '../../auth/users/users.queries.ts';
import { closeAccount } from './close-account.ts';

const portal = useTestApp();
const db = () => portal.deps.db.query;

const closing =
  ({ userId, token }: SignedInUser) =>
  async (deps: Deps) => {
    const sessionId = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;
    const given = { userId, sessionId, password: TEST_PASSWORD, ip: '203.0.113.1' };
    expect(await closeAccount(deps, given)).toEqual({ ok: true, value: undefined });
  };
const moving =
  ({ userId }: SignedInUser, email: string) =>
  (deps: Deps) =>
    deps.db.transaction((tx) => setEmail(tx, { userId, email }));

const kindsTo = async (email: string) => (await mailsTo(portal, email)).map(({ kind }) => kind);
const seenBy = async ({ userId }: SignedInUser) =>
  (await db().execute(sql`SELECT FROM visible_location WHERE user_id = ${userId}`)).rowCount;

const ENDED = { status: 401, detail: 'Your session has ended. Please sign in again.' };

async function addsLocation(user: SignedInUser) {
  const { franchiseId, workOrderNumber, zipCode } = await makeInvoice(db());
  const body = { franchiseId, workOrderNumber, zipCode };
  return () => call(portal, 'POST', '/user/location', { token: user.token, body });
}

async function mailsReset(user: SignedInUser) {
  const { franchiseId, customerId, locationId } = await makeInvoice(db());
  await linkLocation(portal, { ...user, locationId });
  const [row] = await db().select().from(customer).where(eq(customer.id, customerId));
  const office = await makeOfficeCaller(portal, { franchiseId });
  const path = `/customers/${franchiseId}/${row?.number}/people/${user.userId}/mails`;
  return () => office('POST', path, { body: { kind: 'reset' } });
}

test('a location that is added while the account is closed is not linked, and nobody is mailed of it', async () => {
  const user = await signInUser(portal);
  const startCall = await addsLocation(user);
  // The account has had this link before.
  expect((await startCall()).statusCode).toBe(204);
  const answer = await overtake(portal, { ...user, startCall, act: closing(user) });
  expect(answer.json()).toMatchObject(ENDED);
  expect(await seenBy(user)).toBe(0);
  expect(await kindsTo(user.email)).toEqual(['account-closed', 'location-linked']);
});

test('a location that is added while the address changes is told of at the new one', async () => {
  const user = await signInUser(portal);
  const moved = `moved-${user.email}`;
  const startCall = await addsLocation(user);
  const answer = await overtake(portal, { ...user, startCall, act: moving(user, moved) });
  expect(answer.statusCode).toBe(204);
  expect([await kindsTo(user.email), await kindsTo(moved)]).toEqual([[], ['location-linked']]);
});

test('names that are changed while the account is closed are not kept', async () => {
  const user = await signInUser(portal);
  const body = { firstName: 'Ana', lastName: 'Ruiz' };
  const answer = await overtake(portal, {
    ...user,
    startCall: () => call(portal, 'PUT', '/user/account', { token: user.token, body }),
    act: closing(user),
  });
  expect(answer.json()).toMatchObject(ENDED);
  const [row] = await db().select().from(appUser).where(eq(appUser.id, user.userId));
  expect(row).toMatchObject({ firstName: '', lastName: '' });
});

test('a mail that an office asks for while the account is closed is not sent', async () => {
  const user = await signInUser(portal);
  const startCall = await mailsReset(user);
  const answer = await overtake(portal, { ...user, startCall, act: closing(user) });
  expect(answer.json()).toMatchObject({ status: 409, errors: [{ code: 'AccountOff' }] });
  expect(await kindsTo(user.email)).toEqual(['account-closed']);
});

test('a mail that an office asks for while the address changes goes to the new one', async () => {
  const user = await signInUser(portal);
  const moved = `moved-${user.email}`;
  const startCall = await mailsReset(user);
  const answer = await overtake(portal, { ...user, startCall, act: moving(user, moved) });
  expect(answer.statusCode, answer.body).toBe(202);
  expect([await kindsTo(user.email), await kindsTo(moved)]).toEqual([[], ['reset-password']]);
});
