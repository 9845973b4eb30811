import {
  MOST_SEARCH_CHARACTERS,
  MOST_SEARCH_WORDS,
  searchWords,
} from '@brightpane/contract/office/words/search-words';
import { fail, ok } from '../../../http/result.ts';
import { readAbout, readAmount } from './read-amount.ts';
import { readDays } from './read-days.ts';
import { BRANDS, type Reading, type Term } from './readings.ts';
import { splitTokens, type Token } from './split-tokens.ts';

const MOST_TERMS = 8;
const IGNORED = new Set(['for', 'on', 'the', 'from', 'by', 'of']);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ORDER_ID = /^[a-z0-9]{1,7}-[0-9a-f]{24}$/;
const BEFORE_LAST_FOUR = /^(?:card|ending|x+|\*+)$/;
const MOST_WORK_ORDER_DIGITS = 10;

type Read = {
  readings: Reading[];
  taken: number;
  /** Digits whose meaning is ambiguous. */
  digits?: string;
};

/** Parses the search field, or explains why it can't. */
export function readSearch(search: string) {
  if ([...search].length > MOST_SEARCH_CHARACTERS)
    return fail('too-long', { sentence: 'Use at most 100 characters.' });
  const tokens = splitTokens(search);
  const found: (Read & { from: number })[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readNext(tokens.slice(at));
    if (read.readings.length > 0) found.push({ ...read, from: at });
    at += read.taken;
  }
  // Words are counted of all tokens together: one without spaces may hold any number of them.
  if (found.length > MOST_TERMS || countWords(found) > MOST_SEARCH_WORDS)
    return fail('too-long', { sentence: 'Use at most 8 words.' });
  if (countOf(found, 'days') > 1) return fail('unclear', { sentence: 'Use one date.' });
  if (countOf(found, 'amount') > 1) return fail('unclear', { sentence: 'Use one amount.' });

  const isBesideWords = countOf(found, 'words') > 0;
  return ok(
    found.map(
      ({ readings, taken, digits, from }): Term => ({
        // Next to words, digits may be part of an address: `12 maple`.
        readings: isBesideWords && digits ? [...readings, { kind: 'words', words: [digits] }] : readings,
        ...(taken === 1 && readNumber(tokens[from])),
        without: tokens
          .filter((_, at) => at < from || at >= from + taken)
          .map(({ typed }) => typed)
          .join(' '),
      }),
    ),
  );
}

const countOf = (found: { readings: Reading[] }[], kind: Reading['kind']) =>
  found.filter(({ readings }) => readings[0]?.kind === kind).length;

function countWords(found: { readings: Reading[]; digits?: string }[]): number {
  const words = found.flatMap(({ readings, digits }) => [
    ...readings.flatMap((reading) => (reading.kind === 'words' ? reading.words : [])),
    ...(digits === undefined ? [] : [digits]),
  ]);
  return new Set(words).size;
}

/** The readings of the first tokens; none if they mean nothing. */
function readNext(tokens: readonly Token[]): Read {
  const [token, next] = tokens;
  if (!token) return { readings: [], taken: 1 };
  const one = (...readings: Reading[]): Read => ({ readings, taken: 1 });
  if (token.isQuoted) return one(...readWords(token.text));
  const text = token.text.toLowerCase();
  const after = next?.isQuoted ? undefined : next?.text.toLowerCase();

  const named = readNamed(text, after) ?? readLastFour(tokens);
  if (named) return named;
  const dated = readDays(plainWords(tokens));
  if (dated) return { readings: [{ kind: 'days', days: dated.days }], taken: dated.taken };
  const amount = readAmount(text);
  if (amount) return one(amount);
  if (/^[^@]+@[^@]*$/.test(text)) return one({ kind: 'email', prefix: text });
  if (UUID.test(text)) return one({ kind: 'payment', paymentId: text });
  if (ORDER_ID.test(text)) return one({ kind: 'order', orderId: text });
  const brand = BRANDS.find((each) => each === text);
  if (brand) return one({ kind: 'brand', brand });
  if (/^\d{1,12}$/.test(text)) return { ...one(...readDigits(text)), digits: text };
  return IGNORED.has(text) ? one() : one(...readWords(text));
}

const plainWords = (tokens: readonly Token[]) => {
  const quoted = tokens.findIndex(({ isQuoted }) => isQuoted);
  return tokens.slice(0, quoted < 0 ? 3 : Math.min(3, quoted)).map(({ text }) => text.toLowerCase());
};

/** The preceding word tells the meaning: `about 120`, `ref 123456`, `wo 1042`, `#1042`. */
function readNamed(text: string, after: string | undefined): Read | null {
  if (text === 'about' && after !== undefined) {
    const amount = readAbout(after);
    if (amount) return { readings: [amount], taken: 2 };
  }
  if (text === 'ref' && after !== undefined && /^[a-z0-9-]{1,40}$/.test(after)) {
    return { readings: [{ kind: 'reference', reference: after }], taken: 2 };
  }
  const [, attached] = /^#(\d{1,10})$/.exec(text) ?? [];
  if (attached) return { readings: [{ kind: 'work-order', number: Number(attached) }], taken: 1 };
  if ((text === 'wo' || text === '#') && after !== undefined && /^#?\d{1,10}$/.test(after)) {
    return { readings: [{ kind: 'work-order', number: Number(after.replace('#', '')) }], taken: 2 };
  }
  return null;
}

/** `card 2224`, `card ending 2224`, `x2224`, `*2224`. */
function readLastFour(tokens: readonly Token[]): Read | null {
  const [, attached] = /^(?:x+|\*+)(\d{4})$/.exec(tokens[0]?.text.toLowerCase() ?? '') ?? [];
  if (attached) return { readings: [{ kind: 'last-four', digits: attached }], taken: 1 };
  const before = tokens.findIndex(
    ({ text, isQuoted }) => isQuoted || !BEFORE_LAST_FOUR.test(text.toLowerCase()),
  );
  const digits = tokens[before]?.text.replace(/^[x*]+/i, '');
  if (before < 1 || digits === undefined || !/^\d{4}$/.test(digits)) return null;
  return { readings: [{ kind: 'last-four', digits }], taken: before + 1 };
}

function readDigits(digits: string): Reading[] {
  const readings: Reading[] = [];
  if (digits.length <= MOST_WORK_ORDER_DIGITS) readings.push({ kind: 'work-order', number: Number(digits) });
  if (digits.length === 4) readings.push({ kind: 'last-four', digits });
  if (digits.length >= 6 && digits.length <= 12) readings.push({ kind: 'reference', reference: digits });
  return readings;
}

/** As long as an import takes a customer's number. */
function readNumber(token: Token | undefined): { number: number } | null {
  return token && !token.isQuoted && /^\d{1,15}$/.test(token.text) ? { number: Number(token.text) } : null;
}

function readWords(text: string): Reading[] {
  const words = searchWords(text);
  return words.length > 0 ? [{ kind: 'words', words }] : [];
}
