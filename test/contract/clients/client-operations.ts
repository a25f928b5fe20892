import type { Operation } from '../../../lib/client/client.ts';

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Content {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
}
interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
/** The parts of an OpenAPI document that the client is made of. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation of the document, with what its types and comments need. */
export interface DescribedOperation {
  readonly id: string;
  readonly comment: string;
  readonly operation: Operation;
  /** The names of the path's parameters, in order. */
  readonly ids: readonly string[];
  readonly isInputNeeded: boolean;
  /** True if the same request can be tried without an effect, and has another answer then. */
  readonly hasDryRun: boolean;
  /** True if a parameter of the query chooses another type of content. */
  readonly hasFormats: boolean;
}

/** Returns the operations of which a client makes methods: those that answer in JSON. Pure. */
export function operationsOf(document: Document): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, described]) => jsonOf(described) !== undefined)
      .map(([method, described]) => operationOf(document, method.toUpperCase(), path, described)),
  );
}

function operationOf(
  document: Document,
  method: string,
  path: string,
  described: Described,
): DescribedOperation {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = described;
  const query = parameters.filter((each) => each.in === 'query');
  if (query.length > 0 && requestBody) throw new Error(`${id}: methods take a query or a body`);
  const hasKey = parameters.some((each) => each.in === 'header' && each.name === 'Idempotency-Key');
  const list = listOf(document, query, jsonOf(described));
  return {
    id,
    comment: [`${summary}: \`${method} ${path}\`.`, description].filter(Boolean).join('\n\n'),
    operation: {
      method: method as Operation['method'],
      path,
      ...(query.length > 0 && { input: 'query' }),
      ...(requestBody && { input: 'body' }),
      ...(hasKey && { hasKey }),
      ...(list && { list }),
    },
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    isInputNeeded: requestBody?.required === true || query.some(({ required }) => required),
    hasDryRun: jsonOf(described)?.anyOf?.some(({ $ref }) => $ref?.endsWith('/DryRun')) === true,
    hasFormats: Object.keys(responses['200']?.content ?? {}).length > 1,
  };
}

/** Returns the schema of the first answer that succeeds. */
function jsonOf({ responses }: Described): Schema | undefined {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return answer?.content?.['application/json']?.schema;
}

function listOf(
  { components }: Document,
  query: readonly Parameter[],
  schema: Schema = {},
): Operation['list'] {
  const { properties = {} } = components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const cursor = ['cursor', 'after'].find((each) => query.some(({ name }) => name === each));
  const items = Object.keys(properties).find((name) => properties[name]?.items !== undefined);
  if (cursor === undefined || items === undefined || !properties['nextCursor']) return undefined;
  return { items, cursor, ...(properties['hasMore'] && { more: 'hasMore' }) };
}
