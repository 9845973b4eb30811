import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { queueMail } from '../../../mail/queue-mail.queries.ts';
import { staffInvitationMail } from '../../../mail/templates/staff-invitation.ts';
import { takeMailboxShare } from '../../auth/mailbox/mail-limits.ts';
import { createMailLink } from '../../auth/mailbox/mail-tokens.ts';

/** Mails an enrolment link in the caller's transaction; null if the mailbox has had its share. */
export async function sendStaffLink(
  deps: Pick<Deps, 'env' | 'clock' | 'log'>,
  tx: Queryable,
  { email }: { email: string },
): Promise<string | null> {
  if (!(await takeMailboxShare(deps, tx, { purpose: 'staff', email }))) return null;
  const link = await createMailLink(deps, tx, { purpose: 'staff', email });
  await queueMail(tx, { kind: 'staff-invitation', recipient: email, content: staffInvitationMail({ link }) });
  return link;
}
