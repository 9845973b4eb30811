import type { CustomerList, CustomerStatement, OfficeCustomer } from '@brightpane/contract/office/customers';
import { parse } from 'csv-parse/sync';
import { type SQL, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { setEngineClock } from '../../../../test/books/engine-clock.ts';
import { call } from '../../../../test/build-test-app.ts';
import { useEmulator } from '../../../../test/emulator.ts';
import { moveTo } from '../../../../test/factories/email-changes.ts';
import { nextNumber } from '../../../../test/factories/invoices.ts';
import { makeOfficeKey } from '../../../../test/factories/office-keys.ts';
import { type DecidedPayment, makePayment } from '../../../../test/factories/payments/decided-payments.ts';
import { guestSale, payAsGuest, usePaymentsApp } from '../../../../test/factories/payments/payments.ts';
import { refundAll, undoRefund } from '../../../../test/factories/refund-rows.ts';
import { makeUser, type SignedInUser, signInUser } from '../../../../test/factories/users.ts';
import { newestLink } from '../../../../test/mail/mailbox.ts';
import { callOffice, importRows, officeRow, type Row } from '../../../../test/office/office.ts';
import { clientOf, type Queryable } from '../../../db/client.ts';
import { indexWords } from '../search/index-words.ts';
import { readStatement } from './statement/read-statement.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator);

const OWN = '8001';
const OTHER = '8002';
let key: string;

beforeAll(async () => {
  // Due days and open invitations use the same clock.
  await setEngineClock(portal.deps, portal.now);
  const imported = await importRows(portal, [
    officeRow({ franchiseId: OWN, customerNumber: '1', customerName: 'Élan Vital', dueDate: '2020-01-01' }),
    officeRow({ franchiseId: OWN, customerNumber: '2', customerName: 'Abe Zane', customerEmail: '' }),
    officeRow({ franchiseId: OWN, customerNumber: '3', customerName: 'eve Young', paidElsewhere: '108.25' }),
    officeRow({ franchiseId: OTHER, customerNumber: '1', customerName: 'Élan Other' }),
  ]);
  expect(imported.statusCode).toBe(200);
  await indexWords(portal.deps);
  key = await makeOfficeKey(portal, { franchiseId: Number(OWN) });
});

async function list(query = '', as = key): Promise<CustomerList> {
  const answer = await callOffice(portal, 'GET', `/customers${query}`, { key: as });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const names = async (query = '', as = key) => (await list(query, as)).items.map(({ name }) => name);

describe('the list of customers', () => {
  test('is sorted by name, ignoring case and accents, with what each owes', async () => {
    const { items } = await list();
    expect(items).toEqual([
      expect.objectContaining({ name: 'Abe Zane', email: null, open: 108.25, overdue: 0, account: 'none' }),
      {
        franchiseId: 8001,
        customerNumber: 1,
        name: 'Élan Vital',
        email: 'zoe@example.com',
        locations: 1,
        open: 108.25,
        overdue: 108.25,
        account: 'none',
      },
      expect.objectContaining({ name: 'eve Young', open: 0, overdue: 0 }),
    ]);
  });

  test.each([
    ['elan', ['Élan Vital']],
    ['ÉLAN maple', ['Élan Vital']],
    ['zane abe', ['Abe Zane']],
    ['zoe@', ['Élan Vital', 'eve Young']],
    ['2', ['Abe Zane']],
    ['nobody', []],
    ['z%ne', []],
  ])('finds by %j', async (search, expected) => {
    expect(await names(`?search=${encodeURIComponent(search)}`)).toEqual(expected);
  });

  test.each(['أحمد', 'أحمد'.normalize('NFKD'), 'राम', 'สุดา', 'ながの', 'ナガノ・ジロウ'])(
    'finds %s by itself',
    async (name) => {
      const franchiseId = String(nextNumber());
      const rows = [name, 'Somebody Else'].map((customerName) => officeRow({ franchiseId, customerName }));
      expect((await importRows(portal, rows)).statusCode).toBe(200);
      await indexWords(portal.deps);
      const own = await makeOfficeKey(portal, { franchiseId: Number(franchiseId) });
      for (const list of ['customers', 'invoices']) {
        const path = `/${list}?search=${encodeURIComponent(name)}`;
        expect((await callOffice(portal, 'GET', path, { key: own })).json().items, list).toHaveLength(1);
      }
    },
  );

  test.each(['1234567890', '12345678901', '123456789012', '123456789012345'])(
    'finds by the number %s',
    async (customerNumber) => {
      const franchiseId = String(nextNumber());
      const rows = [customerNumber, `${Number(customerNumber) - 1}`].map((number) =>
        officeRow({ franchiseId, customerNumber: number }),
      );
      expect((await importRows(portal, rows)).statusCode).toBe(200);
      await indexWords(portal.deps);
      const own = await makeOfficeKey(portal, { franchiseId: Number(franchiseId) });
      const numbers = async (search: string) =>
        (await list(`?search=${encodeURIComponent(search)}`, own)).items.map((each) => each.customerNumber);
      expect(await numbers(customerNumber)).toEqual([Number(customerNumber)]);
      expect(await numbers(`maple ${customerNumber}`)).toEqual([Number(customerNumber)]);
      expect(await numbers(`oak ${customerNumber}`)).toEqual([]);
      expect(await numbers(`"${customerNumber}"`)).toEqual([]);
      expect(await numbers(`ref ${customerNumber}`)).toEqual([]);
    },
  );

  test('finds by a work order of the customer', async () => {
    const { rows } = await portal.deps.db.query.execute<{ number: number }>(sql`
      SELECT i.work_order_number AS number FROM invoice i JOIN location l ON l.id = i.location_id
        JOIN customer c ON c.id = l.customer_id WHERE c.name = 'eve Young'`);
    expect(await names(`?search=${rows[0]?.number}`)).toEqual(['eve Young']);
  });

  test('never shows another office’s customers', async () => {
    expect(await names('?search=other')).toEqual([]);
    expect(await names(`?franchiseId=${OTHER}`)).toEqual([]);
    const all = await makeOfficeKey(portal, {});
    expect(await names('?search=elan', all)).toEqual(['Élan Other', 'Élan Vital']);
  });

  test.each([
    ['?account=all', 'account', 'Please choose an account from the list.'],
    ['?cursor=x', 'cursor', 'This page does not belong to the list any more. Load the list again.'],
    ['?search=%241%20%242', 'search', 'Use one amount.'],
    ['?order=name', 'order', 'This field is not known.'],
  ])('refuses %s under its field', async (query, field, description) => {
    const answer = await callOffice(portal, 'GET', `/customers${query}`, { key });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([expect.objectContaining({ field, description })]);
  });

  test('continues where the previous page ended, also with a filter', async () => {
    const franchiseId = String(nextNumber());
    const rows = Array.from({ length: 130 }, (_, index) =>
      officeRow({ franchiseId, customerName: `Same ${index % 10}` }),
    );
    expect((await importRows(portal, rows)).statusCode).toBe(200);
    for (const filter of ['', '&account=none']) {
      const seen: number[] = [];
      let cursor: string | null = null;
      const own = await makeOfficeKey(portal, { franchiseId: Number(franchiseId) });
      do {
        const page: CustomerList = await list(`?${filter}${cursor ? `&cursor=${cursor}` : ''}`, own);
        seen.push(...page.items.map(({ customerNumber }) => customerNumber));
        cursor = page.next;
      } while (cursor);
      expect(new Set(seen).size).toBe(130);
      expect(seen).toHaveLength(130);
    }
  });
});

describe('a list of customers that looked at as many as it may', () => {
  let own: string;
  beforeAll(async () => {
    const franchiseId = String(nextNumber());
    const rows = Array.from({ length: 5_001 }, () => officeRow({ franchiseId, customerName: 'Alike Homes' }));
    expect((await importRows(portal, rows)).statusCode).toBe(200);
    await indexWords(portal.deps);
    own = await makeOfficeKey(portal, { franchiseId: Number(franchiseId) });
  });

  test('says that it goes on, where no one has the account asked for', async () => {
    expect(await list('?account=active', own)).toMatchObject({
      items: [],
      next: expect.any(String),
      searchedTo: null,
    });
  });

  test('says that many match a word', async () => {
    expect(await list('?search=alike', own)).toMatchObject({ hasManyCustomers: true });
    expect((await list('?search=nobodyatall', own)).hasManyCustomers).toBeUndefined();
  });

  test.each(['payments', 'invoices'])('gives no file of %s that would leave some of them out', async (of) => {
    const answer = await callOffice(portal, 'GET', `/${of}.csv?search=alike`, { key: own });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([
      { field: 'search', description: 'Too many customers match for a file. Type more of the name.' },
    ]);
  });
});

/** Imports a customer with one unpaid invoice at one location. */
async function importCustomer(given: Partial<Row> = {}) {
  const row = officeRow({ franchiseId: OWN, ...given });
  expect((await importRows(portal, [row])).statusCode).toBe(200);
  const { franchiseId, workOrderNumber, zipCode, customerNumber } = row;
  const numbers = { franchiseId: Number(franchiseId), workOrderNumber: Number(workOrderNumber), zipCode };
  return { row, numbers, path: `/customers/${OWN}/${customerNumber}` };
}

async function read(path: string): Promise<OfficeCustomer> {
  const answer = await callOffice(portal, 'GET', path, { key });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const invite = (path: string, email: string, as = key) =>
  callOffice(portal, 'POST', `${path}/invitations`, { key: as, body: { email } });
const seesInvoices = async ({ token }: SignedInUser) =>
  (await call(portal, 'GET', '/user/invoice', { token }))
    .json<{ workOrderNumber: number }[]>()
    .map(({ workOrderNumber }) => workOrderNumber);
const acceptAll = ({ token }: SignedInUser) => call(portal, 'POST', '/user/invitations', { token });

test('the page of a customer has 500 locations, and the count of all', async () => {
  const [franchiseId, customerNumber] = [String(nextNumber()), String(nextNumber())];
  const rows = Array.from({ length: 501 }, () => officeRow({ franchiseId, customerNumber }));
  expect((await importRows(portal, rows)).statusCode).toBe(200);
  const path = `/customers/${franchiseId}/${customerNumber}`;
  const answer = await callOffice(portal, 'GET', path, { key: await makeOfficeKey(portal, {}) });
  const { locations, locationCount } = answer.json<OfficeCustomer>();
  expect({ shown: locations.length, locationCount }).toEqual({ shown: 500, locationCount: 501 });
});

describe('an invitation', () => {
  test('is pending until it is accepted, and then links the person to the customer', async () => {
    const { path, numbers } = await importCustomer();
    const user = await signInUser(portal);
    const made = await invite(path, user.email);
    expect(made.statusCode).toBe(201);
    expect(await read(path)).toMatchObject({
      account: 'invited',
      people: [],
      invitations: [{ invitationId: made.json().invitationId, email: user.email, state: 'pending' }],
    });
    await acceptAll(user);
    expect(await read(path)).toMatchObject({
      account: 'active',
      people: [
        { userId: user.userId, email: user.email, linkedBy: 'invitation', isConfirmed: true, isActive: true },
      ],
      invitations: [{ state: 'accepted' }],
    });
    expect(await seesInvoices(user)).toEqual([numbers.workOrderNumber]);
    const withdrawn = await callOffice(portal, 'DELETE', `${path}/invitations/${made.json().invitationId}`, {
      key,
    });
    expect(withdrawn.statusCode).toBe(409);
  });

  test('that is withdrawn gives no access, neither by link nor by account, until it is sent again', async () => {
    const { path } = await importCustomer();
    const email = `invited${nextNumber()}@example.com`;
    const { invitationId } = (await invite(path, email)).json();
    const { token } = await newestLink(portal, email);
    const at = `${path}/invitations/${invitationId}`;
    for (const status of [204, 204]) {
      expect((await callOffice(portal, 'DELETE', at, { key })).statusCode).toBe(status);
    }
    expect((await read(path)).invitations).toMatchObject([{ state: 'withdrawn' }]);
    expect((await read(path)).account).toBe('none');
    const accept = (passwordToken: string) =>
      call(portal, 'POST', '/user/acceptinvite', {
        body: {
          email,
          passwordToken,
          firstName: 'Ana',
          lastName: 'Ruiz',
          password: 'a long enough password',
        },
      });
    expect((await accept(token)).statusCode).toBe(400);
    const holder = await signInUser(portal);
    await invite(path, holder.email);
    const [own] = (await read(path)).invitations.filter((each) => each.email === holder.email);
    await callOffice(portal, 'DELETE', `${path}/invitations/${own?.invitationId}`, { key });
    expect((await acceptAll(holder)).statusCode).toBe(404);
    expect(await seesInvoices(holder)).toEqual([]);

    expect((await invite(path, email)).json()).toEqual({ invitationId });
    expect((await accept((await newestLink(portal, email)).token)).statusCode).toBe(204);
  });

  test('that is withdrawn before its mail is sent is not mailed; another customer’s still is', async () => {
    const [one, two] = [await importCustomer(), await importCustomer()];
    const email = `invited${nextNumber()}@example.com`;
    const { invitationId } = (await invite(one.path, email)).json();
    await invite(two.path, email);
    await callOffice(portal, 'DELETE', `${one.path}/invitations/${invitationId}`, { key });
    await invite(one.path, email);
    const { rows } = await portal.deps.db.query.execute(sql`
      SELECT cancelled_at IS NOT NULL AS canceled, next_try_at IS NOT NULL AS due FROM outgoing_mail
       WHERE recipient = ${email} ORDER BY created_at, id`);
    expect(rows.map(({ canceled, due }) => [canceled, due])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  test('moves along with the account’s address, unless it was sent after or somebody else has the earlier one', async () => {
    const { path, numbers } = await importCustomer();
    const waiting = async ({ token }: SignedInUser) =>
      (await call(portal, 'GET', '/user/invitations', { token })).json<unknown[]>().length;
    const user = await signInUser(portal);
    await invite(path, user.email);
    await moveTo(portal, user, `moved${nextNumber()}@example.com`);
    expect(await waiting(user)).toBe(1);

    const sentAt = async (moment: SQL) =>
      portal.deps.db.query.execute(
        sql`UPDATE invitation SET renewed_at = ${moment} WHERE email = ${user.email}`,
      );
    await sentAt(sql`engine_now()`);
    expect(await waiting(user)).toBe(0);
    expect((await acceptAll(user)).statusCode).toBe(404);
    await sentAt(sql`NULL`);
    await makeUser(portal, { email: user.email });
    expect(await waiting(user)).toBe(0);
    await portal.deps.db.query.execute(sql`DELETE FROM app_user WHERE email = ${user.email}`);

    expect((await acceptAll(user)).statusCode).toBe(204);
    expect(await seesInvoices(user)).toEqual([numbers.workOrderNumber]);
  });

  test('cannot be sent to an address that an account has just left, which may yet come back to it', async () => {
    const { path } = await importCustomer();
    const user = await signInUser(portal);
    await moveTo(portal, user, `moved${nextNumber()}@example.com`);
    const refused = await invite(path, user.email);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().errors).toEqual([
      {
        code: 'AddressLeft',
        field: 'email',
        description:
          'An account was moved from this address to another in the last seven days. Ask the person for the address to use, and invite that.',
      },
    ]);
    expect((await read(path)).invitations).toEqual([]);
    await portal.deps.db.query.execute(sql`
      UPDATE email_change SET confirmed_at = confirmed_at - interval '7 days' WHERE old_email = ${user.email}`);
    expect((await invite(path, user.email)).statusCode).toBe(201);
  });

  test('cannot be sent to staff, or for a customer of another office', async () => {
    const { path } = await importCustomer();
    await portal.deps.db.query.execute(sql`
      INSERT INTO app_user (email, first_name, last_name, password_hash, user_type)
      VALUES ('clerk@example.com', 'Olive', 'Reyes', '', 3)`);
    const staff = await invite(path, 'Clerk@example.com');
    expect(staff.statusCode).toBe(409);
    expect(staff.json().errors).toEqual([
      {
        code: 'StaffEmail',
        field: 'email',
        description: 'This address belongs to staff. Invite another one.',
      },
    ]);
    const byNumbers = await callOffice(portal, 'POST', '/invitations', {
      key,
      body: {
        franchiseId: Number(OWN),
        customerNumber: Number(path.split('/').at(-1)),
        email: 'clerk@example.com',
      },
    });
    expect(byNumbers.json()).toEqual(staff.json());
    expect((await invite(`/customers/${OTHER}/1`, 'ana@example.com')).statusCode).toBe(404);
    expect((await invite(path, 'nobody')).json().errors).toEqual([
      expect.objectContaining({ field: 'email', description: 'Please enter a valid email address.' }),
    ]);
  });
});

describe('ending a person’s access', () => {
  test('hides this customer’s invoices and no others; the three numbers or an invitation restore them', async () => {
    const { path, numbers } = await importCustomer();
    const other = await importCustomer();
    const user = await signInUser(portal);
    await invite(path, user.email);
    await invite(other.path, user.email);
    await acceptAll(user);
    await call(portal, 'POST', '/user/location', { token: user.token, body: numbers });
    const pending = async () => (await read(path)).invitations.filter(({ state }) => state === 'pending');

    const end = () => callOffice(portal, 'DELETE', `${path}/people/${user.userId}`, { key });
    expect((await end()).statusCode).toBe(204);
    expect(await seesInvoices(user)).toEqual([other.numbers.workOrderNumber]);
    expect((await read(path)).people).toEqual([]);
    expect((await end()).statusCode).toBe(404);

    expect(
      (await call(portal, 'POST', '/user/location', { token: user.token, body: numbers })).statusCode,
    ).toBe(204);
    expect(await seesInvoices(user)).toContain(numbers.workOrderNumber);
    expect((await read(path)).people).toMatchObject([{ linkedBy: 'numbers' }]);

    // A pending invitation would restore access.
    await invite(path, user.email);
    expect((await end()).statusCode).toBe(204);
    expect(await pending()).toEqual([]);
    await acceptAll(user);
    expect(await seesInvoices(user)).toEqual([other.numbers.workOrderNumber]);

    await invite(path, user.email);
    await acceptAll(user);
    expect((await seesInvoices(user)).toSorted()).toEqual(
      [numbers.workOrderNumber, other.numbers.workOrderNumber].toSorted(),
    );
    expect((await read(path)).people).toMatchObject([{ linkedBy: 'invitation' }]);
  });

  test('withdraws invitations to an earlier address of the person, and only this customer’s', async () => {
    const [one, two] = [await importCustomer(), await importCustomer()];
    const end = ({ path }: { path: string }, { userId }: SignedInUser) =>
      callOffice(portal, 'DELETE', `${path}/people/${userId}`, { key });
    const statesAt = async ({ path }: { path: string }) =>
      (await read(path)).invitations.map(({ state }) => state);
    const user = await signInUser(portal);
    for (const { path } of [one, two]) await invite(path, user.email);
    await acceptAll(user);
    for (const { path } of [one, two]) await invite(path, user.email);
    const link = await moveTo(portal, user, `moved${nextNumber()}@example.com`);
    expect((await end(one, user)).statusCode).toBe(204);
    const { rows } = await portal.deps.db.query.execute(sql`
      SELECT cancelled_at IS NOT NULL AS canceled FROM outgoing_mail
       WHERE kind = 'invitation' AND recipient = ${user.email} ORDER BY created_at, id`);
    // The first two were accepted.
    expect(rows.map(({ canceled }) => canceled)).toEqual([false, false, true, false]);
    expect(await statesAt(one)).toEqual(expect.not.arrayContaining(['pending']));
    expect(await statesAt(two)).toEqual(expect.arrayContaining(['pending']));

    const password = 'another long enough sentence';
    const undone = await call(portal, 'POST', '/authentication/email/undo', { body: { ...link, password } });
    expect(undone.statusCode).toBe(204);
    const signedIn = await call(portal, 'POST', '/authentication/login', {
      body: { email: user.email, password },
    });
    const again = { ...user, token: signedIn.json().accessToken };
    await acceptAll(again);
    expect(await seesInvoices(again)).toEqual([two.numbers.workOrderNumber]);
  });

  test('leaves an invitation to an earlier address that is somebody else’s by now', async () => {
    const { path, numbers } = await importCustomer();
    const user = await signInUser(portal);
    await call(portal, 'POST', '/user/location', { token: user.token, body: numbers });
    await invite(path, user.email);
    await moveTo(portal, user, `moved${nextNumber()}@example.com`);
    await makeUser(portal, { email: user.email });
    await callOffice(portal, 'DELETE', `${path}/people/${user.userId}`, { key });
    expect((await read(path)).invitations).toMatchObject([{ state: 'pending' }]);
  });

  test('only affects people of this customer', async () => {
    const { path } = await importCustomer();
    const { userId } = await signInUser(portal);
    expect((await callOffice(portal, 'DELETE', `${path}/people/${userId}`, { key })).statusCode).toBe(404);
    expect((await callOffice(portal, 'DELETE', `${path}/people/x`, { key })).statusCode).toBe(400);
    const elsewhere = `/customers/${OTHER}/1/people/${userId}`;
    expect((await callOffice(portal, 'DELETE', elsewhere, { key })).statusCode).toBe(404);
  });
});

test('a person is mailed a reset or a confirmation, within her mailbox’s limit', async () => {
  const { path, numbers } = await importCustomer();
  const user = await signInUser(portal);
  await call(portal, 'POST', '/user/location', { token: user.token, body: numbers });
  const at = `${path}/people/${user.userId}/mails`;
  const send = (kind: string) => callOffice(portal, 'POST', at, { key, body: { kind } });
  expect((await send('confirm')).json()).toMatchObject({
    detail: 'This email address is confirmed already.',
  });
  const atOnce = await Promise.all(Array.from({ length: 8 }, () => send('reset')));
  expect(atOnce.filter(({ statusCode }) => statusCode === 202)).toHaveLength(5);
  expect((await newestLink(portal, user.email)).url.pathname).toBe('/resetpassword');
  expect((await send('reset')).statusCode).toBe(429);
  expect((await send('hello')).statusCode).toBe(400);
  await portal.deps.db.query.execute(sql`UPDATE app_user SET active = false WHERE id = ${user.userId}`);
  expect((await send('reset')).json()).toMatchObject({
    status: 409,
    detail: 'This account is switched off.',
  });
});

test('a mail to a person does without what the page shows of people: their names and when they signed in', async () => {
  const { path, numbers } = await importCustomer();
  const user = await signInUser(portal);
  await call(portal, 'POST', '/user/location', { token: user.token, body: numbers });
  const at = `${path}/people/${user.userId}/mails`;
  await portal.deps.db.pool.query('ALTER TABLE known_address RENAME TO known_address_away');
  try {
    expect((await callOffice(portal, 'POST', at, { key, body: { kind: 'reset' } })).statusCode).toBe(202);
  } finally {
    await portal.deps.db.pool.query('ALTER TABLE known_address_away RENAME TO known_address');
  }
});

test('notes are shown on the customer’s page, newest first', async () => {
  const { path } = await importCustomer();
  for (const text of ['First.', 'Second <b>.']) {
    expect((await callOffice(portal, 'POST', `${path}/notes`, { key, body: { text } })).statusCode).toBe(201);
  }
  expect((await read(path)).notes.map(({ text }) => text)).toEqual(['Second <b>.', 'First.']);
});

test('each act writes one audit row that names the customer, and a refused one none', async () => {
  const { path } = await importCustomer();
  const subject = path.replace('/customers/', 'customer ');
  const user = await signInUser(portal);
  const acts = async () =>
    (
      await portal.deps.db.query.execute<{ action: string; franchise: number; subject: string }>(sql`
        SELECT action, franchise_id AS franchise, subject FROM audit_event WHERE action <> 'import' ORDER BY id DESC LIMIT 5`)
    ).rows;
  const { invitationId } = (await invite(path, user.email)).json();
  await acceptAll(user);
  await callOffice(portal, 'DELETE', `${path}/invitations/${invitationId}`, { key });
  await callOffice(portal, 'POST', `${path}/people/${user.userId}/mails`, { key, body: { kind: 'reset' } });
  await callOffice(portal, 'DELETE', `${path}/people/${user.userId}`, { key });
  expect((await acts()).slice(0, 3)).toEqual([
    { action: 'end-access', franchise: 8001, subject },
    { action: 'mail-reset', franchise: 8001, subject },
    { action: 'invite', franchise: 8001, subject },
  ]);
});

test('another office’s customer is not found, and each call needs its right', async () => {
  const elsewhere = `/customers/${OTHER}/1`;
  const some = '00000000-0000-4000-8000-00000000aaaa';
  const calls = [
    ['GET', '', undefined],
    ['POST', '/notes', { text: 'Hello' }],
    ['POST', '/invitations', { email: 'ana@example.com' }],
    ['DELETE', `/invitations/${some}`, undefined],
    ['DELETE', `/people/${some}`, undefined],
    ['POST', `/people/${some}/mails`, { kind: 'reset' }],
    ['GET', '/statement?from=2026-01-01&to=2026-12-31', undefined],
    ['GET', '/statement.csv?from=2026-01-01&to=2026-12-31', undefined],
  ] as const;
  const none = await makeOfficeKey(portal, { franchiseId: Number(OTHER), rights: ['import'] });
  for (const [method, path, body] of calls) {
    const refused = await callOffice(portal, method, elsewhere + path, { key, body });
    expect([path, refused.statusCode]).toEqual([path, 404]);
    const unknown = await callOffice(portal, method, `/customers/${OWN}/999${path}`, { key, body });
    expect([path, unknown.json()]).toEqual([path, refused.json()]);
    const allowed = await callOffice(portal, method, elsewhere + path, { key: none, body });
    expect([path, allowed.statusCode]).toEqual([path, 403]);
  }
});

describe('a statement', () => {
  test('shows the ledger’s opening balance, changes and closing balance; the file sums to the closing', async () => {
    const { path, row, numbers } = await importCustomer({
      completedDate: '2026-01-10',
      customerName: '=Formula',
    });
    const second = {
      ...row,
      workOrderNumber: String(nextNumber()),
      completedDate: '2026-02-10',
      amount: '50.00',
    };
    await importRows(portal, [second]);
    await importRows(portal, [{ ...second, paidElsewhere: '20.00' }]);
    expect((await payAsGuest(portal, await guestSale(emulator, numbers))).statusCode).toBe(200);

    expect((await read(path)).payments).toMatchObject([{ state: 'paid', amount: 108.25 }]);

    const at = `${path}/statement?from=2026-02-01&to=2099-12-31`;
    const answer = await callOffice(portal, 'GET', at, { key });
    expect(answer.statusCode, answer.body).toBe(200);
    const statement = answer.json<CustomerStatement>();
    expect(statement).toMatchObject({ opening: 108.25, closing: 30, count: 3 });
    expect(statement.rows.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
      ['invoice', 50, 158.25],
      ['office-payment', -20, 138.25],
      ['payment', -108.25, 30],
    ]);
    const { rows } = await portal.deps.db.query.execute<{ cents: number }>(sql`
      SELECT sum(i.balance_cents)::bigint AS cents FROM invoice i JOIN location l ON l.id = i.location_id
        JOIN customer c ON c.id = l.customer_id
       WHERE c.franchise_id = ${OWN} AND c.number = ${row.customerNumber}`);
    expect(statement.closing * 100).toBe(rows[0]?.cents);

    const file = await callOffice(portal, 'GET', at.replace('statement?', 'statement.csv?'), { key });
    expect(file.headers['content-disposition']).toContain(
      `statement-${OWN}-${row.customerNumber}-2026-02-01-to-2099-12-31-America-Chicago.csv`,
    );
    const fileRows = parse(file.body, { bom: true, columns: true }) as Record<string, string>[];
    const sum = fileRows.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0);
    expect(sum).toBe(30_00);
    expect(fileRows.map(({ day, kind, text }) => [day, kind, text])).toEqual([
      ['2026-02-01', 'opening', 'Opening balance'],
      ['2026-02-10', 'invoice', second.service],
      [expect.any(String), 'office-payment', 'Paid to the office'],
      [expect.any(String), 'payment', 'Paid by card'],
    ]);
    const { rows: acts } = await portal.deps.db.query.execute(sql`
      SELECT subject, franchise_id AS franchise, detail FROM audit_event WHERE action = 'export-statement'`);
    expect(acts).toEqual([
      {
        subject: `statement-${OWN}-${row.customerNumber}-2026-02-01-to-2099-12-31-America-Chicago.csv`,
        franchise: Number(OWN),
        detail: {
          rows: 4,
          filters: {
            franchiseId: Number(OWN),
            customerNumber: Number(row.customerNumber),
            from: '2026-02-01',
            to: '2099-12-31',
          },
        },
      },
    ]);
  });

  test('closes with its last line’s balance, if a payment is made while it is read', async () => {
    const { row, numbers } = await importCustomer({ completedDate: '2026-01-10' });
    const { query } = portal.deps.db;
    const client = clientOf(query);
    let payment: ReturnType<typeof payAsGuest> | undefined;
    const pausing = Object.assign(Object.create(query), {
      $client: {
        query: async (asked: { text: string }) => {
          const answer = await client.query(asked);
          if (asked.text.includes('ledger_entry')) {
            payment ??= payAsGuest(portal, await guestSale(emulator, numbers));
            await payment;
          }
          return answer;
        },
      },
    }) as Queryable;
    const { rows } = await query.execute<{ id: string }>(
      sql`SELECT id FROM office_api_key WHERE name = 'environment'`,
    );
    const read = await readStatement(
      { db: { ...portal.deps.db, query: pausing } },
      {
        actorId: rows[0]?.id ?? '',
        franchiseId: Number(OWN),
        customerNumber: Number(row.customerNumber),
        from: '2026-01-01',
        to: '2099-12-31',
      },
    );
    expect((await payment)?.statusCode).toBe(200);
    expect(read).toMatchObject({ value: { closing: 108.25, rows: [{ kind: 'invoice', balance: 108.25 }] } });
  });

  /** The statement's closing balance, and the texts of what refunds did. */
  async function closingOf({ invoices: [paid] }: DecidedPayment) {
    const {
      rows: [of],
    } = await portal.deps.db.query.execute<{ franchise: number; number: number }>(sql`
      SELECT c.franchise_id AS franchise, c.number FROM invoice i JOIN location l ON l.id = i.location_id
        JOIN customer c ON c.id = l.customer_id WHERE i.id = ${paid?.invoiceId}`);
    const at = `/customers/${of?.franchise}/${of?.number}/statement?from=2026-01-01&to=2099-12-31`;
    const statement = (await callOffice(portal, 'GET', at)).json<CustomerStatement>();
    const refunds = statement.rows.filter(({ kind }) => kind.startsWith('refund'));
    return [statement.closing, ...refunds.map(({ text }) => text)];
  }

  test('closes with what is open, whatever a refund did to what is due', async () => {
    const payment = await makePayment(portal.deps, { at: '2026-01-10T18:00:00Z' });
    expect(await closingOf(payment)).toEqual([0]);
    const credited = await refundAll(portal.deps, payment, { invoiceCents: 20_00, effect: 'credited' });
    expect(await closingOf(payment)).toEqual([0, 'Refunded']);
    await refundAll(portal.deps, payment, { invoiceCents: 30_00, effect: 'due-again' });
    expect(await closingOf(payment)).toEqual([30, 'Refunded', 'Refunded']);
    await undoRefund(portal.deps, credited);
    expect(await closingOf(payment)).toEqual([30, 'Refunded', 'Refunded', 'Refund taken back']);
  });

  test('counts a credit that the payer took once, also when the office copies it into the amount', async () => {
    const payment = await makePayment(portal.deps, { at: '2026-01-10T18:00:00Z', servicesCents: -10_00 });
    const writeAmount = (cents: number) =>
      portal.deps.db.query.execute(sql`
        UPDATE invoice SET amount_cents = ${cents} WHERE id = ${payment.invoices[0]?.invoiceId}`);
    expect(await closingOf(payment)).toEqual([0]);
    await writeAmount(97_42);
    expect(await closingOf(payment)).toEqual([0]);
    await writeAmount(90_00);
    expect(await closingOf(payment)).toEqual([-7.42]);
  });

  test('as a file counts as an export: ten an hour', async () => {
    const { path } = await importCustomer();
    const own = await makeOfficeKey(portal, { franchiseId: Number(OWN) });
    const ask = () =>
      callOffice(portal, 'GET', `${path}/statement.csv?from=2026-01-01&to=2026-12-31`, { key: own });
    for (let count = 0; count < 10; count++) expect((await ask()).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(429);
  });

  test('with contradictory days is refused under its field', async () => {
    const { path } = await importCustomer();
    const ask = async (query: string) =>
      (await callOffice(portal, 'GET', `${path}/statement${query}`, { key })).json().errors;
    expect(await ask('?from=2026-02-01&to=2026-01-01')).toEqual([
      expect.objectContaining({ field: 'from', description: 'From must not be after To.' }),
    ]);
    expect(await ask('?to=2026-01-01')).toEqual([
      expect.objectContaining({ field: 'from', description: 'Please enter a date such as 2026-11-30.' }),
    ]);
  });
});
