import { beforeAll, describe, expect, it } from 'vitest';
import { llmsText } from '../../../lib/api-contract/pages/llms-text.ts';
import { deployedOperations } from '../../../lib/operations.ts';
import { type Call, openApi } from '../../support/api.ts';

let call: Call;
beforeAll(async () => {
  ({ call } = await openApi({ ratePerMinute: 1 }));
});

const ask = (route: string, accept?: string) =>
  call('not-found', { route, headers: accept === undefined ? {} : { accept } });
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe.each(['/', '/api', '/api/'])('the root of the API, at %s', (path) => {
  it.each([undefined, '*/*', 'application/json'])(
    'says to programs what this is (Accept: %s)',
    async (accept) => {
      const { status, headers, body } = await ask(`GET ${path}`, accept);
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body).toMatchObject({ docs: '/docs', openapi: '/v1/openapi.json', health: '/health' });
    },
  );

  it('says it to people on a page', async () => {
    const { status, headers, text } = await ask(`GET ${path}`, browser);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const link of ['/docs', '/v1/openapi.json', '/health']) expect(text).toContain(`href="${link}"`);
  });

  it.each([undefined, browser])('has no body for HEAD (Accept: %s)', async (accept) => {
    const { status, text, headers } = await ask(`HEAD ${path}`, accept);
    expect([status, text, headers['vary']]).toEqual([200, '', 'accept']);
  });

  it('takes nothing else', async () => {
    expect((await ask(`POST ${path}`)).status).toBe(404);
  });
});

it('the links of the overview for language models lead to routes', () => {
  const paths = deployedOperations.map(({ method, path }) => `${method} ${path}`);
  const links = [...llmsText.matchAll(/\]\((\/[^)]*)\)/g)].map(([, path]) => `GET ${path}`);
  const named = [...llmsText.matchAll(/`((?:GET|POST) \/[^`]*)`/g)].map(([, route = '']) => route);
  expect(links.length).toBeGreaterThan(2);
  expect(named.length).toBeGreaterThan(2);
  for (const route of [...links, ...named]) expect(paths).toContain(route);
});

it('the overview for language models has the form of llmstxt.org', () => {
  expect(llmsText).toMatch(/^# Herald\n\n> .+\n/);
  expect(llmsText.length).toBeLessThan(4_000);
});

it('the links of the root lead to routes', async () => {
  const { body } = await ask('GET /');
  const paths = deployedOperations.filter(({ method }) => method === 'GET').map(({ path }) => path);
  for (const name of ['docs', 'openapi', 'health']) expect(paths).toContain(body[name]);
});
