import { expect, test } from 'vitest';
import { clientAddress, clientNetwork } from './client-address.ts';

test.each([
  ['an IPv4 address is itself', '203.0.113.9', '203.0.113.9'],
  ['an IPv4 address in IPv6 clothes is the same one', '::ffff:203.0.113.9', '203.0.113.9'],
  ['an IPv6 address is its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['a neighbor in the same /64 is the same', '2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['another spelling is the same', '2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['a short one is filled up', '2001:db8::1', '2001:db8:0:0::/64'],
  ['the loopback', '::1', '0:0:0:0::/64'],
  ['a zone is left away', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s', (_what, ip, expected) => {
  expect(clientAddress(ip)).toBe(expected);
});

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['somewhere', 'somewhere'],
])('the network around %s is %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
