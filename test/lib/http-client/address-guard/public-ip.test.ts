import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../../lib/http-client/address-guard/public-ip.ts';

describe('a public address', () => {
  /** The addresses just before and just after each special network, and some that receivers use. */
  const publicAddresses = [
    ...['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.216.34', '100.63.255.255', '100.128.0.0'],
    ...['126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0'],
    ...['172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0', '192.88.98.255'],
    ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '203.0.112.255'],
    ...['223.255.255.255', '2000::', '2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:2800::1'],
    ...[
      '2a00:1450:4001:80b::200e',
      '2600:1f18::1',
      '3ffe::1',
      '3fff:1000::',
      '2001:db7:ffff::',
      '2001:db9::',
    ],
  ];
  it.each(publicAddresses)('is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  const others = [
    ...[
      '0.0.0.0',
      '0.255.255.255',
      '10.0.0.0',
      '10.255.255.255',
      '100.64.0.0',
      '100.127.255.255',
      '127.0.0.0',
    ],
    ...[
      '127.255.255.255',
      '168.63.129.16',
      '169.254.0.0',
      '169.254.169.254',
      '169.254.255.255',
      '172.16.0.0',
    ],
    ...[
      '172.31.255.255',
      '192.0.0.0',
      '192.0.0.255',
      '192.0.2.0',
      '192.88.99.1',
      '192.168.0.0',
      '192.168.255.255',
    ],
    ...['198.18.0.0', '198.19.255.255', '198.51.100.0', '203.0.113.255', '224.0.0.0', '239.255.255.255'],
    ...[
      '240.0.0.0',
      '255.255.255.255',
      '::',
      '::1',
      '::2',
      '1fff:ffff::',
      '4000::',
      'fc00::',
      'fdff::',
      'fe80::1',
    ],
    ...[
      'fec0::1',
      'ff02::1',
      '100::1',
      '64:ff9b::808:808',
      '64:ff9b:1::1',
      '2001::1',
      '2001:1ff:ffff::',
      '2002::1',
    ],
    ...['2002:ffff:ffff::', '2001:db8::', '2001:db8:ffff::', '3fff::', '3fff:fff:ffff::', '5f00::1'],
    ...['', ' 8.8.8.8', '8.8.8', '08.8.8.8', '8.8.8.8.', '134744072', '0x8.8.8.8', '[2606:2800::1]'],
    ...['2606:2800::1%eth0', 'fe80::1%eth0', '2606:2800::1/64', 'hooks.example.com', 'localhost', '1::2::3'],
  ];
  it.each(others)('is not %j', (address) => expect(isPublicAddress(address)).toBe(false));

  const ipv4 = fc.ipV4();
  const hex = (address: string) => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  };
  it.each<[string, (address: string) => string]>([
    ['mapped', (address) => `::ffff:${address}`],
    ['mapped, in hexadecimal', (address) => `::ffff:${hex(address)}`],
    ['compatible', (address) => `::${address}`],
    ['translated', (address) => `::ffff:0:${address}`],
    ['NAT64', (address) => `64:ff9b::${address}`],
    ['local NAT64', (address) => `64:ff9b:1::${address}`],
    ['6to4', (address) => `2002:${hex(address)}::1`],
    ['Teredo', (address) => `2001:0:${hex(address)}::1`],
    ['ISATAP, link-local', (address) => `fe80::5efe:${address}`],
  ])('is never IPv4 in IPv6: %s', (_form, embed) => {
    fc.assert(fc.property(ipv4, (address) => !isPublicAddress(embed(address))));
  });
});
