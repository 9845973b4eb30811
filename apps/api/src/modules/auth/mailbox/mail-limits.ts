import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { countAgainst } from '../../limits/check-limits.ts';
import { clientAddress } from '../../limits/client-address.ts';
import { cap, type Guard, type Limit } from '../../limits/limit.ts';
import type { AccountMailPurpose } from './send-account-mail.ts';

const MAILS_AN_HOUR = 5;
const toOneMailbox = (what: string) => cap(what, { max: MAILS_AN_HOUR, windowSeconds: 3600 });

/** One limit per purpose, so that requests for one can't use up another's. */
const TO_ONE_MAILBOX: Record<Mailbox['purpose'], Limit> = {
  confirm: toOneMailbox('confirmation mails to one mailbox'),
  reset: toOneMailbox('reset mails to one mailbox'),
  'office-reset': toOneMailbox('office reset mails to one mailbox'),
  staff: toOneMailbox('links for staff to one mailbox'),
  'email-change': toOneMailbox('changes of address to one mailbox'),
};
const CAUSED_FROM_ONE_ADDRESS = cap('mails caused from one address', { max: 300, windowSeconds: 3600 });

export type Mailbox = { purpose: AccountMailPurpose | 'staff' | 'email-change'; email: string };

/** Caps the mails that one address can cause to be sent to strangers. */
export function mailGuard(ip: string): Guard {
  return { limit: CAUSED_FROM_ONE_ADDRESS, of: [clientAddress(ip)] };
}

/**
 * Caps the mails to one mailbox. A link lives as long as the limit's window, so somebody refused a new
 * link still has a working one.
 */
export function mailboxGuard({ purpose, email }: Mailbox): Guard {
  return { limit: TO_ONE_MAILBOX[purpose], of: [email] };
}

/** Counts a mail in the transaction that queues it. False: the mailbox has had its share, so don't send. */
export async function takeMailboxShare(
  deps: Pick<Deps, 'env' | 'clock' | 'log'>,
  tx: Queryable,
  mailbox: Mailbox,
): Promise<boolean> {
  const [mails = 0] = await countAgainst({ ...deps, db: { query: tx } }, [mailboxGuard(mailbox)]);
  return mails <= MAILS_AN_HOUR;
}
