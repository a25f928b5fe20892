import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiComponentsObject,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { isBodyNeeded, type Operation } from './operation.ts';

const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What is wrong, for people: `<field>: …` where one field is' }),
    code: z.string().meta({ description: 'Stable, for programs' }),
    details: z
      .object({ fields: z.record(z.string(), z.array(z.string())) })
      .optional()
      .meta({ description: 'Every wrong field with what is wrong with it' }),
  })
  .meta({ id: 'Error' });

/**
 * What free-form JSON is known to hold, by the name of its schema: what a request's own schema leaves alone, because
 * others look into it, is described all the same.
 */
export type KnownForms = Readonly<Record<string, readonly z.ZodType[]>>;

/**
 * The OpenAPI 3.1 document of the operations, from the same schemas that parse their requests.
 *
 * @param baseUrl without a final slash
 */
export function openApiDocument(
  operations: readonly Operation[],
  baseUrl: string,
  knownForms: KnownForms = {},
): ReturnType<typeof createDocument> {
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
      description:
        'Schedules posts to connected social accounts. Routes under `/v1` are also served under `/api/v1`. Errors that the gateway itself makes (a body over 10 MB, headers over 10 KB, its own throttle) have its own shape, `{ "message" }`.',
    },
    servers: [{ url: baseUrl }],
    paths: paths as ZodOpenApiPathsObject,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key of the workspace, `yay_…`' },
      },
      schemas: Object.fromEntries(
        Object.values(formsOf).flatMap((forms) => forms.map(({ name, schema }) => [name, schema])),
      ),
    },
  };
  return createDocument(document, {
    override: ({ zodSchema, jsonSchema }) => {
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

/** As a request has it: JSON Schema 2020-12, which is what OpenAPI 3.1 holds. */
function readForm(form: z.ZodType) {
  const { $defs = {} } = z.toJSONSchema(form, { io: 'input' });
  const [[name, { id: _, ...schema }] = ['', {}], ...others] = Object.entries($defs);
  if (name === '' || others.length > 0) throw new Error('a known form has an id, and nothing in it has one');
  return { name, schema: schema as NonNullable<ZodOpenApiComponentsObject['schemas']>[string] };
}

function describe(op: Operation): ZodOpenApiOperationObject {
  const refusals: Record<number, string> = {
    ...((op.body || op.query) && { 400: 'The request is wrong; the message names the field' }),
    ...(op.access === 'key' && { 401: 'The key is missing, malformed or revoked' }),
    ...(op.access !== 'public' && {
      429: 'Too many requests from this address; `Retry-After` gives the wait in seconds',
    }),
    ...op.refusals,
  };
  return {
    operationId: op.id,
    summary: op.summary,
    ...(op.description && { description: op.description }),
    security: op.access === 'key' ? [{ key: [] }] : [],
    requestParams: {
      ...(op.pathParameters && { path: op.pathParameters as z.ZodObject }),
      ...(op.query && { query: op.query as z.ZodObject }),
      ...(op.headers && { header: op.headers }),
    },
    ...(op.body && {
      requestBody: { required: isBodyNeeded(op.body), content: { 'application/json': { schema: op.body } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(op.replies).map(([status, { description, body }]) => [
          status,
          { description, ...(body && { content: { 'application/json': { schema: body } } }) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: ErrorBody } } },
        ]),
      ),
    },
  };
}
