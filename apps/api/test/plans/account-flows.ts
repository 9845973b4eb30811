import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { appUser } from '../../src/db/schema/people.ts';
import { call, type TestApp } from '../build-test-app.ts';
import { TEST_PASSWORD } from '../factories/users.ts';
import { newestLink } from '../mailbox.ts';
import { callOffice } from '../office.ts';
import { makePlanAccount } from './customers.ts';
import type { Step } from './recorder.ts';

const PASSWORD = 'a long enough password';

/** Everything that an account can be used for but invoices and cards. */
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
