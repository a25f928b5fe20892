import { describe, expect, it } from 'vitest';
import { parsePlainHttpHosts, resolveHost } from '../../../../lib/http-client/address-guard/public-url.ts';
import type { LookUp } from '../../../../lib/http-client/address-guard/resolve-public.ts';
import { checkReachableUrl } from '../../../../lib/webhooks/transport/url.ts';

const plainHttpHosts = parsePlainHttpHosts('127.0.0.1,[::1],localhost');
const noLookUp: LookUp = () => Promise.reject(new Error('there must be no look-up'));
const failing =
  (code: string): LookUp =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }));
const resolved = (href: string, lookUp: LookUp) => resolveHost(new URL(href), { lookUp });

describe('the host of a URL', () => {
  it('resolves to all addresses of one look-up', async () => {
    const asked: string[] = [];
    const lookUp = async (hostname: string) => {
      asked.push(hostname);
      return ['93.184.216.34', '2606:2800::1'];
    };
    expect(await resolved('https://Hooks.example.com:8443/', lookUp)).toEqual({
      addresses: ['93.184.216.34', '2606:2800::1'],
    });
    expect(asked).toEqual(['hooks.example.com']);
  });

  it.each([
    ['https://93.184.216.34/', ['93.184.216.34']],
    ['https://[2606:2800::1]/', ['2606:2800::1']],
    ['http://127.0.0.1:3000/', ['127.0.0.1']],
    ['http://[::1]:3000/', ['::1']],
    ['http://localhost:3000/', ['127.0.0.1', '::1']],
  ])('needs no look-up in %s', async (href, addresses) => {
    expect(await resolved(href, noLookUp)).toEqual({ addresses });
  });

  it.each(['http://hooks.example.com/', 'http://10.0.0.1/', 'http://93.184.216.34/'])(
    'is not looked up for plain http to %s',
    async (href) => {
      const { hostname } = new URL(href);
      expect(await resolved(href, noLookUp)).toEqual({
        problem: `${hostname} may not be reached with plain http; use https`,
      });
    },
  );

  it.each([
    'https://127.0.0.1:8443/',
    'https://10.0.0.1/',
    'https://[::ffff:93.184.216.34]/',
    'https://[fd00::1]/',
  ])('is rejected without a look-up in %s', async (href) => {
    const { hostname } = new URL(href);
    expect(await resolved(href, noLookUp)).toEqual({ problem: `${hostname} is not at a public address` });
  });

  it.each([
    ['ENOTFOUND', 'hooks.example.com does not resolve'],
    ['ENODATA', 'hooks.example.com does not resolve'],
    ['ESERVFAIL', 'hooks.example.com could not be resolved: its name servers do not answer'],
    ['ETIMEOUT', 'hooks.example.com could not be resolved: its name servers do not answer'],
  ])('is rejected after %s: %s', async (code, problem) => {
    expect(await resolved('https://hooks.example.com/', failing(code))).toEqual({
      problem,
      ...(problem.endsWith('do not answer') && { isTemporary: true }),
    });
    const network = { lookUp: failing(code), plainHttpHosts };
    expect(await checkReachableUrl('https://hooks.example.com/', network)).toEqual({ problem });
  });

  it('is rejected if it has no address', async () => {
    expect(await resolved('https://hooks.example.com/', async () => [])).toEqual({
      problem: 'hooks.example.com does not resolve',
    });
  });

  it('is rejected if the look-up times out', async () => {
    const url = new URL('https://hooks.example.com/');
    expect(await resolveHost(url, { lookUp: () => new Promise(() => undefined) }, 0.02)).toEqual({
      problem: 'hooks.example.com could not be resolved: its name servers do not answer',
      isTemporary: true,
    });
  });
});
