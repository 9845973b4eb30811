import { SHORTEST_PASSWORD } from '@brightpane/contract/customers/shortest-password';
import { fail, ok } from '../../../http/result.ts';

const LONGEST = 128;

const PRODUCT_WORDS = ['brightpane', 'bright pane', 'invoice', 'windowcleaning', 'window cleaning'];

/**
 * 8 to 128 characters of any kind, except what attackers try first: common passwords, the product's own words and the
 * account's email. No composition rules: they make passwords worse.
 */
export async function judgePassword(
  password: string,
  { email, shortest = SHORTEST_PASSWORD.account }: { email: string; shortest?: number },
) {
  // Lone surrogates all become the same bytes when hashed.
  if (!password.isWellFormed()) return fail('password-unreadable');
  const characters = [...password.normalize('NFC')].length;
  if (characters < shortest) return fail('password-too-short');
  if (characters > LONGEST) return fail('password-too-long');
  if (await isEasilyGuessed(password, email)) return fail('password-too-common');
  return ok(undefined);
}

async function isEasilyGuessed(password: string, email: string): Promise<boolean> {
  const word = password.toLowerCase().trim();
  const [name = ''] = email.split('@');
  // Without trailing digits and symbols, as in "Brightpane2026!".
  const stem = word.replace(/[\d\W_]+$/u, '');
  const isOneCharacter = new Set(password.toLowerCase()).size === 1;
  const backwards = [...word].reverse().join('');
  const common = await commonPasswords();
  return (
    isOneCharacter ||
    common.has(word) ||
    common.has(backwards) ||
    [...PRODUCT_WORDS, email, name].some((known) => word === known || stem === known)
  );
}

let loading: Promise<Set<string>> | undefined;

/** Loaded at first use: the list takes as much memory as the rest of signing up, and many instances never need it. */
function commonPasswords(): Promise<Set<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']?.map((word) => String(word).toLowerCase())),
  );
  return loading;
}
