import { setTimeout as wait } from 'node:timers/promises';
import { linkIn, readMailbox } from './read-mailbox.ts';
import { sendForDemo as send } from './send-for-demo.ts';

export const DEMO_SIGN_IN = { email: 'dana@example.com', password: 'three tall windows' };

const MAIL_WITHIN_MS = 30_000;

/**
 * Makes the demo's customer an account as customers get one: her office invites her, and she follows the mail's link.
 * A second office's invitation is left for her to accept.
 */
export async function makeDemoSignIn(options: {
  portalUrl: string;
  mailboxUrl: string;
  officeApiKey: string;
  apiSecret: string;
}): Promise<void> {
  const { portalUrl, mailboxUrl, officeApiKey, apiSecret } = options;
  const { email, password } = DEMO_SIGN_IN;
  const invite = (franchiseId: number, customerNumber: number) =>
    send(
      `${portalUrl}/api/office/invitations`,
      { authorization: `Bearer ${officeApiKey}` },
      { franchiseId, customerNumber, email },
    );

  await invite(11, 501);
  const link = new URL(await untilInvited(mailboxUrl));
  await send(
    `${portalUrl}/api/user/acceptinvite`,
    { 'x-apisecret': apiSecret },
    { email, firstName: 'Dana', lastName: "O'Leary", password, passwordToken: link.searchParams.get('t') },
  );
  await invite(12, 701);
}

async function untilInvited(mailboxUrl: string): Promise<string> {
  const deadline = performance.now() + MAIL_WITHIN_MS;
  while (performance.now() < deadline) {
    const [mail] = (await readMailbox(mailboxUrl, DEMO_SIGN_IN.email)).reverse();
    if (mail) return linkIn(mail, '/invitation');
    await wait(100);
  }
  throw new Error(`The invitation to ${DEMO_SIGN_IN.email} does not arrive at ${mailboxUrl}.`);
}
