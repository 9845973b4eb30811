import { expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { makeUser, signInUser } from '../../../../test/factories/users.ts';
import { mailToken, session } from '../../../db/schema/people.ts';
import { answerMailRequests } from '../mailbox/answer-mail-requests.ts';
import { forgetExpired } from './forget-expired.ts';

const portal = useTestApp();

test('removes sessions and mail tokens a month after they expired, and not before', async () => {
  const start = portal.now.getTime();
  await signInUser(portal);
  const { email } = await makeUser(portal);
  await call(portal, 'POST', `/user/resetpassword?email=${email}`);
  await answerMailRequests(portal.deps);
  const left = async () => [
    (await portal.deps.db.query.select().from(session)).length,
    (await portal.deps.db.query.select().from(mailToken)).length,
  ];

  const day = 86_400_000;
  const daysLater = async (days: number, more: number) => {
    portal.now = new Date(start + days * day);
    await advanceEngineClock(portal.deps, more * 86_400);
  };
  await daysLater(30, 30);
  await forgetExpired(portal.deps);
  expect(await left()).toEqual([1, 1]);
  await daysLater(31, 1);
  await forgetExpired(portal.deps);
  expect(await left()).toEqual([1, 0]);
  await daysLater(61, 30);
  await forgetExpired(portal.deps);
  expect(await left()).toEqual([0, 0]);
});
