import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { appUser } from '../../../src/db/schema/people.ts';
import { call, type TestApp } from '../../build-test-app.ts';
import { confirmNewEmail, linkIn } from '../../factories/email-changes.ts';
import { TEST_PASSWORD } from '../../factories/users.ts';
import { newestLink } from '../../mail/mailbox.ts';
import { callOffice } from '../../office/office.ts';
import { makePlanAccount } from '../customers.ts';
import type { Step } from '../recorder.ts';

const NEW_PASSWORD = 'yet another long sentence';
const PASSWORD = 'a long enough password';

/** Everything that an account does, except invoices and cards. */
export async function useAccounts(portal: TestApp, step: Step, { count }: { count: number }): Promise<void> {
  const { email } = await makePlanAccount(portal, { count });
  const post = (path: string, body: unknown, token?: string) =>
    call(portal, 'POST', path, { body, ...(token !== undefined && { token }) });
  const signIn = (password: string) => post('/authentication/login', { email, password });

  await step('a wrong password', async () => void (await signIn('not the password')));
  await step('sign in', () => signIn(TEST_PASSWORD));
  const again = await step('sign in at a known address', () => signIn(TEST_PASSWORD));
  const { accessToken: token, refreshToken } = again.json<{ accessToken: string; refreshToken: string }>();
  await step('the account', () => call(portal, 'GET', '/user', { token }));
  const passwordHash = await hash(TEST_PASSWORD, { memoryCost: 4096, timeCost: 1 });
  await portal.deps.db.query.update(appUser).set({ passwordHash }).where(eq(appUser.email, email));
  await step('sign in with a hash of an older kind', () => signIn(TEST_PASSWORD));
  await step('refresh', () => post('/authentication/refresh', { refreshToken }));
  await step('refresh with a spent token', async () => {
    await post('/authentication/refresh', { refreshToken });
  });
  await step('sign out', () => post('/authentication/logout', { refreshToken }, token));

  await step('ask for a new password', () => post(`/user/resetpassword?email=${email}`, {}));
  const reset = await newestLink(portal, email);
  await step('set a new password', () =>
    post('/user/confirmresetpassword', { email, passwordToken: reset.token, password: PASSWORD }),
  );
  await lookAfterAccount(portal, step, { email, count });
  await step('switch an account off', () =>
    callOffice(portal, 'PUT', `/users/${email}`, { body: { active: false } }),
  );

  const person = { firstName: 'Robin', lastName: 'Example', password: PASSWORD, userType: 2 };
  const fresh = { email: `fresh-${count}@example.com` };
  await step('register', () => post('/user/register', { ...fresh, ...person }));
  await step('register again', async () => void (await post('/user/register', { ...fresh, ...person })));
  const confirmation = await newestLink(portal, fresh.email);
  await step('confirm', () => post('/user/confirm', { ...fresh, token: confirmation.token }));
}

/** The account's own page. */
async function lookAfterAccount(
  portal: TestApp,
  step: Step,
  { email, count }: { email: string; count: number },
): Promise<void> {
  const signIn = async (password: string) =>
    (await call(portal, 'POST', '/authentication/login', { body: { email, password } })).json<{
      accessToken: string;
    }>().accessToken;
  const token = await signIn(PASSWORD);
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    call(portal, method, path, { token, body });
  const newEmail = `moved-${count}@example.com`;
  await step('account page', () => send('GET', '/user/account'));
  await step('other names', () => send('PUT', '/user/account', { firstName: 'Robin', lastName: 'Moved' }));
  await step('sessions', () => send('GET', '/user/sessions'));
  await step('end a session', async () => void (await send('DELETE', `/user/sessions/${randomUUID()}`)));
  await step('end other sessions', () => send('DELETE', '/user/sessions'));
  const ask = () => send('POST', '/user/email', { email: newEmail, password: PASSWORD });
  await step('ask for another address', ask);
  await step('cancel that', () => send('DELETE', '/user/email'));
  await ask();
  await step('confirm another address', () => confirmNewEmail(portal, newEmail));
  const undo = await linkIn(portal, { kind: 'email-changed', to: email });
  await step('undo the change', () =>
    call(portal, 'POST', '/authentication/email/undo', { body: { ...undo, password: NEW_PASSWORD } }),
  );
  const again = await signIn(NEW_PASSWORD);
  await step('change the password', () =>
    call(portal, 'POST', '/user/password', {
      token: again,
      body: { password: NEW_PASSWORD, newPassword: PASSWORD },
    }),
  );
  const other = await makePlanAccount(portal, { count });
  const login = { email: other.email, password: TEST_PASSWORD };
  const { accessToken } = (await call(portal, 'POST', '/authentication/login', { body: login })).json<{
    accessToken: string;
  }>();
  await step('download the data', () =>
    call(portal, 'POST', '/user/export', { token: accessToken, body: { password: TEST_PASSWORD } }),
  );
  await step('close an account', () =>
    call(portal, 'POST', '/user/close', { token: accessToken, body: { password: TEST_PASSWORD } }),
  );
}
