import { isIPv6 } from 'node:net';

/** The unit by which attempts are counted: an IPv4 address, or the /64 assigned to one IPv6 customer. */
export function clientAddress(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = hexGroups(ip);
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  const isMappedIpv4 = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  if (isMappedIpv4) {
    return groups
      .slice(6)
      .map((group) => Number.parseInt(group, 16))
      .flatMap((number) => [number >> 8, number & 255])
      .join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The parts around `::`, in the normalized form of a URL, which has no dotted quads. */
function hexGroups(ip: string): string[] {
  const [address = ''] = ip.split('%');
  return new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
}

/** The network of an address from `clientAddress`: a /24, or the /48 assigned to one IPv6 site. */
export function clientNetwork(address: string): string {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address);
  if (ipv4) return `${ipv4[1]}.0/24`;
  const ipv6 = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(address);
  return ipv6 ? `${ipv6[1]}::/48` : address;
}
