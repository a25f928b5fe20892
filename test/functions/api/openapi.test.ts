import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiFunctions } from '../../../infra/functions/api.ts';
import { operations } from '../../../lib/operations.ts';
import { platformNames } from '../../../lib/platforms/names.ts';
import { rulesFor } from '../../../lib/platforms/rules-registry.ts';
import { openApi, publicBaseUrl } from '../../support/api.ts';

interface DocumentedOperation {
  readonly operationId: string;
  readonly security: object[];
  readonly responses: Record<string, object>;
}

interface JsonSchema {
  readonly description?: string;
  readonly properties: Record<string, object>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly { readonly $ref?: string }[];
}

interface OpenApi {
  readonly components: { readonly schemas: Record<string, JsonSchema> };
  readonly openapi: string;
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
}

let document: OpenApi;
beforeAll(async () => {
  const { call } = await openApi();
  document = (await call('openapi')).body as unknown as OpenApi;
});

/** What a reference such as `#/components/schemas/Post` points to. */
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
    expect(document.servers).toEqual([{ url: publicBaseUrl }]);
  });

  it('describes every route of the API that is deployed, and no other', () => {
    const deployed = apiFunctions
      .flatMap(({ routes }) => routes)
      // What answers GET answers HEAD, so no document says so.
      .filter((route) => / \/(v1\/|r\/|health$)/.test(route) && !route.startsWith('HEAD '));
    expect(
      documented()
        .map(({ route }) => route)
        .sort(),
    ).toEqual(deployed.sort());
  });

  it('names each operation as its function', () => {
    const functions = new Map(
      apiFunctions.flatMap(({ name, routes }) => routes.map((route) => [route, name])),
    );
    for (const { route, operation } of documented()) expect(operation.operationId).toBe(functions.get(route));
  });

  it('asks for a key, and documents 401 and 429, wherever a key is needed', () => {
    const access = new Map(operations.map((op) => [op.id, op.access]));
    for (const { operation } of documented()) {
      const needsKey = access.get(operation.operationId) === 'key';
      expect(operation.security).toEqual(needsKey ? [{ key: [] }] : []);
      if (needsKey) expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '429']));
    }
  });

  it('describes the options of every platform that is built, and leaves all others free', () => {
    const { schemas } = document.components;
    const built = platformNames.filter((platform) => rulesFor(platform));
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

  it('describes options as they are sent, not as they are kept', () => {
    const { tags } = document.components.schemas['YoutubeOptions']?.properties ?? {};
    expect(tags).toMatchObject({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    });
  });

  it('has every route of the interface that is built', () => {
    expect(documented().map(({ route }) => route)).toEqual(
      expect.arrayContaining([
        'GET /v1/accounts',
        'POST /v1/media/presign',
        'POST /v1/posts',
        'GET /v1/posts',
        'GET /v1/posts/{id}',
      ]),
    );
  });
});
