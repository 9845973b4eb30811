import type { Queryable } from '../../../db/client.ts';
import type { Deps } from '../../../deps.ts';
import { ok } from '../../../http/result.ts';
import {
  checkLimits,
  countAgainst,
  type LimitDeps,
  type TooManyAttempts,
} from '../../limits/check-limits.ts';
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
const MAILS_FROM_ONE_ADDRESS = 300;
const FROM_ONE_ADDRESS = cap('mails caused from one address', {
  max: MAILS_FROM_ONE_ADDRESS,
  windowSeconds: 3600,
});
/** Raises the alarm. Registrations and changes of address, which mail anybody, are refused beyond it. */
const MANY_PAST_LIMITS = 1000;
const REQUESTS_PAST_LIMITS = cap('mails asked for past the limits of addresses', {
  max: Number.POSITIVE_INFINITY,
  windowSeconds: 3600,
});
const REGISTRATIONS_PAST_LIMITS = cap('registrations past the limits of addresses', {
  max: MANY_PAST_LIMITS,
  windowSeconds: 3600,
});
const EMAIL_CHANGES_PAST_LIMITS = cap('changes of address past the limits of network addresses', {
  max: MANY_PAST_LIMITS,
  windowSeconds: 3600,
});

export type Mailbox = { purpose: AccountMailPurpose | 'staff' | 'email-change'; email: string };

/** Counts the mails that one address causes to be sent to strangers. */
export function mailGuard(ip: string): Guard {
  return { limit: FROM_ONE_ADDRESS, of: [clientAddress(ip)] };
}

/**
 * Counts a mail that somebody at an address asks for, and tells whether it is past the address's limit. That refuses nobody by
 * itself: strangers behind the same address may have used the limit up.
 */
export async function isPastLimit(deps: LimitDeps, ip: string): Promise<boolean> {
  const [mails = 0] = await countAgainst(deps, [mailGuard(ip)]);
  return mails > MAILS_FROM_ONE_ADDRESS;
}

/** All registrations past their addresses' limits together. */
export const registrationsPastLimits: Guard = { limit: REGISTRATIONS_PAST_LIMITS, of: [] };

/** All changes of address past their network addresses' limits together. */
export const emailChangesPastLimits: Guard = { limit: EMAIL_CHANGES_PAST_LIMITS, of: [] };

/** Counts a request past its address's limit. Only counts: each mailbox has its own limit. */
export async function noteRequestPastLimit(deps: LimitDeps): Promise<void> {
  const [count = 0] = await countAgainst(deps, [{ limit: REQUESTS_PAST_LIMITS, of: [] }]);
  if (count === MANY_PAST_LIMITS) raiseAlarm(deps, REQUESTS_PAST_LIMITS, count);
}

/**
 * Runs an attempt that mails whomever it names, which past its address's limit is refused once `pastLimits` has had its
 * thousand. Counts first, so that a burst gets no further. An attempt that fails has sent no mail and uses up nothing; one
 * that throws may have sent it.
 */
export async function limitMailsToAnybody<Outcome extends { ok: boolean }>(
  deps: LimitDeps,
  { ip, pastLimits }: { ip: string; pastLimits: Guard },
  attempt: () => Promise<Outcome>,
): Promise<Outcome | TooManyAttempts> {
  const isPast = await isPastLimit(deps, ip);
  const [count = 0] = isPast ? await countAgainst(deps, [pastLimits]) : [];
  const allowed = count > MANY_PAST_LIMITS ? await checkLimits(deps, [pastLimits]) : ok(undefined);
  const outcome = allowed.ok ? await attempt() : allowed;
  if (!outcome.ok) {
    const counted = [mailGuard(ip), ...(isPast ? [pastLimits] : [])];
    await countAgainst(
      deps,
      counted.map((guard) => ({ ...guard, weight: -1 })),
    );
  } else if (count >= MANY_PAST_LIMITS) {
    // Not before the mail is queued: what is taken back would raise it again and again.
    raiseAlarm(deps, pastLimits.limit, count);
  }
  return outcome;
}

function raiseAlarm(deps: LimitDeps, { name }: Limit, count: number): void {
  deps.log.error({ limit: name, count, alert: 'many mails' }, 'many mails are asked for');
}

/**
 * Caps the mails to one mailbox. A link lives as long as the limit's window, so somebody refused a new
 * link still has a working one.
 */
export function mailboxGuard({ purpose, email }: Mailbox): Guard {
  return { limit: TO_ONE_MAILBOX[purpose], of: [email] };
}

/**
 * Counts a mail in the transaction that queues it. False: the mailbox has had its share, so don't send. Past the limit of
 * the address that asks, the share is the first mail of the hour.
 */
export async function takeMailboxShare(
  deps: Pick<Deps, 'env' | 'clock' | 'log'>,
  tx: Queryable,
  { isPastLimit = false, ...mailbox }: Mailbox & { isPastLimit?: boolean },
): Promise<boolean> {
  const inTransaction = { ...deps, db: { query: tx } };
  const guard = mailboxGuard(mailbox);
  const [mails = 0] = await countAgainst(inTransaction, [guard]);
  if (mails <= (isPastLimit ? 1 : MAILS_AN_HOUR)) return true;
  // What isn't sent uses up nothing.
  await countAgainst(inTransaction, [{ ...guard, weight: -1 }]);
  return false;
}
