import { expect, it } from 'vitest';
import { apiKeyDigest, generateApiKey, isApiKey } from '../../../lib/workspaces/api-key.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

it('makes keys that begin with yay_ and are never the same', () => {
  const made = Array.from({ length: 200 }, generateApiKey);
  for (const apiKey of made) expect(apiKey).toMatch(/^yay_[0-9A-Za-z]{46}$/);
  expect(made.every(isApiKey)).toBe(true);
  expect(new Set(made).size).toBe(made.length);
});

it('tells a key with any one character mistyped', () => {
  const apiKey = generateApiKey();
  let taken = 0;
  for (let place = 'yay_'.length; place < apiKey.length; place += 1) {
    for (const character of base62) {
      if (character === apiKey[place]) continue;
      if (isApiKey(apiKey.slice(0, place) + character + apiKey.slice(place + 1))) taken += 1;
    }
  }
  // The checksum has 24 bits: of 2,806 mistyped keys one passes in 6,000 runs.
  expect(taken).toBeLessThan(2);
});

it.each([
  ['nothing', ''],
  ['the prefix alone', 'yay_'],
  ['another prefix', generateApiKey().replace('yay_', 'yey_')],
  ['an upper-case prefix', generateApiKey().replace('yay_', 'YAY_')],
  ['one character less', generateApiKey().slice(0, -1)],
  ['one character more', `${generateApiKey()}0`],
  ['a line end', `${generateApiKey()}\n`],
  ['a space before', ` ${generateApiKey()}`],
  ['random text of the right form', `yay_${'0'.repeat(46)}`],
  ['other letters', `yay_${'é'.repeat(46)}`],
])('takes %s for no key', (_what, text) => {
  expect(isApiKey(text)).toBe(false);
});

it('keeps of a key only a digest, in which the key cannot be read', () => {
  const apiKey = generateApiKey();
  expect(apiKeyDigest(apiKey)).toMatch(/^[0-9a-f]{64}$/);
  expect(apiKeyDigest(apiKey)).not.toContain(apiKey.slice(4, 12).toLowerCase());
});
