import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimitAddress } from '../../../lib/api-contract/rate-limit.ts';

describe('rateLimitAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ABCD::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('counts %s as %s', (address, counted) => {
    expect(rateLimitAddress(address)).toBe(counted);
  });

  it('counts all addresses of one /64 network together and those of other networks separately', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        fc.pre(!one.includes('.') && !other.includes('.'));
        expect(rateLimitAddress(one) === rateLimitAddress(other)).toBe(network(one) === network(other));
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }),
        fc.nat(0xffff),
        (groups, last) => {
          const write = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':');
          expect(rateLimitAddress(write(groups))).toBe(
            rateLimitAddress(write([...groups.slice(0, 7), last])),
          );
        },
      ),
    );
  });
});

/** The first 64 bits, according to the URL parser of the runtime. */
function network(address: string): string {
  const host = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
