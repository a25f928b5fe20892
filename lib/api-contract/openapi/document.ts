import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiComponentsObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { verbs } from '../../access/verbs.ts';
import { isBodyNeeded, type Operation } from '../operation.ts';
import { callbacksTo, type DescribedEvent, describeEvents } from './events.ts';
import type { OperationExamples } from './examples/all.ts';
import { namedExamples } from './named-examples.ts';
import { responsesOf, sharedHeaders } from './responses.ts';
import { tagOf, tags } from './tags.ts';
import { overview } from './text.ts';
import { tidy, tidyFields } from './tidy-schemas.ts';

/**
 * Schemas for what free-form JSON may contain, by the name of the free-form schema. The request's own schema accepts any JSON
 * there, because other code validates it later. The document still describes it.
 */
export type KnownForms = Readonly<Record<string, readonly z.ZodType[]>>;

export interface DocumentParts {
  /** The operations, in the order in which the document lists them. */
  readonly operations: readonly Operation[];
  readonly knownForms?: KnownForms;
  /** The events sent to webhook endpoints, by type. */
  readonly events?: Readonly<Record<string, DescribedEvent>>;
  /** The examples by operation id. */
  readonly examples?: Readonly<Record<string, OperationExamples>>;
  /** Examples of the events' data, by type. */
  readonly eventExamples?: Readonly<Record<string, object>>;
}

/**
 * Builds the OpenAPI 3.1 document of the operations and events, from the same schemas that parse the requests.
 */
export function openApiDocument({
  operations,
  knownForms = {},
  events = {},
  examples = {},
  eventExamples = {},
}: DocumentParts): ReturnType<typeof createDocument> {
  const formsOf = Object.fromEntries(
    Object.entries(knownForms).map(([name, schemas]) => [name, schemas.map(readForm)]),
  );
  const { webhooks, anyEvent } = describeEvents(events, eventExamples);
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const op of operations) {
    paths[op.path] = {
      ...paths[op.path],
      [op.method.toLowerCase()]: describe(op, examples[op.id], anyEvent),
    };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Social publishing service',
      version: '1.0.0',
      description: overview,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this service' },
    },
    tags: tags(operations),
    paths: paths as ZodOpenApiPathsObject,
    webhooks,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace, `yay_…`' },
      },
      headers: sharedHeaders,
      schemas: {
        ...Object.fromEntries(
          Object.values(formsOf).flatMap((forms) => forms.map(({ name, schema }) => [name, schema])),
        ),
      },
    },
  };
  return createDocument(document, {
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema, zodSchema);
      tidyFields(jsonSchema);
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

/** Renders a form in the way it appears in requests, in JSON Schema 2020-12, which OpenAPI 3.1 uses. */
function readForm(form: z.ZodType) {
  const { $defs = {} } = z.toJSONSchema(form, {
    io: 'input',
    override: ({ jsonSchema }) => tidyFields(jsonSchema),
  });
  const [[name, { id: _, ...schema }] = ['', {}], ...others] = Object.entries($defs);
  if (name === '' || others.length > 0)
    throw new Error('a known form must have an id, and its parts must not have one');
  return { name, schema: schema as NonNullable<ZodOpenApiComponentsObject['schemas']>[string] };
}

/** Returns a sentence about the permissions that a key needs for an operation. */
function needsOf({ verb }: Operation): string | undefined {
  if (verb === undefined) return undefined;
  const { permission, isAboutAllAccounts } = verbs[verb];
  const limit = isAboutAllAccounts ? ', and a key that is not limited to some accounts' : '';
  return `Needs the permission \`${permission}\`${limit}.`;
}

function describe(
  op: Operation,
  examples: OperationExamples | undefined,
  anyEvent: z.ZodType | undefined,
): ZodOpenApiOperationObject {
  const { body, bodyType = 'application/json' } = op;
  return {
    operationId: op.id,
    tags: [tagOf(op)],
    summary: op.summary,
    description: [op.description, needsOf(op)].filter(Boolean).join('\n\n'),
    security: op.verb === undefined ? [] : [{ key: [] }],
    // Not as scopes of `security`: those are for OAuth 2, and linters refuse them for other schemes.
    ...(op.verb && { 'x-permission': verbs[op.verb].permission }),
    requestParams: {
      ...(op.pathParameters && { path: op.pathParameters as z.ZodObject }),
      ...(op.query && { query: op.query as z.ZodObject }),
      ...(op.headers && { header: op.headers }),
    },
    ...(body && {
      requestBody: {
        required: isBodyNeeded(body),
        content: {
          [bodyType]: { schema: body, ...namedExamples(examples?.request, examples?.otherRequests) },
        },
      },
    }),
    responses: responsesOf(op, examples),
    ...(op.registersUrl && anyEvent && { callbacks: callbacksTo(anyEvent) }),
  };
}
