import { clientAddress } from '../limits/client-address.ts';
import { cap, type Guard } from '../limits/limit.ts';

const TO_ONE_MAILBOX = cap('mails to one mailbox', { max: 5, windowSeconds: 3600 });
const CAUSED_FROM_ONE_ADDRESS = cap('mails caused from one address', { max: 300, windowSeconds: 3600 });

/** Nobody may have mails sent to strangers without end. */
export function mailGuard(ip: string): Guard {
  return { limit: CAUSED_FROM_ONE_ADDRESS, of: [clientAddress(ip)] };
}

/** Nor may one mailbox be filled. Whoever asks is not told: the answer is the same for every address. */
export function mailboxGuard(email: string): Guard {
  return { limit: TO_ONE_MAILBOX, of: [email] };
}
