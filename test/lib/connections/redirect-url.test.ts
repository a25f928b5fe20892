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
    [`https://app.example/${'a'.repeat(2_048)}`, /2048/],
  ])('may not be %.60s', (url, reason) => {
    expect(RedirectUrl.safeParse(url).error?.issues[0]?.message).toMatch(reason);
  });

  it('keeps its own query and fragment when the result is added', () => {
    const url = new URL(withResult('https://app.example/done?error=old&a=1#top', 'error', 'so & so'));
    expect([...url.searchParams]).toEqual([
      ['error', 'so & so'],
      ['a', '1'],
    ]);
    expect(url.hash).toBe('#top');
  });
});
