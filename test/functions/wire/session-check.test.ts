import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RequestSessionCheck, requestSessionCheck } from '../../../functions/wire/session-check.ts';
import { environmentOf } from '../../../functions/wire/start.ts';

let seen: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders }[];
let status: number;
/** The connections that the server closes instead of an answer, as it does after they were idle for long. */
let closed: Set<Socket>;
let check: RequestSessionCheck;

const sockets = new Set<Socket>();
const server = createServer(({ method, url, headers, socket }, response) => {
  if (closed.has(socket)) {
    socket.destroy();
    return;
  }
  sockets.add(socket);
  seen.push({ method, url, headers });
  response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  check = requestSessionCheck(environmentOf({ PUBLIC_BASE_URL: `http://127.0.0.1:${port}` }));
});
afterAll(() => server.close());
beforeEach(() => {
  [seen, status, closed] = [[], 204, new Set()];
});

const request = {
  headers: {
    'x-origin-secret': 'secret',
    'x-viewer-address': '203.0.113.7',
    'x-viewer-host': 'panel.example.com',
    'x-workspace': 'a workspace',
    'content-type': 'application/json',
    'user-agent': 'Firefox',
  },
  cookies: ['__Host-session=value', '__Host-sign-in=other'],
};

it('asks the API with what proves the session and the panel, and nothing else of the request', async () => {
  await check(request, 'https://panel.example.com');
  expect(seen).toEqual([
    {
      method: 'POST',
      url: '/panel/session/check',
      headers: expect.objectContaining({
        'x-origin-secret': 'secret',
        'x-viewer-address': '203.0.113.7',
        'x-viewer-host': 'panel.example.com',
        cookie: '__Host-session=value; __Host-sign-in=other',
        'sec-fetch-site': 'same-origin',
        origin: 'https://panel.example.com',
      }),
    },
  ]);
  for (const name of ['x-workspace', 'content-type']) expect(seen[0]?.headers).not.toHaveProperty(name);
});

it('asks again on a new connection if the one that was kept is gone', async () => {
  await check(request, 'https://panel.example.com');
  closed = new Set(sockets);
  await check(request, 'https://panel.example.com');
  expect(seen).toHaveLength(2);
});

it.each([307, 401, 429, 500, 503])('throws if the answer is %d, and follows nothing', async (answered) => {
  status = answered;
  await expect(check(request, 'https://panel.example.com')).rejects.toThrow();
  expect(seen).toHaveLength(1);
});
