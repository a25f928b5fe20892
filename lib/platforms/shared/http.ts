import type { IncomingHttpHeaders } from 'node:http';
import type { ExchangeFailure, ExchangeLimits } from '../../http-client/exchange.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Parameters, PlatformBody, PlatformHttp } from '../contract/http.ts';
import type { Platform } from '../contract/names.ts';
import { openTransport, type PlatformTransport, type TransportRequest } from './http-transport.ts';
import { parsePlatformJson } from './json.ts';

export interface PlatformHttpOptions {
  readonly platform: Platform;
  /**
   * The simulators' base URLs by platform. With `http://127.0.0.1:1234`, requests to `https://host/path` go to
   * `http://127.0.0.1:1234/host/path`. Without one, requests go to the platform itself.
   */
  readonly baseUrls?: Readonly<Partial<Record<Platform, string>>>;
  readonly limits?: Partial<ExchangeLimits>;
  readonly now?: Clock;
  /** Certificate authorities as PEM, instead of the public ones. */
  readonly authorities?: string;
  /** The transport to use instead of Node.js's connections. `limits`, `now` and `authorities` have no effect then. */
  readonly transport?: PlatformTransport;
}

/** Creates the HTTP client of one platform's adapter. Keeps connections open between calls. */
export function createPlatformHttp(options: PlatformHttpOptions): PlatformHttp {
  const { platform, now = systemClock, authorities, limits } = options;
  const base = options.baseUrls?.[platform];
  const trust = authorities === undefined ? {} : { ca: authorities };
  const protocol = base?.startsWith('http:') ? 'http:' : 'https:';
  const transport = options.transport ?? openTransport({ protocol, limits, now, trust });

  const addressOf = (url: string) => {
    if (!url.startsWith('https://')) throw new TypeError('the URL of a platform must begin with https://');
    return base === undefined ? url : `${base}/${url.slice('https://'.length)}`;
  };
  const realAddress = (url: string) =>
    base !== undefined && url.startsWith(`${base}/`) ? `https://${url.slice(base.length + 1)}` : url;

  return {
    addressOf,
    async connectAhead(url) {
      if (URL.canParse(url) && url.startsWith('https://'))
        await transport.connectAhead(new URL(addressOf(url)));
    },
    async send({ method, url, query = {}, headers: extraHeaders, bearer, body, ...limits }) {
      const target = new URL(addressOf(url));
      for (const [name, value] of definedEntries(query)) target.searchParams.set(name, value);
      const call = `${method} ${withoutQuery(url)}`;
      const authorization = bearer !== undefined && { authorization: `Bearer ${bearer}` };
      const encoded = await encode(body);
      const headers = { accept: 'application/json', ...authorization, ...extraHeaders, ...encoded.headers };
      const request = { method, target, headers, body: encoded.body, ...limits };
      const exchanged = await transport.send(request);
      if ('failure' in exchanged) throw platformFailure(call, exchanged.failure);
      const { status, body: bytes } = exchanged.answer;
      const received = plainHeaders(exchanged.answer.headers);
      const { location } = received;
      const text = bytes.toString();
      return {
        status,
        headers: { ...received, ...(location !== undefined && { location: realAddress(location) }) },
        text,
        json: parsePlatformJson(text),
        call,
      };
    },
  };
}

function platformFailure(call: string, { reached, message, cause }: ExchangeFailure): PlatformError {
  if (reached === 'half-sent') return unreadableMedia(cause);
  return new PlatformError(reached === 'unsent' ? 'retry' : 'unknown', `${call}: ${message}`, { cause });
}

/** Returns a `retry` error, because a platform cannot act on an incomplete request. */
function unreadableMedia(cause: unknown): PlatformError {
  return new PlatformError('retry', 'the media file could not be read', { cause });
}

interface EncodedBody extends Partial<Pick<TransportRequest, 'body'>> {
  readonly headers?: Readonly<Record<string, string>>;
}

async function encode(body: PlatformBody | undefined): Promise<EncodedBody> {
  if (body === undefined) return {};
  if ('empty' in body) return bytesOf('');
  if ('form' in body) {
    return bytesOf(
      new URLSearchParams(definedEntries(body.form)).toString(),
      'application/x-www-form-urlencoded',
    );
  }
  if ('json' in body) return bytesOf(JSON.stringify(body.json), 'application/json; charset=UTF-8');
  const source = await body.open().catch((cause: unknown) => {
    throw unreadableMedia(cause);
  });
  const headers = { 'content-type': body.contentType, 'content-length': String(body.sizeBytes) };
  return { headers, body: { source, sizeBytes: body.sizeBytes } };
}

function bytesOf(text: string, contentType?: string): EncodedBody {
  const body = Buffer.from(text);
  const type = contentType !== undefined && { 'content-type': contentType };
  return { headers: { ...type, 'content-length': String(body.length) }, body };
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

function definedEntries(parameters: Parameters): [string, string][] {
  return Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

function withoutQuery(url: string): string {
  return url.slice('https://'.length).replace(/\?.*$/s, '');
}
