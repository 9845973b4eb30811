import { and, desc, eq } from 'drizzle-orm';
import type { MailContent } from '../../src/db/schema/operations.ts';
import { outgoingMail } from '../../src/db/schema/operations.ts';
import { answerMailRequests } from '../../src/modules/auth/mailbox/answer-mail-requests.ts';
import type { TestApp } from '../build-test-app.ts';

/** The mails queued for an address, newest first, after pending requests have been answered. */
export async function mailsTo(
  { deps }: TestApp,
  recipient: string,
): Promise<{ kind: string; content: MailContent }[]> {
  await answerMailRequests(deps);
  const rows = await deps.db.query
    .select({ kind: outgoingMail.kind, content: outgoingMail.content })
    .from(outgoingMail)
    .where(and(eq(outgoingMail.recipient, recipient)))
    .orderBy(desc(outgoingMail.createdAt));
  return rows as { kind: string; content: MailContent }[];
}

/** The parts of the link in a mail's text: its page, `e` and `t`. */
export function mailLink({ content }: { content: MailContent }): {
  url: URL;
  email: string;
  token: string;
} {
  const [found] = content.text.match(/https?:\/\/\S+/) ?? [];
  if (!found) throw new Error('the mail has no link');
  const url = new URL(found);
  return { url, email: url.searchParams.get('e') ?? '', token: url.searchParams.get('t') ?? '' };
}

/** The link in the newest mail to an address. */
export async function newestLink(portal: TestApp, recipient: string) {
  const [mail] = await mailsTo(portal, recipient);
  if (!mail) throw new Error('no mail has been queued for this address');
  return mailLink(mail);
}
