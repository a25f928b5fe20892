import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiFunctions } from '../../../infra/functions/api.ts';
import { documentedOperations } from '../../../lib/operations.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { hasRules } from '../../../lib/platforms/registry/rules.ts';
import { WebhookEventType } from '../../../lib/webhooks/schemas.ts';
import { openApi, publicBaseUrl } from '../../support/api.ts';

interface Answer {
  readonly headers?: object;
  readonly content?: Record<string, { readonly schema?: { readonly $ref?: string } }>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly description: string;
  readonly security: Record<string, string[]>[];
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[];
  readonly responses: Record<string, object>;
}

interface DocumentedEvent {
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody: {
    readonly content: { 'application/json': { readonly schema: { readonly $ref: string } } };
  };
}

interface JsonSchema {
  readonly description?: string;
  readonly properties: Record<string, object>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly { readonly $ref?: string }[];
}

interface OpenApi {
  readonly components: { readonly schemas: Record<string, JsonSchema> };
  readonly info: { readonly description: string };
  readonly openapi: string;
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
  readonly webhooks: Record<string, { readonly post: DocumentedEvent }>;
}

let document: OpenApi;
beforeAll(async () => {
  const { call } = await openApi();
  document = (await call('openapi')).body as unknown as OpenApi;
});

/** Resolves a reference such as `#/components/schemas/Post`. */
function resolve(root: unknown, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], root);
}

const documented = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, without dangling references', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone({ ...document }))).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    const references = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? [];
    expect(references.filter((reference) => resolve(document, reference) === undefined)).toEqual([]);
    expect(references.length).toBeGreaterThan(10);
    expect(document.servers.map(({ url }) => url)).toEqual([publicBaseUrl, `${publicBaseUrl}/api`]);
  });

  it('describes every deployed route, except those of agents, browsers, platforms, the panel and users of Zernio', () => {
    const deployed = apiFunctions
      .flatMap(({ routes }) => routes)
      .filter(
        (route) =>
          route !== '$default' &&
          !/ \/(\.well-known|oauth|platforms|docs|panel|mcp|zernio|llms\.txt)(\/|$)/.test(route),
      );
    expect(
      documented()
        .map(({ route }) => route)
        .sort(),
    ).toEqual(deployed.sort());
  });

  it('gives each operation an id of its own, a verb and a noun in camel case', () => {
    const ids = documented().map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('requires a key, and documents 401, 403 and 429, for every operation that needs a key', () => {
    const access = new Map(documentedOperations.map((op) => [op.id, op.access]));
    for (const { operation } of documented()) {
      const needsKey = access.get(operation.operationId) === 'key';
      expect(operation.security.flatMap(Object.keys)).toEqual(needsKey ? ['key'] : []);
      const expected = needsKey ? ['401', '403', '429'] : [];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(expected));
    }
  });

  it('describes the options of every implemented platform, and allows any others', () => {
    const { schemas } = document.components;
    const built = platformNames.filter((platform) => hasRules(platform));
    const names = built.map((platform) => `${platform[0]?.toUpperCase()}${platform.slice(1)}Options`);
    const forms = schemas['PlatformSpecificData']?.anyOf ?? [];
    expect(forms).toEqual([
      ...names.sort().map((name) => ({ $ref: `#/components/schemas/${name}` })),
      { type: 'object', additionalProperties: {} },
    ]);
    for (const name of names) expect(schemas[name]?.additionalProperties, name).toBeUndefined();
    expect(schemas['InstagramOptions']?.properties).toMatchObject({ shareToFeed: { type: 'boolean' } });
    expect(schemas['PlatformEntry']?.properties['platformSpecificData']).toEqual({
      $ref: '#/components/schemas/PlatformSpecificData',
    });
  });

  it('describes options as requests have them, not as they are stored', () => {
    const { tags } = document.components.schemas['YoutubeOptions']?.properties ?? {};
    expect(tags).toMatchObject({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    });
  });

  it('documents the request id for every response of the service, and the rate limit under /v1', () => {
    for (const { route, operation } of documented()) {
      for (const [status, given] of Object.entries(operation.responses)) {
        const answer = ('$ref' in given ? resolve(document, String(given.$ref)) : given) as Answer;
        // API Gateway returns it, or the address that the client was redirected to.
        const [body] = Object.values(answer.content ?? {});
        if (status === 'default' || body?.schema?.$ref?.endsWith('/GatewayError')) continue;
        const headers = Object.keys(answer.headers ?? {});
        expect(headers, `${route} ${status}`).toContain('X-Request-Id');
        const limits = headers.filter((name) => name.startsWith('X-RateLimit-'));
        expect(limits, `${route} ${status}`).toHaveLength(route.includes(' /v1/') ? 3 : 0);
        if (status === '429') expect(headers).toContain('Retry-After');
      }
    }
  });

  it('names the errors of API Gateway and their body in its introduction', () => {
    for (const status of [413, 429, 431, 500, 503]) expect(document.info.description).toContain(`${status}`);
    expect(document.info.description).toContain('They have the shape `{ message }`');
  });

  it('describes every event with its envelope and the headers of its delivery', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...WebhookEventType.options].sort());
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { $ref } = post.requestBody.content['application/json'].schema;
      const { properties, required } = resolve(document, $ref) as { properties: object; required: string[] };
      expect(properties).toMatchObject({ type: { const: type } });
      expect(required).toEqual(['id', 'type', 'createdAt', 'data']);
      expect(post.parameters.map(({ name }) => name)).toEqual([
        'X-Service-Signature',
        'X-Service-Event-Id',
        'X-Service-Delivery-Id',
      ]);
    }
  });

  it('has no field that clients must leave out, and says which ones they may send as null', () => {
    expect(JSON.stringify(document)).not.toContain('"not":');
    const { CreatePost, PlatformEntry, EditCommentAutomation } = document.components.schemas;
    expect(CreatePost?.properties).not.toHaveProperty('queueId');
    expect(EditCommentAutomation?.properties).not.toHaveProperty('platformPostId');
    expect(CreatePost?.properties['scheduledFor']).toMatchObject({ type: ['string', 'null'] });
    expect(PlatformEntry?.properties['customMedia']).toMatchObject({ type: ['array', 'null'] });
    expect(JSON.stringify(document)).not.toContain('"override"');
  });

  it('states the limits of the interface', () => {
    const { CreatePost, ChainStep } = document.components.schemas;
    expect(CreatePost?.properties['chain']).toMatchObject({ maxItems: 5 });
    expect(ChainStep?.properties['afterMinutes']).toMatchObject({ minimum: 0, maximum: 1440 });
    const list = document.paths['/v1/posts']?.['get']?.parameters?.find(({ name }) => name === 'limit');
    expect(list?.schema).toMatchObject({ maximum: 500 });
  });

  it('has every route of the interface', () => {
    expect(documented().map(({ route }) => route)).toEqual(
      expect.arrayContaining([
        'GET /v1/accounts',
        'POST /v1/media/presign',
        'POST /v1/posts',
        'GET /v1/posts',
        'GET /v1/posts/{id}',
        'POST /v1/comment-automations',
        'GET /r/{code}',
      ]),
    );
  });
});
