import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEdgeFunction } from '../edge/edge-function.ts';

const source = readFileSync(join(import.meta.dirname, '../../../edge-functions/viewer-headers.js'), 'utf8');
const run = createEdgeFunction(source, { id: 'E1', domainName: 'd1.cloudfront.net' });

async function cookieAfter(cookie: string): Promise<string | undefined> {
  const request = { method: 'GET', uri: '/api/panel/me', query: '', address: '203.0.113.7', cookie };
  const outcome = await run({ ...request, headers: { host: 'panel.example.com' } } as Parameters<
    typeof run
  >[0]);
  return 'request' in outcome ? outcome.request.cookie : undefined;
}

describe('the function before the API', () => {
  it('passes on our cookies, also with the white space that HTTP allows around them', async () => {
    expect(await cookieAfter('a=1; \t__Host-session=x \t; __Host-sign-in=y')).toBe(
      '__Host-session=x; __Host-sign-in=y',
    );
  });

  // To a browser these names do not begin with `__Host-`, so any host of the site may set them.
  it.each(['\u00a0', '\u2000', '\u0085', '\ufeff', '\u3000', '\v', '\f', '\r', '\n'])(
    'passes on no cookie whose name has the white space %j at an edge',
    async (space) => {
      expect(await cookieAfter(`${space}__Host-session=x`)).toBeUndefined();
      expect(await cookieAfter(`__Host-session${space}=x`)).toBeUndefined();
      expect(await cookieAfter(`a=1; ${space}__Host-session=x; __Host-session=own`)).toBe(
        '__Host-session=own',
      );
    },
  );

  it('passes on both of two cookies with one name, which the API then refuses', async () => {
    expect(await cookieAfter('__Host-session=x; __Host-session=own')).toBe(
      '__Host-session=x; __Host-session=own',
    );
  });
});
