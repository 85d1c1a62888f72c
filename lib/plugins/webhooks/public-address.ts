import { BlockList, isIP, isIPv6 } from 'node:net';

/** IPv4 ranges that are not on the public internet: of the special-purpose registry of IANA, and of a cloud. @source ADR 0043.13 */
const special: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // The platform of Azure, which every machine there reaches: it has secrets of the machine.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Ranges within 2000::/3 that are reserved, or lead to an IPv4 address. Everything outside is refused, such as loopback, link-local
 * and unique local addresses, those mapped to IPv4, and NAT64.
 */
const special6: readonly [address: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [address, prefix] of special) refused.addSubnet(address, prefix, 'ipv4');
const refused6 = new BlockList();
for (const [address, prefix] of special6) refused6.addSubnet(address, prefix, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** True for an address on the public internet. False for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (isIPv6(address)) return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
  return !refused.check(address, 'ipv4');
}
