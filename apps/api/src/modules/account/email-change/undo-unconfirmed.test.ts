import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { call, useTestApp } from '../../../../test/build-test-app.ts';
import { askEmailChange, linkIn } from '../../../../test/factories/email-changes.ts';
import { makeInvoice, nextNumber } from '../../../../test/factories/invoices.ts';
import { makeUser, signInUser } from '../../../../test/factories/users.ts';
import { newestLink } from '../../../../test/mail/mailbox.ts';
import { callOffice } from '../../../../test/office/office.ts';
import { callConsole, OFFICE_SETTINGS } from '../../../../test/office/office-people.ts';
import { customer } from '../../../db/schema/franchises.ts';

const portal = useTestApp(OFFICE_SETTINGS);
const NAMES = { firstName: 'Ana', lastName: 'Ruiz' };
const PASSWORD = 'another long enough sentence';

/** A mail with a link, and what follows it. */
type Link = { email: string; follow: () => Promise<{ statusCode: number; body: string }> };

const links: [string, () => Promise<Link>][] = [
  [
    'a new password',
    async () => {
      const { email } = await makeUser(portal);
      await call(portal, 'POST', `/user/resetpassword?email=${email}`);
      const { token: passwordToken } = await newestLink(portal, email);
      const body = { email, passwordToken, password: PASSWORD };
      return { email, follow: () => call(portal, 'POST', '/user/confirmresetpassword', { body }) };
    },
  ],
  [
    'an invitation',
    async () => {
      const email = `invited${nextNumber()}@example.com`;
      const { franchiseId, customerId } = await makeInvoice(portal.deps.db.query);
      const [invited] = await portal.deps.db.query.select().from(customer).where(eq(customer.id, customerId));
      await callOffice(portal, 'POST', '/invitations', {
        body: { franchiseId, customerNumber: invited?.number, email },
      });
      const { token: passwordToken } = await newestLink(portal, email);
      const body = { ...NAMES, email, passwordToken, password: PASSWORD };
      return { email, follow: () => call(portal, 'POST', '/user/acceptinvite', { body }) };
    },
  ],
  [
    'a confirmation',
    async () => {
      const email = `registered${nextNumber()}@example.com`;
      await call(portal, 'POST', '/user/register', { body: { ...NAMES, email, password: PASSWORD } });
      const { token } = await newestLink(portal, email);
      return { email, follow: () => call(portal, 'POST', '/user/confirm', { body: { email, token } }) };
    },
  ],
  [
    'a new member of staff',
    async () => {
      const email = `staff${nextNumber()}@example.com`;
      await callConsole(portal, 'POST', '/staff', {
        headers: { authorization: `Bearer ${OFFICE_SETTINGS.OPERATOR_KEY}` },
        body: { email, role: 'support' },
      });
      const { token } = await newestLink(portal, email);
      const body = { ...NAMES, email, token, password: PASSWORD };
      return { email, follow: () => callConsole(portal, 'POST', '/welcome', { body }) };
    },
  ],
];

test.each(links)('a stranger who undoes a change to an address leaves its link for %s', async (_, send) => {
  const { email, follow } = await send();
  const stranger = await signInUser(portal);
  expect((await askEmailChange(portal, stranger, email)).statusCode).toBe(204);
  const link = await linkIn(portal, { kind: 'email-change-asked', to: stranger.email });
  const undone = await call(portal, 'POST', '/authentication/email/undo', {
    body: { ...link, password: PASSWORD },
  });
  expect(undone.statusCode).toBe(204);
  const answer = await follow();
  expect(answer.statusCode, answer.body).toBeLessThan(300);
});
