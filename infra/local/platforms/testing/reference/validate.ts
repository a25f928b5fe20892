import { Ajv2019, type ErrorObject, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import type { Exchange } from '../../kit/recording/exchange.ts';
import type { RecordedBody } from '../../kit/recording/recorded-body.ts';
import type {
  DescribedOperation,
  DescribedParameter,
  OtherField,
  PlatformDescription,
  Schema,
} from './described-operation.ts';

/** The parts of an exchange that the description does not allow. Each problem names the operation and the field. */
export interface Problems {
  readonly request: readonly string[];
  readonly response: readonly string[];
}

export type Validate = (exchange: Exchange) => Problems;

const none: Problems = { request: [], response: [] };

/** These planned faults garble the response. */
const garbling = /^(html|half-json|empty|ok-with-error|redirect|huge-body|slow-body)\b/;

/** Validates requests to a platform and its responses against its description. */
export function createValidation(description: PlatformDescription): Validate {
  const { operations, schemas, otherHosts } = description;
  const ajv = new Ajv2019({ strict: false, allErrors: true, discriminator: false, verbose: true });
  addFormats.default(ajv);
  // Pinterest's times have the format `date-time`, but not all have a time zone: the description itself has the example
  // `2024-01-01T20:20:00` for such a field.
  if (description.platform === 'pinterest') {
    ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/);
  }
  for (const [id, schema] of Object.entries(schemas)) ajv.addSchema(schema, id);
  const compiled = new Map<Schema, ValidateFunction>();

  /**
   * Returns the problems of a value.
   *
   * @param where the name of the value, for the messages
   * @param others fields that are documented elsewhere
   */
  function schemaProblems(
    schema: Schema,
    value: unknown,
    where: string,
    others: readonly OtherField[] = [],
  ): string[] {
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    if (validate(value) === true) return [];
    const texts = (validate.errors ?? []).flatMap((error) => {
      const text = textOf(error);
      const isKnown = others.some(({ field }) => isUnknownField(error) && field === fieldOf(error));
      return text === undefined || isKnown ? [] : [`${where} ${text}`];
    });
    return [...new Set(texts)];
  }

  function parameterProblems(
    operation: DescribedOperation,
    query: URLSearchParams,
    path: Readonly<Record<string, string>>,
  ): string[] {
    const { parameters } = operation;
    const known = new Set(parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])));
    const unknown = [...new Set(query.keys())].filter((name) => !known.has(name));
    return [
      ...unknown.map((name) => `has the unknown query parameter ${name}`),
      ...parameters.flatMap((parameter) => {
        const given = parameter.in === 'query' ? query.getAll(parameter.name) : [path[parameter.name] ?? ''];
        const what = `the ${parameter.in} parameter ${parameter.name}`;
        if (given.length === 0) return parameter.isRequired ? [`lacks ${what}`] : [];
        if (given.length > 1 && !parameter.isRepeated) return [`has ${what} ${given.length} times`];
        const values = parameter.isRepeated ? given.flatMap((value) => value.split(',')) : given;
        return values.flatMap((value) =>
          schemaProblems(parameter.schema, typed(value, parameter), `has ${what}:`),
        );
      }),
    ];
  }

  const othersOf = ({ id }: DescribedOperation, direction: OtherField['in']) =>
    description.otherFields.filter((one) => one.operation === id && one.in === direction);

  function bodyProblems(operation: DescribedOperation, { body, headers }: Exchange): string[] {
    const { request } = operation;
    if (body?.isComplete === false) return [];
    if (request === undefined) return body === undefined ? [] : ['has a body, but must not'];
    if (body === undefined) return request.isRequired ? ['has no body'] : [];
    const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? 'nothing';
    const isType = (allowed: string) =>
      allowed.endsWith('*') ? type.startsWith(allowed.slice(0, -1)) : type === allowed;
    if (!request.types.some((allowed) => allowed === '*/*' || isType(allowed))) {
      return [`has a body of type ${type} instead of ${request.types.join(' or ')}`];
    }
    if (request.schema === undefined) return [];
    const value = parsed(body, type);
    return value === undefined
      ? ['has a body that cannot be parsed']
      : schemaProblems(request.schema, value, 'has in its body', othersOf(operation, 'request'));
  }

  function responseProblems(
    operation: DescribedOperation,
    { query, fault = '', answer }: Exchange,
  ): string[] {
    if (answer === undefined || garbling.test(fault)) return [];
    const { status, body } = answer;
    const isError = status >= 400;
    const schema =
      operation.responses[String(status)] ?? (isError ? operation.responses['default'] : undefined);
    const isDescribed =
      String(status) in operation.responses || (isError && 'default' in operation.responses);
    if (!isDescribed) return [`has the status ${status}, which is not described`];
    if (schema === null || schema === undefined) {
      return body === '' ? [] : ['has a body, but must not'];
    }
    const value = json(body);
    const others = othersOf(operation, 'response');
    if (value === undefined) return ['has a body that is not JSON'];
    return [
      ...schemaProblems(schema, value, `with the status ${status} has in its body`, others),
      ...(operation.further?.({ query, status, answer: value }) ?? []).filter((one) =>
        one.startsWith('response'),
      ),
    ];
  }

  return (exchange) => {
    const { host, method, path, query } = exchange;
    if (host in otherHosts) return none;
    const found = findOperation(operations, exchange);
    if (found === undefined) {
      return { request: [`request: ${method} ${host}${path} is not a described operation`], response: [] };
    }
    const { operation, segments } = found;
    const name = (problem: string) => `${description.platform} ${operation.id}: ${problem}`;
    const requests = [
      ...parameterProblems(operation, query, segments),
      ...bodyProblems(operation, exchange),
    ].map((one) => `request ${one}`);
    const further = (operation.further?.({ query }) ?? []).filter((one) => one.startsWith('request'));
    const responses = responseProblems(operation, exchange).map((one) =>
      one.startsWith('response') ? one : `response ${one}`,
    );
    return { request: [...requests, ...further].map(name), response: responses.map(name) };
  };
}

/** Finds the operation of a request. A path without a parameter, such as `/pins/analytics`, comes before one with it. */
function findOperation(operations: readonly DescribedOperation[], { host, method, path }: Exchange) {
  const found = operations
    .filter((operation) => operation.method === method && operation.hosts.includes(host))
    .flatMap((operation) => {
      const segments = matchPath(operation.path, path);
      return segments === undefined ? [] : [{ operation, segments }];
    });
  const parameters = ({ segments }: (typeof found)[number]) => Object.keys(segments).length;
  return found.sort((one, other) => parameters(one) - parameters(other))[0];
}

function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [expected, given] = [template.split('/'), path.split('/')];
  if (expected.length !== given.length) return undefined;
  const segments: Record<string, string> = {};
  for (const [index, one] of expected.entries()) {
    const value = given[index] ?? '';
    const name = /^\{(.+)\}$/.exec(one)?.[1];
    if (name !== undefined) segments[name] = decodeURIComponent(value);
    else if (one !== value) return undefined;
  }
  return segments;
}

/** Returns a parameter's text as a value of its type; the text itself if it is not one. */
function typed(value: string, { type }: DescribedParameter): unknown {
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return value;
}

function parsed(body: RecordedBody, type: string): unknown {
  // The first part of a `multipart/related` body is the metadata, the second the file (RFC 2387).
  const metadata = type === 'multipart/related' && 'parts' in body ? body.parts[0] : undefined;
  if (metadata !== undefined) return 'text' in metadata ? json(metadata.text) : undefined;
  if (!('text' in body)) return undefined;
  if (type !== 'application/x-www-form-urlencoded') return json(body.text);
  const form = new URLSearchParams(body.text);
  return new Set(form.keys()).size === [...form].length ? Object.fromEntries(form) : undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// The field that an error is about, with `*` for any item: `/items/*/media/url`.
function fieldOf({ instancePath, params }: ErrorObject): string {
  const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const path = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return name === undefined ? path : `${path}/${name}`;
}

function isUnknownField({ keyword }: ErrorObject): boolean {
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
}

/** Returns the text of an error; undefined for an error that only says that another one exists. */
function textOf(error: ErrorObject): string | undefined {
  const { keyword, params, data, message } = error;
  if (keyword === 'if' || keyword === 'allOf') return undefined;
  const field = fieldOf(error) || 'the whole';
  if (isUnknownField(error)) {
    return `the unknown field ${field}`;
  }
  if (keyword === 'required') return `${field} without ${params['missingProperty']}`;
  const allowed = keyword === 'enum' ? ` (${params['allowedValues'].join(', ')})` : '';
  return `${field}, which ${message}${allowed}, but is ${JSON.stringify(data)?.slice(0, 100)}`;
}
