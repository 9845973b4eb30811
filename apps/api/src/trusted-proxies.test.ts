import { expect, test } from 'vitest';
import { readTrust } from './trusted-proxies.ts';

test('counts a number of hops from our own socket', () => {
  expect([0, 1, 2].map((hop) => readTrust('2')?.('192.0.2.1', hop))).toEqual([true, true, false]);
  expect(readTrust('')?.('127.0.0.1', 0)).toBe(false);
});

test.each([
  ['10.0.0.1', true],
  ['10.0.0.2', false],
  ['192.168.7.9', true],
  ['::ffff:10.0.0.1', true],
  ['2001:db8::9', true],
  ['2001:db9::9', false],
  ['nonsense', false],
])('of a list of addresses and networks, %s is trusted: %s', (address, isTrusted) => {
  const trust = readTrust('10.0.0.1, 192.168.0.0/16,2001:db8::/32');
  expect(trust?.(address, 0)).toBe(isTrusted);
});

test.each(['proxy.example.com', '10.0.0.1,', '10.0.0.0/33', '-1', '10.0.0.0/x'])('rejects %j', (setting) => {
  expect(readTrust(setting)).toBeNull();
});
