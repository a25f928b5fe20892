import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { dropNulls } from '../../lib/api-contract/drop-nulls.ts';
import { isNoRoute } from '../../lib/api-contract/fields.ts';
import {
  hasWarnings,
  isBodyNeeded,
  isInWorkspace,
  type Operation,
} from '../../lib/api-contract/operation.ts';
import { refusalOf } from '../../lib/api-contract/refused-fields.ts';
import { type RequestWarning, warningsAbout } from '../../lib/api-contract/request-warnings.ts';
import { type ShownPaths, shownPaths } from '../../lib/api-contract/shown-paths.ts';
import { type UnbuiltField, unbuiltFields, unbuiltProblem } from '../../lib/api-contract/unbuilt-fields.ts';
import { fieldPath, strayKeys } from '../../lib/api-contract/unknown-keys.ts';
import { type FieldProblem, invalidField, invalidFields } from '../../lib/kernel/errors.ts';
import { fieldCodeOf } from '../../lib/kernel/field-code.ts';
import { fieldMessage } from '../../lib/kernel/field-message.ts';
import { parseJson } from '../../lib/kernel/json.ts';
import { likelyName } from '../../lib/kernel/nearest-name.ts';
import { noSuchRoute } from './no-such-route.ts';

/**
 * Parses path, query and body with the operation's schemas, and validates the headers that its schema names. Nothing is ignored
 * silently: an unknown query parameter is refused if the operation requires a key, and an unknown field of the body gets a
 * warning. If the body describes a post, `unbuilt` lists those that the verb refuses if the post goes live. In the body, null counts as absent where a field may be absent ({@link dropNulls}).
 *
 * @throws HeraldError `route_unknown`; `invalid`, `unknown_parameter` or `unsupported_field`, naming every wrong field
 */
export function parseRequest(op: Operation, event: APIGatewayProxyEventV2) {
  const path = readPath(op, event);
  const rawBody = op.body ? readBody(op.body, event) : '';
  parse(op.headers, namedHeaders(op.headers, event.headers));
  const query = readQuery(event.rawQueryString);
  if (isInWorkspace(op.access)) requireKnownParameters(op.query, query);
  return {
    path,
    query: parse(op.query, query),
    ...parseBody(op, rawBody),
    rawBody,
  };
}

/** @throws HeraldError `route_unknown` if the path has another text where the route has an id */
function readPath({ pathParameters: schema }: Operation, event: APIGatewayProxyEventV2) {
  const given = event.pathParameters ?? {};
  if (schema?.safeParse(given).error?.issues.some(isNoRoute)) throw noSuchRoute(event);
  return parse(schema, given);
}

/** Allows each parameter once, because nobody could know which of two values is meant. */
function readQuery(rawQueryString: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    if (Object.hasOwn(query, name))
      throw invalidField(name || 'query', 'must not be given more than once', 'field_duplicate');
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

/**
 * Refuses parameters that the operation does not have: a filter that is ignored would return too much.
 *
 * @param schema the query's schema; absent if the operation takes no query
 * @throws HeraldError `unknown_parameter`, naming the parameter that was probably meant, or else all that exist
 */
function requireKnownParameters(
  schema: z.ZodType | undefined,
  query: Readonly<Record<string, string>>,
): void {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const problems = Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: name || 'query',
      message: `is not a parameter of this request; ${hint(name, known)}`,
      code: 'unknown_parameter' as const,
    }));
  if (problems.length > 0) throw invalidFields(problems);
}

function hint(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'it takes none';
  const likely = likelyName(name, known);
  return likely === undefined ? `it has ${known.join(', ')}` : `did you mean ${likely}?`;
}

/** A parsed body, with what was found in it that its schema does not have. */
interface ParsedBody<Body> {
  readonly body: Body;
  readonly warnings: RequestWarning[];
  readonly unbuilt: UnbuiltField[];
}

function parseBody(op: Operation, rawBody: string): ParsedBody<unknown> {
  return parseAsBody(op, rawBody === '' ? undefined : parseJson(rawBody));
}

/**
 * Parses a value as the body of an operation.
 *
 * @throws HeraldError `invalid` or `unsupported_field`, naming every wrong field
 */
export function parseAsBody<Op extends Operation>(
  op: Op,
  value: unknown,
): ParsedBody<z.output<NonNullable<Op['body']>>>;
export function parseAsBody(op: Operation, value: unknown): ParsedBody<unknown> {
  if (!op.body || !hasWarnings(op)) return { body: parse(op.body, value), warnings: [], unbuilt: [] };
  dropNulls(op.body, value, op.method === 'PATCH');
  const stray = strayKeys(op.body, value);
  const refused = stray.flatMap((key) => refusalOf(key) ?? []);
  const shown = stray.length === 0 ? new Set<string>() : shownBy(op);
  const unbuilt = op.describes ? unbuiltFields(stray, shown) : [];
  const parsed = op.body.safeParse(value, { reportInput: true, error: fieldMessage });
  // Only the verb knows if something goes live. But a request that is refused anyway names everything.
  if (!parsed.success || refused.length > 0)
    throw invalidFields([
      ...(parsed.error?.issues.map(describeIssue) ?? []),
      ...refused,
      ...unbuilt.map(unbuiltProblem),
    ]);
  return { body: parsed.data, warnings: warningsAbout(stray, shown, unbuilt), unbuilt };
}

/** Returns the paths of the fields that the operation's answers show, or those that show what it describes. */
function shownBy({ describes, replies }: Operation): ShownPaths {
  const bodies = describes ? [describes] : Object.values(replies).flatMap(({ body }) => body ?? []);
  return new Set(bodies.flatMap((body) => [...shownPaths(body)]));
}

function parse(schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { reportInput: true, error: fieldMessage });
  if (result.success) return result.data;
  throw invalidFields(result.error.issues.map(describeIssue));
}

function describeIssue(issue: z.core.$ZodIssue): FieldProblem {
  return { field: fieldPath(issue.path), code: fieldCodeOf(issue), message: sentence(issue.message) };
}

/** Lower-cases the first letter of a message, because here it follows the field's name and a colon. */
const sentence = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);

/** Returns the headers that the schema names, with its spelling of the names. API Gateway writes names in lower case. */
function namedHeaders(schema: z.ZodObject | undefined, headers: APIGatewayProxyEventV2['headers']) {
  return Object.fromEntries(
    Object.keys(schema?.shape ?? {}).map((name) => [name, headers[name.toLowerCase()]]),
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the body's text; empty if there is none and the schema allows that. Rejects bytes that are not UTF-8. */
function readBody(schema: z.ZodType, { body, isBase64Encoded }: APIGatewayProxyEventV2): string {
  if (body === undefined || body === '') {
    if (!isBodyNeeded(schema)) return '';
    throw invalidField('body', 'must be a JSON object', 'field_required');
  }
  if (!isBase64Encoded) {
    // API Gateway has already replaced bytes that are not UTF-8 with U+FFFD. A client has no use for U+FFFD itself.
    if (body.includes('\uFFFD')) throw invalidField('body', 'must be valid UTF-8', 'body_malformed');
    return body;
  }
  try {
    return utf8.decode(Buffer.from(body, 'base64'));
  } catch {
    throw invalidField('body', 'must be valid UTF-8', 'body_malformed');
  }
}
