import { expect, test } from 'vitest';
import { advanceEngineClock } from '../../../../test/books/engine-clock.ts';
import { call, TEST_SECRETS, useTestApp } from '../../../../test/build-test-app.ts';
import { nextNumber } from '../../../../test/factories/invoices.ts';
import { makeUser } from '../../../../test/factories/users.ts';
import { useMailServer } from '../../../../test/mail/mail-server.ts';
import { customer, franchise } from '../../../db/schema/franchises.ts';
import { runJobs } from '../../../jobs/run-jobs.ts';
import { deliverMail } from '../../../mail/deliver-mail.ts';
import { answerMailRequests } from './answer-mail-requests.ts';

const mailServer = useMailServer();
const portal = useTestApp();
const deps = () => ({ ...portal.deps, env: { ...portal.deps.env, SMTP_URL: mailServer.url } });
const deliver = async (to = deps()) => {
  await answerMailRequests(to);
  await deliverMail(to);
};

async function invite(email: string, names: { franchise: string; customer: string }): Promise<void> {
  const [franchiseId, number] = [nextNumber(), nextNumber()];
  await portal.deps.db.query
    .insert(franchise)
    .values({ id: franchiseId, name: names.franchise, timeZone: 'America/Chicago' });
  await portal.deps.db.query.insert(customer).values({ franchiseId, number, name: names.customer });
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/office/invitations',
    headers: { authorization: `Bearer ${TEST_SECRETS.officeApiKey}` },
    payload: { franchiseId, customerNumber: number, email },
  });
  expect(answer.statusCode).toBe(201);
}

test('every account mail arrives as text and HTML, with the same link in both', async () => {
  const account = await makeUser(portal);
  await call(portal, 'POST', '/user/register', {
    body: { email: 'new@example.com', firstName: 'A', lastName: 'B', password: 'looking through glass' },
  });
  await call(portal, 'POST', `/user/resetpassword?email=${account.email}`);
  await invite('invited@example.com', { franchise: 'Fenêtres & Co', customer: "Zoë <O'Neill>" });
  await invite(account.email, { franchise: 'Fenêtres & Co', customer: 'Zoë' });
  await deliver();

  const links = mailServer.received.map(({ to, subject, text = '', html = '' }) => {
    const [link = ''] = text.match(/https:\/\/\S+/) ?? [];
    expect(html).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
    const { origin, pathname, searchParams } = new URL(link);
    return [to?.[0]?.address, subject, `${origin}${pathname}`, [...searchParams.keys()].join()];
  });
  expect(links.toSorted()).toEqual(
    [
      ['new@example.com', 'Please confirm your email address', 'https://pay.example.com/confirm', 'e,t'],
      [account.email, 'Reset your password', 'https://pay.example.com/resetpassword', 'e,t'],
      [
        'invited@example.com',
        'Fenêtres & Co invites you to pay online',
        'https://pay.example.com/invitation',
        'e,t',
      ],
      [account.email, 'Fenêtres & Co invites you to pay online', 'https://pay.example.com/login', ''],
    ].toSorted(),
  );
  const invited = mailServer.received.find((mail) => mail.to?.[0]?.address === 'invited@example.com');
  expect(invited?.text).toContain("Zoë <O'Neill>");
  expect(invited?.html).toContain('Zoë &lt;O&#39;Neill&gt;');
});

test('a line break in a name adds no header', async () => {
  await invite('victim@example.com', { franchise: 'Clear\r\nBcc: all@example.com', customer: 'X' });
  await deliver();
  expect(mailServer.received).toHaveLength(1);
  expect(mailServer.received[0]).toMatchObject({
    subject: 'Clear Bcc: all@example.com invites you to pay online',
    to: [{ address: 'victim@example.com' }],
  });
  expect(mailServer.received[0]?.bcc ?? []).toEqual([]);
});

test('an answer does not wait for the mail server, and the mail is sent once it is up', async () => {
  const { email } = await makeUser(portal);
  const answer = await call(portal, 'POST', `/user/resetpassword?email=${email}`);
  expect(answer.statusCode).toBe(204);
  await deliver({ ...deps(), env: { ...deps().env, SMTP_URL: 'smtp://127.0.0.1:1' } });
  expect(mailServer.received).toEqual([]);
  await advanceEngineClock(portal.deps, 60);
  await deliver();
  expect(mailServer.received).toMatchObject([{ subject: 'Reset your password' }]);
});

test('with the background tasks running, a requested mail arrives by itself', async () => {
  const { email } = await makeUser(portal);
  const jobs = await runJobs(deps());
  try {
    await call(portal, 'POST', `/user/resetpassword?email=${email}`);
    await expect.poll(() => mailServer.received.map((mail) => mail.to?.[0]?.address)).toEqual([email]);
  } finally {
    await jobs.stop();
  }
});
