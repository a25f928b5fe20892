import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startLocalCloud } from '@herald/local-cloud/cloud.ts';
import { type DataDirectory, openDataDirectory } from '@herald/local-cloud/data-directory.ts';
import type { LocalCloud } from '@herald/local-cloud/types.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages, synthesizeSmallSite, writeSite } from './small-site.ts';

const directory = mkdtempSync(join(tmpdir(), 'edge-'));
let assemblyDirectory = '';
let data: DataDirectory;
let cloud: LocalCloud;
const logged: string[] = [];
const start = () =>
  startLocalCloud({ assemblyDirectory, data, jitter: 'none', log: (line) => logged.push(line) });

beforeAll(async () => {
  assemblyDirectory = synthesizeSmallSite(directory);
  data = openDataDirectory(join(directory, 'data'));
  cloud = await start();
});
afterAll(async () => {
  await cloud.stop();
  data.release();
  rmSync(directory, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Sends exactly these headers, also those that `fetch` does not let through. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<Answer> {
  return new Promise((settle, fail) => {
    const sent = request(`${cloud.panelUrl}${path}`, { method, headers }, async (response) =>
      settle({ status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) }),
    );
    sent.on('error', fail).end(body);
  });
}
const textOf = ({ bytes }: Answer) => bytes.toString('utf8');
const jsonOf = (answer: Answer) => JSON.parse(textOf(answer));

describe('the panel’s pages', () => {
  it.each(['/', '/index.html', '/accounts', '/posts/0f343b09/edit', '/settings?tab=members', '/apidocs'])(
    'are one file, at %s',
    async (path) => {
      const answer = await ask(path);
      expect([answer.status, textOf(answer)]).toEqual([200, pages['index.html']]);
      expect(answer.headers).toMatchObject({ 'content-type': 'text/html', 'cache-control': 'no-cache' });
    },
  );

  it('have the headers of their policy, with the addresses that the template names', async () => {
    const { headers } = await ask('/');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; .*connect-src 'self' https:\/\/uploads.example; /,
    );
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
  });

  it('are asked for each time, while files with a hash are kept', async () => {
    for (const expected of ['Miss', 'Miss']) expect((await ask('/')).headers['x-cache']).toMatch(expected);
    const { etag } = (await ask('/')).headers;
    expect((await ask('/', { 'if-none-match': String(etag) })).status).toBe(304);
    const file = '/assets/main-ABCDEFGH.js';
    expect((await ask(file)).headers['x-cache']).toBe('Miss from cloudfront');
    const kept = await ask(file);
    expect(kept.headers).toMatchObject({
      'x-cache': 'Hit from cloudfront',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript',
      age: expect.stringMatching(/^\d+$/),
    });
    expect(textOf(kept)).toBe(pages[file.slice(1)]);
  });

  it('do not answer for a file that does not exist', async () => {
    const answer = await ask('/assets/none-ABCDEFGH.js');
    expect(answer.status).toBe(403);
    expect(answer.headers['content-security-policy']).toBeDefined();
  });

  it('can only be read', async () => {
    expect((await ask('/', {}, { method: 'POST', body: 'x' })).status).toBe(403);
  });
});

describe('compression', () => {
  const file = '/assets/main-ABCDEFGH.js';
  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('for a viewer that accepts %s is %s', async (accepted, expected, decompress) => {
    const answer = await ask(file, { 'accept-encoding': accepted });
    expect(answer.headers).toMatchObject({ 'content-encoding': expected, vary: 'Accept-Encoding' });
    expect(answer.headers['etag']).toMatch(/^W\/"/);
    expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
    expect(decompress(answer.bytes).toString()).toBe(pages[file.slice(1)]);
  });

  it.each([
    ['a viewer that does not accept it', file, 'identity'],
    ['a small file', '/assets/tiny-ABCDEFGH.css', 'br'],
    ['an image', '/assets/icon-ABCDEFGH.png', 'br'],
    ['the API, whose answers are not cached', '/api/echo', 'br'],
  ])('is left out for %s', async (_what, path, accepted) => {
    expect((await ask(path, { 'accept-encoding': accepted })).headers['content-encoding']).toBeUndefined();
  });
});

describe('the API behind the panel’s host', () => {
  it.each(['/api/panel/me', '/api/', '/docs', '/docs/swagger-ui.css', '/v1/openapi.json'])(
    'answers at %s',
    async (path) => {
      expect(jsonOf(await ask(path))).toMatchObject({ rawPath: path });
    },
  );

  it.each(['/v1/posts', '/v1/openapi.json/x', '/API/x'])('does not answer at %s', async (path) => {
    const answer = await ask(path);
    expect(textOf(answer)).not.toContain('rawPath');
  });

  it('gets method, path, query, headers, our cookies and body as they were sent, but its own host', async () => {
    const sent = {
      'content-type': 'application/json',
      authorization: 'Bearer x',
      origin: 'https://a.example',
    };
    const query = 'a=1&a=2&b=%20c&d';
    const answer = jsonOf(
      await ask(
        `/api/v1/x%2Fy?${query}`,
        { ...sent, cookie: 'a=1; __Host-session=c=d; b=2', 'sec-fetch-site': 'same-origin' },
        {
          method: 'PATCH',
          body: '{"a":1}',
        },
      ),
    );
    expect(answer).toMatchObject({
      method: 'PATCH',
      rawPath: '/api/v1/x%2Fy',
      rawQueryString: query,
      cookies: ['__Host-session=c=d'],
      body: '{"a":1}',
      headers: { ...sent, 'sec-fetch-site': 'same-origin', host: new URL(cloud.apiUrl).host },
    });
  });

  it('is told by the edge who the viewer is, whatever the viewer says', async () => {
    const spoofed = {
      'x-viewer-address': '203.0.113.7',
      'X-Viewer-Host': 'evil.example',
      'X-Origin-Secret': 'guess',
    };
    const { headers, knowsSecret } = jsonOf(
      await ask('/api/echo', { ...spoofed, host: 'panel.example:8080' }),
    );
    expect(headers).toMatchObject({ 'x-viewer-address': '127.0.0.1', 'x-viewer-host': 'panel.example:8080' });
    expect(headers['x-origin-secret']).toMatch(/^[0-9a-f]{64}$/);
    expect(knowsSecret).toBe(true);
  });

  it('is not proven to be reached through the edge if it is called directly', async () => {
    const answer = await fetch(`${cloud.apiUrl}/api/echo`, { headers: { 'x-origin-secret': 'guess' } });
    expect(await answer.json()).toMatchObject({ knowsSecret: false });
  });

  it('sets its own cookies and headers, with those of the policy', async () => {
    const { headers } = await ask('/api/echo');
    expect(headers['set-cookie']).toEqual([
      '__Host-session=1; Secure; HttpOnly; Path=/; SameSite=Strict',
      'other=2',
    ]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toBeUndefined();
  });

  it.each(['', '?control=max-age=60', '?status=404', '?status=503'])(
    'is asked each time, also for %s',
    async (query) => {
      const ofOne = jsonOf(await ask(`/api/kept${query}`));
      const ofOther = jsonOf(await ask(`/api/kept${query}`));
      expect(ofOther.asked).not.toBe(ofOne.asked);
    },
  );
});

describe('after a restart', () => {
  it('addresses and the secret are the same, and only changed files are stored again', async () => {
    const { panelUrl } = cloud;
    const before = jsonOf(await ask('/api/echo'));
    const modified = (await ask('/assets/tiny-ABCDEFGH.css')).headers['last-modified'];
    await cloud.stop();
    cloud = await start();
    expect(cloud.panelUrl).toBe(panelUrl);
    expect(jsonOf(await ask('/api/echo')).headers['x-origin-secret']).toBe(before.headers['x-origin-secret']);
    expect((await ask('/assets/tiny-ABCDEFGH.css')).headers['last-modified']).toBe(modified);
  });
});

describe('while a developer changes the pages', () => {
  it('they have a script that loads them again, and only then', async () => {
    expect(textOf(await ask('/'))).not.toContain('_local');
    cloud.watchPanel();
    expect(textOf(await ask('/'))).toContain('<script src="/_local/reload.js"></script>');
    expect(textOf(await ask('/assets/main-ABCDEFGH.js'))).not.toContain('_local');
    const script = await ask('/_local/reload.js');
    expect([script.headers['content-type'], textOf(script)]).toEqual([
      'text/javascript',
      expect.stringContaining('reload'),
    ]);
  });

  it('new files replace old ones at once, and open pages are told', async () => {
    const told = new Promise<string>((settle, fail) => {
      const waiting = request(`${cloud.panelUrl}/_local/reloads`, (response) => {
        response.on('data', (chunk) => {
          if (!`${chunk}`.includes('event: reload')) return;
          settle(`${chunk}`);
          waiting.destroy();
        });
      });
      waiting.on('error', fail).end();
    });
    const folder = writeSite(join(directory, 'changed'), {
      'index.html': 'new',
      'assets/tiny-ABCDEFGH.css': 'b{}',
    });
    const files = ['index.html', 'assets/tiny-ABCDEFGH.css'].map((key) => ({
      key,
      file: join(folder, key),
      headers: { 'cache-control': 'no-cache' },
    }));
    await ask('/assets/tiny-ABCDEFGH.css');
    await cloud.publishPanel(files);
    expect(textOf(await ask('/'))).toMatch(/^new/);
    expect(textOf(await ask('/assets/tiny-ABCDEFGH.css'))).toBe('b{}');
    await expect(told).resolves.toContain('reload');
  });
});

it('says nothing to the developer if nothing fails', () => {
  expect(logged).toEqual([]);
});
