/**
 * Runs a CloudFront Function on a viewer's request, with only the event of runtime 2.0 in reach: no modules, no network, no
 * process. https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 */
import { randomUUID } from 'node:crypto';
import { createContext, Script } from 'node:vm';
import * as z from 'zod';
import type { DistributionResource } from '../model.ts';
import type { ViewerRequest } from './viewer-request.ts';

const value = z.object({
  value: z.string(),
  multiValue: z.array(z.object({ value: z.string() })).optional(),
});
const values = z.record(z.string(), value);
const changedRequest = z.object({
  uri: z.string().startsWith('/'),
  querystring: values,
  headers: values,
  cookies: values,
});
const ownReply = z.object({
  statusCode: z.int().min(200).max(599),
  statusDescription: z.string().optional(),
  headers: values.default({}),
  body: z
    .union([z.string(), z.object({ data: z.string(), encoding: z.enum(['text', 'base64']) })])
    .default(''),
});

export type FunctionOutcome =
  | { readonly request: ViewerRequest }
  | {
      readonly reply: {
        readonly status: number;
        readonly headers: Record<string, string>;
        readonly body: Buffer;
      };
    };

export type RunEdgeFunction = (request: ViewerRequest) => Promise<FunctionOutcome>;

/** Headers that a function at viewer-request may read but not change: otherwise CloudFront refuses the request with a 502. */
const readOnlyHeaders = ['content-length', 'host', 'transfer-encoding', 'via'];

/** The time limit. CloudFront allows far less; this only ends functions that never return. */
const limitMs = 1_000;

/**
 * Creates the function.
 *
 * @throws Error, when it runs, if the function fails or returns something that CloudFront would not accept
 */
export function createEdgeFunction(
  source: string,
  { id, domainName }: Pick<DistributionResource, 'id' | 'domainName'>,
): RunEdgeFunction {
  const script = new Script(
    `const console = { log() {} };\n${source}\n;(async () => JSON.stringify(await handler(JSON.parse(event))))()`,
  );
  return async (request) => {
    const event = {
      version: '1.0',
      context: {
        distributionDomainName: domainName,
        distributionId: id,
        eventType: 'viewer-request',
        requestId: randomUUID(),
      },
      viewer: { ip: request.address },
      request: {
        method: request.method,
        uri: request.uri,
        querystring: toValues(pairsOf(request.query, '&')),
        headers: toValues(Object.entries(request.headers)),
        cookies: toValues(pairsOf(request.cookie ?? '', ';')),
      },
    };
    const context = createContext(Object.assign(Object.create(null), { event: JSON.stringify(event) }));
    const returned: unknown = JSON.parse(await script.runInContext(context, { timeout: limitMs }));
    if (returned instanceof Object && 'statusCode' in returned)
      return { reply: toReply(ownReply.parse(returned)) };
    return { request: toRequest(request, changedRequest.parse(returned)) };
  };
}

function toRequest(request: ViewerRequest, changed: z.infer<typeof changedRequest>): ViewerRequest {
  const { querystring, cookies, uri } = changed;
  const headers = Object.fromEntries(
    fromValues(changed.headers).map(([name, text]) => [name.toLowerCase(), text]),
  );
  const changedHeader = readOnlyHeaders.find((name) => headers[name] !== request.headers[name]);
  if (changedHeader !== undefined) throw new Error(`a function may not change the header ${changedHeader}`);
  const pairs = (found: z.infer<typeof values>) =>
    fromValues(found).map(([name, text]) => (text === '' ? name : `${name}=${text}`));
  const cookie = pairs(cookies).join('; ');
  // Parts that the function did not change are passed on as they were sent.
  const isSameQuery = JSON.stringify(querystring) === JSON.stringify(toValues(pairsOf(request.query, '&')));
  return {
    ...request,
    uri,
    headers,
    query: isSameQuery ? request.query : pairs(querystring).join('&'),
    cookie: cookie === '' ? undefined : cookie,
  };
}

function toReply({ statusCode, headers, body }: z.infer<typeof ownReply>) {
  const { data, encoding } = typeof body === 'string' ? { data: body, encoding: 'text' } : body;
  return {
    status: statusCode,
    headers: Object.fromEntries(fromValues(headers)),
    body: Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8'),
  };
}

function pairsOf(text: string, separator: string): [string, string][] {
  return (
    text
      .split(separator)
      // Not `trim()`: only this white space is none of a cookie's name (RFC 9110, 5.6.3). A browser lets any host set other names.
      .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
      .filter((pair) => pair !== '')
      .map((pair) => {
        const mark = pair.indexOf('=');
        return mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
      })
  );
}

function toValues(pairs: readonly (readonly [string, string])[]): z.infer<typeof values> {
  const grouped = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...grouped].map(([name, all]) => {
      const each = all.map(([, text]) => ({ value: text }));
      return [name, { value: each[0]?.value ?? '', ...(each.length > 1 && { multiValue: each }) }];
    }),
  );
}

function fromValues(found: z.infer<typeof values>): [string, string][] {
  return Object.entries(found).flatMap(([name, { value: text, multiValue }]) =>
    (multiValue ?? [{ value: text }]).map((each): [string, string] => [name, each.value]),
  );
}
