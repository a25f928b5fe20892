import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { documentedOperations } from '../../../../lib/operations.ts';
import { WebhookEventType } from '../../../../lib/webhooks/schemas.ts';
import { browserTest } from '../../../support/browser.ts';
import type { CloudVisit } from '../../../support/local-cloud.ts';
import { visitSharedCloud } from '../../../support/shared-cloud.ts';

let cloud: CloudVisit;
visitSharedCloud(async (visit) => {
  cloud = visit;
});

const assetsOf = (page: string) =>
  [...page.matchAll(/"(docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

describe('the documentation page', () => {
  it('may load files only from this service, and its policy enforces that', async () => {
    const answer = await fetch(`${cloud.apiUrl}/docs`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it.each(['', '/api'])('loads its files from %j/docs, compressed and cached permanently', async (prefix) => {
    const page = await (await fetch(`${cloud.apiUrl}${prefix}/docs`)).text();
    expect(assetsOf(page)).toHaveLength(2);
    for (const path of assetsOf(page)) {
      expect(path).toMatch(/\.[0-9a-f]{16}\.(js|css)$/);
      const answer = await fetch(`${cloud.apiUrl}${prefix}/${path}`, {
        headers: { 'accept-encoding': 'gzip' },
      });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('sends a file uncompressed to clients that do not accept gzip', async () => {
    const [path = ''] = assetsOf(await (await fetch(`${cloud.apiUrl}/docs`)).text()).filter((name) =>
      name.endsWith('.js'),
    );
    for (const encoding of ['identity', 'gzip;q=0', 'br']) {
      const answer = await fetch(`${cloud.apiUrl}/${path}`, { headers: { 'accept-encoding': encoding } });
      expect(answer.headers.get('content-encoding')).toBeNull();
      const installed = readFileSync(
        join(import.meta.dirname, '../../../../node_modules/swagger-ui-dist/swagger-ui-bundle.js'),
      );
      expect(Buffer.from(await answer.arrayBuffer()).equals(installed), encoding).toBe(true);
    }
  });

  it('is in no other function’s bundle, and neither is the document', () => {
    const assembly = inject('assemblyDirectory');
    // The panel's site is an asset too, and no bundle.
    const folders = readdirSync(assembly).filter(
      (name) => name.startsWith('asset.') && existsSync(join(assembly, name, 'index.mjs')),
    );
    const having = (text: string) =>
      folders.filter((folder) => readFileSync(join(assembly, folder, 'index.mjs'), 'utf8').includes(text));
    expect(folders.length).toBeGreaterThan(20);
    expect(having('SwaggerUIBundle')).toHaveLength(1);
    expect(having('ApiError')).toHaveLength(1);
    expect(having('"openapi":"3.1.0"')).toHaveLength(1);
  });
});

describe('in a browser', () => {
  browserTest('shows every operation and event, and sends no request to another host', async ({ page }) => {
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${cloud.apiUrl}/docs`);
    const blocks = page.locator('.opblock');
    await blocks.first().waitFor();
    expect(await blocks.count()).toBe(documentedOperations.length + WebhookEventType.options.length);

    // Parts that are rendered later, such as the example of a body, could load more.
    await page.locator('#operations-Posts-createPost .opblock-summary-control').click();
    await page.locator('#operations-Posts-createPost .responses-table').waitFor();
    expect(await page.locator('#operations-Posts-createPost').innerText()).toContain('idempotencyKey');

    const others = asked.filter((url) => !url.startsWith(`${cloud.apiUrl}/`) && !url.startsWith('data:'));
    expect(others).toEqual([]);
    expect(asked).toContain(`${cloud.apiUrl}/v1/openapi.json`);
    // The policy blocked nothing: browsers report what it blocks.
    expect(complaints).toEqual([]);
  });

  /** Authorizes on the page, and sends an operation's request as the page has filled it in. */
  async function tryOut(page: Page, tag: string, id: string) {
    await page.locator('.authorize.unlocked').first().click();
    await page.locator('.auth-container input').fill(cloud.demo.apiKey);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    const block = page.locator(`#operations-${tag}-${id}`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    await block.locator('.execute').click();
    const live = block.locator('.live-responses-table');
    const status = live.locator('.response-col_status').last();
    await status.waitFor();
    return { status: Number.parseInt(await status.innerText(), 10), text: await live.innerText() };
  }

  browserTest('sends requests with the key that the reader enters, under /api too', async ({ page }) => {
    await page.goto(`${cloud.apiUrl}/api/docs`);
    expect(await page.locator('.info .link').first().innerText()).toBe(`${cloud.apiUrl}/api/v1/openapi.json`);
    expect(await tryOut(page, 'Workspace', 'getWorkspace')).toEqual({
      status: 200,
      text: expect.stringContaining(cloud.demo.id),
    });
  });

  browserTest('creates a draft if its prefilled request is sent as it is', async ({ page }) => {
    await page.goto(`${cloud.apiUrl}/docs`);
    expect(await tryOut(page, 'Posts', 'createPost')).toEqual({
      status: 201,
      text: expect.stringContaining('"status": "draft"'),
    });
  });

  browserTest('validates a draft if its prefilled request is sent as it is', async ({ page }) => {
    await page.goto(`${cloud.apiUrl}/docs`);
    expect(await tryOut(page, 'Posts', 'validatePost')).toMatchObject({ status: 200 });
  });
});
