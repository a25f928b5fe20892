import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  type Schema,
  schemaId,
} from './described-operation.ts';

/** The parts of a discovery document of Google (https://developers.google.com/discovery/v1/reference/apis) that are read here. */
export interface Discovery {
  readonly id: string;
  readonly revision: string;
  readonly rootUrl: string;
  readonly servicePath: string;
  /** Parameters that every method has. */
  readonly parameters: Readonly<Record<string, DiscoverySchema>>;
  readonly resources: Readonly<
    Record<string, { readonly methods?: Readonly<Record<string, DiscoveryMethod>> }>
  >;
  readonly schemas: Readonly<Record<string, DiscoverySchema>>;
}

export interface DiscoveryMethod {
  readonly id: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, DiscoverySchema>>;
  readonly request?: { readonly $ref: string };
  readonly response?: { readonly $ref: string };
  readonly mediaUpload?: {
    readonly accept: readonly string[];
    readonly protocols: Readonly<Record<string, { readonly path: string }>>;
  };
}

/** A schema or a parameter. */
export interface DiscoverySchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** Numbers as text. */
  readonly minimum?: string;
  readonly maximum?: string;
  readonly items?: DiscoverySchema;
  readonly properties?: Readonly<Record<string, DiscoverySchema>>;
  readonly additionalProperties?: DiscoverySchema;
  readonly readOnly?: boolean;
  /** The methods whose requests must have this field; absent in other schemas. */
  readonly annotations?: { readonly required?: readonly string[] };
  /** The location of a parameter; absent in other schemas. */
  readonly location?: string;
  readonly required?: boolean;
  readonly repeated?: boolean;
}

/** The facts that the document leaves to the guides of the API. */
export interface Guides {
  readonly hosts: readonly string[];
  /** The schema of an error's body. */
  readonly error: Schema;
}

/** Returns the methods of the document without uploads. */
export function operationsOf(document: Discovery, guides: Guides): readonly DescribedOperation[] {
  return methodsOf(document).map((method) => methodOperation(document, method, guides));
}

export function methodsOf({ resources }: Discovery): readonly DiscoveryMethod[] {
  return Object.values(resources).flatMap(({ methods = {} }) => Object.values(methods));
}

/** Converts one method. The request of a method with a file is its metadata. */
export function methodOperation(
  document: Discovery,
  { id, httpMethod, path, parameters = {}, request, response }: DiscoveryMethod,
  { hosts, error }: Guides,
): DescribedOperation {
  const all = Object.entries({ ...document.parameters, ...parameters });
  const body: DescribedBody | undefined = request && {
    isRequired: true,
    types: ['application/json'],
    schema: { $ref: idOf(request.$ref, id) },
  };
  const answer: Schema | null = response === undefined ? null : { $ref: idOf(response.$ref) };
  return {
    id,
    method: httpMethod,
    hosts,
    path: `/${document.servicePath}${path}`,
    parameters: all.map(([name, parameter]) => parameterOf(name, parameter)),
    ...(body && { request: body }),
    responses: response === undefined ? { 204: null, default: error } : { 200: answer, default: error },
    ...(parameters['part'] !== undefined && { further: partProblems(document, request ?? response) }),
  };
}

/**
 * Checks the fields of a response. The parameter `part` names fields of the resource, and a response has no others besides
 * `kind`, `etag` and `id`. https://developers.google.com/youtube/v3/getting-started#part
 */
function partProblems({ schemas }: Discovery, reference: { readonly $ref: string } | undefined) {
  const resource = schemas[reference?.$ref ?? ''];
  const items = resource?.properties?.['items']?.items?.$ref;
  const fields = Object.keys((items === undefined ? resource : schemas[items])?.properties ?? {});
  const always = ['kind', 'etag', 'id'];
  return ({
    query,
    status,
    answer,
  }: {
    query: URLSearchParams;
    status?: number;
    answer?: unknown;
  }): readonly string[] => {
    const parts = query.getAll('part').flatMap((value) => value.split(','));
    const unknown = parts.filter((part) => !fields.includes(part) || always.slice(0, 2).includes(part));
    const given = status === 200 && typeof answer === 'object' && answer !== null ? answer : {};
    const listed: unknown[] = 'items' in given && Array.isArray(given.items) ? given.items : [];
    const resources = items === undefined ? [given] : listed;
    const extra = resources
      .flatMap((one) => Object.keys(one ?? {}))
      .filter((field) => fields.includes(field) && !always.includes(field) && !parts.includes(field));
    return [
      ...unknown.map((part) => `request: the query parameter part names ${part}, which no resource has`),
      ...[...new Set(extra)].map((field) => `response: has ${field}, which part does not name`),
    ];
  };
}

export function parameterOf(name: string, given: DiscoverySchema): DescribedParameter {
  const { type, location, required = false, repeated = false } = given;
  if (location !== 'path' && location !== 'query') throw new Error(`the parameter ${name} is in ${location}`);
  if (type !== 'string' && type !== 'integer' && type !== 'number' && type !== 'boolean') {
    throw new Error(`the parameter ${name} has the type ${type}`);
  }
  const schema = toJsonSchema(given, undefined);
  return { name, in: location, isRequired: required, isRepeated: repeated, schema, type };
}

/** Returns the schemas for responses, and for the requests of each method. */
export function schemasOf(document: Discovery): Readonly<Record<string, Schema>> {
  const methods = [undefined, ...methodsOf(document).map(({ id }) => id)];
  return Object.fromEntries(
    methods.flatMap((method) =>
      Object.entries(document.schemas).map(([name, schema]) => [
        idOf(name, method),
        toJsonSchema(schema, method),
      ]),
    ),
  );
}

/**
 * Returns the id of a schema.
 *
 * @param method the method whose request has the schema; undefined for responses
 */
const idOf = (name: string, method?: string) => schemaId(method ?? 'response', name);

/** The formats of https://developers.google.com/discovery/v1/type-format that a pattern or a range can express. */
const formats: Readonly<Record<string, { readonly [keyword: string]: unknown }>> = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  uint32: { minimum: 0, maximum: 2 ** 32 - 1 },
  int64: { pattern: '^-?\\d{1,19}$' },
  uint64: { pattern: '^\\d{1,20}$' },
  byte: { pattern: '^[A-Za-z0-9+/_-]*={0,2}$' },
  double: {},
  float: {},
  date: { format: 'date' },
  'date-time': { format: 'date-time' },
  'google-datetime': { format: 'date-time' },
  'google-duration': { pattern: '^-?\\d+(\\.\\d{1,9})?s$' },
};

/** Converts a schema. An object has no fields but its own; fields that only responses have are not allowed in requests. */
function toJsonSchema(given: DiscoverySchema, method: string | undefined): Schema {
  const { $ref, type, format, pattern, minimum, maximum, items, properties, additionalProperties } = given;
  if ($ref !== undefined) return { $ref: idOf($ref, method) };
  const ofFormat = format === undefined ? {} : formats[format];
  if (ofFormat === undefined) throw new Error(`unknown format ${format}`);
  const range = {
    ...(minimum !== undefined && { minimum: Number(minimum) }),
    ...(maximum !== undefined && { maximum: Number(maximum) }),
  };
  const common = {
    ...(type !== 'any' && type !== undefined && { type }),
    ...ofFormat,
    ...(type === 'string' ? {} : range),
    ...(pattern !== undefined && { pattern }),
    ...(given.enum && { enum: given.enum }),
  };
  if (type === 'array') return { ...common, items: items ? toJsonSchema(items, method) : true };
  if (type !== 'object') return common;
  const fields = Object.entries(properties ?? {}).filter(
    ([, { readOnly }]) => method === undefined || readOnly !== true,
  );
  const required = fields
    .filter(([, { annotations }]) => method !== undefined && annotations?.required?.includes(method))
    .map(([name]) => name);
  return {
    ...common,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toJsonSchema(field, method)])),
    ...(required.length > 0 && { required }),
    additionalProperties: additionalProperties ? toJsonSchema(additionalProperties, method) : false,
  };
}
