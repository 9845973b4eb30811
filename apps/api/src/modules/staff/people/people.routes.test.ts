import type { AuditList } from '@brightpane/contract/office/audit';
import type { StaffList } from '@brightpane/contract/office/staff';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { call, TEST_SECRETS, useTestApp } from '../../../../test/build-test-app.ts';
import { isSomebodyWaitingForALock } from '../../../../test/database/overtake.ts';
import { makeInvoice } from '../../../../test/factories/invoices.ts';
import { makeUser } from '../../../../test/factories/users.ts';
import { fromBase32 } from '../../../../test/office/from-base32.ts';
import { callOffice } from '../../../../test/office/office.ts';
import {
  callConfirmed,
  callConsole,
  cookieOf,
  linkTo,
  mailsTo,
  makeSignedIn,
  makeStaff,
  OFFICE_SETTINGS,
  refusalOf,
  STAFF_PASSWORD,
  signInStaff,
  stepUpFor,
  type TestPerson,
} from '../../../../test/office/office-people.ts';
import { createMailLink, findGoodMailToken } from '../../auth/mailbox/mail-tokens.ts';
import { stepAt, totpCode } from '../factors/totp.ts';
import { insertStaff } from './people.queries.ts';

const portal = useTestApp(OFFICE_SETTINGS);
const OPERATOR = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };
const NEW_PASSWORD = 'nine yellow ladders';

let admin: { cookie: string; person: TestPerson };
let franchiseId: number;
let otherFranchiseId: number;
beforeAll(async () => {
  ({ franchiseId } = await makeInvoice(portal.deps.db.query));
  ({ franchiseId: otherFranchiseId } = await makeInvoice(portal.deps.db.query));
  admin = await makeSignedIn(portal);
});

const ownerOf = (franchiseIds: number[]) => makeSignedIn(portal, { role: 'owner', franchiseIds });

let emails = 0;
const freshEmail = () => `new${++emails}@staff.example`;
const byOperator = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  callConsole(portal, method, path, { headers: OPERATOR, body });

const stateOf = async ({ staffId }: { staffId: string }) => {
  const { rows } = await portal.deps.db.query.execute(
    sql`SELECT role, state FROM staff WHERE id = ${staffId}`,
  );
  return rows[0];
};

describe('a new person', () => {
  test.each([
    ['of the same office is invited once, by the later words', 'own', [201, undefined]],
    ['of another office stays theirs', 'other', [409, 'StaffElsewhere']],
  ])('whom a colleague adds at the same moment and who is %s', async (_what, whose, expected) => {
    const email = freshEmail();
    const owner = await ownerOf([franchiseId]);
    const body = { email, role: 'viewer', franchiseIds: [franchiseId] };
    const headers = await stepUpFor(portal, owner, { method: 'POST', path: '/staff', body });
    const made = { email, firstName: '', lastName: '', role: 'clerk', state: 'invited' } as const;
    const franchiseIds = [whose === 'own' ? franchiseId : otherFranchiseId];
    const { adding, staffId } = await portal.deps.db.transaction(async (tx) => {
      const id = await insertStaff(tx, { ...made, franchiseIds, isConfirmed: false, invitedBy: null });
      const call = callConsole(portal, 'POST', '/staff', { cookie: owner.cookie, headers, body });
      // Sent once somebody waits for it.
      const answered = call.then((answer) => answer);
      await vi.waitUntil(() => isSomebodyWaitingForALock(portal), 60_000);
      return { adding: answered, staffId: id ?? '' };
    });
    const answer = await adding;
    expect([answer.statusCode, answer.json<{ errors?: { code: string }[] }>().errors?.[0]?.code]).toEqual(
      expected,
    );
    expect(await stateOf({ staffId })).toEqual({
      role: whose === 'own' ? 'viewer' : 'clerk',
      state: 'invited',
    });
  });

  test('is added with a second factor, gets a link that no staff see, and enrols with it', async () => {
    const email = freshEmail();
    const added = await callConfirmed(portal, admin, 'POST', '/staff', {
      email,
      role: 'clerk',
      franchiseIds: [franchiseId],
    });
    expect(added.statusCode).toBe(201);
    expect(added.json()).toEqual({
      staffId: expect.any(String),
      email,
      role: 'clerk',
      franchiseIds: [franchiseId],
      state: 'invited',
    });
    const link = await linkTo(portal, email);
    const welcome = (given: object = {}) =>
      callConsole(portal, 'POST', '/welcome', {
        body: { ...link, firstName: 'Cora', lastName: 'Clerk', password: NEW_PASSWORD, ...given },
      });
    expect(refusalOf(await welcome({ password: 'short one' }))).toEqual([400, 'PasswordTooShort']);
    expect(refusalOf(await welcome({ email: 'else@staff.example' }))).toEqual([400, 'InvalidToken']);
    // She stops half-way and opens the same link again.
    await welcome();
    const welcomed = await welcome();
    expect(welcomed.json()).toEqual({ next: 'enrol' });
    const cookie = cookieOf(welcomed);
    expect((await callConsole(portal, 'GET', '/me', { cookie })).statusCode).toBe(401);

    const app = await callConsole(portal, 'POST', '/factors/totp', { cookie, body: {} });
    const { factorId, secret, uri, qr } = app.json();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`secret=${secret}`);
    expect(qr).toEqual({ size: expect.any(Number), path: expect.stringMatching(/^M\d/) });
    const confirm = (code: string) =>
      callConsole(portal, 'POST', '/factors/totp/confirm', {
        cookie,
        body: { factorId, code, name: 'Phone' },
      });
    expect(refusalOf(await confirm('000000'))).toEqual([400, 'CodeWrong']);
    const confirmed = await confirm(codeFrom(secret));
    expect(confirmed.json()).toEqual({
      recoveryCodes: expect.arrayContaining([
        expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/),
      ]),
      me: expect.objectContaining({ email, firstName: 'Cora', role: 'clerk', recoveryCodesLeft: 10 }),
    });
    const full = cookieOf(confirmed);
    expect((await callConsole(portal, 'GET', '/me', { cookie: full })).statusCode).toBe(200);
    expect(refusalOf(await welcome())).toEqual([400, 'InvalidToken']);

    const [code = ''] = confirmed.json<{ recoveryCodes: string[] }>().recoveryCodes;
    const start = () => callConsole(portal, 'POST', '/session', { body: { email, password: NEW_PASSWORD } });
    const show = async (given: string) =>
      callConsole(portal, 'POST', '/session/recovery', {
        cookie: cookieOf(await start()),
        body: { code: given },
      });
    expect((await start()).json()).toEqual({ next: 'totp', methods: ['totp', 'recovery'] });
    expect((await show(code.toLowerCase().replaceAll('-', ' '))).json()).toMatchObject({
      recoveryCodesLeft: 9,
    });
    expect(refusalOf(await show(code))).toEqual([401, 'CodeWrong']);
    expect((await mailsTo(portal, email)).map(({ subject }) => subject)).toContain(
      'A recovery code was used',
    );
  });

  test('is added by the operator’s key, which gets the link, and all admins are told', async () => {
    const email = freshEmail();
    const body = { email, role: 'admin' };
    const added = await byOperator('POST', '/staff', body);
    const { link } = added.json<{ link: string }>();
    expect(link).toContain('https://office.example.com/office/welcome?');
    const again = await byOperator('POST', '/staff', body);
    expect(again.json().link).not.toBe(link);
    expect((await mailsTo(portal, admin.person.email)).at(-1)?.text).toContain(email);
  });

  test.each([
    ['an office role without a franchise', { role: 'clerk' }, 400, 'FranchiseNeeded'],
    ['headquarters with one', { role: 'admin', franchiseIds: [1] }, 400, 'NoFranchise'],
    ['a franchise that is not there', { role: 'clerk', franchiseIds: [987_654] }, 404, 'NotFound'],
  ])('%s is refused', async (_what, given, status, code) => {
    const answer = await byOperator('POST', '/staff', { email: freshEmail(), ...given });
    expect(refusalOf(answer)).toEqual([status, code]);
  });

  test('invited anew to another place is in the audit with what stood before', async () => {
    const email = freshEmail();
    const invite = (place: object) => byOperator('POST', '/staff', { email, ...place });
    await invite({ role: 'viewer', franchiseIds: [franchiseId, otherFranchiseId] });
    const again = await invite({ role: 'clerk', franchiseIds: [franchiseId] });
    const { items } = (
      await callConsole(portal, 'GET', '/audit', { cookie: admin.cookie })
    ).json<AuditList>();
    const event = items.find(({ action }) => action === 'invite-staff-again');
    expect([again.statusCode, event]).toMatchObject([
      201,
      {
        before: { email, role: 'viewer', franchiseIds: [franchiseId, otherFranchiseId] },
        after: { email, role: 'clerk', franchiseIds: [franchiseId] },
      },
    ]);
  });

  test('is no customer, and works for one office', async () => {
    const customer = await makeUser(portal);
    const taken = await byOperator('POST', '/staff', { email: customer.email, role: 'admin' });
    expect(taken.json()).toMatchObject({
      status: 409,
      detail: "This email address belongs to a customer's account. Use another one for the office.",
    });
    const elsewhere = await makeStaff(portal, { role: 'clerk', franchiseIds: [otherFranchiseId] });
    const owner = await ownerOf([franchiseId]);
    const body = { email: elsewhere.email, role: 'clerk', franchiseIds: [franchiseId] };
    const refused = await callConfirmed(portal, owner, 'POST', '/staff', body);
    expect(refusalOf(refused)).toEqual([409, 'StaffElsewhere']);
    expect(refused.json()).toMatchObject({
      detail: 'This person works for another office. Ask headquarters to add yours.',
    });
  });

  test('is added though somebody registered the address and never confirmed it', async () => {
    const email = freshEmail();
    await makeUser(portal, { email, emailConfirmedAt: null });
    const [confirm, reset] = await portal.deps.db.transaction(async (tx) => [
      await createMailLink(portal.deps, tx, { purpose: 'confirm', email }),
      await createMailLink(portal.deps, tx, { purpose: 'reset', email }),
    ]);
    const added = await byOperator('POST', '/staff', { email, role: 'support' });
    expect([added.statusCode, added.json().email]).toEqual([201, email]);

    const tokenOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('t');
    const confirmed = await call(portal, 'POST', '/user/confirm', {
      body: { email, token: tokenOf(confirm) },
    });
    const changed = await call(portal, 'POST', '/user/confirmresetpassword', {
      body: { email, passwordToken: tokenOf(reset), password: NEW_PASSWORD },
    });
    expect([refusalOf(confirmed), refusalOf(changed)]).toEqual([
      [400, 'InvalidToken'],
      [400, 'InvalidToken'],
    ]);
    const welcomed = await callConsole(portal, 'POST', '/welcome', {
      body: { ...(await linkTo(portal, email)), firstName: 'Sue', lastName: 'Port', password: NEW_PASSWORD },
    });
    expect(welcomed.json()).toEqual({ next: 'enrol' });
  });

  test('is changed by no customer’s link that was mailed meanwhile', async () => {
    const email = freshEmail();
    await byOperator('POST', '/staff', { email, role: 'support' });
    const tokenFor = async (purpose: 'confirm' | 'reset') =>
      new URL(
        await portal.deps.db.transaction((tx) => createMailLink(portal.deps, tx, { purpose, email })),
      ).searchParams.get('t');
    const answers = [
      await call(portal, 'POST', '/user/confirm', { body: { email, token: await tokenFor('confirm') } }),
      await call(portal, 'POST', '/user/confirmresetpassword', {
        body: { email, passwordToken: await tokenFor('reset'), password: 'eight or more' },
      }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400]);
  });

  test('keeps the address, however often somebody registers it', async () => {
    const email = freshEmail();
    await byOperator('POST', '/staff', { email, role: 'support' });
    const body = { email, firstName: 'Ann', lastName: 'Other', password: NEW_PASSWORD };
    const register = () => call(portal, 'POST', '/user/register', { body });
    // More than a mailbox gets in an hour.
    for (let count = 0; count < 6; count++)
      expect(refusalOf(await register())).toEqual([400, 'DuplicateEmail']);
  });

  test('is not added at an address whose unconfirmed account was switched off, until it is on again', async () => {
    const { email } = await makeUser(portal, { emailConfirmedAt: null, active: false });
    const add = () => byOperator('POST', '/staff', { email, role: 'support' });
    expect((await add()).json()).toMatchObject({
      status: 409,
      detail:
        'The account of this email address was switched off. Have it switched on first, or use another address.',
      errors: [{ code: 'EmailTaken', field: 'email' }],
    });
    await callOffice(portal, 'PUT', `/users/${email}`, { body: { active: true } });
    expect((await add()).statusCode).toBe(201);
  });

  test.each(['invited', 'active'] as const)(
    'who was %s and switched off is not added again, but switched on',
    async (state) => {
      const { email, staffId } = await makeStaff(portal, { role: 'support', state });
      await byOperator('PUT', `/staff/${staffId}`, { active: false });
      const refused = await byOperator('POST', '/staff', { email, role: 'support' });
      expect(refused.json()).toMatchObject({
        status: 409,
        detail: "This person's access was switched off. Switch it on in the list of staff.",
        errors: [{ code: 'AlreadyStaff', field: 'email' }],
      });
    },
  );

  test('is added once under one Idempotency-Key, and the link is not repeated', async () => {
    const headers = { ...OPERATOR, 'idempotency-key': 'add-once' };
    const body = { email: freshEmail(), role: 'viewer', franchiseIds: [franchiseId] };
    const add = (given: object) => callConsole(portal, 'POST', '/staff', { headers, body: given });
    expect((await add(body)).statusCode).toBe(201);
    expect(refusalOf(await add(body))).toEqual([409, 'DoneAlready']);
    expect(refusalOf(await add({ ...body, role: 'clerk' }))).toEqual([422, 'KeyReused']);
    const { rows } = await portal.deps.db.query.execute(sql`SELECT body FROM office_answer`);
    expect(rows).toEqual([{ body: null }]);
  });
});

describe('an owner', () => {
  test('sees and changes the people of their franchises, and nobody else', async () => {
    const owner = await ownerOf([franchiseId]);
    const clerk = await makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    const shared = await makeStaff(portal, {
      role: 'clerk',
      franchiseIds: [franchiseId, otherFranchiseId],
    });
    const other = await makeStaff(portal, { role: 'clerk', franchiseIds: [otherFranchiseId] });
    const list = await callConsole(portal, 'GET', '/staff', { cookie: owner.cookie });
    const items = list.json<{ items: { staffId: string; franchiseIds: number[]; mayChange: boolean }[] }>()
      .items;
    const seen = (staffId: string) => items.find((each) => each.staffId === staffId);
    expect(seen(clerk.staffId)).toMatchObject({ franchiseIds: [franchiseId], mayChange: true, hasApp: true });
    expect(seen(shared.staffId)).toMatchObject({ franchiseIds: [franchiseId], mayChange: false });
    expect([seen(other.staffId), seen(admin.person.staffId)]).toEqual([undefined, undefined]);

    const change = (staffId: string, body: object) =>
      callConfirmed(portal, owner, 'PUT', `/staff/${staffId}`, body);
    expect((await change(clerk.staffId, { role: 'viewer' })).json()).toMatchObject({ role: 'viewer' });
    expect(refusalOf(await change(shared.staffId, { role: 'viewer' }))).toEqual([403, 'NotAllowed']);
    expect(refusalOf(await change(other.staffId, { role: 'viewer' }))).toEqual([404, 'NotFound']);
    expect(refusalOf(await change(clerk.staffId, { role: 'admin' }))).toEqual([403, 'NotAllowed']);
    expect(refusalOf(await change(clerk.staffId, { franchiseIds: [otherFranchiseId] }))).toEqual([
      404,
      'NotFound',
    ]);
    expect(refusalOf(await change(owner.person.staffId, { role: 'clerk' }))).toEqual([409, 'NotYourself']);
    expect(await stateOf(owner.person)).toEqual({ role: 'owner', state: 'active' });
  });

  test('adds nobody to headquarters', async () => {
    const owner = await ownerOf([franchiseId]);
    const body = { email: 'hq@staff.example', role: 'admin' };
    const refused = await callConfirmed(portal, owner, 'POST', '/staff', body);
    expect(refusalOf(refused)).toEqual([403, 'NotAllowed']);
  });
});

describe('a change', () => {
  test('signs the person out in the same commit', async () => {
    const clerk = await makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    const cookie = await signInStaff(portal, clerk);
    await callConfirmed(portal, admin, 'PUT', `/staff/${clerk.staffId}`, { active: false });
    expect((await callConsole(portal, 'GET', '/me', { cookie })).statusCode).toBe(401);
    const start = await callConsole(portal, 'POST', '/session', {
      body: { email: clerk.email, password: STAFF_PASSWORD },
    });
    expect(start.json()).toMatchObject({
      status: 401,
      detail: 'Your access was switched off. Ask an owner or headquarters.',
    });
    const back = await callConfirmed(portal, admin, 'PUT', `/staff/${clerk.staffId}`, { active: true });
    expect(back.json()).toMatchObject({ state: 'active' });
  });

  test('on top of somebody else’s, of what was seen before it, is refused and changes nothing', async () => {
    const clerk = await makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    const path = `/staff/${clerk.staffId}`;
    const seen = async () => {
      const list = await callConsole(portal, 'GET', '/staff', { cookie: admin.cookie });
      const { items } = list.json<StaffList>();
      const { role, franchiseIds, version } = items.find(({ staffId }) => staffId === clerk.staffId) ?? {};
      return { place: { role, franchiseIds }, ifMatch: `"${version}"` };
    };
    const change = (body: object, ifMatch: string) =>
      callConfirmed(portal, admin, 'PUT', path, body, { 'if-match': ifMatch });
    const opened = await seen();
    await byOperator('PUT', path, { franchiseIds: [otherFranchiseId] });
    const late = await change({ role: 'viewer', franchiseIds: [franchiseId] }, opened.ifMatch);
    expect(refusalOf(late)).toEqual([409, 'EditedMeanwhile']);
    const moved = await seen();
    expect(moved.place).toEqual({ role: 'clerk', franchiseIds: [otherFranchiseId] });
    expect(refusalOf(await change({ role: 'viewer' }, '"none"'))).toEqual([409, 'EditedMeanwhile']);
    const { statusCode } = await change({ role: 'viewer', franchiseIds: [otherFranchiseId] }, moved.ifMatch);
    expect(statusCode).toBe(200);
    expect((await seen()).place).toEqual({ role: 'viewer', franchiseIds: [otherFranchiseId] });
  });

  test('that switches a person off ends the links mailed before, also once they are switched on again', async () => {
    const email = freshEmail();
    const added = await callConfirmed(portal, admin, 'POST', '/staff', { email, role: 'finance' });
    const { staffId } = added.json<{ staffId: string }>();
    const { deps } = portal;
    const tokenFor = async (purpose: 'office-reset' | 'invitation') => {
      const link = await deps.db.transaction((tx) => createMailLink(deps, tx, { purpose, email }));
      return { email, token: new URL(link).searchParams.get('t') ?? '' };
    };
    const reset = await tokenFor('office-reset');
    // An office may have invited the same address as a customer.
    const invitation = await tokenFor('invitation');
    const welcome = (link: { email: string; token: string }) =>
      callConsole(portal, 'POST', '/welcome', {
        body: { ...link, firstName: 'Fay', lastName: 'Finance', password: NEW_PASSWORD },
      });
    const before = await linkTo(portal, email);
    const switchTo = (active: boolean) =>
      callConfirmed(portal, admin, 'PUT', `/staff/${staffId}`, { active });
    await switchTo(false);
    expect(refusalOf(await welcome(before))).toEqual([400, 'InvalidToken']);
    expect((await switchTo(true)).json()).toMatchObject({ state: 'invited' });
    expect(refusalOf(await welcome(before))).toEqual([400, 'InvalidToken']);
    const resetting = await callConsole(portal, 'POST', '/session/reset/confirm', {
      body: { ...reset, password: NEW_PASSWORD },
    });
    expect(refusalOf(resetting)).toEqual([400, 'InvalidToken']);
    expect(await findGoodMailToken(deps, { purpose: 'invitation', ...invitation })).toBeDefined();

    await callConfirmed(portal, admin, 'POST', `/staff/${staffId}/link`);
    expect((await welcome(await linkTo(portal, email))).json()).toEqual({ next: 'enrol' });
  });

  test('of the factors leaves the password, which asks for new ones', async () => {
    const clerk = await makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    const reset = await callConfirmed(portal, admin, 'DELETE', `/staff/${clerk.staffId}/factors`);
    expect(reset.statusCode).toBe(204);
    const start = await callConsole(portal, 'POST', '/session', {
      body: { email: clerk.email, password: STAFF_PASSWORD },
    });
    expect(start.json()).toEqual({ next: 'enrol', methods: [] });
    expect(cookieOf(start)).toBeUndefined();
    expect((await linkTo(portal, clerk.email)).email).toBe(clerk.email);
  });

  test('of the factors, and a new link, stand in the audit of the person’s office', async () => {
    const owner = await ownerOf([franchiseId]);
    const { staffId, email } = await makeStaff(portal, { role: 'clerk', franchiseIds: [franchiseId] });
    await callConfirmed(portal, admin, 'DELETE', `/staff/${staffId}/factors`);
    await callConfirmed(portal, admin, 'POST', `/staff/${staffId}/link`);
    const { items } = (
      await callConsole(portal, 'GET', '/audit', { cookie: owner.cookie })
    ).json<AuditList>();
    const ofClerk = items.filter(({ subject }) => subject === `staff ${staffId}`);
    expect(ofClerk.map(({ action, detail }) => [action, detail])).toEqual([
      ['renew-staff-link', { person: email }],
      ['reset-factors', { person: email }],
    ]);
  });

  test('keeps an admin, even when the last two are removed at once', async () => {
    const { rows } = await portal.deps.db.query.execute<{ id: string }>(
      sql`SELECT id FROM staff WHERE role = 'admin' AND state = 'active'`,
    );
    const answers = await Promise.all(
      rows.map(({ id }) => byOperator('PUT', `/staff/${id}`, { active: false })),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect(refused.map(refusalOf)).toEqual([[409, 'LastAdmin']]);
    expect(refused[0]?.json().detail).toBe('There has to be an admin. Make another one first.');
    const left = await portal.deps.db.query.execute(
      sql`SELECT FROM staff WHERE role = 'admin' AND state = 'active'`,
    );
    expect(left.rows).toHaveLength(1);
    for (const { id } of rows) await byOperator('PUT', `/staff/${id}`, { active: true });
    admin.cookie = await signInStaff(portal, admin.person);
  });
});

test.each([
  ['the settings’ key', TEST_SECRETS.officeApiKey],
  ['a key that nobody knows', 'bpo_abcdefgh_0123456789012345678901234567890123456789012'],
])('%s adds no staff outside of the demo', async (_what, key) => {
  const answer = await callConsole(portal, 'POST', '/staff', {
    headers: { authorization: `Bearer ${key}` },
    body: { email: freshEmail(), role: 'admin' },
  });
  expect(answer.statusCode).toBe(key === TEST_SECRETS.officeApiKey ? 403 : 401);
});

describe('without an operator’s key', () => {
  const bare = useTestApp({ OFFICE_URL: OFFICE_SETTINGS.OFFICE_URL });

  test.each([
    ['GET', '/staff', undefined],
    ['POST', '/staff', { email: 'a@staff.example', role: 'admin' }],
    ['POST', '/staff/confirm', { all: true }],
    ['DELETE', '/staff/00000000-0000-4000-8000-00000000abcd/factors', undefined],
  ] as const)('no key may %s %s', async (method, path, body) => {
    const headers = { authorization: `Bearer ${TEST_SECRETS.officeApiKey}` };
    const answer = await callConsole(bare, method, path, { headers, body });
    expect(refusalOf(answer)).toEqual([403, 'NotAllowed']);
    const operator = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };
    expect((await callConsole(bare, method, path, { headers: operator, body })).statusCode).toBe(401);
  });
});

/** The code that an app with this secret shows. */
const codeFrom = (secret: string): string => totpCode(fromBase32(secret), stepAt(portal.now));
