import { BlockList, isIP } from 'node:net';

/** Whether to trust what the peer this many hops from our socket (0: the one that connected) says about its client. */
export type Trust = (address: string, hop: number) => boolean;

/** Parses a number of hops counted from our socket, or a list of addresses and networks. `null`: neither. */
export function readTrust(setting: string): Trust | null {
  if (/^\d*$/.test(setting)) return (_address, hop) => hop < Number(setting);
  const proxies = new BlockList();
  for (const entry of setting.split(',')) {
    const [address = '', bits] = entry.trim().split('/');
    const version = isIP(address);
    if (version === 0) return null;
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)) {
      proxies.addSubnet(address, Number(bits), family);
    } else return null;
  }
  return (address) => isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
