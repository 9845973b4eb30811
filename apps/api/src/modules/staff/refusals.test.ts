import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { makeInvoice, nextNumber } from '../../../test/factories/invoices.ts';
import { signInUser } from '../../../test/factories/users.ts';
import {
  callConfirmed,
  callConsole,
  codeOf,
  cookieOf,
  linkTo,
  makeSignedIn,
  makeStaff,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  stepUpFor,
  type TestPerson,
  waitForNextCode,
} from '../../../test/office/office-people.ts';

// The console's refusals word for word: people read these sentences to find out what to do.

const portal = useTestApp(OFFICE_SETTINGS);
const ACT = { method: 'GET', path: '/api/office/payments.csv', body: '' };

type Answer = { statusCode: number; json(): { detail: string; errors: { code: string; field?: string }[] } };
type Who = { person: TestPerson; cookie: string };

const refusalOf = (answer: Answer) => {
  const { detail, errors } = answer.json();
  const [{ code, field } = { code: '' }] = errors;
  return [answer.statusCode, code, detail, ...(field === undefined ? [] : [field])];
};

const signedIn = (given: Parameters<typeof makeStaff>[1] = {}): Promise<Who> => makeSignedIn(portal, given);
const start = (email: string, password = STAFF_PASSWORD) =>
  callConsole(portal, 'POST', '/session', { body: { email, password } });
const set = (statement: ReturnType<typeof sql>) => portal.deps.db.query.execute(statement);

/** A code that the app doesn't show, not even a step early or late. */
function wrongCode(person: TestPerson): string {
  const shown = [-1, 0, 1].map((step) => codeOf(portal, person, step));
  return ['000000', '111111', '222222', '333333'].find((code) => !shown.includes(code)) ?? '';
}

let admin: Who;
beforeAll(async () => {
  admin = await signedIn();
});

const SIGN_IN_FAILED = [401, 'SignInFailed', 'Wrong email or password.'];
const ACCESS_HELD = [
  401,
  'AccessHeld',
  'After a restore, your access has to be confirmed. Ask headquarters.',
];
const CODE_WRONG = 'This code is not right. Enter the code that your app shows now.';
const CODE_USED = 'This code was used already. Wait for the next one.';
const STEP_UP_INVALID = [
  403,
  'StepUpInvalid',
  'Please confirm again: what you confirmed was used, is too old, or was something else.',
];

const CASES: [what: string, refused: () => Promise<Answer>, words: (string | number)[]][] = [
  ['a wrong password', () => start(admin.person.email, 'not her password'), SIGN_IN_FAILED],
  ['an unknown address', () => start('nobody@staff.example'), SIGN_IN_FAILED],
  ['a customer’s address', async () => start((await signInUser(portal)).email), SIGN_IN_FAILED],
  [
    'an invited person’s address',
    async () => start((await makeStaff(portal, { state: 'invited', hasApp: false })).email, 'any password'),
    SIGN_IN_FAILED,
  ],
  [
    'a person who was switched off, who knows her password',
    async () => {
      const { email, staffId } = await makeStaff(portal);
      await set(sql`UPDATE staff SET state = 'off' WHERE id = ${staffId}`);
      return start(email);
    },
    [401, 'SwitchedOff', 'Your access was switched off. Ask an owner or headquarters.'],
  ],
  [
    'the same with a wrong password',
    async () => {
      const { email, staffId } = await makeStaff(portal);
      await set(sql`UPDATE staff SET state = 'off' WHERE id = ${staffId}`);
      return start(email, 'not her password');
    },
    SIGN_IN_FAILED,
  ],
  [
    'a person whose access is held after a restore',
    async () => {
      const { email, staffId } = await makeStaff(portal);
      await set(sql`UPDATE staff SET held_at = engine_now() WHERE id = ${staffId}`);
      return start(email);
    },
    ACCESS_HELD,
  ],
  [
    'the link of an invited person whose access is held after a restore',
    async () => {
      const email = 'held.invitation@staff.example';
      await callConfirmed(portal, admin, 'POST', '/staff', { email, role: 'support' });
      await set(sql`UPDATE staff SET held_at = engine_now() WHERE state = 'invited'`);
      const names = { firstName: 'Cora', lastName: 'Clerk', password: 'nine yellow ladders' };
      return callConsole(portal, 'POST', '/welcome', {
        body: { ...(await linkTo(portal, email)), ...names },
      });
    },
    ACCESS_HELD,
  ],
  [
    'a wrong code at sign-in',
    async () => {
      const person = await makeStaff(portal);
      const cookie = cookieOf(await start(person.email));
      return callConsole(portal, 'POST', '/session/totp', { cookie, body: { code: wrongCode(person) } });
    },
    [401, 'CodeWrong', CODE_WRONG],
  ],
  [
    'a code that was used, at sign-in',
    async () => {
      const { person } = await signedIn();
      const cookie = cookieOf(await start(person.email));
      return callConsole(portal, 'POST', '/session/totp', { cookie, body: { code: codeOf(portal, person) } });
    },
    [401, 'CodeUsed', CODE_USED],
  ],
  [
    'a wrong recovery code',
    async () => {
      const cookie = cookieOf(await start((await makeStaff(portal)).email));
      return callConsole(portal, 'POST', '/session/recovery', {
        cookie,
        body: { code: 'XXXX-XXXX-XXXX-XXXX' },
      });
    },
    [401, 'CodeWrong', 'This recovery code is not right, or was used already. Enter another one.'],
  ],
  [
    'a wrong code for an act',
    async () => {
      const { person, cookie } = await signedIn();
      const body = { code: wrongCode(person), act: ACT };
      return callConsole(portal, 'POST', '/step-up/totp', { cookie, body });
    },
    [400, 'CodeWrong', CODE_WRONG, 'code'],
  ],
  [
    'a code that was used, for an act',
    async () => {
      const { person, cookie } = await signedIn();
      const body = { code: codeOf(portal, person), act: ACT };
      return callConsole(portal, 'POST', '/step-up/totp', { cookie, body });
    },
    [400, 'CodeUsed', CODE_USED, 'code'],
  ],
  [
    'a wrong code after a while away',
    async () => {
      const { person, cookie } = await signedIn();
      await set(sql`UPDATE office_session SET seen_at = engine_now() - interval '31 minutes'
                     WHERE staff_id = ${person.staffId}`);
      return callConsole(portal, 'POST', '/session/resume', { cookie, body: { code: wrongCode(person) } });
    },
    [400, 'CodeWrong', CODE_WRONG, 'code'],
  ],
  [
    'a sign-in that took too long',
    async () => {
      const person = await makeStaff(portal);
      const cookie = cookieOf(await start(person.email));
      await set(sql`UPDATE office_session SET expires_at = engine_now() WHERE staff_id = ${person.staffId}`);
      return callConsole(portal, 'POST', '/session/totp', { cookie, body: { code: codeOf(portal, person) } });
    },
    [401, 'SignInExpired', 'This took too long. Please sign in again.'],
  ],
  ...['environment', ' Environment ', 'OPERATOR'].map((name): (typeof CASES)[number] => [
    `a new key with the name "${name}" of a settings' key`,
    () =>
      callConsole(portal, 'POST', '/api-keys', {
        cookie: admin.cookie,
        body: { name, franchiseId: null, rights: ['view'] },
      }),
    [400, 'Invalid', 'A key of the settings has this name. Choose another one.', 'name'],
  ]),
  ['nobody', () => callConsole(portal, 'GET', '/me'), [401, 'SignedOut', 'Please sign in.']],
  [
    'whoever was away for half an hour',
    async () => {
      const { person, cookie } = await signedIn();
      await set(sql`UPDATE office_session SET seen_at = engine_now() - interval '31 minutes'
                     WHERE staff_id = ${person.staffId}`);
      return callConsole(portal, 'GET', '/me', { cookie });
    },
    [401, 'SessionIdle', 'You were away for a while. Please confirm that it is you.'],
  ],
  [
    'a person without the right',
    async () => {
      const { franchiseId } = await makeInvoice(portal.deps.db.query);
      const { cookie } = await signedIn({ role: 'viewer', franchiseIds: [franchiseId] });
      return callConsole(portal, 'GET', '/staff', { cookie });
    },
    [403, 'NotAllowed', 'You may not do this.'],
  ],
  [
    'a key, where a person is needed',
    () =>
      callConsole(portal, 'GET', '/account', {
        headers: { authorization: `Bearer ${portal.deps.env.OFFICE_API_KEY}` },
      }),
    [403, 'PersonNeeded', 'This needs a person who is signed in.'],
  ],
  [
    'a write of another page',
    () =>
      callConsole(portal, 'PUT', '/account', {
        cookie: admin.cookie,
        headers: { origin: 'https://evil.example' },
        body: { shortcuts: true },
      }),
    [403, 'ForeignRequest', 'This request did not come from the office console.'],
  ],
  [
    'an act that nobody has confirmed',
    () => callConsole(portal, 'POST', '/recovery-codes', { cookie: admin.cookie, body: {} }),
    [403, 'StepUpRequired', 'Please confirm with your second factor.'],
  ],
  [
    'an act that was confirmed five minutes ago',
    async () => {
      const act = { method: 'POST', path: '/recovery-codes', body: {} } as const;
      const headers = await stepUpFor(portal, admin, act);
      await set(sql`UPDATE step_up SET expires_at = engine_now()`);
      return callConsole(portal, 'POST', act.path, { cookie: admin.cookie, headers, body: act.body });
    },
    STEP_UP_INVALID,
  ],
  [
    'an act with its body in another order of keys',
    async () => {
      const body = { email: `order${nextNumber()}@staff.example`, role: 'support' };
      const headers = await stepUpFor(portal, admin, { method: 'POST', path: '/staff', body });
      const turned = { role: body.role, email: body.email };
      return callConsole(portal, 'POST', '/staff', { cookie: admin.cookie, headers, body: turned });
    },
    STEP_UP_INVALID,
  ],
  [
    'an act that showed a secret, sent again',
    async () => {
      const body = { name: 'Twice', franchiseId: null, rights: ['view'] };
      const headers = {
        ...(await stepUpFor(portal, admin, { method: 'POST', path: '/api-keys', body })),
        'idempotency-key': 'twice',
      };
      const make = () => callConsole(portal, 'POST', '/api-keys', { cookie: admin.cookie, headers, body });
      expect((await make()).statusCode).toBe(201);
      return make();
    },
    [
      409,
      'DoneAlready',
      'This was done already, and what it showed is not shown again. If you missed it, make a new one.',
    ],
  ],
  [
    'taking away the only factor',
    async () => {
      const who = await signedIn();
      const account = await callConsole(portal, 'GET', '/account', { cookie: who.cookie });
      const [factor] = account.json<{ factors: { factorId: string }[] }>().factors;
      return callConfirmed(portal, who, 'DELETE', `/factors/${factor?.factorId}`);
    },
    [409, 'LastFactor', 'This is your only second factor. Add another one first.'],
  ],
  [
    'adding somebody who works here',
    () => callConfirmed(portal, admin, 'POST', '/staff', { email: admin.person.email, role: 'support' }),
    [409, 'AlreadyStaff', 'This person works here already.', 'email'],
  ],
  [
    'adding a customer',
    async () => {
      const { email } = await signInUser(portal);
      return callConfirmed(portal, admin, 'POST', '/staff', { email, role: 'support' });
    },
    [
      409,
      'EmailTaken',
      "This email address belongs to a customer's account. Use another one for the office.",
      'email',
    ],
  ],
  [
    'a link for somebody whose access is set up',
    async () => {
      const { staffId } = await makeStaff(portal);
      return callConfirmed(portal, admin, 'POST', `/staff/${staffId}/link`);
    },
    [409, 'HasAccess', 'This person needs no link: their access is already set up, or switched off.'],
  ],
  [
    'switching oneself off',
    () => callConfirmed(portal, admin, 'PUT', `/staff/${admin.person.staffId}`, { active: false }),
    [409, 'NotYourself', "You can't change your own access. Ask somebody else."],
  ],
];

describe('is refused in words', () => {
  test.each(CASES)('%s', async (_what, refused, words) => {
    waitForNextCode(portal);
    expect(refusalOf(await refused())).toEqual(words);
  });
});
