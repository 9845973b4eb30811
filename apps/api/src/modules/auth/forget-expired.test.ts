import { expect, test } from 'vitest';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { makeUser, signInUser } from '../../../test/factories/users.ts';
import { mailToken, session } from '../../db/schema/people.ts';
import { answerMailRequests } from './answer-mail-requests.ts';
import { forgetExpired } from './forget-expired.ts';

const portal = useTestApp();

test('sessions and mail tokens go a month after they have run out, and not before', async () => {
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
  portal.now = new Date(start + 30 * day);
  await forgetExpired(portal.deps);
  expect(await left()).toEqual([1, 1]);
  portal.now = new Date(start + 31 * day);
  await forgetExpired(portal.deps);
  expect(await left()).toEqual([1, 0]);
  portal.now = new Date(start + 61 * day);
  await forgetExpired(portal.deps);
  expect(await left()).toEqual([0, 0]);
});
