import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import { deployedOperations } from '../../../lib/operations.ts';
import { browserTest } from '../../support/browser.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let cloud: CloudVisit;
visitSharedCloud(async (visit) => {
  cloud = visit;
});

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const paths = [...new Set(deployedOperations.map(({ path }) => path))];
/** The parameters of paths that must be UUIDs. */
const ids = ['{id}', '{accountId}', '{deliveryId}'];
const fill = (template: string, id: string, text: string) =>
  template.replace(/\{\w+\+?\}/g, (parameter) => (ids.includes(parameter) ? id : text));
const methodsIn = (path: string, id: string) => {
  const matching = deployedOperations.filter((op) =>
    new RegExp(`^${fill(op.path, id, '[^/]+')}$`).test(path),
  );
  return methods.filter((method) => matching.some((op) => op.method === method));
};
/** The methods that the path has. */
const methodsOf = (path: string) => methodsIn(path, '[0-9a-f-]{36}');
/** The methods of all routes that API Gateway takes for the path: for it, an id is any text. */
const methodsTaken = (path: string) => methodsIn(path, '[^/]+');
const send = (method: string, path: string) =>
  fetch(`${cloud.apiUrl}${path}`, { method, redirect: 'manual' });

describe('a method that a path does not have', () => {
  it.each(paths)('gets 405 with the methods of %s', async (template) => {
    const path = fill(template, newId(0), 'x');
    const own = methodsOf(path);
    const taken = methodsTaken(path);
    const wrong = methods.find((method) => method !== 'HEAD' && !taken.includes(method)) ?? 'PROPFIND';
    for (const prefix of ['', '/api']) {
      const answer = await send(wrong, `${prefix}${path}`);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe([...own, 'OPTIONS'].join(', '));
      expect(await answer.json()).toEqual({
        error: expect.stringContaining(own.join(', ')),
        code: 'method_not_allowed',
        docUrl: `${cloud.apiUrl}/docs/errors/method_not_allowed`,
      });
    }
  });

  it('gets no body if it is HEAD', async () => {
    const answer = await send('HEAD', '/health');
    expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual([
      405,
      'GET, OPTIONS',
      '',
    ]);
  });

  it('is answered with the methods alone if it is OPTIONS', async () => {
    const answer = await send('OPTIONS', '/v1/posts');
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, POST, OPTIONS']);
  });

  it.each(['/v1/posts/bulk-upload', '/v1/accounts/x/slots', '/v1/webhooks/settings'])(
    'gets 404 if a text is where the route has an id: %s',
    async (path) => {
      const answer = await send('PUT', path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([404, null]);
      expect(await answer.json()).toMatchObject({
        code: 'route_unknown',
        error: `no such route: PUT ${path}`,
      });
    },
  );

  it.each(['GET', 'OPTIONS'])('gets 404 with %s if the path does not exist either', async (method) => {
    const answer = await send(method, '/v1/nothing');
    expect([answer.status, answer.headers.get('allow')]).toEqual([404, null]);
    expect(await answer.json()).toMatchObject({ code: 'route_unknown' });
  });
});

describe('a request without a valid key', () => {
  it('is told how to authenticate, and which error it made if it sent a key', async () => {
    const without = await send('GET', '/v1/posts');
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="api"']);
    const wrong = await fetch(`${cloud.apiUrl}/v1/posts`, { headers: { authorization: 'Bearer yay_x' } });
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
  });
});

describe('the page that docUrl names', () => {
  it('exists, also under the prefix', async () => {
    const { docUrl } = (await (await send('GET', '/api/v1/posts')).json()) as { docUrl: string };
    expect(docUrl).toBe(`${cloud.apiUrl}/docs/errors/key_missing`);
    for (const url of [docUrl, docUrl.replace('/docs', '/api/docs')]) {
      const page = await fetch(url);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
    }
  });

  it('is a page with status 404 for a code that does not exist', async () => {
    const page = await send('GET', '/docs/errors/nonsense');
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  browserTest('is readable, and leads to the list of all codes and back', async ({ page }) => {
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${cloud.apiUrl}/docs/errors/content_too_long`);
    expect(await page.textContent('h1')).toBe('content_too_long');
    const isScrolledSideways = () =>
      page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect(await isScrolledSideways()).toBe(false);
    await page.getByText('All error codes').click();
    expect(await page.textContent('h1')).toBe('Error codes');
    expect(await isScrolledSideways()).toBe(false);
    await page.getByRole('link', { name: 'media_ratio', exact: true }).click();
    expect(page.url()).toBe(`${cloud.apiUrl}/docs/errors/media_ratio`);
    expect(refused).toEqual([]);
    const directory = process.env['SCREENSHOTS'];
    if (directory !== undefined) {
      await page.screenshot({ path: `${directory}/error-code.png`, fullPage: true });
      await page.goto(`${cloud.apiUrl}/docs/errors`);
      await page.screenshot({ path: `${directory}/error-list.png` });
    }
  });
});
