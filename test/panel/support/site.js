import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { contentSecurityPolicy } from '../../../infra/constructs/site-policy.ts';
import { buildSite } from '../../../infra/site.ts';
const root = join(import.meta.dirname, '../../..');
const built = new Map();
/** The panel's site as it is deployed, built once per worker. */
export const panelSite = () => builtOnce('panel', join(root, 'lib/panel'));
/** A site of `test/panel/sites`. */
export const testSite = (name) => builtOnce(name, join(import.meta.dirname, '../sites', name));
function builtOnce(name, sources) {
    const worker = process.env['VITEST_POOL_ID'] ?? '0';
    const outputDirectory = join(root, '.build/panel-tests', worker, name);
    const site = built.get(name) ?? buildSite({ sources, outputDirectory });
    built.set(name, site);
    return site;
}
const types = {
    '.css': 'text/css; charset=utf-8',
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.svg': 'image/svg+xml',
};
const policy = contentSecurityPolicy({ uploads: 'https://uploads.test', media: 'https://media.test' });
/** Serves a file of the site, with the policy of the deployed one; the page itself for paths without an extension. */
export async function serveSite(site, request, response) {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const extension = extname(pathname) || '.html';
    const file = extname(pathname) === '' ? 'index.html' : pathname.slice(1);
    try {
        const content = await readFile(join(site.directory, file));
        response.writeHead(200, {
            'content-type': types[extension] ?? 'application/octet-stream',
            'content-security-policy': policy,
            'cross-origin-opener-policy': 'same-origin',
        });
        response.end(content);
    }
    catch {
        response.writeHead(404).end();
    }
}
