import { clientAddress } from '../limits/client-address.ts';
import { backOff, cap, type Guard, type Limit } from '../limits/limit.ts';

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
const FROM_ALL_STRANGERS = cap('sign-in from strange addresses', { max: 3000, windowSeconds: 600 });

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

/** What everything that one address fails at signing in counts against. */
export const addressGuards = (ip: string): [Guard, Guard] =>
  both(ip, FROM_ONE_ADDRESS, FROM_ONE_ADDRESS_A_DAY);

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

/**
 * What many addresses together may fail. It is asked of strange addresses only: guessing from elsewhere must not lock
 * out an account's owner, who has been at her address before.
 */
export function strangersGuards(email: string): [Guard, Guard] {
  return [
    { limit: FROM_STRANGERS, of: [email] },
    { limit: FROM_ALL_STRANGERS, of: [] },
  ];
}
