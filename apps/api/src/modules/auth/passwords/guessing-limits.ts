import { countAgainst, type LimitDeps } from '../../limits/check-limits.ts';
import { clientAddress } from '../../limits/client-address.ts';
import { backOff, cap, type Guard, type Limit } from '../../limits/limit.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

const AT_ONE_ACCOUNT = backOff('sign-in of one account from one address', {
  free: 5,
  maxWaitSeconds: 60,
  windowSeconds: HOUR,
});
const FROM_ONE_ADDRESS = cap('sign-in from one address', { max: 20, windowSeconds: 60 });
const FROM_ONE_ADDRESS_A_DAY = cap('sign-in from one address in a day', { max: 200, windowSeconds: DAY });
const FROM_STRANGERS = cap('sign-in of one account from strange addresses', {
  max: 100,
  windowSeconds: HOUR,
});
/** Refuses nobody: a limit on all strangers together would let some of them keep the others out. */
const FROM_ALL_STRANGERS = cap('sign-in from strange addresses', {
  max: Number.POSITIVE_INFINITY,
  windowSeconds: 600,
});
const ALARM_AT = 3000;

const TAKEN_EMAILS = cap('registering taken emails', { max: 20, windowSeconds: 60 });
const TAKEN_EMAILS_A_DAY = cap('registering taken emails in a day', { max: 200, windowSeconds: DAY });
const MAIL_TOKENS = cap('mail tokens from one address', { max: 60, windowSeconds: 60 });
const MAIL_TOKENS_A_DAY = cap('mail tokens from one address in a day', { max: 600, windowSeconds: DAY });

const both = (ip: string, aMinute: Limit, aDay: Limit): [Guard, Guard] => {
  const of = [clientAddress(ip)];
  return [
    { limit: aMinute, of },
    { limit: aDay, of },
  ];
};

/** Registering answers whether an email has an account, so it is limited like signing in. */
export const takenEmailGuards = (ip: string): [Guard, Guard] => both(ip, TAKEN_EMAILS, TAKEN_EMAILS_A_DAY);

/**
 * By address only: a token has 256 bits, and a limit on the account would let anybody keep its owner from using the
 * one that she was sent.
 */
export const mailTokenGuards = (ip: string): [Guard, Guard] => both(ip, MAIL_TOKENS, MAIL_TOKENS_A_DAY);

/** What one address fails at one account: nobody else has to wait for it. */
export function ownGuard({ email, ip }: { email: string; ip: string }): Guard {
  return { limit: AT_ONE_ACCOUNT, of: [email, clientAddress(ip)] };
}

export type SignInGuards = {
  own: Guard;
  /** Those that this try has to pass. */
  refusing: readonly Guard[];
  /** Those that count its failure. */
  counting: readonly Guard[];
  isOwners: boolean;
};

/**
 * What a try to sign in is limited by. At an address where its owner has been before, an account waits for what failed
 * at that account from there, and for nothing that others have done: neither guessing at it from elsewhere nor a guesser
 * behind the same address locks its owner out.
 */
export function signInGuards(
  who: { email: string; ip: string },
  { isOwners }: { isOwners: boolean },
): SignInGuards {
  const own = ownGuard(who);
  const fromHere = [own, ...both(who.ip, FROM_ONE_ADDRESS, FROM_ONE_ADDRESS_A_DAY)];
  if (isOwners) return { own, refusing: [own], counting: fromHere, isOwners };
  const all = [...fromHere, { limit: FROM_STRANGERS, of: [who.email] }];
  return { own, refusing: all, counting: all, isOwners };
}

/** Many strangers together are watched: somebody should look. */
export async function countFailedSignIn(
  deps: LimitDeps,
  { counting, isOwners }: SignInGuards,
): Promise<void> {
  if (isOwners) {
    await countAgainst(deps, counting);
    return;
  }
  const [failures = 0] = await countAgainst(deps, [{ limit: FROM_ALL_STRANGERS, of: [] }, ...counting]);
  if (failures === ALARM_AT) deps.log.warn({ failures }, 'many sign-ins fail from strange addresses');
}
