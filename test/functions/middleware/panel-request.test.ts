import { describe, expect, it } from 'vitest';
import { isFromPanel, panelRequest } from '../../../functions/middleware/panel-request.ts';
import { sha256 } from '../../../lib/kernel/ids.ts';
import { originSecret } from '../../support/api.ts';
import { edgeHeaders, ownPageHeaders, panelOrigin } from '../../support/panel.ts';

const edge = {
  originSecretDigest: sha256(originSecret),
  plainHttpHosts: new Set(['127.0.0.1', 'localhost', '[::1]']),
};
const own = { viewerAddress: '203.0.113.7', origin: panelOrigin };

describe('a request of the panel', () => {
  it('is one with the origin secret, of the address and host that CloudFront saw', () => {
    expect(panelRequest(edgeHeaders(), edge)).toEqual(own);
    expect(panelRequest(edgeHeaders('2001:db8::1'), edge)?.viewerAddress).toBe('2001:db8::1');
  });

  it.each([
    ['panel.example.com', 'https://panel.example.com'],
    ['panel.example.com:8443', 'https://panel.example.com:8443'],
    ['127.0.0.1:3001', 'http://127.0.0.1:3001'],
    ['localhost:3001', 'http://localhost:3001'],
    ['[::1]:3001', 'http://[::1]:3001'],
    ['127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
  ])('at the host %s has the origin %s', (host, origin) => {
    expect(panelRequest(edgeHeaders('203.0.113.7', host), edge)?.origin).toBe(origin);
  });

  it('at a host of this machine has TLS, unless the function may do without', () => {
    const deployed = { ...edge, plainHttpHosts: new Set<string>() };
    expect(panelRequest(edgeHeaders('203.0.113.7', 'localhost'), deployed)?.origin).toBe('https://localhost');
  });

  it.each([
    ['no secret', undefined],
    ['an empty secret', ''],
    ['another secret', 'secret-of-the-origim'],
    ['a longer secret', `${originSecret}x`],
    ['a shorter secret', originSecret.slice(1)],
    ['the secret twice', `${originSecret},${originSecret}`],
    ['the digest, which functions know', sha256(originSecret)],
  ])('is none with %s', (_what, secret) => {
    expect(panelRequest({ ...edgeHeaders(), 'x-origin-secret': secret }, edge)).toBeUndefined();
  });

  it.each(['', undefined, 'x'])('is none of a stage without a panel, with %j as its secret', (secret) => {
    const none = { ...edge, originSecretDigest: '' };
    expect(panelRequest({ ...edgeHeaders(), 'x-origin-secret': secret }, none)).toBeUndefined();
  });

  it.each([
    ['no address', { 'x-viewer-address': '' }],
    ['two addresses', { 'x-viewer-address': '203.0.113.7, 203.0.113.8' }],
    ['no host', { 'x-viewer-host': '' }],
    ['a path as host', { 'x-viewer-host': 'panel.example.com/x' }],
    ['a user as host', { 'x-viewer-host': 'evil@panel.example.com' }],
    ['two hosts', { 'x-viewer-host': 'panel.example.com, evil.example.com' }],
  ])('is an error with %s', (_what, headers) => {
    expect(() => panelRequest({ ...edgeHeaders(), ...headers }, edge)).toThrow('CloudFront');
  });
});

describe('a request is from a page of the panel', () => {
  const { 'sec-fetch-site': site, origin } = ownPageHeaders;
  it.each<[string, string, Record<string, string>, boolean]>([
    ['that reads', 'GET', { 'sec-fetch-site': site }, true],
    ['that reads with its origin', 'GET', { 'sec-fetch-site': site, origin }, true],
    ['that writes with its origin', 'POST', { 'sec-fetch-site': site, origin }, true],
    ['unless a write has no origin', 'POST', { 'sec-fetch-site': site }, false],
    ['unless a write has an opaque origin', 'DELETE', { 'sec-fetch-site': site, origin: 'null' }, false],
    [
      'unless it has another origin',
      'GET',
      { 'sec-fetch-site': site, origin: 'https://evil.example.com' },
      false,
    ],
    [
      'unless its origin has another scheme',
      'PATCH',
      { 'sec-fetch-site': site, origin: 'http://panel.example.com' },
      false,
    ],
    [
      'unless its origin has another port',
      'PUT',
      { 'sec-fetch-site': site, origin: `${origin}:8443` },
      false,
    ],
    ['unless it is of the same site only', 'GET', { 'sec-fetch-site': 'same-site' }, false],
    ['unless it is of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['unless a person typed the address', 'GET', { 'sec-fetch-site': 'none' }, false],
    ['unless it does not say', 'GET', {}, false],
    ['unless it says two things', 'GET', { 'sec-fetch-site': 'same-origin, same-origin' }, false],
  ])('%s', (_what, method, headers, expected) => {
    expect(isFromPanel(method, headers, own)).toBe(expected);
  });
});
