import type { Tokens } from '@brightpane/contract/customers/authentication';
import { USER_TYPE } from '@brightpane/contract/customers/users';
import { eq } from 'drizzle-orm';
import { appUser, userCustomer, userLocation } from '../../src/db/schema/people.ts';
import type { Deps } from '../../src/deps.ts';
import { hashPassword } from '../../src/modules/auth/passwords/password-hash.ts';
import { startSession } from '../../src/modules/auth/sessions/start-session.ts';
import type { TestApp } from '../build-test-app.ts';
import { nextNumber } from './invoices.ts';

export const TEST_PASSWORD = 'correct horse battery staple';
/** Computed once per test process, because hashing is slow on purpose. */
const TEST_PASSWORD_HASH = await hashPassword(TEST_PASSWORD);

export type SignedInUser = { userId: string; email: string; token: string; refreshToken: string };

/** An account with the password `TEST_PASSWORD`; confirmed and active by default. */
export async function makeUser(
  { deps }: TestApp,
  given: Partial<typeof appUser.$inferInsert> = {},
): Promise<{ userId: string; email: string }> {
  const [user] = await deps.db.query
    .insert(appUser)
    .values({
      email: `user${nextNumber()}@example.com`,
      firstName: 'Robin',
      lastName: 'Example',
      passwordHash: TEST_PASSWORD_HASH,
      userType: USER_TYPE.user,
      emailConfirmedAt: deps.clock(),
      ...given,
    })
    .returning({ userId: appUser.id, email: appUser.email });
  if (!user) throw new Error('nothing was inserted');
  return user;
}

/** A user with a session. Pass `token` to `call()`; it expires when the clock moves by ten minutes. */
export async function signInUser(
  portal: TestApp,
  given: Partial<typeof appUser.$inferInsert> = {},
): Promise<SignedInUser> {
  const user = await makeUser(portal, given);
  const tokens = await startSessionOf(portal.deps, user);
  return { ...user, token: tokens.accessToken, refreshToken: tokens.refreshToken };
}

/** Starts a session, as signing in with the password does. */
export async function startSessionOf(
  deps: Pick<Deps, 'db' | 'env' | 'clock' | 'hostClock'>,
  {
    userId,
    ip = '203.0.113.1',
    device = 'Firefox on Linux',
  }: { userId: string; ip?: string; device?: string },
): Promise<Tokens> {
  const [user] = await deps.db.query.select().from(appUser).where(eq(appUser.id, userId));
  const passwordHash = user?.passwordHash ?? '';
  const tokens = await startSession(deps, { userId, passwordHash, ip, device });
  if (!tokens) throw new Error('this account may not sign in');
  return tokens;
}

/** Links a location, as adding it by its three numbers does. */
export async function linkLocation(
  { deps }: TestApp,
  { userId, locationId }: { userId: string; locationId: number },
): Promise<void> {
  await deps.db.query.insert(userLocation).values({ userId, locationId, linkedAt: deps.clock() });
}

/** Links a customer, as accepting an office's invitation does. */
export async function linkCustomer(
  { deps }: TestApp,
  { userId, customerId }: { userId: string; customerId: number },
): Promise<void> {
  await deps.db.query.insert(userCustomer).values({ userId, customerId });
}
