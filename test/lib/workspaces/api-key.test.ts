import { expect, it } from 'vitest';
import { apiKeyDigest, generateApiKey, isApiKey } from '../../../lib/workspaces/api-key.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

it('makes unique keys that begin with yay_', () => {
  const made = Array.from({ length: 200 }, generateApiKey);
  for (const apiKey of made) expect(apiKey).toMatch(/^yay_[0-9A-Za-z]{46}$/);
  expect(made.every(isApiKey)).toBe(true);
  expect(new Set(made).size).toBe(made.length);
});

it('detects a key with any one character mistyped', () => {
  const apiKey = generateApiKey();
  let taken = 0;
  for (let place = 'yay_'.length; place < apiKey.length; place += 1) {
    for (const character of base62) {
      if (character === apiKey[place]) continue;
      if (isApiKey(apiKey.slice(0, place) + character + apiKey.slice(place + 1))) taken += 1;
    }
  }
  // The checksum has 24 bits: in one of 6,000 runs, one of the 2,806 mistyped keys passes.
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
])('rejects %s', (_what, text) => {
  expect(isApiKey(text)).toBe(false);
});

it('stores only a digest, which does not reveal the key', () => {
  const apiKey = generateApiKey();
  expect(apiKeyDigest(apiKey)).toMatch(/^[0-9a-f]{64}$/);
  expect(apiKeyDigest(apiKey)).not.toContain(apiKey.slice(4, 12).toLowerCase());
});
