import type { Deps } from '../../deps.ts';
import { checkLimits, countAgainst } from '../limits/check-limits.ts';
import { clientAddress } from '../limits/client-address.ts';
import { cap, type Guard } from '../limits/limit.ts';

const TO_ONE_MAILBOX = cap('mails to one mailbox', { max: 5, windowSeconds: 3600 });
const CAUSED_FROM_ONE_ADDRESS = cap('mails caused from one address', { max: 300, windowSeconds: 3600 });

/** Nobody may have mails sent to strangers without end. */
export function mailGuard(ip: string): Guard {
  return { limit: CAUSED_FROM_ONE_ADDRESS, of: [clientAddress(ip)] };
}

/**
 * Whether a mailbox that somebody asked for gets another mail this hour. Whoever asked is not told: the answer is the
 * same for every address.
 */
export async function takeMailTo(deps: Deps, email: string): Promise<boolean> {
  const guards = [{ limit: TO_ONE_MAILBOX, of: [email] }];
  const allowed = await checkLimits(deps, guards);
  if (allowed.ok) await countAgainst(deps, guards);
  return allowed.ok;
}
