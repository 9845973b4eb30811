import { ENDPOINTS } from '@brightpane/contract/endpoints';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { customer } from '../src/db/schema/franchises.ts';
import { adoptedPayment } from '../src/db/schema/payments.ts';
import { invitation } from '../src/db/schema/people.ts';
import { call } from './build-test-app.ts';
import { useEmulator } from './emulator.ts';
import { makeInvoice } from './factories/invoices.ts';
import { makeOffer } from './factories/offers.ts';
import { makePayment } from './factories/payments/decided-payments.ts';
import { usePaymentsApp } from './factories/payments/payments.ts';
import { addCard, portalSale } from './factories/unpaid-invoices.ts';
import { linkLocation, makeUser, signInUser, TEST_PASSWORD } from './factories/users.ts';
import { callOffice } from './office/office.ts';
import { OFFICE_SETTINGS } from './office/office-people.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator, () => OFFICE_SETTINGS);
const db = () => portal.deps.db.query;

type Name = keyof typeof ENDPOINTS;

/** One of each thing that a person has. */
type Things = {
  email: string;
  locationId: number;
  invoice: { franchiseId: number; workOrderNumber: number; zipCode: string };
  paymentMethodId: string;
  paymentId: string;
  offer: string;
  customerName: string;
  sessionId: string;
};

const TARGETS = ['own', 'somebody else’s', 'missing'] as const;
type Target = (typeof TARGETS)[number];

type Row = {
  /** The status for a signed-in customer, by whose thing the call is about: a single one if about nobody in particular. */
  status: number | Record<Target, number>;
  params?: (about: Things) => Record<string, string | number>;
  query?: string;
  body?: (about: Things, caller: Things) => unknown;
  /** For calls that are about nobody in particular: what the answer shows of its caller, and of nobody else. */
  shows?: (things: Things) => string;
};

const ownOnly = (status: number) => ({ own: status, 'somebody else’s': 404, missing: 404 });

/** One row per protected call; a call without a row fails. */
const MATRIX: Partial<Record<Name, Row>> = {
  user: { status: 200, shows: (things) => things.email },
  account: { status: 200, shows: (things) => things.email },
  updateAccount: { status: 204, body: () => ({ firstName: 'Robin', lastName: 'Example' }) },
  changeEmail: {
    status: 204,
    body: (_about, { email }) => ({ email: `moved-${email}`, password: TEST_PASSWORD }),
  },
  cancelEmail: { status: 204 },
  changePassword: {
    status: 204,
    body: () => ({ password: TEST_PASSWORD, newPassword: 'another long enough sentence' }),
  },
  sessions: { status: 200, shows: ({ sessionId }) => sessionId },
  endSession: { status: ownOnly(204), params: ({ sessionId }) => ({ sessionId }) },
  endOtherSessions: { status: 200 },
  exportData: {
    status: 200,
    body: () => ({ password: TEST_PASSWORD }),
    shows: ({ paymentId }) => paymentId,
  },
  // The offer of a payment that each has already taken into their account.
  useOffer: {
    status: { own: 204, 'somebody else’s': 400, missing: 400 },
    body: ({ offer }) => ({ token: offer }),
  },
  closeAccount: { status: 204, body: () => ({ password: TEST_PASSWORD }) },
  invitations: { status: 200, shows: (things) => things.customerName },
  acceptInvitations: { status: 204 },
  invoices: { status: 200, shows: ({ invoice }) => `"workOrderNumber":${invoice.workOrderNumber},` },
  locations: { status: 200, shows: ({ locationId }) => `"locationId":${locationId},` },
  // Anybody with an invoice's three numbers may add its location.
  addLocation: { status: { own: 204, 'somebody else’s': 204, missing: 404 }, body: ({ invoice }) => invoice },
  removeLocation: { status: ownOnly(204), params: ({ locationId }) => ({ locationId }) },
  locationHistory: { status: ownOnly(200), params: ({ locationId }) => ({ locationId }) },
  portalSale: {
    status: ownOnly(200),
    body: ({ invoice }, { paymentMethodId }) => portalSale([invoice], { paymentMethodId }),
  },
  payments: { status: 200, query: '?year=2026', shows: ({ paymentId }) => paymentId },
  payment: { status: ownOnly(200), params: ({ paymentId }) => ({ paymentId }) },
  statements: { status: 200, query: '?year=2026', shows: ({ paymentId }) => paymentId },
  paymentMethods: { status: 200, shows: ({ paymentMethodId }) => paymentMethodId },
  addPaymentMethod: {
    status: 400,
    body: () => ({ paymentKey: 'made-up', maskedCard: 'xxxx2224', street: 'Maple', postalCode: '62704' }),
  },
  removePaymentMethod: { status: ownOnly(204), params: ({ paymentMethodId }) => ({ id: paymentMethodId }) },
};

/** What a call is tried about. Without a thing to name, each would be the same call. */
const targetsOf = (name: Name): readonly Target[] =>
  typeof MATRIX[name]?.status === 'number' ? ['own'] : TARGETS;

const statusOf = ({ status }: Row, target: Target): number =>
  typeof status === 'number' ? status : status[target];

function rowOf(name: Name): Row {
  const row = MATRIX[name];
  if (!row) throw new Error(`${name} has no row in the access matrix`);
  return row;
}

type Person = { token: string | undefined; things: Things };

const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;

async function makeUsedOffer(userId: string): Promise<string> {
  const { offer, intentId } = await makeOffer(portal.deps);
  await db().insert(adoptedPayment).values({ intentId, userId, adoptedAt: portal.now, through: 'signed-in' });
  return offer;
}

async function makePerson(): Promise<Person & { token: string }> {
  const user = await signInUser(portal);
  const made = await makeInvoice(db());
  await linkLocation(portal, { ...user, ...made });
  const { franchiseId, customerId, workOrderNumber, zipCode, locationId } = made;
  const paid = await makeInvoice(db(), { franchiseId, customerId, locationId });
  const { paymentId } = await makePayment(portal.deps, { userId: user.userId, invoices: [paid] });
  const invited = await makeInvoice(db());
  const customerName = `Customer of ${user.email}`;
  await db().update(customer).set({ name: customerName }).where(eq(customer.id, invited.customerId));
  await db()
    .insert(invitation)
    .values({
      customerId: invited.customerId,
      email: user.email,
      expiresAt: new Date(portal.now.getTime() + 86_400_000),
    });
  return {
    token: user.token,
    things: {
      email: user.email,
      locationId,
      invoice: { franchiseId, workOrderNumber, zipCode },
      paymentMethodId: await addCard(portal, emulator, user),
      paymentId,
      offer: await makeUsedOffer(user.userId),
      customerName,
      sessionId: sessionOf(user.token),
    },
  };
}

const MISSING: Things = {
  email: 'nobody@example.com',
  locationId: 999_999_999,
  invoice: { franchiseId: 999_999_999, workOrderNumber: 999_999_999, zipCode: '00000' },
  paymentMethodId: '00000000-0000-4000-8000-000000000000',
  paymentId: '00000000-0000-4000-8000-000000000000',
  offer: 'made up',
  customerName: 'Nobody',
  sessionId: '00000000-0000-4000-8000-000000000000',
};

/** Makes it once: who is refused changes nothing, so one person can try every call. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
}

/** A person whose things nobody else's call may change, and what they were at first. */
const bystander = once(async () => {
  const person = await makePerson();
  return { ...person, before: await inventory(person) };
});

/** Calls that only read, or that are refused, leave their caller as she was, so one person makes them all. */
function servedPerson(): (name: Name, target: Target) => Promise<Person> {
  const unchanged = once(makePerson);
  return (name, target) =>
    ENDPOINTS[name].method === 'GET' || statusOf(rowOf(name), target) >= 400 ? unchanged() : makePerson();
}

type Caller = { isServed: boolean; make: (name: Name, target: Target) => Promise<Person> };

const CALLERS: Record<string, Caller> = {
  'no token': { isServed: false, make: once(async () => ({ ...(await makePerson()), token: undefined })) },
  'a signed-in customer': { isServed: true, make: servedPerson() },
  'somebody unconfirmed': {
    isServed: false,
    make: once(async () => {
      const { things } = await makePerson();
      const { email } = await makeUser(portal, { emailConfirmedAt: null });
      const login = await call(portal, 'POST', '/authentication/login', {
        body: { email, password: TEST_PASSWORD },
      });
      expect(login.json()).toMatchObject({ status: 401, detail: 'NotAllowed' });
      return { things, token: login.json<{ accessToken?: string }>().accessToken };
    }),
  },
  'somebody switched off': {
    isServed: false,
    make: once(async () => {
      const person = await makePerson();
      const switched = await callOffice(portal, 'PUT', `/users/${person.things.email}`, {
        body: { active: false },
      });
      expect(switched.statusCode).toBeLessThan(300);
      return person;
    }),
  },
  'somebody who was idle for a week': {
    isServed: false,
    make: once(async () => {
      const user = await signInUser(portal);
      const { things } = await makePerson();
      await db().execute(sql`
        UPDATE session SET rotated_at = rotated_at - interval '7 days' WHERE user_id = ${user.userId}`);
      // The access token expired long ago, so refresh.
      const refreshed = await call(portal, 'POST', '/authentication/refresh', {
        body: { refreshToken: user.refreshToken },
      });
      expect(refreshed.statusCode).toBe(401);
      return { things, token: refreshed.json<{ accessToken?: string }>().accessToken };
    }),
  },
  'somebody who has closed the account': {
    isServed: false,
    make: once(async () => {
      const person = await makePerson();
      const body = { password: TEST_PASSWORD };
      const closed = await call(portal, 'POST', '/user/close', { token: person.token, body });
      expect(closed.statusCode).toBe(204);
      return person;
    }),
  },
};

function send(name: Name, { token }: { token: string | undefined }, about: Things, caller: Things) {
  const endpoint = ENDPOINTS[name];
  const row = rowOf(name);
  const params = row.params?.(about) ?? {};
  const path = endpoint.path.replace(/:(\w+)/g, (_, each) => String(params[each])) + (row.query ?? '');
  const body = row.body?.(about, caller);
  return call(portal, endpoint.method, path, {
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body }),
  });
}

/** Everything that a person would miss. */
async function inventory(person: Person): Promise<string[]> {
  const answers = await Promise.all(
    (['invoices', 'locations', 'paymentMethods', 'invitations', 'account', 'sessions'] as const).map((name) =>
      send(name, person, person.things, person.things),
    ),
  );
  // Document links are signed with the time; everything else stays the same.
  return answers.map((answer) => answer.body.replace(/\?expires=[^"]*/g, ''));
}

test('every route of the API stands in the list of endpoints, and the other way round', async () => {
  const { paths } = (await portal.app.inject('/api/openapi.json')).json<{
    paths: Record<string, Record<string, unknown>>;
  }>();
  const served = Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    .filter((route) => !/ \/(office|health|documents|openapi|docs|browser-reports)\b/.test(route));
  const listed = Object.values(ENDPOINTS).map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  expect(served.toSorted()).toEqual(listed.toSorted());
});

describe.each(Object.entries(ENDPOINTS).filter(([, endpoint]) => endpoint.isPublic))(
  '%s is public',
  (_name, { method, path }) => {
    test('and goes without a token, and with one that is worth nothing', async () => {
      for (const token of [undefined, 'worth.nothing.atall']) {
        const answer = await call(portal, method, path, {
          body: {},
          ...(token !== undefined && { token }),
        });
        expect(answer.json<{ detail?: string }>().detail).not.toBe('Please sign in again.');
      }
    });
  },
);

const guarded = (Object.keys(ENDPOINTS) as Name[]).filter((name) => !ENDPOINTS[name].isPublic);

describe.each(guarded)('%s', (name) => {
  describe.each(Object.entries(CALLERS))('for %s', (caller, { isServed, make }) => {
    test.each(targetsOf(name))('about what is %s', async (target) => {
      const row = rowOf(name);
      const [person, other] = await Promise.all([make(name, target), bystander()]);
      const about = { own: person.things, 'somebody else’s': other.things, missing: MISSING }[target];

      const answer = await send(name, person, about, person.things);

      expect(answer.statusCode, `${caller}: ${answer.body}`).toBe(isServed ? statusOf(row, target) : 401);
      if (!isServed) expect(answer.json()).toMatchObject({ status: 401, detail: 'Please sign in again.' });
      else if (row.shows) {
        expect(answer.body).toContain(row.shows(person.things));
        expect(answer.body).not.toContain(row.shows(other.things));
      }
    });
  });

  test('changed nothing of somebody else’s, whoever tried', async () => {
    const other = await bystander();
    expect(await inventory(other)).toEqual(other.before);
  });
});
