import { expect, test } from 'vitest';
import { useTestApp } from '../../../../test/build-test-app.ts';
import { makeUser } from '../../../../test/factories/users.ts';
import { isOwnersAddress, rememberOwnersAddress } from './known-address.ts';

const portal = useTestApp();

test('knows an owner’s address for 180 days after its last use', async () => {
  const { userId, email } = await makeUser(portal);
  const { query } = portal.deps.db;
  const ip = '203.0.113.7';
  await rememberOwnersAddress(portal.deps, query, { userId, ip });
  const start = portal.now.getTime();
  const isKnownAfter = (hours: number) => {
    portal.now = new Date(start + hours * 3_600_000);
    return isOwnersAddress(portal.deps, query, { email, ip });
  };
  expect(await isKnownAfter(180 * 24 - 1)).toBe(true);
  expect(await isKnownAfter(180 * 24 + 1)).toBe(false);
});
