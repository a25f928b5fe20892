import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { readFields } from './body.ts';
import type { Call } from './call.ts';
import type { FileBody } from './media/partial-files.ts';
import type { Match } from './router.ts';
import type { Operation } from './types.ts';

/** A request to a platform, however it arrived. */
export interface PlatformRequest {
  readonly method: string;
  /** Path and query: `/{host}/{path}?{query}`, or `/_control/{path}`. */
  readonly target: string;
  /** The names in lower case. Nothing is added: an upload needs its `content-length`. */
  readonly headers: IncomingHttpHeaders;
  readonly body?: Uint8Array | FileBody;
}

/** Returns the call that a request makes, with a body that is not read yet. @param at epoch milliseconds */
export function callOf(
  { method, target, headers, body }: PlatformRequest,
  { pathname, searchParams }: URL,
  { name, params }: Match,
  at: number,
): Call {
  const [, host = '', ...rest] = pathname.split('/');
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return {
    operation: name,
    method,
    target,
    host,
    path: `/${rest.join('/')}`,
    params,
    query: searchParams,
    headers,
    fields: Object.fromEntries(searchParams),
    ...(bearer !== undefined && { bearer }),
    at,
    body: streamOf(body),
  };
}

/** Reads the fields of the body, unless the operation reads it as a stream. @throws Refusal with 413 above 1 MiB */
export async function withFields(call: Call, { body }: Operation): Promise<Call> {
  if (body === 'stream') return call;
  return { ...call, fields: { ...call.fields, ...(await readFields(call)) } };
}

function streamOf(body: PlatformRequest['body'] = []): Readable {
  if (body instanceof Readable) return body;
  return Readable.from(body instanceof Uint8Array ? [body] : body);
}
