import { createHash } from 'node:crypto';
import { html } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';

/** URLs of the page's files, relative to the page's own URL. */
export interface DocsAssets {
  readonly script: string;
  readonly style: string;
}

/**
 * Swagger UI, configured to read the document next to this page: `/docs` reads `/v1/openapi.json` and `/api/docs` reads
 * `/api/v1/openapi.json`. https://github.com/swagger-api/swagger-ui/blob/master/docs/usage/configuration.md
 */
const start = `SwaggerUIBundle({
  url: new URL('v1/openapi.json', location.href).href,
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});`;

const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/** Builds the page that shows the API's document. Its content security policy lets it load from its own origin only. */
export function docsPage({ script, style }: DocsAssets): Page {
  const document = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript. The document itself is <a href="v1/openapi.json">openapi.json</a>.</noscript>
<script src="${script}"></script>
<script>${{ html: start }}</script>
</body>
</html>
`;
  return {
    status: 200,
    html: document.html,
    contentSecurityPolicy: [
      "default-src 'none'",
      `script-src 'self' ${digestOf(start)}`,
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}
