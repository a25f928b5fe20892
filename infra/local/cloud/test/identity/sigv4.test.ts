import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClaimedSignature,
  isSignedWith,
  judgeTime,
  readSignature,
  sha256Hex,
} from '../../identity/sigv4.ts';

const signedAt = new Date('2026-11-20T10:00:00Z');
const secret = 'a secret';

/** The hash class that the library's signer requires. */
class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(key?: unknown) {
    const isKey = typeof key === 'string' || key instanceof Uint8Array;
    this.#hash = isKey ? createHmac('sha256', key) : createHash('sha256');
  }
  update(data: Uint8Array | string) {
    this.#hash.update(data);
  }
  async digest() {
    return new Uint8Array(this.#hash.digest());
  }
  reset() {}
}

const signer = (service: string) =>
  new SignatureV4({
    service,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'writer', secretAccessKey: secret, sessionToken: 'token' },
    sha256: Sha256,
    uriEscapePath: service !== 's3',
  });

type Sent = { method: string; url: string; headers: Record<string, string> };

async function sign(
  service: string,
  path: string,
  query: Record<string, string>,
  body: string,
): Promise<Sent> {
  const request = new HttpRequest({
    method: 'POST',
    hostname: '127.0.0.1',
    path,
    query,
    headers: { host: '127.0.0.1:4566', 'x-amz-target': 'A.B' },
    body,
  });
  const signed = await signer(service).sign(request, { signingDate: signedAt });
  return { method: 'POST', url: urlOf(path, query), headers: lowerCased(signed.headers) };
}

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const encode = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const urlOf = (path: string, query: Record<string, string>) => {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
};
function claim(sent: Sent): ClaimedSignature {
  const signature = readSignature(sent);
  if (signature === undefined || signature === 'malformed') throw new Error(`read as ${signature}`);
  return signature;
}
const verify = (sent: Sent, body: string, key = secret) =>
  isSignedWith(key, sent, claim(sent), sha256Hex(body));

describe('signatures in headers', () => {
  it('are read', async () => {
    const sent = await sign('sqs', '/', {}, '{}');
    expect(claim(sent)).toMatchObject({
      accessKeyId: 'writer',
      service: 'sqs',
      region: 'eu-west-1',
      sessionToken: 'token',
      signedAtMs: signedAt.getTime(),
      presigned: false,
    });
  });

  it('from the library are valid for any path, query and body', async () => {
    const service = fc.constantFrom('s3', 'scheduler', 'sqs');
    const segments = fc.array(
      fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/^\.+$/.test(text)),
      { maxLength: 3 },
    );
    const query = fc.dictionary(fc.stringMatching(/^[a-zA-Z-]{1,8}$/), fc.string({ unit: 'grapheme' }), {
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(service, segments, query, fc.string(), async (name, parts, pairs, body) => {
        const sent = await sign(name, `/${parts.map(encode).join('/')}`, pairs, body);
        expect(verify(sent, body)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each<[string, (sent: Sent) => Sent]>([
    ['method', (sent) => ({ ...sent, method: 'PUT' })],
    ['path', (sent) => ({ ...sent, url: '/b?x=1' })],
    ['query', (sent) => ({ ...sent, url: '/a?x=2' })],
    ['signed header', (sent) => ({ ...sent, headers: { ...sent.headers, 'x-amz-target': 'A.C' } })],
    ['added x-amz header', (sent) => ({ ...sent, headers: { ...sent.headers, 'x-amz-more': '1' } })],
    ['date', (sent) => ({ ...sent, headers: { ...sent.headers, 'x-amz-date': '20261120T100001Z' } })],
    ['undecodable query', (sent) => ({ ...sent, url: '/a?x=%E0%A4%A' })],
  ])('are invalid after a change of the %s', async (_, change) => {
    const sent = await sign('sqs', '/a', { x: '1' }, '{}');
    expect(verify(sent, '{}')).toBe(true);
    expect(verify(change(sent), '{}')).toBe(false);
  });

  it('are invalid for another body or another secret', async () => {
    const sent = await sign('sqs', '/', {}, '{}');
    expect(verify(sent, '{ }')).toBe(false);
    expect(verify(sent, '{}', 'another')).toBe(false);
  });

  it.each([
    'AWS4-HMAC-SHA256 Credential=a/20261120/eu-west-1/sqs, SignedHeaders=host, Signature=0',
    'Bearer token',
    '',
  ])('that cannot be read are malformed: %s', (authorization) => {
    expect(readSignature({ method: 'GET', url: '/', headers: { authorization } })).toBe('malformed');
  });

  it('are undefined if there is none', () => {
    expect(readSignature({ method: 'GET', url: '/a?b=c', headers: {} })).toBeUndefined();
  });
});

describe('time', () => {
  const minute = 60_000;
  const now = signedAt.getTime();
  const headers = { signedAtMs: now } as ClaimedSignature;
  it.each([
    [-16 * minute, 'skewed'],
    [-14 * minute, 'valid'],
    [0, 'valid'],
    [14 * minute, 'valid'],
    [16 * minute, 'skewed'],
  ])('of a header, read %i ms after it was signed', (elapsedMs, verdict) => {
    expect(judgeTime(headers, now + elapsedMs)).toBe(verdict);
  });

  it.each([
    [-16 * minute, 'skewed'],
    [0, 'valid'],
    [60 * minute, 'valid'],
    [60 * minute + 1, 'expired'],
  ])('of a URL presigned for an hour, read %i ms after it was signed', (elapsedMs, verdict) => {
    expect(judgeTime({ ...headers, expiresSeconds: 3600 }, now + elapsedMs)).toBe(verdict);
  });
});
