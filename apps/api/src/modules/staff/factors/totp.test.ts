import { expect, test } from 'vitest';
import { toBase32 } from './base32.ts';
import { findStep, stepAt, totpCode } from './totp.ts';

/** RFC 6238, appendix B: the last six digits of its SHA-1 codes. */
const SECRET = Buffer.from('12345678901234567890');
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

const at = (seconds: number) => new Date(seconds * 1000);

test.each(VECTORS)('at second %d the code is %s', (seconds, code) => {
  expect(totpCode(SECRET, stepAt(at(seconds)))).toBe(code);
  expect(findStep(SECRET, { code, time: at(seconds) })).toBe(stepAt(at(seconds)));
});

test('accepts a code one step early or late, and no further', () => {
  const code = totpCode(SECRET, 100);
  const isTaken = (seconds: number) => findStep(SECRET, { code, time: at(seconds) }) !== null;
  expect([2969, 2970, 3000, 3059].map(isTaken)).toEqual([false, true, true, true]);
  expect(isTaken(3060)).toBe(false);
});

test('spells a secret as apps read it', () => {
  expect(toBase32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});
