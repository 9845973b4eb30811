import { createHash, randomUUID } from 'node:crypto';
import type { Role } from '@brightpane/contract/office-rights';
import { sql } from 'drizzle-orm';
import { hashPassword } from '../../src/modules/auth/passwords/password-hash.ts';
import { stepAt, totpCode } from '../../src/modules/staff/factors/totp.ts';
import { totpPlace } from '../../src/modules/staff/factors/totp-place.ts';
import { insertStaff } from '../../src/modules/staff/people/people.queries.ts';
import type { TestApp } from '../build-test-app.ts';

export const OFFICE_ORIGIN = 'https://office.example.com';
export const STAFF_PASSWORD = 'seven green windows';
/** Computed once per test process, because hashing is slow on purpose. */
const STAFF_PASSWORD_HASH = await hashPassword(STAFF_PASSWORD);

/** Settings that let people sign in to the console. */
export const OFFICE_SETTINGS = {
  OFFICE_URL: OFFICE_ORIGIN,
  OPERATOR_KEY: 'the key of whoever runs this portal',
};

const CONSOLE_HEADERS = {
  host: new URL(OFFICE_ORIGIN).host,
  origin: OFFICE_ORIGIN,
  'x-office': '1',
  'sec-fetch-site': 'same-origin',
};

type Given = { body?: unknown; cookie?: string | undefined; headers?: Record<string, string | undefined> };

/** The headers of the console's pages. */
export function consoleHeaders({ cookie, headers }: Omit<Given, 'body'>): Record<string, string> {
  const all = { ...CONSOLE_HEADERS, ...(cookie !== undefined && { cookie }), ...headers };
  const sent = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Record<string, string>;
}

/** Makes a call as the console's pages do. Headers given as undefined are left out. */
export function callConsole(
  { app }: TestApp,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, cookie, headers = {} }: Given = {},
) {
  return app.inject({
    method,
    url: `/api/office${path}`,
    headers: consoleHeaders({ cookie, headers }),
    ...(body !== undefined && { payload: body as object }),
  });
}

/** The session cookie that an answer sets, in the form of a request header. */
export function cookieOf(answer: { headers: Record<string, unknown> }): string | undefined {
  const set = ([] as unknown[]).concat(answer.headers['set-cookie'] ?? []).map(String);
  const [pair] = (set.find((each) => each.startsWith('__Host-office=')) ?? '').split(';');
  return pair || undefined;
}

export type TestPerson = { staffId: string; email: string; name: string; secret: Buffer; role: Role };

let people = 0;

/** A member of staff: by default active, with a password and an app. */
export async function makeStaff(
  { deps }: TestApp,
  {
    role = 'admin',
    franchiseIds = [],
    state = 'active',
    hasApp = true,
    lastName = `Example ${people}`,
  }: {
    role?: Role;
    franchiseIds?: number[];
    state?: 'active' | 'invited';
    hasApp?: boolean;
    /** By default, no two have one name. */
    lastName?: string;
  } = {},
): Promise<TestPerson> {
  const email = `${role}${people++}.${randomUUID().slice(0, 8)}@staff.example`;
  const secret = Buffer.from(randomUUID().replaceAll('-', '').slice(0, 20));
  const staffId = await deps.db.transaction(async (tx) => {
    const id = await insertStaff(tx, {
      email,
      firstName: 'Robin',
      lastName,
      role,
      franchiseIds,
      state,
      isConfirmed: state === 'active',
      invitedBy: null,
    });
    if (id === null) throw new Error('the email is taken');
    await tx.execute(sql`UPDATE app_user SET password_hash = ${STAFF_PASSWORD_HASH} WHERE email = ${email}`);
    const factorId = randomUUID();
    const sealed = deps.secretBox.seal(secret.toString('base64'), totpPlace(factorId));
    if (hasApp) {
      await tx.execute(sql`
        INSERT INTO staff_factor (id, staff_id, kind, name, confirmed_at, totp_secret, totp_last_step)
        VALUES (${factorId}, ${id}, 'totp', 'Phone', engine_now(), ${sealed}, 0)`);
    }
    return id;
  });
  return { staffId, email, name: `Robin ${lastName}`, secret, role };
}

/** Their app's code, that many steps from now. */
export const codeOf = ({ now }: TestApp, { secret }: TestPerson, steps = 0): string =>
  totpCode(secret, stepAt(now) + steps);

/** Moves half a minute on, so that the next code differs. */
export function waitForNextCode(portal: TestApp): void {
  portal.now = new Date(portal.now.getTime() + 30_000);
}

/** Signs a person in with password and app. Returns the cookie. */
export async function signInStaff(portal: TestApp, person: TestPerson): Promise<string> {
  const started = await callConsole(portal, 'POST', '/session', {
    body: { email: person.email, password: STAFF_PASSWORD },
  });
  waitForNextCode(portal);
  const shown = await callConsole(portal, 'POST', '/session/totp', {
    cookie: cookieOf(started),
    body: { code: codeOf(portal, person) },
  });
  const cookie = cookieOf(shown);
  if (!cookie) throw new Error(`${started.statusCode} ${shown.statusCode} ${shown.body}`);
  return cookie;
}

/** A member of staff, signed in. */
export async function makeSignedIn(
  portal: TestApp,
  given: Parameters<typeof makeStaff>[1] = {},
): Promise<{ person: TestPerson; cookie: string }> {
  const person = await makeStaff(portal, given);
  return { person, cookie: await signInStaff(portal, person) };
}

/** Confirms a second factor for one call; returns the header that the call then carries. */
export async function stepUpFor(
  portal: TestApp,
  { cookie, person }: { cookie: string; person: TestPerson },
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<Record<string, string>> {
  waitForNextCode(portal);
  const bytes = body === undefined ? '' : JSON.stringify(body);
  const act = {
    method,
    path: `/api/office${path}`,
    body: bytes === '' ? '' : createHash('sha256').update(bytes).digest('hex'),
  };
  const shown = await callConsole(portal, 'POST', '/step-up/totp', {
    cookie,
    body: { code: codeOf(portal, person), act },
  });
  if (shown.statusCode !== 200) throw new Error(shown.body);
  return { 'x-step-up': shown.json<{ stepUp: string }>().stepUp };
}

/** Makes a call with the second factor it requires. */
export async function callConfirmed(
  portal: TestApp,
  who: { cookie: string; person: TestPerson },
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  others: Record<string, string> = {},
) {
  const headers = { ...others, ...(await stepUpFor(portal, who, { method, path, body })) };
  return callConsole(portal, method, path, { cookie: who.cookie, headers, body });
}

/** A refusal's status and code. */
export const refusalOf = (answer: { statusCode: number; json(): { errors: { code: string }[] } }) => [
  answer.statusCode,
  answer.json().errors[0]?.code,
];

/** The mails queued for an address, newest last. */
export async function mailsTo(
  { deps }: TestApp,
  email: string,
): Promise<{ subject: string; text: string }[]> {
  const { rows } = await deps.db.query.execute<{ content: { subject: string; text: string } }>(
    sql`SELECT content FROM outgoing_mail WHERE recipient = ${email} ORDER BY created_at`,
  );
  return rows.map(({ content }) => content);
}

/** The parts of the newest link to an address. */
export async function linkTo(portal: TestApp, email: string): Promise<{ email: string; token: string }> {
  const texts = (await mailsTo(portal, email)).map(({ text }) => text);
  const [link = ''] = /https:\/\/\S+t=\S+/.exec(texts.findLast((text) => text.includes('t=')) ?? '') ?? [];
  const { searchParams } = new URL(link);
  return { email: searchParams.get('e') ?? '', token: searchParams.get('t') ?? '' };
}
