import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlainHttpHosts } from '../../../../lib/http-client/address-guard/public-url.ts';
import {
  checkReachableUrl,
  checkWebhookUrl,
  normalWebhookUrl,
} from '../../../../lib/webhooks/transport/url.ts';
import { badAnswers, badUrls, goodUrls } from './bad-urls.ts';

const none = parsePlainHttpHosts('');
const local = parsePlainHttpHosts('127.0.0.1,[::1],localhost');
const resolvesToPublic = async () => ['93.184.216.34'];

describe('registration', () => {
  it('is tested with more than 150 bad URLs', () => {
    expect(new Set(badUrls).size).toBe(badUrls.length);
    expect(badUrls.length).toBeGreaterThan(150);
  });

  it.each(badUrls)(
    'rejects %j, even if it resolves to a public address and plain http is allowed',
    async (text) => {
      for (const plainHttpHosts of [none, local]) {
        const checked = await checkReachableUrl(text.replace('PORT', '3000'), {
          lookUp: resolvesToPublic,
          plainHttpHosts,
        });
        expect(checked).toEqual({ problem: expect.stringMatching(/^must /) });
      }
    },
  );

  it.each(badAnswers)('rejects %j while it resolves to %j', async (text, addresses) => {
    const checked = await checkReachableUrl(text, { lookUp: async () => addresses, plainHttpHosts: local });
    expect(checked).toEqual({ problem: `${new URL(text).hostname} is not at a public address` });
  });

  it.each(goodUrls)('accepts %j', async (text) => {
    expect(await checkReachableUrl(text, { lookUp: resolvesToPublic, plainHttpHosts: none })).toEqual({
      url: new URL(text),
    });
  });

  it('accepts only https URLs and never throws, whatever the text', () => {
    const hosts = fc.oneof(fc.string({ unit: 'binary' }), fc.ipV4Extended(), fc.ipV6());
    fc.assert(
      fc.property(hosts, fc.constantFrom('', 'http://', 'https://', 'https://['), (text, start) => {
        const checked = checkWebhookUrl(start + text, none);
        return 'problem' in checked || checked.url.protocol === 'https:';
      }),
    );
  });
});

describe('plain http', () => {
  it.each([
    ['http://127.0.0.1:3000/hook', '127.0.0.1'],
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://127.0.0.1:65535/', '127.0.0.1'],
    ['http://127.1:3000/', '127.0.0.1'],
    ['http://2130706433:3000/', '127.0.0.1'],
    ['http://0x7f.0.0.1:3000/', '127.0.0.1'],
    ['http://[::1]:3000/', '[::1]'],
    ['http://[0:0:0:0:0:0:0:1]:3000/', '[::1]'],
    ['http://localhost:3000/', 'localhost'],
    ['HTTP://LOCALHOST:3000/', 'localhost'],
  ])('may be sent to %s only if %s is allowed', (text, host) => {
    expect(checkWebhookUrl(text, local)).toEqual({ url: new URL(text) });
    expect(checkWebhookUrl(text, parsePlainHttpHosts(host))).toEqual({ url: new URL(text) });
    expect(checkWebhookUrl(text, none)).toEqual({ problem: 'must begin with https://' });
  });

  it.each([
    'http://127.0.0.2:3000/',
    'http://127.0.0.10:3000/',
    'http://0.0.0.0:3000/',
    'http://0:3000/',
    'http://localhost.:3000/',
    'http://a.localhost:3000/',
    'http://localhost.example.com:3000/',
    'http://[::ffff:127.0.0.1]:3000/',
    'http://[::127.0.0.1]:3000/',
    'http://[::]:3000/',
    'http://[::2]:3000/',
    'http://10.0.0.1:3000/',
    'http://169.254.169.254/',
    'http://user@127.0.0.1:3000/',
    'http://@localhost:3000/',
    'http://127.0.0.1:3000/#x',
    'http://127.0.0.1:0/',
    'http://hooks.example.com/',
  ])('may not be sent to %s, which is not allowed', (text) => {
    expect(checkWebhookUrl(text, local)).toHaveProperty('problem');
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/',
    'https://127.1:8443/',
    'https://localhost/',
    'https://localhost.:8443/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]:8443/',
  ])('being allowed does not allow https to %s', (text) => {
    expect(checkWebhookUrl(text, local)).toHaveProperty('problem');
  });

  it.each([undefined, '', ' ', ','])('is allowed for no host if the variable is %j', (text) => {
    expect(parsePlainHttpHosts(text).size).toBe(0);
  });

  it('is allowed for hosts that are listed with spaces', () => {
    expect([...parsePlainHttpHosts(' 127.0.0.1 , [::1],localhost,')]).toEqual([
      '127.0.0.1',
      '[::1]',
      'localhost',
    ]);
  });

  it.each([
    '10.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    'hooks.example.com',
    '::1',
    '127.1',
    'LOCALHOST',
    'localhost:3000',
    '*',
  ])('cannot be allowed for %s', (host) => {
    expect(() => parsePlainHttpHosts(`127.0.0.1,${host}`)).toThrow(TypeError);
  });
});

describe('the normal form', () => {
  it.each([
    ['https://hooks.example.com', 'https://HOOKS.example.com:443/'],
    ['https://hooks.example.com/%7Ea%2fb', 'https://hooks.example.com/~a%2Fb'],
    ['https://hooks.example.com/a/../b', 'https://hooks.example.com/b'],
    ['https://hooks.example.com/a?', 'https://hooks.example.com/a'],
    ['https://hooks.example.com/?a=%41', 'https://hooks.example.com/?a=A'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['http://127.1:3000', 'http://127.0.0.1:3000/'],
  ])('is the same for %s and %s', (one, other) => {
    expect(normalWebhookUrl(new URL(one))).toBe(normalWebhookUrl(new URL(other)));
  });

  it.each([
    ['https://hooks.example.com/a', 'https://hooks.example.com/a/'],
    ['https://hooks.example.com/a', 'https://hooks.example.com/A'],
    ['https://hooks.example.com/', 'https://hooks.example.com:8443/'],
    ['https://hooks.example.com/?a=1&b=2', 'https://hooks.example.com/?b=2&a=1'],
    ['https://hooks.example.com/a%2Fb', 'https://hooks.example.com/a/b'],
    ['https://hooks.example.com/?a=%26', 'https://hooks.example.com/?a=&'],
  ])('differs for %s and %s', (one, other) => {
    expect(normalWebhookUrl(new URL(one))).not.toBe(normalWebhookUrl(new URL(other)));
  });

  it('is its own normal form', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
        const normal = normalWebhookUrl(new URL(text));
        expect(normalWebhookUrl(new URL(normal))).toBe(normal);
      }),
    );
  });
});
