import type { Queryable } from '../../../db/client.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { type StaffNews, staffNewsMail } from '../../../mail/templates/staff-news.ts';
import { listAdminEmails } from './staff.queries.ts';

/** Mails a person about a change to their account, in the change's transaction. */
export async function tellPerson(tx: Queryable, { email, news }: { email: string; news: StaffNews }) {
  await queueMail(tx, {
    kind: 'staff-news',
    recipient: email,
    content: staffNewsMail({ email, news, isOwn: true }),
  });
}

/** Mails all admins about a change to somebody's account. */
export async function tellAdmins(
  tx: Queryable,
  { email, news, but = [] }: { email: string; news: StaffNews; but?: readonly string[] },
) {
  for (const admin of await listAdminEmails(tx)) {
    if (but.includes(admin)) continue;
    await queueMail(tx, {
      kind: 'staff-news',
      recipient: admin,
      content: staffNewsMail({ email, news, isOwn: admin === email }),
    });
  }
}
