/**
 * Trims a public machine-readable description of a platform to the operations that Herald uses, and writes it to this folder.
 * Run it on a newer description, and again when Herald uses another operation, after adding it to `keptOperations`:
 *
 * ```sh
 * curl -o youtube.json 'https://www.googleapis.com/discovery/v1/apis/youtube/v3/rest'
 * npx node infra/local/platforms/testing/reference/trim.ts youtube youtube.json 2026-09-24
 *
 * curl -o openapi.yaml https://raw.githubusercontent.com/pinterest/api-description/main/v5/openapi.yaml
 * npx js-yaml openapi.yaml > pinterest.json
 * npx node infra/local/platforms/testing/reference/trim.ts pinterest pinterest.json 2025-12-11
 * ```
 *
 * The last argument is the day of the version: of the release, or of the revision. Then run `npm test -w
 * @herald/platform-simulators` and `npx vitest run test/contract test/lib/platforms`: the platform's changes fail there.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Discovery } from './discovery.ts';
import type { OpenApi } from './openapi.ts';

/** The origin of a fixture. */
export interface Origin {
  /** The public address of the whole description. */
  readonly source: string;
  readonly license: string;
  /** The day of this version, such as `2026-09-24`. */
  readonly date: string;
}

const origins = {
  pinterest: {
    source: 'https://github.com/pinterest/api-description/blob/main/v5/openapi.yaml',
    license: 'MIT, Pinterest, Inc.',
  },
  youtube: {
    source: 'https://www.googleapis.com/discovery/v1/apis/youtube/v3/rest',
    license: 'Apache-2.0, Google LLC (https://github.com/googleapis/discovery-artifact-manager)',
  },
};

/** The operations that Herald or `npm run verify` uses, by the names of the descriptions. */
export const keptOperations = {
  pinterest: [
    'board_sections/create',
    'board_sections/list',
    'board_sections/list_pins',
    'boards/create',
    'boards/delete',
    'boards/get',
    'boards/list',
    'boards/list_pins',
    'media/create',
    'media/get',
    'multi_pins/analytics',
    'oauth/token',
    'pins/create',
    'pins/delete',
    'pins/get',
    'pins/list',
    'user_account/analytics',
    'user_account/get',
  ],
  youtube: [
    'youtube.captions.delete',
    'youtube.captions.insert',
    'youtube.captions.list',
    'youtube.channels.list',
    'youtube.commentThreads.insert',
    'youtube.commentThreads.list',
    'youtube.comments.list',
    'youtube.playlistItems.delete',
    'youtube.playlistItems.insert',
    'youtube.playlistItems.list',
    'youtube.playlists.list',
    'youtube.thumbnails.set',
    'youtube.videos.delete',
    'youtube.videos.insert',
    'youtube.videos.list',
    'youtube.videos.update',
  ],
};

/** Keeps the named operations of an OpenAPI description, and the components that they refer to. */
export function trimOpenApi(whole: OpenApi, kept: readonly string[]): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, operations] of Object.entries(whole.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (kept.includes(operation.operationId)) paths[path] = { ...paths[path], [method]: operation };
    }
  }
  requireAll(
    kept,
    Object.values(whole.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId)),
  );
  const { schemas, parameters } = whole.components;
  const names = reachable(paths, (reference) => {
    const [, , kind, name = ''] = reference.split('/');
    return kind === 'parameters' ? parameters[name] : schemas[name];
  });
  const only = (kind: string, all: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.has(`#/components/${kind}/${name}`)));
  const { title, version } = whole.info;
  const components = { parameters: only('parameters', parameters), schemas: only('schemas', schemas) };
  return withoutProse({
    openapi: whole.openapi ?? '3.0.3',
    info: { title, version },
    paths,
    components,
  }) as OpenApi;
}

/** Keeps the named methods of a discovery document, and the schemas that they refer to. */
export function trimDiscovery(whole: Discovery, kept: readonly string[]): Discovery {
  const resources = Object.entries(whole.resources).flatMap(([name, { methods = {} }]) => {
    const own = Object.entries(methods).filter(([, { id }]) => kept.includes(id));
    return own.length === 0 ? [] : [[name, { methods: Object.fromEntries(own) }] as const];
  });
  requireAll(
    kept,
    Object.values(whole.resources).flatMap(({ methods = {} }) => Object.values(methods).map(({ id }) => id)),
  );
  const names = reachable(resources, (name) => whole.schemas[name]);
  const { id, revision, rootUrl, servicePath, parameters } = whole;
  const schemas = Object.fromEntries(Object.entries(whole.schemas).filter(([name]) => names.has(name)));
  const trimmed = {
    id,
    revision,
    rootUrl,
    servicePath,
    parameters,
    resources: Object.fromEntries(resources),
  };
  return withoutProse({ ...trimmed, schemas }) as Discovery;
}

function requireAll(wanted: readonly string[], found: readonly string[]): void {
  const missing = wanted.filter((name) => !found.includes(name));
  if (missing.length > 0) throw new Error(`the description lacks ${missing.join(', ')}`);
}

/** Returns every reference within a value, and within what its references refer to. */
function reachable(root: unknown, resolve: (reference: string) => unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const references = key === '$ref' ? [inner] : key === 'mapping' ? Object.values(inner) : [];
      for (const reference of references) {
        if (typeof reference !== 'string' || found.has(reference)) continue;
        found.add(reference);
        visit(resolve(reference));
      }
      visit(inner);
    }
  };
  visit(root);
  return found;
}

const prose = new Set([
  'description',
  'enumDescriptions',
  'example',
  'examples',
  'externalDocs',
  'security',
  'summary',
  'tags',
  'title',
]);
/** Their keys are names of fields, parameters, schemas and so on. */
const maps = new Set([
  'properties',
  'schemas',
  'parameters',
  'paths',
  'responses',
  'mapping',
  'methods',
  'resources',
]);

/** Drops the parts that only people read. */
function withoutProse(value: unknown, isMap = false, isTop = true): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item, false, false));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) => isMap || isTop || !(prose.has(key) || key.startsWith('x-')),
  );
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutProse(inner, !isMap && maps.has(key), key === 'info' && isTop)]),
  );
}

if (import.meta.main) {
  const [platform, file, date] = process.argv.slice(2);
  if ((platform !== 'pinterest' && platform !== 'youtube') || file === undefined || date === undefined) {
    throw new Error(
      'usage: npx node infra/local/platforms/testing/reference/trim.ts pinterest|youtube <description.json> <date>',
    );
  }
  const whole = JSON.parse(await readFile(file, 'utf8'));
  const kept = keptOperations[platform];
  const trimmed = platform === 'pinterest' ? trimOpenApi(whole, kept) : trimDiscovery(whole, kept);
  const origin: Origin = { ...origins[platform], date };
  const name = platform === 'pinterest' ? 'pinterest-openapi.json' : 'youtube-discovery.json';
  const target = join(import.meta.dirname, name);
  await writeFile(target, `${JSON.stringify({ origin, ...trimmed }, null, 1)}\n`);
  console.log(`wrote ${target}: run npx biome check --write on it`);
}
