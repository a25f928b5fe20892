import { BlockList, isIP } from 'node:net';

/**
 * The IPv4 networks that no receiver on the Internet uses: the IANA special-purpose registry, multicast, and the
 * address of the host of Azure's virtual machines.
 */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * The IPv6 space that is assigned to networks. No other is public. This excludes loopback, all forms of IPv4 in IPv6
 * (`::/96`, `::ffff:0:0/96`), NAT64 (`64:ff9b::/96`, `64:ff9b:1::/48`), unique-local, link-local, site-local, multicast
 * and segment routing addresses.
 */
const globalIpv6 = ['2000::/3'];

/**
 * The IPv6 networks in that space that are not public: protocol assignments (including Teredo, which embeds IPv4
 * addresses), documentation, 6to4 (embeds them too), AS112.
 */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const isSpecialIpv4 = matcher(specialIpv4, 'ipv4');
const isGlobalIpv6 = matcher(globalIpv6, 'ipv6');
const isSpecialIpv6 = matcher(specialIpv6, 'ipv6');

/**
 * Returns true for a public address on the Internet. Accepts only the plain notation that resolvers and `URL` write
 * (`93.184.216.34`, `2606:2800::1`); every other text is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !isSpecialIpv4(address);
  return family === 6 && isGlobalIpv6(address) && !isSpecialIpv6(address);
}

function matcher(networks: readonly string[], family: 'ipv4' | 'ipv6'): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', prefix] = network.split('/');
    list.addSubnet(base, Number(prefix), family);
  }
  return (address) => list.check(address, family);
}
