import { describe, expect, it } from 'vitest';
import built from '../../../../functions/api/openapi.built.ts';
import { verbs } from '../../../../lib/access/verbs.ts';
import { documentedOperations } from '../../../../lib/operations.ts';
import { WebhookEventType } from '../../../../lib/webhooks/schemas.ts';
import type { Json } from '../../../support/document-schemas.ts';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly 'x-permission'?: string;
  readonly security: unknown;
  readonly parameters?: readonly { readonly name: string; readonly schema: Json }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, { readonly content?: unknown } & Json>>;
}

const document = JSON.parse(JSON.stringify(built)) as {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, Json>>;
  };
};
const { schemas, responses } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

interface Found {
  readonly at: string;
  readonly node: Json;
}

/** Every object in a part of the document, except inside examples. */
function objectsIn(node: unknown, at = ''): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node)
    .filter(([name]) => name !== 'example' && name !== 'examples')
    .flatMap(([name, value]) => objectsIn(value, `${at}/${name}`));
  return Array.isArray(node) ? inside : [{ at, node: node as Json }, ...inside];
}
const everywhere = objectsIn(document);
const placesWhere = (holds: (node: Json, at: string) => boolean) =>
  everywhere.filter(({ node, at }) => holds(node, at)).map(({ at }) => at);

describe('types that generators make of the document', () => {
  it('no field may never be sent', () => {
    expect(placesWhere(({ not }) => JSON.stringify(not) === '{}')).toEqual([]);
  });

  // `openapi-typescript` makes a field with a default required: https://openapi-ts.dev/cli (--default-non-nullable).
  it('only parameters have the keyword default, and a field says its default in its description', () => {
    expect(
      placesWhere(
        (node, at) =>
          'default' in node &&
          !/\/(parameters\/\d+\/schema|requestBody\/content\/application\/json\/schema|responses)$/.test(at),
      ),
    ).toEqual([]);
    const { CreatePost, Rhythm, CreateCommentAutomation } = schemas;
    const described = (schema: Json | undefined, field: string) =>
      (schema?.['properties'] as Record<string, Json> | undefined)?.[field]?.['description'];
    expect(described(Rhythm, 'gapMinutes')).toMatch(/\. Default: `120`$/);
    expect(described(Rhythm, 'dayWindow')).toMatch(/\. Default: `\{"from":"09:00","to":"21:00"\}`$/);
    expect(described(CreateCommentAutomation, 'matchMode')).toBe('Default: `contains`');
    expect(described(CreatePost, 'timezone')).toBe('Default: `UTC`');
    for (const name of ['CreatePost', 'Rhythm', 'CreateWebhook'])
      expect(schemas[name]?.['required'] ?? [], name).not.toContain('timezone');
  });

  it('the limit of a paginated list has its default', () => {
    const limitOf = (id: string) =>
      operations
        .find(({ operationId }) => operationId === id)
        ?.parameters?.find(({ name }) => name === 'limit')?.schema;
    expect(limitOf('listPosts')).toEqual({ type: 'integer', minimum: 1, maximum: 500, default: 50 });
    expect(limitOf('listWebhooks')).toEqual({ type: 'integer', minimum: 1, maximum: 500 });
  });

  it('no schema has the name of a global, such as Error', () => {
    expect(Object.keys(schemas).filter((name) => name in globalThis)).toEqual([]);
  });

  // Otherwise programs could not read `error` without a test for another body, or for none.
  it('every error of an operation that has errors of the service has the body ApiError', () => {
    const withoutBodies = ['checkHealth', 'checkTrackedLink'];
    const bodies = operations
      .filter(({ operationId }) => !withoutBodies.includes(operationId))
      .flatMap((operation) => Object.entries(operation.responses))
      .filter(([status]) => /^[45]/.test(status))
      .map(([, response]) => responses[String(response['$ref']).split('/').at(-1) ?? ''] ?? response)
      .map((response) => response['content']);
    expect(bodies.length).toBeGreaterThan(100);
    for (const body of bodies)
      expect(body).toMatchObject({
        'application/json': { schema: { $ref: '#/components/schemas/ApiError' } },
      });
  });

  // Not the outer objects of replies, which generators name by operation; nor options of platforms, which have aliases.
  it('objects and enumerations that occur more than once have a name', () => {
    const shapes = new Map<string, string[]>();
    for (const { at, node } of everywhere) {
      const isNamed = /^\/components\/schemas\/([^/]+|[^/]+Options\/.*)$|\/application\/json\/schema$/.test(
        at,
      );
      const size = Object.keys((node['properties'] ?? node['enum'] ?? {}) as object).length;
      if (isNamed || size < 2) continue;
      const shape = JSON.stringify(node, (key, value) => (key === 'description' ? undefined : value));
      shapes.set(shape, [...(shapes.get(shape) ?? []), at]);
    }
    expect([...shapes.values()].filter((places) => places.length > 1)).toEqual([]);
  });
});

describe('events', () => {
  const nameOf = (type: string) =>
    `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
  const names = WebhookEventType.options.map(nameOf);

  it('each has a schema with a name of its own', () => {
    for (const type of WebhookEventType.options) {
      expect(schemas[nameOf(type)]).toMatchObject({
        type: 'object',
        properties: { type: { const: type } },
        required: ['id', 'type', 'createdAt', 'data'],
      });
      const sent = document.webhooks[type]?.post.requestBody;
      expect(sent).toMatchObject({
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${nameOf(type)}` } } },
      });
    }
    expect(names).toEqual(expect.arrayContaining(['PostPublishedEvent', 'PostAtRiskEvent']));
  });

  it('WebhookEvent is any of them, by its type', () => {
    const { WebhookEvent } = schemas;
    expect(WebhookEvent?.['oneOf']).toHaveLength(names.length);
    expect(WebhookEvent?.['discriminator']).toEqual({
      propertyName: 'type',
      mapping: Object.fromEntries(
        WebhookEventType.options.map((type) => [type, `#/components/schemas/${nameOf(type)}`]),
      ),
    });
  });
});

describe('for readers', () => {
  it('every tag is described', () => {
    expect(document.tags.filter(({ description = '' }) => description.length < 20)).toEqual([]);
  });

  it('every operation is described, and not only by the permission that it needs', () => {
    expect(
      documentedOperations.filter(({ description = '' }) => description.length < 20).map(({ id }) => id),
    ).toEqual([]);
  });

  it('every operation with a key says its permission in its description and for programs', () => {
    for (const { verb, id } of documentedOperations) {
      const described = operations.find(({ operationId }) => operationId === id);
      const permission = verb && verbs[verb].permission;
      expect(described?.['x-permission'], id).toBe(permission);
      if (verb) expect(described?.description, id).toContain(`Needs the permission \`${permission}\``);
    }
  });
});
