import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RedirectUrl, withResult } from '../../../lib/connections/redirect-url.ts';

describe('a redirectUrl', () => {
  it.each([
    'https://app.example/done?from=herald#top',
    'https://app.example:8443/',
    'http://localhost:3000/done',
    'http://app.localhost/',
    'http://127.0.0.1/',
    'http://127.8.9.1:5173/',
    'http://[::1]:3000/',
    'https://my_app.example/',
    'https://xn--bcher-kva.example./',
  ])('may be %s', (url) => {
    expect(RedirectUrl.parse(url)).toBe(url);
  });

  it.each([
    ['http://app.example/', /begin with https/],
    ['http://127.0.0.1.example/', /begin with https/],
    ['http://localhost.example/', /begin with https/],
    ['http://10.0.0.1/', /begin with https/],
    ['ftp://app.example/', /begin with https/],
    ['javascript:alert(1)', /begin with https/],
    ['data:text/html,hello', /begin with https/],
    ['https://user@app.example/', /user name/],
    ['https://user:password@app.example/', /user name/],
    ['/done', /absolute/],
    ['//app.example/', /absolute/],
    ['', /absolute/],
    ["https://a;script-src'unsafe-inline'.example/", /its host/],
    ['https://a,b.example/', /its host/],
    ['https://*.example/', /its host/],
    ["https://a'b.example/", /its host/],
    ['https://a"b.example/', /its host/],
    ['https://a`{b}.example/', /its host/],
    ['http://a;b.localhost/', /its host/],
    [`https://app.example/${'a'.repeat(2_048)}`, /2048/],
  ])('may not be %.60s', (url, reason) => {
    expect(RedirectUrl.safeParse(url).error?.issues[0]?.message).toMatch(reason);
  });

  it.each(['https://bücher.example/', 'https://BÜCHER.example/'])(
    'may have a host in another script: %s',
    (url) => {
      expect(RedirectUrl.parse(url)).toBe('https://xn--bcher-kva.example/');
    },
  );

  it('has no host that can end a directive or a policy, whatever it is', () => {
    const hosts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(hosts, (host) => {
        const { data } = RedirectUrl.safeParse(`https://${host}/`);
        if (data !== undefined) expect(new URL(data).origin).toMatch(/^https:\/\/[\w.:[\]-]+$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps its own query and fragment when the result is added', () => {
    const result = { error: 'access_denied' };
    const url = new URL(withResult('https://app.example/done?error=old&connected=old&a=1#top', result));
    expect([...url.searchParams]).toEqual([
      ['a', '1'],
      ['error', 'access_denied'],
    ]);
    expect(url.hash).toBe('#top');
  });
});
