import { call, type TestApp } from '../build-test-app.ts';
import { mailLink, mailsTo } from '../mail/mailbox.ts';
import type { SignedInUser } from './users.ts';
import { TEST_PASSWORD } from './users.ts';

export const askEmailChange = (
  portal: TestApp,
  { token }: Pick<SignedInUser, 'token'>,
  email: string,
  password: string = TEST_PASSWORD,
) => call(portal, 'POST', '/user/email', { token, body: { email, password } });

/** The link in the newest mail of a kind to an address. */
export async function linkIn(portal: TestApp, { kind, to }: { kind: string; to: string }) {
  const mail = (await mailsTo(portal, to)).find((each) => each.kind === kind);
  if (!mail) throw new Error(`no mail of the kind ${kind} to this address`);
  const { email, token } = mailLink(mail);
  return { email, token };
}

export const confirmNewEmail = async (portal: TestApp, to: string) =>
  call(portal, 'POST', '/authentication/email/confirm', {
    body: await linkIn(portal, { kind: 'email-change', to }),
  });

/** Requests a change of address and confirms it. Returns what undoes it. */
export async function moveTo(portal: TestApp, user: SignedInUser, newEmail: string) {
  for (const answer of [
    await askEmailChange(portal, user, newEmail),
    await confirmNewEmail(portal, newEmail),
  ]) {
    if (answer.statusCode !== 204) throw new Error(answer.body);
  }
  return linkIn(portal, { kind: 'email-changed', to: user.email });
}
