import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { gzipSync } from 'node:zlib';
import { errorListPage, errorPage } from '../../lib/api-contract/errors/pages.ts';
import { docsPage } from '../../lib/api-contract/openapi/docs-page.ts';
import { llmsText } from '../../lib/api-contract/pages/llms-text.ts';
import type { Page } from '../../lib/api-contract/pages/page.ts';
import { notFound } from '../../lib/kernel/errors.ts';
import { outcomeCodes } from '../../lib/targets/outcome-codes.ts';
import { docUrlOf, type Reply, securityHeaders, textReply } from '../middleware/reply.ts';
import { routeHandler } from '../middleware/route.ts';

interface Asset {
  /** Contains a digest of the content. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** Compressed on the first request that accepts gzip. */
  gzipped?: Buffer;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * `GET /docs`, `GET /docs/assets/{file}` for the files that the page loads, `GET /docs/errors` with a page per code, and
 * `GET /llms.txt`.
 */
export const build = routeHandler({}, () => {
  // The bundling puts the files next to the bundle.
  const [script, style] = [openAsset('swagger-ui-bundle.js'), openAsset('swagger-ui.css')];
  const assets = new Map([script, style].map((asset) => [asset.name, asset]));
  const page = docsPage({ script: `docs/assets/${script.name}`, style: `docs/assets/${style.name}` });

  return async (event) => {
    const { pathParameters, headers, routeKey } = event;
    const code = pathParameters?.['code'];
    if (code !== undefined) return pageReply(errorPage(code, outcomeCodes, docUrlOf(code, event)));
    if (routeKey.endsWith('/llms.txt')) return textReply(200, llmsText);
    if (routeKey.endsWith('/docs/errors')) return pageReply(errorListPage(outcomeCodes));
    const file = pathParameters?.['file'];
    if (file === undefined) return pageReply(page);
    const asset = assets.get(file);
    if (!asset) throw notFound('file');
    return assetReply(asset, headers['accept-encoding'] ?? '');
  };
});

function openAsset(file: string): Asset {
  const { name, ext } = parse(file);
  const content = readFileSync(join(import.meta.dirname, file));
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return {
    name: `${name}.${digest}${ext}`,
    content,
    contentType: contentTypes[ext] ?? 'application/octet-stream',
  };
}

function pageReply(page: Page): Reply {
  return {
    statusCode: page.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page.contentSecurityPolicy,
      // The file names in the page change with a deployment.
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      ...securityHeaders,
    },
    body: page.html,
  };
}

/** Compresses the file, because API Gateway does not. The largest is still half a megabyte. */
function assetReply(asset: Asset, acceptEncoding: string): Reply {
  const headers = {
    'content-type': asset.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    ...securityHeaders,
  };
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(acceptEncoding)) {
    return { statusCode: 200, headers, body: asset.content.toString('utf8') };
  }
  asset.gzipped ??= gzipSync(asset.content);
  return {
    statusCode: 200,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: asset.gzipped.toString('base64'),
    isBase64Encoded: true,
  };
}
