import { formatUsd, parseDollars } from '@brightpane/money/cents';
import type { Reading } from './readings.ts';

type Amount = Extract<Reading, { kind: 'amount' }>;

const DOLLARS = /^\$?((?:\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.\d{1,2})?)$/;
const ABOUT_PARTS = 20;
const ABOUT_LEAST_CENTS = 100;

/** `$120`, `120.00`, `~120`, `$100..150`, `>100`, `<50`. A bare `120` is a work order. */
export function readAmount(text: string): Amount | null {
  const [from, to, ...more] = text.split('..');
  if (to !== undefined) return more.length > 0 ? null : readRange(from ?? '', to);
  if (text.startsWith('~')) return readAbout(text.slice(1));
  if (text.startsWith('>') || text.startsWith('<')) return readBound(text[0] as '>' | '<', text.slice(1));
  if (/^\d+$/.test(text)) return null;
  const amount = readDollars(text);
  if (amount === null) return null;
  return { kind: 'amount', way: 'exact', fromCents: amount, toCents: amount, shown: formatUsd(amount) };
}

/** Within five percent, and at least a dollar. */
export function readAbout(text: string): Amount | null {
  const amount = readDollars(text);
  if (amount === null) return null;
  const around = Math.max(ABOUT_LEAST_CENTS, Math.round(amount / ABOUT_PARTS));
  return {
    kind: 'amount',
    way: 'about',
    fromCents: amount - around,
    toCents: amount + around,
    shown: `about ${formatUsd(amount)}`,
  };
}

function readRange(low: string, high: string): Amount | null {
  const from = readDollars(low);
  const to = readDollars(high);
  if (from === null || to === null) return null;
  return {
    kind: 'amount',
    way: 'range',
    fromCents: from,
    toCents: to,
    shown: `${formatUsd(from)} to ${formatUsd(to)}`,
  };
}

function readBound(sign: '>' | '<', text: string): Amount | null {
  const amount = readDollars(text);
  if (amount === null) return null;
  const shown = `${sign === '>' ? 'above' : 'below'} ${formatUsd(amount)}`;
  return sign === '>'
    ? { kind: 'amount', way: 'range', fromCents: amount + 1, toCents: null, shown }
    : { kind: 'amount', way: 'range', fromCents: null, toCents: amount - 1, shown };
}

function readDollars(text: string) {
  const [, digits] = DOLLARS.exec(text) ?? [];
  return digits === undefined ? null : parseDollars(digits.replaceAll(',', ''));
}
