import { setTimeout as wait } from 'node:timers/promises';
import { linkIn, readMailbox } from '../read-mailbox.ts';
import { sendForDemo } from './send-for-demo.ts';

const MAIL_WITHIN_MILLISECONDS = 30_000;

/** The demo's portal and mailbox, and their credentials. */
export type DemoPortal = { portalUrl: string; mailboxUrl: string; officeApiKey: string; apiSecret: string };

/** Invites a person to a customer's invoices, as the office does. */
export async function invite(
  { portalUrl, officeApiKey }: Pick<DemoPortal, 'portalUrl' | 'officeApiKey'>,
  customer: { franchiseId: number; customerNumber: number; email: string },
): Promise<void> {
  await sendForDemo(
    `${portalUrl}/api/office/invitations`,
    { authorization: `Bearer ${officeApiKey}` },
    customer,
  );
}

/** Makes an account as customers do: invited by the office, with the link in the mail. */
export async function makeDemoAccount(
  portal: DemoPortal,
  person: {
    email: string;
    firstName: string;
    lastName: string;
    password: string;
    franchiseId: number;
    customerNumber: number;
  },
): Promise<void> {
  const { franchiseId, customerNumber, ...account } = person;
  await invite(portal, { franchiseId, customerNumber, email: person.email });
  const link = new URL(await untilInvited(portal.mailboxUrl, person.email));
  await sendForDemo(
    `${portal.portalUrl}/api/user/acceptinvite`,
    { 'x-apisecret': portal.apiSecret },
    { ...account, passwordToken: link.searchParams.get('t') },
  );
}

async function untilInvited(mailboxUrl: string, email: string): Promise<string> {
  const deadline = performance.now() + MAIL_WITHIN_MILLISECONDS;
  while (performance.now() < deadline) {
    // Receipts may have arrived already.
    const mail = (await readMailbox(mailboxUrl, email)).findLast(({ text }) => text.includes('/invitation?'));
    if (mail) return linkIn(mail, '/invitation');
    await wait(100);
  }
  throw new Error(`The invitation to ${email} does not arrive at ${mailboxUrl}.`);
}
