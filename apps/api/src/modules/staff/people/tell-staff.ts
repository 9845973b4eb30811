import type { Queryable } from '../../../db/client.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { type StaffNews, staffNewsMail } from '../../../mail/templates/staff-news.ts';
import { listAdminEmails } from './staff.queries.ts';

/** Tells a person what was done to her account, in the transaction that does it. */
export async function tellPerson(tx: Queryable, { email, news }: { email: string; news: StaffNews }) {
  await queueMail(tx, {
    kind: 'staff-news',
    recipient: email,
    content: staffNewsMail({ email, news, isOwn: true }),
  });
}

/** Tells all admins what was done to somebody's. */
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
