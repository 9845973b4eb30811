import { dictionary } from '@zxcvbn-ts/language-common';
import { fail, ok } from '../../http/result.ts';

const SHORTEST = 8;
const LONGEST = 128;

const COMMON = new Set(dictionary['passwords-common']?.map((word) => String(word).toLowerCase()));
const PRODUCT_WORDS = ['brightpane', 'bright pane', 'invoice', 'windowcleaning', 'window cleaning'];

/**
 * 8 to 128 characters of any kind, and none of those that everybody tries first: the common ones, the product's own
 * words and the account's email. No rules of composition: they make passwords worse.
 */
export function judgePassword(password: string, { email }: { email: string }) {
  // Half a character cannot be told from another half once it is stored.
  if (!password.isWellFormed()) return fail('password-unreadable');
  const characters = [...password.normalize('NFC')].length;
  if (characters < SHORTEST) return fail('password-too-short');
  if (characters > LONGEST) return fail('password-too-long');
  if (isEasilyGuessed(password, email)) return fail('password-too-common');
  return ok(undefined);
}

function isEasilyGuessed(password: string, email: string): boolean {
  const word = password.toLowerCase().trim();
  const [name = ''] = email.split('@');
  // What is left when digits and signs at the end are taken off, as in "Brightpane2026!".
  const stem = word.replace(/[\d\W_]+$/u, '');
  const isOneCharacter = new Set(password.toLowerCase()).size === 1;
  const backwards = [...word].reverse().join('');
  return (
    isOneCharacter ||
    COMMON.has(word) ||
    COMMON.has(backwards) ||
    [...PRODUCT_WORDS, email, name].some((known) => word === known || stem === known)
  );
}
