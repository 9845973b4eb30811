import { type Failure, fail } from '../../../http/result.ts';
import { countAgainst, isBeyond, type LimitDeps } from '../../limits/check-limits.ts';
import { clientAddress } from '../../limits/client-address.ts';
import { backOff, cap, type Guard, type Limit } from '../../limits/limit.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

const AT_ONE_ACCOUNT = backOff('sign-in of one account from one address', {
  free: 5,
  maxWaitSeconds: 60,
  windowSeconds: HOUR_SECONDS,
});
const FROM_ONE_ADDRESS = cap('sign-in from one address', { max: 20, windowSeconds: 60 });
const FROM_ONE_ADDRESS_A_DAY = cap('sign-in from one address in a day', {
  max: 200,
  windowSeconds: DAY_SECONDS,
});
const FROM_STRANGERS = cap('sign-in of one account from strange addresses', {
  max: 100,
  windowSeconds: HOUR_SECONDS,
});
/** Only counts and never refuses: a limit on all strangers together would let some of them lock out the rest. */
const FROM_ALL_STRANGERS = cap('sign-in from strange addresses', {
  max: Number.POSITIVE_INFINITY,
  windowSeconds: 600,
});
const ALARM_AT = 3000;

const TAKEN_EMAILS = cap('registering taken emails', { max: 20, windowSeconds: 60 });
const TAKEN_EMAILS_A_DAY = cap('registering taken emails in a day', { max: 200, windowSeconds: DAY_SECONDS });
const MAIL_TOKENS = cap('mail tokens from one address', { max: 60, windowSeconds: 60 });
const MAIL_TOKENS_A_DAY = cap('mail tokens from one address in a day', {
  max: 600,
  windowSeconds: DAY_SECONDS,
});

const both = (ip: string, aMinute: Limit, aDay: Limit): [Guard, Guard] => {
  const of = [clientAddress(ip)];
  return [
    { limit: aMinute, of },
    { limit: aDay, of },
  ];
};

/** Registering reveals whether an email has an account, so limit it like signing in. */
export const takenEmailGuards = (ip: string): [Guard, Guard] => both(ip, TAKEN_EMAILS, TAKEN_EMAILS_A_DAY);

/**
 * Keyed by address only. A token has 256 bits and can't be guessed, so this only bounds what wrong ones cost and log.
 * Use with `limitWrongTokens`, so that it refuses no good one.
 */
export const mailTokenGuards = (ip: string): [Guard, Guard] => both(ip, MAIL_TOKENS, MAIL_TOKENS_A_DAY);

/** Counts one address's failures at one account; affects nobody else. */
export function ownGuard({ email, ip }: { email: string; ip: string }): Guard {
  return { limit: AT_ONE_ACCOUNT, of: [email, clientAddress(ip)] };
}

export type SignInGuards = {
  own: Guard;
  /** Limits on all failures from this address. */
  ofAddress: readonly Guard[];
  /** Limits that can refuse this attempt. */
  refusing: readonly Guard[];
  /** Limits that count its failure. */
  counting: readonly Guard[];
  isOwners: boolean;
};

/**
 * The limits on a sign-in attempt. At an address that its owner has used, an account is limited only by its own
 * failures from there: neither guessing from elsewhere nor a guesser behind the same address can lock its owner out.
 */
export function signInGuards(
  who: { email: string; ip: string },
  { isOwners }: { isOwners: boolean },
): SignInGuards {
  const own = ownGuard(who);
  const ofAddress = both(who.ip, FROM_ONE_ADDRESS, FROM_ONE_ADDRESS_A_DAY);
  const fromHere = [own, ...ofAddress];
  if (isOwners) return { own, ofAddress, refusing: [own], counting: fromHere, isOwners };
  const all = [...fromHere, { limit: FROM_STRANGERS, of: [who.email] }];
  return { own, ofAddress, refusing: all, counting: all, isOwners };
}

/**
 * The limits on a password that somebody signed in gives again. What strangers fail at elsewhere refuses nobody here: who
 * guesses in a session has few tries anyway.
 */
export function guardsInSession(guards: SignInGuards): SignInGuards {
  return { ...guards, refusing: guards.refusing.filter(({ limit }) => limit !== FROM_STRANGERS) };
}

/** `isBeyond`: the address's limits would have refused it. */
export type WrongPassword = Failure<'wrong'> & { isBeyond: boolean };

/** Counts a failure, and warns if strangers fail a lot in total. */
export async function countFailedSignIn(
  deps: LimitDeps,
  { counting, ofAddress, isOwners }: SignInGuards,
): Promise<WrongPassword> {
  const guards = isOwners ? counting : [...counting, { limit: FROM_ALL_STRANGERS, of: [] }];
  const counts = await countAgainst(deps, guards);
  if (!isOwners && counts.at(-1) === ALARM_AT) {
    deps.log.warn({ failures: ALARM_AT }, 'many sign-ins fail from strange addresses');
  }
  const ofAddressCounts = ofAddress.map((guard) => counts[guards.indexOf(guard)] ?? 0);
  return fail('wrong', { isBeyond: isBeyond(deps, { guards: ofAddress, counts: ofAddressCounts }) });
}
