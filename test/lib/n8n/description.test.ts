import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import built from '../../../functions/api/openapi.built.ts';
import { WebhookEventType } from '../../../lib/webhooks/schemas.ts';
import type { Json } from '../../support/document-schemas.ts';

const folder = join(import.meta.dirname, '../../../lib/n8n');

interface Property {
  readonly name: string;
  readonly type?: string;
  readonly value?: string;
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly string[]>> };
  readonly options?: readonly Property[];
  readonly values?: readonly Property[];
  readonly routing?: {
    readonly request?: { readonly method: string; readonly url: string };
    readonly send?: { readonly type?: 'body' | 'query'; readonly property?: string };
  };
}

/** Reads the description of a node as n8n does, but for n8n's own code, which is not installed. */
async function describedBy(name: string): Promise<readonly Property[]> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, `nodes/${name}/${name}.node.ts`)],
    bundle: true,
    write: false,
    external: ['n8n-workflow'],
    platform: 'node',
    format: 'cjs',
  });
  const n8n = { NodeConnectionTypes: { Main: 'main' } };
  const require = createRequire(import.meta.url);
  const exports: Record<string, new () => { description: { properties: readonly Property[] } }> = {};
  const load = (path: string) => (path === 'n8n-workflow' ? n8n : require(path));
  const module = { exports };
  new Function('require', 'module', 'exports', outputFiles[0]?.text ?? '')(load, module, exports);
  const Node = module.exports[name];
  if (Node === undefined) throw new Error(`there is no ${name}`);
  return new Node().description.properties;
}

const node = await describedBy('Herald');
const trigger = await describedBy('HeraldTrigger');

const paths = built.paths as unknown as Record<string, Record<string, Json>>;
const schemas = (built.components as unknown as { schemas: Record<string, Json> }).schemas;

/** Returns an operation's names of parameters and of fields of the body. */
function documented(method: string, path: string): { query: string[]; body: string[] } | undefined {
  const operation = paths[path]?.[method.toLowerCase()] as Json | undefined;
  if (operation === undefined) return undefined;
  const { parameters = [], requestBody } = operation as { parameters?: Json[]; requestBody?: Json };
  const content = requestBody?.['content'] as Record<string, { schema: Json }> | undefined;
  let schema = content?.['application/json']?.schema;
  while (typeof schema?.['$ref'] === 'string') schema = schemas[schema['$ref'].split('/').at(-1) ?? ''];
  return {
    query: parameters.filter((each) => each['in'] === 'query').map((each) => String(each['name'])),
    body: Object.keys((schema?.['properties'] ?? {}) as object),
  };
}

/** Returns what a property and those in it send. */
const sentBy = (property: Property): { type: 'body' | 'query'; name: string }[] => {
  const { type, property: name } = property.routing?.send ?? {};
  const own = type !== undefined && name !== undefined ? [{ type, name }] : [];
  return [...own, ...[...(property.options ?? []), ...(property.values ?? [])].flatMap(sentBy)];
};

const operations = node
  .filter(({ name }) => name === 'operation')
  .flatMap(({ displayOptions, options = [] }) =>
    options.map(({ value = '', routing }) => ({
      resource: displayOptions?.show['resource']?.[0] ?? '',
      operation: value,
      method: routing?.request?.method ?? '',
      // `=/v1/posts/{{ … }}/retry` is `/v1/posts/{id}/retry`.
      path: (routing?.request?.url ?? '').replace(/^=/, '').replaceAll(/\{\{.*?\}\}/g, '{id}'),
    })),
  );

describe('an operation of the n8n node', () => {
  it('is there for posts, accounts, media, events and automations', () => {
    expect(new Set(operations.map(({ resource }) => resource))).toEqual(
      new Set(['post', 'account', 'media', 'event', 'automation']),
    );
    expect(operations.length).toBeGreaterThanOrEqual(15);
  });

  it.each(operations)('$resource $operation sends only what $method $path has in the document', (each) => {
    const known = documented(each.method, each.path);
    const { resource, operation } = each;
    const shown = node.filter(
      ({ name, displayOptions: { show = {} } = {} }) =>
        name !== 'operation' &&
        show['resource']?.includes(resource) &&
        show['operation']?.includes(operation),
    );
    const sent = shown.flatMap(sentBy);
    expect(sent.filter(({ type, name }) => !known?.[type].includes(name))).toEqual([]);
    expect(known).toBeDefined();
  });
});

it('the form of the n8n node has no field that is not sent, but for those that its code reads', () => {
  const fieldsOf = (property: Property): readonly Property[] =>
    property.type === 'collection' ? (property.options ?? []) : [property];
  const unsent = node.flatMap(fieldsOf).filter((property) => sentBy(property).length === 0);
  const read = ['destinations', 'filename', 'idempotencyKey', 'mediaItems', 'binaryPropertyName', 'when'];
  const ofNode = ['resource', 'operation', 'returnAll', 'limit'];
  const ofPaths = ['accountId', 'automationId', 'mediaId', 'postId'];
  expect(new Set(unsent.map(({ name }) => name))).toEqual(new Set([...read, ...ofNode, ...ofPaths]));
});

describe('the events of the n8n nodes', () => {
  const offered = (property: Property | undefined) => (property?.options ?? []).map(({ value }) => value);
  const types = WebhookEventType.options.filter((type) => type !== 'webhook.test').sort();

  it('of the trigger are all that an endpoint can receive', () => {
    const events = trigger.find(({ name }) => name === 'events');
    expect(offered(events).sort()).toEqual(['*', ...types]);
  });

  it('of the feed are all that it has', () => {
    const filters = node.find(
      ({ name, displayOptions }) => name === 'filters' && displayOptions?.show['resource']?.includes('event'),
    );
    expect(offered(filters?.options?.find(({ name }) => name === 'types')).sort()).toEqual(types);
  });
});

it('the manifest of the n8n package names only files that the build writes, and no dependency', () => {
  const Manifest = z.object({
    n8n: z.object({ credentials: z.array(z.string()), nodes: z.array(z.string()) }),
    license: z.string(),
    dependencies: z.never().optional(),
    files: z.tuple([z.literal('dist')]),
    peerDependencies: z.strictObject({ 'n8n-workflow': z.literal('*') }),
  });
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  for (const path of [...manifest.n8n.credentials, ...manifest.n8n.nodes])
    readFileSync(join(folder, path.replace(/^dist\//, '').replace(/\.js$/, '.ts')));
  const root = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8'));
  expect(manifest.license).toBe(root.license);
});
