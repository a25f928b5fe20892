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
import { namedExamples, responsesOf, sharedHeaders } from './responses.ts';
import { overview } from './text.ts';

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
  const { permission, beyondDrafts, isAboutAllAccounts } = verbs[verb];
  const more = beyondDrafts
    ? `, and \`${beyondDrafts}\` for posts that are not drafts, or no longer are afterwards`
    : '';
  const limit = isAboutAllAccounts ? ', and a key that is not limited to some accounts' : '';
  return `Needs the permission \`${permission}\`${more}${limit}.`;
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

/** The tag of each path, by its prefix. The first match counts. */
const groups = [
  [
    '/v1/workspace',
    'Workspace',
    'The workspace of the API key: its files, accounts and posts belong together.',
  ],
  ['/v1/audit', 'Workspace'],
  [
    '/v1/accounts/{id}/rhythm',
    'Rhythm',
    'The weekly slots of posts with `scheduledFor: "auto"`, per API key and account.',
  ],
  ['/v1/accounts', 'Accounts', 'Accounts at the platforms, and how people connect them.'],
  ['/v1/connect', 'Accounts'],
  ['/v1/media', 'Media', 'The files that posts publish.'],
  ['/v1/posts', 'Posts', 'Posts: drafts, scheduled or published, with one destination for each account.'],
  ['/v1/metrics', 'Posts'],
  [
    '/v1/tags',
    'Tags and saved texts',
    'Labels of posts, and texts and hashtags that many posts use: they belong to the whole workspace.',
  ],
  ['/v1/snippets', 'Tags and saved texts'],
  ['/v1/webhooks', 'Webhooks', 'Your endpoints. The events that they receive are listed under Webhooks.'],
  ['/v1/links', 'Tracked links'],
  ['/v1/deliveries', 'Webhooks'],
  [
    '/v1/events',
    'Events',
    'The same events as those of the webhooks, to read instead of to receive: none is lost.',
  ],
  [
    '/v1/comment-automations',
    'Comment automations',
    'Answer comments on Instagram posts publicly, with a private message, or both.',
  ],
  ['/r/', 'Tracked links', 'The short links that messages contain. Whoever opens them needs no key.'],
  ['/', 'Service', 'The service itself, for programs that check or describe it.'],
] as const;

/** Returns the tag under which the document lists an operation. */
function tagOf({ path }: Operation): string {
  return groups.find(([start]) => path.startsWith(start))?.[1] ?? 'Service';
}

/** Returns the tags of these operations, in order of their first operation. */
function tags(operations: readonly Operation[]): { name: string; description?: string }[] {
  const descriptions = new Map<string, string>(
    groups.flatMap(([, name, description]) => (description === undefined ? [] : [[name, description]])),
  );
  return [...new Set(operations.map(tagOf))].map((name) => {
    const description = descriptions.get(name);
    return { name, ...(description !== undefined && { description }) };
  });
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Removes schema details that tell a reader nothing or promise more than the API does. */
function tidy(jsonSchema: JsonSchema, zodSchema: z.core.$ZodType): void {
  // `format` and `type` already say it.
  if (jsonSchema.format === 'uuid' || jsonSchema.type === 'integer') delete jsonSchema.pattern;
  // These are only the bounds of JavaScript's integers.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Responses may get more fields.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Zod leaves out the default of a value that is transformed, such as a number in a query.
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default = (def as z.core.$ZodDefaultDef).defaultValue as never;
}

/**
 * Adapts the fields of an object to client generators. Removes fields that may never be sent. Replaces the keyword `default` with
 * a sentence: `openapi-typescript` makes a field with a default required, also in requests. https://openapi-ts.dev/cli
 * (`--default-non-nullable`). It does not do so for parameters.
 */
function tidyFields({ properties = {}, required = [] }: JsonSchema): void {
  for (const [name, field] of Object.entries(properties)) {
    // `zod-openapi` renders parameters and bodies as fields of one object, named after their places: `paths > … > limit`.
    if (typeof field === 'boolean' || name.includes(' > ')) continue;
    if (JSON.stringify(field.not) === '{}') delete properties[name];
    const { default: value, description } = field;
    if (value === undefined) continue;
    delete field.default;
    const said = `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
    // A response always has the field. Schemas of their own are tidied twice.
    if (!required.includes(name) && !description?.endsWith(said))
      field.description = description ? `${description}. ${said}` : said;
  }
}
