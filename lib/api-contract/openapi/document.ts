import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiComponentsObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { isBodyNeeded, type Operation } from '../operation.ts';
import { type DescribedEvent, describeEvents } from './events.ts';
import { responsesOf, sharedHeaders } from './responses.ts';
import { tagOf, tags } from './tags.ts';
import { overview } from './text.ts';

/**
 * What free-form JSON is known to hold, by the name of its schema: what a request's own schema leaves alone, because
 * others look into it, is described all the same.
 */
export type KnownForms = Readonly<Record<string, readonly z.ZodType[]>>;

export interface DocumentParts {
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  readonly knownForms?: KnownForms;
  /** What is sent to webhook endpoints, by the event's type. */
  readonly events?: Readonly<Record<string, DescribedEvent>>;
}

/**
 * The OpenAPI 3.1 document of the operations, from the same schemas that parse their requests, and of the events.
 */
export function openApiDocument({
  operations,
  knownForms = {},
  events = {},
}: DocumentParts): ReturnType<typeof createDocument> {
  const formsOf = Object.fromEntries(
    Object.entries(knownForms).map(([name, schemas]) => [name, schemas.map(readForm)]),
  );
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const op of operations) {
    paths[op.path] = { ...paths[op.path], [op.method.toLowerCase()]: describe(op) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Social publishing service',
      version: '1.0.0',
      description: overview,
    },
    tags: tags(operations),
    paths: paths as ZodOpenApiPathsObject,
    webhooks: describeEvents(events),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key of the workspace, `yay_…`' },
      },
      headers: sharedHeaders,
      schemas: Object.fromEntries(
        Object.values(formsOf).flatMap((forms) => forms.map(({ name, schema }) => [name, schema])),
      ),
    },
  };
  return createDocument(document, {
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema);
      const forms = formsOf[z.globalRegistry.get(zodSchema)?.id ?? ''];
      if (!forms) return;
      for (const key of ['type', 'propertyNames', 'additionalProperties'] as const) delete jsonSchema[key];
      jsonSchema.anyOf = [
        ...forms.map(({ name }) => ({ $ref: `#/components/schemas/${name}` })),
        { type: 'object', additionalProperties: {} },
      ];
    },
  });
}

/** Takes out what says nothing to a reader, or more than the API promises. */
function tidy(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  // The format says it.
  if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  // The bounds of JavaScript's numbers.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Answers may come to have more fields.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** As a request has it: JSON Schema 2020-12, which is what OpenAPI 3.1 holds. */
function readForm(form: z.ZodType) {
  const { $defs = {} } = z.toJSONSchema(form, { io: 'input' });
  const [[name, { id: _, ...schema }] = ['', {}], ...others] = Object.entries($defs);
  if (name === '' || others.length > 0) throw new Error('a known form has an id, and nothing in it has one');
  return { name, schema: schema as NonNullable<ZodOpenApiComponentsObject['schemas']>[string] };
}

function describe(op: Operation): ZodOpenApiOperationObject {
  const { body, bodyType = 'application/json' } = op;
  return {
    operationId: op.id,
    tags: [tagOf(op)],
    summary: op.summary,
    ...(op.description && { description: op.description }),
    security: op.access === 'key' ? [{ key: [] }] : [],
    requestParams: {
      ...(op.pathParameters && { path: op.pathParameters as z.ZodObject }),
      ...(op.query && { query: op.query as z.ZodObject }),
      ...(op.headers && { header: op.headers }),
    },
    ...(body && { requestBody: { required: isBodyNeeded(body), content: { [bodyType]: { schema: body } } } }),
    responses: responsesOf(op),
  };
}
