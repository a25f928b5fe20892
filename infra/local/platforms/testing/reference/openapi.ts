import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  type Schema,
  schemaId,
} from './described-operation.ts';

type Json = { readonly [key: string]: unknown };

/** The parts of an OpenAPI 3.0 description that are read here. */
export interface OpenApi {
  readonly openapi?: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
  };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly parameters?: readonly (OpenApiParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Json;
}

type Content = Readonly<Record<string, { readonly schema?: Json }>>;

/** The direction of a body: `readOnly` fields exist in responses only. */
type Direction = 'request' | 'response';

/** @param base host and path before the paths of the description */
export function operationsOf(
  { paths, components }: OpenApi,
  base: { readonly hosts: readonly string[]; readonly path: string },
): readonly DescribedOperation[] {
  const parameterOf = (given: OpenApiParameter | { readonly $ref: string }): DescribedParameter => {
    const found = '$ref' in given ? components.parameters[nameOf(given.$ref)] : given;
    if (found === undefined || (found.in !== 'path' && found.in !== 'query')) {
      throw new Error(`cannot read the parameter ${JSON.stringify(given)}`);
    }
    const whole = resolved(found.schema);
    const isRepeated = whole['type'] === 'array';
    const item = isRepeated ? (whole['items'] as Json) : found.schema;
    const type = resolved(item)['type'] ?? 'string';
    if (type !== 'string' && type !== 'integer' && type !== 'number' && type !== 'boolean') {
      throw new Error(`cannot read the parameter ${found.name} of type ${String(type)}`);
    }
    const { name, required: isRequired = false } = found;
    return { name, in: found.in, isRequired, isRepeated, schema: valueSchema(item, 'request'), type };
  };
  const resolved = (schema: Json): Json => {
    const reference = schema['$ref'] ?? (schema['allOf'] as Json[] | undefined)?.[0]?.['$ref'];
    return typeof reference === 'string' ? (components.schemas[nameOf(reference)] ?? {}) : schema;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      hosts: base.hosts,
      path: base.path + path,
      parameters: parameters.map(parameterOf),
      ...(requestBody && { request: bodyOf(requestBody) }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, { content }]) => {
          const schema = content?.['application/json']?.schema;
          return [status, schema ? valueSchema(schema, 'response') : null];
        }),
      ),
    })),
  );
}

function bodyOf({ required = false, content }: NonNullable<OpenApiOperation['requestBody']>): DescribedBody {
  const types = Object.keys(content);
  const schema = types.map((type) => content[type]?.schema).find((one) => one !== undefined);
  return { isRequired: required, types, ...(schema && { schema: valueSchema(schema, 'request') }) };
}

/** Returns the components as JSON Schemas, once for each direction. */
export function schemasOf({ components }: OpenApi): Readonly<Record<string, Schema>> {
  const directions: Direction[] = ['request', 'response'];
  return Object.fromEntries(
    directions.flatMap((direction) =>
      Object.entries(components.schemas).map(([name, schema]) => [
        idOf(name, direction),
        toJsonSchema(schema, direction),
      ]),
    ),
  );
}

const nameOf = (reference: string) => reference.split('/').at(-1) ?? '';
const idOf = (name: string, direction: Direction) => schemaId(direction, name);

const describing = ['$ref', 'allOf', 'anyOf', 'discriminator', 'oneOf', 'properties'];

/**
 * Returns the schema of a whole value: a body, a field or an item. It forbids unknown fields, if any fields are described at all.
 */
function valueSchema(schema: Json, direction: Direction): Schema {
  const converted = toJsonSchema(schema, direction);
  const isDescribed = describing.some((keyword) => keyword in schema);
  return isDescribed ? { allOf: [converted], unevaluatedProperties: false } : converted;
}

/**
 * Converts a schema of OpenAPI 3.0 to JSON Schema (https://spec.openapis.org/oas/v3.0.3#schema-object): `nullable`, `readOnly`, a
 * boolean `exclusiveMinimum`, and a `discriminator`, which selects a further schema by one field.
 */
function toJsonSchema(schema: Json, direction: Direction): { readonly [keyword: string]: unknown } {
  const converted: Record<string, unknown> = {};
  const nested = (inner: unknown) => toJsonSchema(inner as Json, direction);
  const value = (inner: unknown) => valueSchema(inner as Json, direction);
  const isLeftOut = (field: unknown) => direction === 'request' && (field as Json)['readOnly'] === true;
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);

  for (const [keyword, given] of Object.entries(schema)) {
    switch (keyword) {
      case '$ref':
        converted['$ref'] = idOf(nameOf(String(given)), direction);
        break;
      case 'properties':
        converted[keyword] = Object.fromEntries(
          properties.filter(([, field]) => !isLeftOut(field)).map(([name, field]) => [name, value(field)]),
        );
        break;
      case 'required': {
        const leftOut = properties.filter(([, field]) => isLeftOut(field)).map(([name]) => name);
        converted[keyword] = (given as string[]).filter((name) => !leftOut.includes(name));
        break;
      }
      case 'items':
      case 'additionalProperties':
        converted[keyword] = typeof given === 'boolean' ? given : value(given);
        break;
      case 'allOf':
        converted[keyword] = [
          ...((converted[keyword] as unknown[]) ?? []),
          ...(given as unknown[]).map(nested),
        ];
        break;
      case 'anyOf':
        converted[keyword] = (given as unknown[]).map(nested);
        break;
      case 'oneOf':
        // With a discriminator, only the alternative that it names is of interest, also in error messages.
        if (schema['discriminator'] === undefined)
          converted[isEnums(given) ? 'anyOf' : keyword] = (given as unknown[]).map(nested);
        break;
      case 'discriminator':
        converted['allOf'] = [
          ...((converted['allOf'] as unknown[]) ?? []),
          ...alternatives(given as Discriminator, direction, schema['oneOf'] !== undefined),
        ];
        break;
      case 'nullable':
      case 'readOnly':
      case 'writeOnly':
      case 'default':
      case 'deprecated':
        break;
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        throw new Error(`${keyword} is not converted yet`);
      default:
        converted[keyword] = given;
    }
  }
  return schema['nullable'] === true ? { anyOf: [{ type: 'null' }, converted] } : converted;
}

interface Discriminator {
  readonly propertyName: string;
  readonly mapping: Readonly<Record<string, string>>;
}

function alternatives(
  { propertyName, mapping }: Discriminator,
  direction: Direction,
  isRequired: boolean,
): readonly Schema[] {
  const isOneOf = { properties: { [propertyName]: { enum: Object.keys(mapping) } } };
  return [
    isRequired ? { ...isOneOf, required: [propertyName] } : isOneOf,
    ...Object.entries(mapping).map(([value, reference]) => ({
      if: { properties: { [propertyName]: { const: value } }, required: [propertyName] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref: idOf(nameOf(reference), direction) },
    })),
  ];
}

/** True for alternatives that are lists of values. Pinterest's lists of metrics overlap, so no value could match exactly one. */
const isEnums = (alternatives: unknown): boolean =>
  Array.isArray(alternatives) && alternatives.every((each) => (each as Json)['enum'] !== undefined);
