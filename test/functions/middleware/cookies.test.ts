import { describe, expect, it } from 'vitest';
import { sessionOf, signInTokenOf } from '../../../functions/middleware/cookies.ts';
import { browserSecretOf } from '../../../functions/middleware/page.ts';

const personId = '0198f3a0-0000-8000-8000-000000000001';
const [ours, others] = ['A'.repeat(43), 'B'.repeat(43)];

const cookies = [
  {
    name: '__Host-session',
    valueWith: (token: string) => `${personId}.${token}`,
    read: (sent: string[]) => sessionOf({ cookies: sent }),
  },
  {
    name: '__Host-sign-in',
    valueWith: (token: string) => token,
    read: (sent: string[]) => signInTokenOf({ cookies: sent }),
  },
  {
    name: '__Host-connect',
    valueWith: (token: string) => token,
    read: (sent: string[]) => browserSecretOf({ cookies: sent }),
  },
];

describe.each(cookies)('the cookie $name', ({ name, valueWith, read }) => {
  const own = `${name}=${valueWith(ours)}`;

  it('is read among others, also with the spaces that HTTP allows', () => {
    expect(read([own])).toBeDefined();
    expect(read(['theme=dark', ` ${own} `, 'a', '='])).toEqual(read([own]));
  });

  // Browsers let any host of the site set these: their names do not begin with the prefix.
  it.each(['\u2000', '\u00a0', '\u0085', '\ufeff', '\u3000', '\v'])(
    'is not one whose name begins with the white space %j',
    (space) => {
      expect(read([`${space}${name}=${valueWith(others)}`])).toBeUndefined();
      expect(read([`${space}${name}=${valueWith(others)}`, own])).toEqual(read([own]));
    },
  );

  it('is none if there are two: a browser has one, so nobody knows who set the other', () => {
    expect(read([`${name}=${valueWith(others)}`, own])).toBeUndefined();
    expect(read([own, own])).toEqual(read([own]));
  });

  it.each(['', 'x', valueWith('A'.repeat(42)), `${valueWith('A'.repeat(43))}=`])(
    'is none with the value %j',
    (value) => {
      expect(read([`${name}=${value}`])).toBeUndefined();
    },
  );
});
