import type { Queryable } from '../../../db/client.ts';
import type { MailContent } from '../../../db/schema/operations.ts';
import type { Deps } from '../../../deps.ts';
import { type MailKind, queueMail } from '../../../mail/queue-mail.queries.ts';
import { confirmEmailMail } from '../../../mail/templates/confirm-email.ts';
import { officeResetMail } from '../../../mail/templates/office-reset.ts';
import { resetPasswordMail } from '../../../mail/templates/reset-password.ts';
import { createMailLink } from './mail-tokens.ts';

export type AccountMailPurpose = 'confirm' | 'reset' | 'office-reset';

const MAILS: Record<
  AccountMailPurpose,
  { kind: MailKind; template: (facts: { link: string }) => MailContent }
> = {
  confirm: { kind: 'confirm-email', template: confirmEmailMail },
  reset: { kind: 'reset-password', template: resetPasswordMail },
  'office-reset': { kind: 'office-reset', template: officeResetMail },
};

/** Queues a mail with a new link to the account's own address, in the caller's transaction. */
export async function sendAccountMail(
  deps: Pick<Deps, 'env' | 'clock'>,
  tx: Queryable,
  { purpose, email }: { purpose: AccountMailPurpose; email: string },
): Promise<void> {
  const { kind, template } = MAILS[purpose];
  const link = await createMailLink(deps, tx, { purpose, email });
  await queueMail(tx, { kind, recipient: email, content: template({ link }) });
}
