import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import type { Plugin } from 'vite';
import { contentSecurityPolicy } from '../../../infra/content-security-policy.ts';
import { buildSite, cacheControlOf, type Site } from '../../../infra/site.ts';

const root = join(import.meta.dirname, '../../..');

const built = new Map<string, Promise<Site>>();

/** The panel's site as it is deployed, built once per worker. */
export const panelSite = (): Promise<Site> => builtOnce('panel', join(root, 'lib/panel'));

/** A site of `test/panel/sites`. */
export const testSite = (name: string): Promise<Site> =>
  builtOnce(name, join(import.meta.dirname, '../sites', name));

/** The panel with words as long as in German: `longer` of `test/panel/support/long-words.ts`. */
export const panelWithLongWords = (): Promise<Site> =>
  builtOnce('long-words', join(root, 'lib/panel'), [withLongWords]);

const withLongWords: Plugin = {
  name: 'with-long-words',
  enforce: 'pre',
  resolveId: {
    filter: { id: /words\/words\.ts$/ },
    handler: () => join(import.meta.dirname, 'long-words.ts'),
  },
};

function builtOnce(name: string, sources: string, plugins: readonly Plugin[] = []): Promise<Site> {
  const worker = process.env['VITEST_POOL_ID'] ?? '0';
  const outputDirectory = join(root, '.build/panel-tests', worker, name);
  const site = built.get(name) ?? buildSite({ sources, outputDirectory, plugins });
  built.set(name, site);
  return site;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const policy = contentSecurityPolicy({ uploads: 'https://uploads.test', media: 'https://media.test' });

/** Serves a file of the site, with the policy of the deployed one; the page itself for paths without an extension. */
export async function serveSite(site: Site, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const extension = extname(pathname) || '.html';
  const file = extname(pathname) === '' ? 'index.html' : pathname.slice(1);
  try {
    const content = await readFile(join(site.directory, file));
    response.writeHead(200, {
      'content-type': types[extension] ?? 'application/octet-stream',
      'cache-control': cacheControlOf(file),
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
    });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}
