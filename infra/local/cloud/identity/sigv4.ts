/**
 * Reads and verifies AWS Signature Version 4, in headers and in presigned queries.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * The library's signer (@smithy/signature-v4) itself chooses the headers and query parameters to sign, so it cannot verify a
 * signature of given ones. This file builds the canonical request of the request as sent. The tests sign with the library and the
 * SDK.
 */

import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';

export interface IncomingRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The claims of a request about its signature. Nothing here is verified. */
export interface ClaimedSignature {
  readonly presigned: boolean;
  readonly accessKeyId: string;
  /** `yyyymmdd`, as in the credential scope. */
  readonly scopeDate: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** `yyyymmddThhmmssZ`. */
  readonly timestamp: string;
  /** Epoch milliseconds of the timestamp. */
  readonly signedAtMs: number;
  /** Presigned requests only. */
  readonly expiresSeconds?: number;
  readonly sessionToken?: string;
}

export type TimeVerdict = 'valid' | 'skewed' | 'expired';

const algorithm = 'AWS4-HMAC-SHA256';
const maximumSkewMs = 15 * 60 * 1000;
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html: seven days. */
const maximumExpirySeconds = 604_800;

/**
 * Returns the signature that a request carries, from its Authorization header or its query.
 *
 * @returns undefined for an unsigned request, `'malformed'` for one whose signature cannot be read.
 */
export function readSignature(request: IncomingRequest): ClaimedSignature | 'malformed' | undefined {
  const authorization = headerValue(request, 'authorization');
  if (authorization !== undefined) {
    return readHeader(request, authorization) ?? 'malformed';
  }
  const query = new URLSearchParams(queryOf(request.url));
  return query.has('X-Amz-Algorithm') || query.has('X-Amz-Signature')
    ? (readQuery(query) ?? 'malformed')
    : undefined;
}

function readHeader(request: IncomingRequest, authorization: string): ClaimedSignature | undefined {
  const [, credential = '', signedHeaders = '', signature = ''] =
    /^AWS4-HMAC-SHA256 +Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  const sessionToken = headerValue(request, 'x-amz-security-token');
  return claimed({
    presigned: false,
    credential,
    signedHeaders,
    signature,
    timestamp: headerValue(request, 'x-amz-date') ?? '',
    ...(sessionToken !== undefined && { sessionToken }),
  });
}

function readQuery(query: URLSearchParams): ClaimedSignature | undefined {
  const expiresSeconds = Number(query.get('X-Amz-Expires') ?? Number.NaN);
  const sessionToken = query.get('X-Amz-Security-Token');
  if (query.get('X-Amz-Algorithm') !== algorithm) return undefined;
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 0 || expiresSeconds > maximumExpirySeconds) {
    return undefined;
  }
  return claimed({
    presigned: true,
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    signature: query.get('X-Amz-Signature') ?? '',
    timestamp: query.get('X-Amz-Date') ?? '',
    expiresSeconds,
    ...(sessionToken !== null && { sessionToken }),
  });
}

function claimed(
  parts: Pick<
    ClaimedSignature,
    'presigned' | 'signature' | 'timestamp' | 'expiresSeconds' | 'sessionToken'
  > & {
    credential: string;
    signedHeaders: string;
  },
): ClaimedSignature | undefined {
  const { credential, signedHeaders, ...rest } = parts;
  const [, accessKeyId, scopeDate, region, service] =
    /^([^/]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request$/.exec(credential) ?? [];
  const signedAtMs = Date.parse(
    rest.timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  if (!accessKeyId || !scopeDate || !region || !service || Number.isNaN(signedAtMs)) return undefined;
  if (!/^[0-9a-f]{64}$/.test(rest.signature) || !rest.timestamp.startsWith(scopeDate)) return undefined;
  const names = signedHeaders.split(';');
  return { ...rest, accessKeyId, scopeDate, region, service, signedHeaders: names, signedAtMs };
}

/** Judges a signature's time: it must be within 15 minutes for headers, and before its expiry for a presigned query. */
export function judgeTime(signature: ClaimedSignature, nowMs: number): TimeVerdict {
  if (signature.signedAtMs - nowMs > maximumSkewMs) return 'skewed';
  if (signature.expiresSeconds !== undefined) {
    return nowMs > signature.signedAtMs + signature.expiresSeconds * 1000 ? 'expired' : 'valid';
  }
  return nowMs - signature.signedAtMs > maximumSkewMs ? 'skewed' : 'valid';
}

/**
 * Returns true if the request was signed with this secret. A request with an unsigned `host` or `x-amz-*` header is refused, as
 * AWS does: such a header could have been added in transit.
 *
 * @param payloadHash hex SHA-256 of the body, or its substitute, such as `UNSIGNED-PAYLOAD`.
 */
export function isSignedWith(
  secretAccessKey: string,
  request: IncomingRequest,
  signature: ClaimedSignature,
  payloadHash: string,
): boolean {
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === 'host' || name.startsWith('x-amz-'),
  );
  if (!mustBeSigned.every((name) => signature.signedHeaders.includes(name))) return false;
  const canonical = canonicalRequest(request, signature, payloadHash);
  if (canonical === undefined) return false;
  const scope = `${signature.scopeDate}/${signature.region}/${signature.service}/aws4_request`;
  const stringToSign = `${algorithm}\n${signature.timestamp}\n${scope}\n${sha256Hex(canonical)}`;
  const expected = createHmac('sha256', signingKey(secretAccessKey, signature)).update(stringToSign).digest();
  return timingSafeEqual(expected, Buffer.from(signature.signature, 'hex'));
}

export function sha256Hex(data: string | Buffer): string {
  return hash('sha256', data, 'hex');
}

/** @returns undefined if the URL cannot be decoded. */
function canonicalRequest(
  request: IncomingRequest,
  signature: ClaimedSignature,
  payloadHash: string,
): string | undefined {
  try {
    return [
      request.method,
      canonicalPath(request.url, signature.service),
      canonicalQuery(queryOf(request.url)),
      ...signature.signedHeaders.map((name) => `${name}:${headerValue(request, name) ?? ''}`),
      '',
      signature.signedHeaders.join(';'),
      payloadHash,
    ].join('\n');
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Returns the canonical path. S3 encodes the segments of a path once; every other service encodes the encoded path again. */
function canonicalPath(url: string, service: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  return path
    .split('/')
    .map((part) => encode(service === 's3' ? decodeURIComponent(part) : part))
    .join('/');
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [encode(decodeURIComponent(name)), encode(decodeURIComponent(value.join('=')))] as const;
    })
    .sort(([one, oneValue], [other, otherValue]) => compare(one, other) || compare(oneValue, otherValue))
    .map((pair) => pair.join('='))
    .join('&');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Percent-encodes all characters except RFC 3986's unreserved ones. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

function headerValue(request: IncomingRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = typeof value === 'string' ? value : value?.join(',');
  return text?.trim().replace(/ +/g, ' ');
}

/** Cached, because deriving a key takes four HMACs, which is most of the cost. A key is valid for a day. */
const signingKeys = new Map<string, KeyObject>();

function signingKey(secretAccessKey: string, { scopeDate, region, service }: ClaimedSignature): KeyObject {
  const cacheKey = `${secretAccessKey} ${scopeDate} ${region} ${service}`;
  const known = signingKeys.get(cacheKey);
  if (known !== undefined) return known;
  const derived = [scopeDate, region, service, 'aws4_request'].reduce<string | Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${secretAccessKey}`,
  ) as Buffer;
  const key = createSecretKey(derived);
  if (signingKeys.size >= 1000) signingKeys.clear();
  signingKeys.set(cacheKey, key);
  return key;
}
