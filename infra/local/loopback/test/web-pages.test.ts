import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestsOfPrograms, requestsOfWebPages, sendRaw } from '../testing.ts';
import { isFromWebPage } from '../web-pages.ts';

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer(({ headers }, response) => response.end(String(isFromWebPage(headers))));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it.each(requestsOfWebPages)('recognizes %s', async (_what, method, headers) => {
  expect((await sendRaw(url, method, headers)).text).toBe('true');
});

it.each(requestsOfPrograms)('lets %s through', async (_what, method, headers) => {
  expect((await sendRaw(url, method, headers)).text).toBe('false');
});
