import { TEST_SECRETS, type TestApp } from '../../build-test-app.ts';
import { makeInvoice } from '../../factories/invoices.ts';
import { newestLink } from '../../mail/mailbox.ts';
import {
  callConfirmed,
  callConsole,
  codeOf,
  cookieOf,
  linkTo,
  OFFICE_ORIGIN,
  OFFICE_SETTINGS,
  STAFF_PASSWORD,
  signInStaff,
  type TestPerson,
  waitForNextCode,
} from '../../office/office-people.ts';
import { createSoftwarePasskey } from '../../office/software-passkey.ts';
import type { Step } from '../recorder.ts';

const PASSWORD = 'nine yellow ladders';

/** How staff sign in, enroll, and manage their factors and each other. */
export async function useStaff(portal: TestApp, step: Step, { admin }: { admin: TestPerson }): Promise<void> {
  const before = portal.now;
  const operator = { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` };
  // The previous round's tasks noticed a restore, which holds everybody.
  await callConsole(portal, 'POST', '/staff/confirm', { headers: operator, body: { all: true } });
  const { franchiseId } = await makeInvoice(portal.deps.db.query);
  const started = await step('start to sign in', () =>
    callConsole(portal, 'POST', '/session', { body: { email: admin.email, password: STAFF_PASSWORD } }),
  );
  waitForNextCode(portal);
  const shown = await step('show a code', () =>
    callConsole(portal, 'POST', '/session/totp', {
      cookie: cookieOf(started),
      body: { code: codeOf(portal, admin) },
    }),
  );
  const who = { cookie: cookieOf(shown) ?? '', person: admin };
  await keepAccount(portal, step, who);
  await keepStaff(portal, step, { who, franchiseId });
  await keepKeys(portal, step, who);
  await comeBack(portal, step, who);
  portal.now = before;
}

type Who = { cookie: string; person: TestPerson };

async function keepAccount(portal: TestApp, step: Step, who: Who): Promise<void> {
  const { cookie } = who;
  await step('who is signed in', () => callConsole(portal, 'GET', '/me', { cookie }));
  await step('an account', () => callConsole(portal, 'GET', '/account', { cookie }));
  await step('an account’s settings', () =>
    callConsole(portal, 'PUT', '/account', { cookie, body: { shortcuts: false } }),
  );
  const options = await step('a passkey to make', () =>
    callConsole(portal, 'POST', '/factors/passkey/options', { cookie, body: {} }),
  );
  const phone = createSoftwarePasskey();
  const credential = phone.create({ challenge: options.json().challenge, origin: OFFICE_ORIGIN });
  const added = await step('a passkey that is made', () =>
    callConfirmed(portal, who, 'POST', '/factors/passkey', { credential, name: 'Phone' }),
  );
  const factor = `/factors/${added.json().factorId}`;
  await step('a factor’s name', () =>
    callConsole(portal, 'PUT', factor, { cookie, body: { name: 'Old phone' } }),
  );
  const asked = await step('a passkey to show', () =>
    callConsole(portal, 'POST', '/session/passkey/options', { body: {} }),
  );
  const { challenge } = asked.json();
  await step('a passkey that is shown', () =>
    callConsole(portal, 'POST', '/session/passkey', {
      cookie: cookieOf(asked),
      body: { credential: phone.get({ challenge, origin: OFFICE_ORIGIN }) },
    }),
  );
  await step('a factor that is removed', () => callConfirmed(portal, who, 'DELETE', factor));
  const renewed = await step('new recovery codes', () =>
    callConfirmed(portal, who, 'POST', '/recovery-codes', {}),
  );
  const again = await callConsole(portal, 'POST', '/session', {
    body: { email: who.person.email, password: STAFF_PASSWORD },
  });
  await step('a recovery code', () =>
    callConsole(portal, 'POST', '/session/recovery', {
      cookie: cookieOf(again),
      body: { code: renewed.json().recoveryCodes[0] },
    }),
  );
  const { sessions } = (await callConsole(portal, 'GET', '/account', { cookie })).json();
  const other = sessions.find(({ isThis }: { isThis: boolean }) => !isThis);
  await step('a session that is ended', () =>
    callConsole(portal, 'DELETE', `/account/sessions/${other.sessionId}`, { cookie }),
  );
}

async function keepStaff(
  portal: TestApp,
  step: Step,
  { who, franchiseId }: { who: Who; franchiseId: number },
): Promise<void> {
  const email = `clerk.${franchiseId}@staff.example`;
  const added = await step('staff that is added', () =>
    callConfirmed(portal, who, 'POST', '/staff', { email, role: 'clerk', franchiseIds: [franchiseId] }),
  );
  const staff = `/staff/${added.json().staffId}`;
  await step('a link that is sent again', () => callConfirmed(portal, who, 'POST', `${staff}/link`));
  const link = await linkTo(portal, email);
  const names = { firstName: 'Robin', lastName: 'Example' };
  const welcomed = await step('a welcome', () =>
    callConsole(portal, 'POST', '/welcome', { body: { ...link, ...names, password: PASSWORD } }),
  );
  const cookie = cookieOf(welcomed);
  const app = await step('an app to add', () =>
    callConsole(portal, 'POST', '/factors/totp', { cookie, body: {} }),
  );
  const { factorId, secret } = app.json();
  const code = codeOf(portal, { ...who.person, secret: fromBase32(secret) });
  await step('an app that is confirmed', () =>
    callConsole(portal, 'POST', '/factors/totp/confirm', { cookie, body: { factorId, code, name: 'Phone' } }),
  );
  // Without statistics, the planner assumes a long table.
  await portal.deps.db.pool.query('ANALYZE staff, staff_franchise, staff_factor');
  await step('the staff', () => callConsole(portal, 'GET', '/staff', { cookie: who.cookie }));
  await step('a role that changes', () => callConfirmed(portal, who, 'PUT', staff, { role: 'viewer' }));
  await step('factors that are reset', () => callConfirmed(portal, who, 'DELETE', `${staff}/factors`));
}

async function keepKeys(portal: TestApp, step: Step, who: Who): Promise<void> {
  const body = { name: 'A program', franchiseId: null, rights: ['view'] };
  const added = await step('a key that is added', () =>
    callConfirmed(portal, who, 'POST', '/api-keys', body),
  );
  const { key, apiKeyId } = added.json();
  await step('a call by key', () =>
    callConsole(portal, 'GET', '/invoices', { headers: { authorization: `Bearer ${key}` } }),
  );
  await step('the keys', () => callConsole(portal, 'GET', '/api-keys', { cookie: who.cookie }));
  await step('a key that is revoked', () => callConfirmed(portal, who, 'DELETE', `/api-keys/${apiKeyId}`));
  await step('a call by the key of the settings', () =>
    callConsole(portal, 'GET', '/status', {
      headers: { authorization: `Bearer ${TEST_SECRETS.officeApiKey}` },
    }),
  );
}

/** After idling, a forgotten password and a changed one. */
async function comeBack(portal: TestApp, step: Step, who: Who): Promise<void> {
  const { cookie, person } = who;
  portal.now = new Date(portal.now.getTime() + 31 * 60_000);
  const resumed = await step('a session that goes on', () =>
    callConsole(portal, 'POST', '/session/resume', { cookie, body: { code: codeOf(portal, person) } }),
  );
  await step('a password that changes', () =>
    callConfirmed(portal, { cookie: cookieOf(resumed) ?? cookie, person }, 'PUT', '/account/password', {
      password: PASSWORD,
    }),
  );
  await step('a forgotten password', () =>
    callConsole(portal, 'POST', '/session/reset', { body: { email: person.email } }),
  );
  const { email, token } = await newestLink(portal, person.email);
  const body = { email, token, password: STAFF_PASSWORD };
  await step('a password that is reset', () =>
    callConsole(portal, 'POST', '/session/reset/confirm', { body }),
  );
  const last = await signInStaff(portal, person);
  await step('a sign-out', () => callConsole(portal, 'DELETE', '/session', { cookie: last }));
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
