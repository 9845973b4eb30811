import type { AccountData } from '@brightpane/contract/customers/account';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { advanceEngineClock } from '../../../test/books/engine-clock.ts';
import { call, useTestApp } from '../../../test/build-test-app.ts';
import { moveTo } from '../../../test/factories/email-changes.ts';
import { signInUser, TEST_PASSWORD } from '../../../test/factories/users.ts';
import { queueMail } from '../../mail/queue-mail.queries.ts';

const portal = useTestApp();

test('the download lists mail to an address only from when it was the account’s', async () => {
  const user = await signInUser(portal);
  const [first, second, third] = [user.email, `second-${user.email}`, `third-${user.email}`];
  const mailTo = (recipient: string, subject: string) =>
    portal.deps.db.transaction((tx) =>
      queueMail(tx, { kind: 'invitation', recipient, content: { subject, text: subject, html: subject } }),
    );
  const invitations = async () => {
    const { mails } = (
      await call(portal, 'POST', '/user/export', { token: user.token, body: { password: TEST_PASSWORD } })
    ).json<AccountData>();
    return mails.filter(({ kind }) => kind === 'invitation').map(({ recipient }) => recipient);
  };
  for (const address of [first, second, third]) await mailTo(address, 'before all changes');
  expect(await invitations()).toEqual([first]);
  await moveTo(portal, user, second);
  await mailTo(second, 'while it is the account’s');
  await advanceEngineClock(portal.deps, 8 * 86_400);
  for (const address of [first, third]) await mailTo(address, 'while it is another’s');
  await portal.deps.db.query.execute('DELETE FROM limit_counter');
  await moveTo(portal, { ...user, email: second }, third);
  await mailTo(third, 'while it is the account’s');
  expect(await invitations()).toEqual([third, second, first]);
});

test('the mail of the registration is the account’s, even where the process that took it was ahead', async () => {
  const user = await signInUser(portal);
  const content = { subject: 'One', text: 'One', html: 'One' };
  await queueMail(portal.deps.db.query, { kind: 'confirm-email', recipient: user.email, content });
  await portal.deps.db.query.execute(sql`
    UPDATE app_user SET created_at = (SELECT created_at + interval '900 ms' FROM outgoing_mail
                                       WHERE recipient = ${user.email})
     WHERE id = ${user.userId}`);
  const answer = await call(portal, 'POST', '/user/export', {
    token: user.token,
    body: { password: TEST_PASSWORD },
  });
  expect(answer.json<AccountData>().mails.map(({ kind }) => kind)).toContain('confirm-email');
});
