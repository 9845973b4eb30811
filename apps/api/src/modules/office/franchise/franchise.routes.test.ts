import { createHash } from 'node:crypto';
import type { Role } from '@brightpane/contract/office-rights';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useEmulator } from '../../../../test/emulator.ts';
import { usePaymentsApp } from '../../../../test/factories/payments/payments.ts';
import { callOffice, importRows, officeRow } from '../../../../test/office/office.ts';
import {
  callConsole,
  codeOf,
  makeStaff,
  OFFICE_SETTINGS,
  signInStaff,
  type TestPerson,
  waitForNextCode,
} from '../../../../test/office/office-people.ts';

const emulator = useEmulator();
const portal = usePaymentsApp(emulator, () => OFFICE_SETTINGS);

const OWN = 8001;
const OTHER = 8002;
const KEYS = { apiKey: 'new-api-key', pin: '1234', publicKey: '_new' };
const path = `/franchises/${OWN}`;

type SignedIn = { person: TestPerson; cookie: string };
const staff = {} as Record<'admin' | 'owner' | 'clerk', SignedIn>;

beforeAll(async () => {
  await importRows(
    portal,
    [OWN, OTHER].map((id) => officeRow({ franchiseId: String(id) })),
  );
  const signIn = async (role: Role, franchiseIds: number[] = []) => {
    const person = await makeStaff(portal, { role, franchiseIds });
    return { person, cookie: await signInStaff(portal, person) };
  };
  staff.admin = await signIn('admin');
  staff.owner = await signIn('owner', [OWN]);
  staff.clerk = await signIn('clerk', [OWN]);
});

beforeEach(() => emulator.clearFaults());

const read = async ({ cookie }: SignedIn) => (await callConsole(portal, 'GET', path, { cookie })).json();

const version = async (who: SignedIn) => `"${(await read(who)).version}"`;

async function change(
  { person, cookie }: SignedIn,
  body: object,
  { ifMatch, confirmed = false, at = path }: { ifMatch?: string; confirmed?: boolean; at?: string } = {},
) {
  const stepUp = confirmed ? await confirm({ person, cookie }, { method: 'PUT', path: at, body }) : undefined;
  return callConsole(portal, 'PUT', at, {
    cookie,
    body,
    headers: { 'if-match': ifMatch, 'x-step-up': stepUp },
  });
}

/** Confirms an act with the second factor. */
async function confirm({ person, cookie }: SignedIn, act: { method: string; path: string; body: object }) {
  waitForNextCode(portal);
  const body = createHash('sha256').update(JSON.stringify(act.body)).digest('hex');
  const shown = await callConsole(portal, 'POST', '/step-up/totp', {
    cookie,
    body: { code: codeOf(portal, person), act: { ...act, path: `/api/office${act.path}`, body } },
  });
  return shown.json().stepUp as string;
}

const codeIn = (answer: { statusCode: number; json(): { errors: { code: string }[] } }) => [
  answer.statusCode,
  answer.json().errors[0]?.code,
];

const lastAct = async () => {
  const { rows } = await portal.deps.db.query.execute(sql`
    SELECT actor, action, franchise_id AS "franchiseId", before, after, detail
      FROM audit_event ORDER BY id DESC LIMIT 1`);
  return rows[0];
};

describe('settings of a franchise', () => {
  test('show the merchant account of the next charge, and never its keys', async () => {
    expect(await read(staff.owner)).toEqual({
      franchiseId: OWN,
      name: 'Clear View',
      phone: null,
      email: null,
      address: null,
      timeZone: 'America/Chicago',
      maxCreditPercent: 25,
      refundLimit: 200,
      refundDayLimit: 1000,
      merchantAccount: {
        merchantAccountId: expect.any(Number),
        kind: 'portal',
        publicKey: expect.any(String),
        since: expect.any(String),
      },
      version: expect.any(Number),
    });
  });

  test('are changed by an owner who has seen them, and audited with the values before and after', async () => {
    const ifMatch = await version(staff.owner);
    const answer = await change(staff.owner, { phone: '312-555-0100' }, { ifMatch });
    expect([answer.statusCode, answer.json().phone]).toEqual([200, '312-555-0100']);
    expect(await lastAct()).toEqual({
      actor: staff.owner.person.email,
      action: 'change-franchise',
      franchiseId: OWN,
      before: { phone: null },
      after: { phone: '312-555-0100' },
      detail: { settings: ['phone'] },
    });
    const late = await change(staff.owner, { phone: '312-555-0111' }, { ifMatch });
    expect(codeIn(late)).toEqual([409, 'EditedMeanwhile']);
    expect((await read(staff.owner)).phone).toBe('312-555-0100');
  });

  test('need the version that a person saw; a program may leave it out', async () => {
    expect(codeIn(await change(staff.owner, { phone: '1' }))).toEqual([428, 'VersionRequired']);
    expect(codeIn(await change(staff.owner, { phone: '1' }, { ifMatch: '*' }))).toEqual([
      409,
      'EditedMeanwhile',
    ]);
    const byKey = await callOffice(portal, 'PUT', path, { body: { phone: '312-555-0122' } });
    expect(byKey.statusCode).toBe(200);
  });

  test('are refused without the right, and not found by another office', async () => {
    expect(codeIn(await change(staff.clerk, { phone: '1' }))).toEqual([403, 'NotAllowed']);
    expect((await callConsole(portal, 'GET', path, { cookie: staff.clerk.cookie })).statusCode).toBe(403);
    const elsewhere = await change(
      staff.owner,
      { phone: '1' },
      { ifMatch: '"1"', at: `/franchises/${OTHER}` },
    );
    expect(elsewhere.statusCode).toBe(404);
    expect(
      (await callConsole(portal, 'GET', `/franchises/${OTHER}`, { cookie: staff.owner.cookie })).statusCode,
    ).toBe(404);
  });
});

describe('the largest credit', () => {
  test('is set by an admin with a second factor', async () => {
    const ifMatch = await version(staff.admin);
    const body = { maxCreditPercent: 10 };
    expect(codeIn(await change(staff.admin, body, { ifMatch }))).toEqual([403, 'StepUpRequired']);
    expect((await read(staff.admin)).maxCreditPercent).toBe(25);
    expect((await change(staff.admin, body, { ifMatch, confirmed: true })).statusCode).toBe(200);
    expect((await read(staff.admin)).maxCreditPercent).toBe(10);
    expect(await lastAct()).toMatchObject({ before: { maxCreditPercent: 25 }, after: body });
  });

  test('costs no second factor when it is refused', async () => {
    const body = { maxCreditPercent: 15 };
    const stepUp = await confirm(staff.admin, { method: 'PUT', path, body });
    const save = (ifMatch: string) =>
      callConsole(portal, 'PUT', path, {
        cookie: staff.admin.cookie,
        body,
        headers: { 'if-match': ifMatch, 'x-step-up': stepUp },
      });
    expect(codeIn(await save('"0"'))).toEqual([409, 'EditedMeanwhile']);
    expect((await save(await version(staff.admin))).statusCode).toBe(200);
  });

  test('can be set by no owner and no key', async () => {
    const ifMatch = await version(staff.owner);
    const body = { phone: '312-555-0133', maxCreditPercent: 50 };
    expect(codeIn(await change(staff.owner, body, { ifMatch }))).toEqual([403, 'NotAllowed']);
    expect(codeIn(await callOffice(portal, 'PUT', path, { body }))).toEqual([403, 'PersonNeeded']);
    expect(await read(staff.owner)).not.toMatchObject({ phone: '312-555-0133' });
  });
});

describe('the limits of refunds', () => {
  test('are set by an admin with a second factor, even to zero, and audited with the values before and after', async () => {
    const ifMatch = await version(staff.admin);
    const body = { refundLimit: 0, refundDayLimit: 512.5 };
    expect(codeIn(await change(staff.admin, body, { ifMatch }))).toEqual([403, 'StepUpRequired']);
    expect((await change(staff.admin, body, { ifMatch, confirmed: true })).statusCode).toBe(200);
    expect(await read(staff.admin)).toMatchObject(body);
    expect(await lastAct()).toMatchObject({
      action: 'change-franchise',
      before: { refundLimit: 200, refundDayLimit: 1000 },
      after: body,
    });
  });

  test.each([{ refundLimit: 300 }, { refundDayLimit: 300 }])(
    'can be set by no owner and no key: %j',
    async (limit) => {
      const before = await read(staff.admin);
      const ifMatch = await version(staff.owner);
      expect(codeIn(await change(staff.owner, limit, { ifMatch, confirmed: true }))).toEqual([
        403,
        'NotAllowed',
      ]);
      expect(codeIn(await callOffice(portal, 'PUT', path, { body: limit }))).toEqual([403, 'PersonNeeded']);
      expect(await read(staff.admin)).toEqual(before);
    },
  );

  test.each([-1, 0.001, 100_000, 'lots', null])('must be amounts: %j is none', async (refundLimit) => {
    const answer = await change(staff.admin, { refundLimit }, { ifMatch: await version(staff.admin) });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([
      { field: 'refundLimit', description: 'Please enter a limit between 0.00 and 99,999.00.' },
    ]);
  });
});

describe('merchant keys', () => {
  test('are replaced by an admin with a second factor or by a key, and by no owner', async () => {
    const body = { gateway: KEYS };
    const ifMatch = await version(staff.admin);
    expect(codeIn(await change(staff.owner, body, { ifMatch }))).toEqual([403, 'NotAllowed']);
    expect(codeIn(await change(staff.admin, body, { ifMatch }))).toEqual([403, 'StepUpRequired']);
    expect((await change(staff.admin, body, { ifMatch, confirmed: true })).statusCode).toBe(200);
    expect((await read(staff.admin)).merchantAccount).toMatchObject({ kind: 'own', publicKey: '_new' });
    expect(await lastAct()).toMatchObject({ before: {}, after: {}, detail: { settings: ['gateway'] } });
    expect((await callOffice(portal, 'PUT', path, { body: { gateway: null } })).statusCode).toBe(200);
    expect((await read(staff.admin)).merchantAccount).toMatchObject({ kind: 'portal' });
  });

  test('are tested by requesting one listing, which moves nothing', async () => {
    const known = await emulator.merchant('portal');
    const { apiKey, pin, publicKey } = known;
    const before = await emulator.ledger();
    const tried = (keys: object) =>
      callConsole(portal, 'POST', `${path}/gateway/test`, { cookie: staff.admin.cookie, body: keys });
    expect((await tried({ apiKey, pin, publicKey })).json()).toEqual({
      works: true,
      words: 'The provider knows these keys.',
    });
    expect((await tried(KEYS)).json()).toEqual({
      works: false,
      words: 'The provider does not know these keys.',
    });
    await emulator.script({ fault: 'status', status: 500, command: 'list', times: 1 });
    expect((await tried({ apiKey, pin, publicKey })).json()).toEqual({
      works: false,
      words: 'The provider did not answer. Please try again in a while.',
    });
    expect(await emulator.ledger()).toEqual(before);
    expect(await lastAct()).toMatchObject({ action: 'test-keys', after: { works: false } });
    const { rows } = await portal.deps.db.query.execute(sql`
      SELECT FROM audit_event a WHERE a::text LIKE ${`%${KEYS.apiKey}%`}`);
    expect(rows).toEqual([]);
    const refused = await callConsole(portal, 'POST', `${path}/gateway/test`, {
      cookie: staff.owner.cookie,
      body: KEYS,
    });
    expect(codeIn(refused)).toEqual([403, 'NotAllowed']);
  });

  test('are tested thirty times an hour, and then no more', async () => {
    portal.now = new Date(portal.now.getTime() + 3_600_000);
    const cookie = await signInStaff(portal, staff.admin.person);
    const tried = () => callConsole(portal, 'POST', `${path}/gateway/test`, { cookie, body: KEYS });
    for (let count = 0; count < 30; count++) expect((await tried()).statusCode).toBe(200);
    const before = await lastAct();
    expect(codeIn(await tried())).toEqual([429, 'TooManyAttempts']);
    expect(await lastAct()).toEqual(before);
  });
});
