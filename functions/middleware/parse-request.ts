import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { isBodyNeeded, type Operation } from '../../lib/api-contract/operation.ts';
import { invalidField, invalidFields } from '../../lib/kernel/errors.ts';
import { parseJson } from '../../lib/kernel/json.ts';

/**
 * Reads path, query, headers and body by the operation's schemas. Of the headers only the named ones are checked.
 *
 * @throws HeraldError `invalid`, naming every field that is wrong
 */
export function parseRequest(op: Operation, event: APIGatewayProxyEventV2) {
  const rawBody = op.body ? readBody(op.body, event) : '';
  parse(op.headers, namedHeaders(op.headers, event.headers));
  return {
    path: parse(op.pathParameters, event.pathParameters ?? {}),
    query: parse(op.query, readQuery(event.rawQueryString)),
    body: parse(op.body, rawBody === '' ? undefined : parseJson(rawBody)),
    rawBody,
  };
}

function parse(schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.flatMap(describeIssue));
}

/** The field as a client writes it: `platforms[0].accountId`. */
function fieldPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'body';
}

function describeIssue(issue: z.core.$ZodIssue): { field: string; message: string }[] {
  return [{ field: fieldPath(issue.path), message: sentence(issue.message) }];
}

/** zod's messages begin with a capital; ours stand behind the field's name and a colon. */
const sentence = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);

/** The headers that the schema names, as it writes them; API Gateway writes names in lower case. */
function namedHeaders(schema: z.ZodObject | undefined, headers: APIGatewayProxyEventV2['headers']) {
  return Object.fromEntries(
    Object.keys(schema?.shape ?? {}).map((name) => [name, headers[name.toLowerCase()]]),
  );
}

/** Each parameter at most once: of two values we would not know which was meant. */
function readQuery(rawQueryString: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    if (Object.hasOwn(query, name)) throw invalidField(name || 'query', 'is given more than once');
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body's text, empty where the schema can do without. Bytes that are not UTF-8 are refused rather than replaced. */
function readBody(schema: z.ZodType, { body, isBase64Encoded }: APIGatewayProxyEventV2): string {
  if (body === undefined || body === '') {
    if (!isBodyNeeded(schema)) return '';
    throw invalidField('body', 'a JSON object is needed');
  }
  if (!isBase64Encoded) {
    // The gateway has already put U+FFFD where text was not UTF-8; a client's own U+FFFD is as useless.
    if (body.includes('\uFFFD')) throw invalidField('body', 'must be valid UTF-8');
    return body;
  }
  try {
    return utf8.decode(Buffer.from(body, 'base64'));
  } catch {
    throw invalidField('body', 'must be valid UTF-8');
  }
}
