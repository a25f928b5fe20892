import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { isBodyNeeded, type Operation } from '../../lib/api-contract/operation.ts';
import { invalidField, invalidFields } from '../../lib/kernel/errors.ts';
import { parseJson } from '../../lib/kernel/json.ts';

/**
 * Parses path, query and body with the operation's schemas, and validates the headers that its schema names.
 *
 * @throws HeraldError `invalid`, naming every wrong field
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

/** @throws HeraldError `invalid`, naming every wrong field */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema>;
export function parse(schema: z.ZodType | undefined, value: unknown): unknown;
export function parse(schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.flatMap(describeIssue));
}

/** The field's path as a client writes it: `platforms[0].accountId`. */
function fieldPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'body';
}

function describeIssue(issue: z.core.$ZodIssue): { field: string; message: string }[] {
  return [{ field: fieldPath(issue.path), message: sentence(issue.message) }];
}

/** zod's messages begin with a capital letter, but here they follow the field's name and a colon. */
const sentence = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);

/** The headers that the schema names, under its spelling of the names. API Gateway writes names in lower case. */
function namedHeaders(schema: z.ZodObject | undefined, headers: APIGatewayProxyEventV2['headers']) {
  return Object.fromEntries(
    Object.keys(schema?.shape ?? {}).map((name) => [name, headers[name.toLowerCase()]]),
  );
}

/** Allows each parameter once, because of two values nobody could know which one was meant. */
function readQuery(rawQueryString: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    if (Object.hasOwn(query, name)) throw invalidField(name || 'query', 'must not be given more than once');
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body's text; empty if there is none and the schema allows that. Rejects bytes that are not UTF-8. */
function readBody(schema: z.ZodType, { body, isBase64Encoded }: APIGatewayProxyEventV2): string {
  if (body === undefined || body === '') {
    if (!isBodyNeeded(schema)) return '';
    throw invalidField('body', 'must be a JSON object');
  }
  if (!isBase64Encoded) {
    // API Gateway has already replaced bytes that are not UTF-8 with U+FFFD. A client has no use for U+FFFD itself.
    if (body.includes('\uFFFD')) throw invalidField('body', 'must be valid UTF-8');
    return body;
  }
  try {
    return utf8.decode(Buffer.from(body, 'base64'));
  } catch {
    throw invalidField('body', 'must be valid UTF-8');
  }
}
