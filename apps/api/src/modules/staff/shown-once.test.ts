import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../../test/build-test-app.ts';
import { fromBase32 } from '../../../test/office/from-base32.ts';
import { newPasskeyOf } from '../../../test/office/office-passkeys.ts';
import {
  callConfirmed,
  callConsole,
  cookieOf,
  linkTo,
  makeSignedIn,
  makeStaff,
  OFFICE_SETTINGS,
  refusalOf,
  stepUpFor,
} from '../../../test/office/office-people.ts';
import { stepAt, totpCode } from './factors/totp.ts';

const portal = useTestApp(OFFICE_SETTINGS);

describe('what is shown once is not repeated under its Idempotency-Key', () => {
  type Who = Awaited<ReturnType<typeof makeSignedIn>>;
  const SECRETS: [string, string, unknown, number][] = [
    ['an API key', '/api-keys', { name: 'A program', franchiseId: null, rights: ['view'] }, 201],
    ['recovery codes', '/recovery-codes', {}, 201],
    ['an app’s secret', '/factors/totp', {}, 200],
  ];
  const send = async (who: Who, path: string, { key, body }: { key: string; body: unknown }) => {
    const stepUp = await stepUpFor(portal, who, { method: 'POST', path, body });
    const headers = { ...stepUp, 'idempotency-key': key };
    return callConsole(portal, 'POST', path, { cookie: who.cookie, headers, body });
  };

  /** An app that has its secret and shows a code. */
  const newAppOf = async (cookie: string | undefined) => {
    const made = await callConsole(portal, 'POST', '/factors/totp', { cookie, body: {} });
    const { factorId, secret } = made.json<{ factorId: string; secret: string }>();
    return { factorId, code: totpCode(fromBase32(secret), stepAt(portal.now)), name: 'Phone' };
  };

  test.each(SECRETS)('%s', async (what, path, body, status) => {
    const who = await makeSignedIn(portal);
    const given = { key: `once-${what.length}`, body };
    expect((await send(who, path, given)).statusCode).toBe(status);
    const again = await send(who, path, given);
    expect(again.json()).toMatchObject({
      status: 409,
      detail:
        'This was done already, and what it showed is not shown again. If you missed it, make a new one.',
      errors: [{ code: 'DoneAlready' }],
    });
    const { rows } = await portal.deps.db.query.execute(
      sql`SELECT body FROM office_answer WHERE actor_id = ${who.person.staffId}`,
    );
    expect(rows).toEqual([{ body: null }]);
  });

  test.each(['totp', 'passkey'] as const)('nor is a %s that was added', async (kind) => {
    const who = await makeSignedIn(portal);
    const body = kind === 'totp' ? await newAppOf(who.cookie) : (await newPasskeyOf(portal, who)).body;
    const path = kind === 'totp' ? '/factors/totp/confirm' : '/factors/passkey';
    const given = { key: `add-${kind}`, body };
    expect((await send(who, path, given)).statusCode).toBe(200);
    const headers = { 'idempotency-key': given.key };
    const again = await callConsole(portal, 'POST', path, { cookie: who.cookie, headers, body });
    expect(refusalOf(again)).toEqual([409, 'DoneAlready']);
  });

  test('nor are the recovery codes of a new enrolment, while a wrong code before it keeps the key usable', async () => {
    const email = `new-${randomUUID()}@staff.example`;
    await callConfirmed(portal, await makeSignedIn(portal), 'POST', '/staff', { email, role: 'support' });
    const names = { firstName: 'Cora', lastName: 'Clerk', password: 'nine yellow ladders' };
    const welcome = { ...(await linkTo(portal, email)), ...names };
    const cookie = cookieOf(await callConsole(portal, 'POST', '/welcome', { body: welcome }));
    const body = await newAppOf(cookie);
    const confirm = (key: string, as: string | undefined, code = body.code) =>
      callConsole(portal, 'POST', '/factors/totp/confirm', {
        cookie: as,
        headers: { 'idempotency-key': key },
        body: { ...body, code },
      });
    const wrong = body.code === '000000' ? '000001' : '000000';
    expect(refusalOf(await confirm('first-app', cookie, wrong))).toEqual([400, 'CodeWrong']);
    const enrolled = await confirm('first-app', cookie);
    expect(enrolled.json()).toMatchObject({ recoveryCodes: expect.any(Array) });
    expect(refusalOf(await confirm('first-app', cookieOf(enrolled)))).toEqual([409, 'DoneAlready']);
  });

  test('nor is a person’s link, which no staff see at all', async () => {
    const who = await makeSignedIn(portal);
    const { staffId } = await makeStaff(portal, { state: 'invited', hasApp: false });
    const given = { key: 'link-once', body: undefined };
    const path = `/staff/${staffId}/link`;
    const sent = await send(who, path, given);
    expect([sent.statusCode < 300, sent.body.includes('welcome?')]).toEqual([true, false]);
    expect(refusalOf(await send(who, path, given))).toEqual([409, 'DoneAlready']);
  });
});
