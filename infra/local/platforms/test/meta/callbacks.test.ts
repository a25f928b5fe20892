import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { facebook } from '../../facebook/facebook.ts';
import { instagram } from '../../instagram/instagram.ts';
import { startSimulator } from '../../kit/simulator.ts';
import type { PlatformDefinition, Simulator } from '../../kit/types.ts';
import { threads } from '../../threads/threads.ts';

/** An app that records the callbacks and answers as the test says. */
let server: Server;
let answer: { status: number; body: string };
let received: { path: string; type: string | undefined; form: URLSearchParams }[];
let base: string;
let simulator: Simulator;
let directory: string;
const clock = { time: Date.UTC(2027, 0, 15, 12), now: () => clock.time };

beforeEach(async () => {
  answer = { status: 200, body: '{"url":"https://app.example/status/1","confirmation_code":"a1"}' };
  received = [];
  server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    received.push({ path: request.url ?? '', type: request.headers['content-type'], form });
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  directory = await mkdtemp(join(tmpdir(), 'callbacks-'));
});
afterEach(async () => {
  await simulator.stop();
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true });
});

const users = [{ username: 'harbour' }];
const definitions = {
  facebook: (app) => facebook({ app, users }),
  instagram: (app) => instagram({ app: { ...app, metaSecret: 'meta secret' }, users }),
  threads: (app) => threads({ app, users }),
} satisfies Record<string, (app: ReturnType<typeof appAt>) => PlatformDefinition>;
type Name = keyof typeof definitions;

const appAt = (url: string) => ({
  id: 'app',
  secret: 'app secret',
  redirectUris: [],
  callbacks: { deauthorizeUrl: `${url}/deauthorize`, dataDeletionUrl: `${url}/data-deletion` },
});

const start = async (name: Name, hasCallbacks = true) => {
  const { callbacks, ...app } = appAt(base);
  const definition = definitions[name]({ ...app, ...(hasCallbacks && { callbacks }) } as never);
  simulator = await startSimulator({ definition, dataDirectory: directory, clock, port: 0 });
};
const act = async (path: string, body: object) => {
  const response = await fetch(`${simulator.control}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
/**
 * Reads the form's signed request: `<signature>.<payload>`, both in base64url
 * (https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback).
 */
function signed(secret = 'app secret') {
  const [signature, payload = ''] = received[0]?.form.get('signed_request')?.split('.') ?? [];
  if (createHmac('sha256', secret).update(payload).digest('base64url') !== signature) return 'forged';
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}
const accounts = async () =>
  (await (await fetch(`${simulator.control}/accounts`)).json()) as Record<string, string>[];

describe.each<[Name, string]>([
  ['facebook', 'personId'],
  ['instagram', 'scopedId'],
  ['threads', 'id'],
])('the simulated callbacks of %s', (name, idField) => {
  it.each(['deauthorize', 'data-deletion'])('send a signed form to the address for %s', async (path) => {
    await start(name);
    expect((await act(path, { username: 'harbour' })).status).toBe(200);
    expect(received.map(({ path, type }) => [path, type])).toEqual([
      [`/${path}`, 'application/x-www-form-urlencoded;charset=UTF-8'],
    ]);
    expect(signed()).toMatchObject({
      algorithm: 'HMAC-SHA256',
      user_id: (await accounts())[0]?.[idField],
      issued_at: clock.time / 1000,
    });
  });

  it('pass on the address and the code of a deletion', async () => {
    await start(name);
    expect((await act('data-deletion', { username: 'harbour' })).body).toEqual({
      url: 'https://app.example/status/1',
      confirmationCode: 'a1',
    });
  });

  it.each([
    ['another status', { status: 500, body: '{}' }],
    ['no JSON', { status: 200, body: 'ok' }],
    ['no code', { status: 200, body: '{"url":"https://app.example/"}' }],
    [
      'a code that is not alphanumeric',
      { status: 200, body: '{"url":"https://app.example/","confirmation_code":"a-1"}' },
    ],
    ['a relative address', { status: 200, body: '{"url":"/status","confirmation_code":"a1"}' }],
    [
      'an address without https',
      { status: 200, body: '{"url":"http://app.example/","confirmation_code":"a1"}' },
    ],
  ])('refuse an answer to a deletion with %s', async (_what, wrong) => {
    await start(name);
    answer = wrong;
    const { status, body } = await act('data-deletion', { username: 'harbour' });
    expect([status, body['error']]).toEqual([502, expect.stringContaining('the app answered')]);
  });

  it('refuse an answer to a deauthorization that is not a success, and nothing else', async () => {
    await start(name);
    answer = { status: 401, body: '' };
    expect((await act('deauthorize', { username: 'harbour' })).status).toBe(502);
    answer = { status: 200, body: 'anything' };
    expect((await act('deauthorize', { username: 'harbour' })).status).toBe(200);
  });

  it('are refused for an unknown user, and without a registered address', async () => {
    await start(name);
    expect((await act('deauthorize', { username: 'nobody' })).status).toBe(400);
    await simulator.stop();
    await start(name, false);
    expect((await act('deauthorize', { username: 'harbour' })).status).toBe(400);
    expect(received).toEqual([]);
  });
});

describe('the simulated callbacks of Instagram', () => {
  it('can name the professional account, and be signed by the Meta app: no document rules it out', async () => {
    await start('instagram');
    await act('deauthorize', { username: 'harbour', id: 'professional', signedBy: 'Meta app' });
    expect(signed()).toBe('forged');
    expect(signed('meta secret')).toMatchObject({ user_id: (await accounts())[0]?.['id'] });
  });
});
