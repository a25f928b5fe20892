import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instagram } from '../../instagram/instagram.ts';
import type { LivePost } from '../../kit/live-post.ts';
import type { LoggedRequest } from '../../kit/recording/request-log.ts';
import { startSimulator } from '../../kit/simulator.ts';
import type { Simulator } from '../../kit/types.ts';
import { contentTypeOf, readMedia } from '../support/media.ts';

export const app = {
  id: '990011223344',
  secret: 'app-secret',
  redirectUris: ['http://127.0.0.1:4000/oauth/instagram/callback', 'https://herald.example/cb?from=ig'],
};
export const redirectUri = 'http://127.0.0.1:4000/oauth/instagram/callback';
export const everyScope =
  'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_comments,instagram_business_manage_messages';

export type Fields = Record<string, string>;

export interface GraphReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: GraphBody;
}

/** The fields that tests read from answers. Not validated: a missing field fails the test’s comparison. */
export interface GraphBody {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly user_id: string;
  readonly access_token: string;
  readonly status_code: string;
  readonly status: string;
  readonly data: readonly GraphBody[];
  readonly paging: { readonly cursors: { readonly after: string }; readonly next?: string };
  readonly error: {
    readonly code: number;
    readonly error_subcode?: number;
    readonly type: string;
    readonly message: string;
  };
  readonly error_message: string;
}

export interface Account {
  readonly id: string;
  readonly token: string;
}

/** Opens a simulator with a clock that tests move, and a server with the media fixtures. */
export async function openFixture() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'instagram-'));
  const clock = { time: Date.UTC(2027, 0, 15, 12), now: () => clock.time };
  const media = await serveFixtures();
  const definition = instagram({ app, users: [{ username: 'harbour.coffee' }, { username: 'northlight' }] });
  let simulator: Simulator = await startSimulator({ definition, dataDirectory, clock, port: 0 });

  const reply = async (response: Response): Promise<GraphReply> => {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  const form = (fields: Fields) => ({ method: 'POST', body: new URLSearchParams(fields) });

  const fixture = {
    clock,
    media,
    advance(seconds: number) {
      clock.time += seconds * 1000;
    },
    url: (path: string) => `${simulator.url}/${path}`,
    async restart() {
      await simulator.stop();
      simulator = await startSimulator({ definition, dataDirectory, clock, port: 0 });
    },
    async close() {
      await simulator.stop();
      media.close();
      await rm(dataDirectory, { recursive: true });
    },
    async control(method: string, path: string, body?: unknown) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { 'content-type': 'application/json' };
      return reply(await fetch(`${simulator.control}/${path}`, { method, headers, ...init }));
    },
    fault: (match: string, fault: string, times = 1) =>
      fixture.control('POST', 'faults', { match, fault, times }),
    set: (settings: Record<string, unknown>) => fixture.control('PUT', 'settings', settings),

    async authorize(fields: Fields) {
      const query = new URLSearchParams(fields);
      const response = await fetch(`${simulator.url}/www.instagram.com/oauth/authorize?${query}`, {
        redirect: 'manual',
      });
      return reply(response);
    },
    async exchangeCode(fields: Fields) {
      return reply(await fetch(`${simulator.url}/api.instagram.com/oauth/access_token`, form(fields)));
    },
    async get(path: string, fields: Fields = {}) {
      return reply(
        await fetch(`${simulator.url}/graph.instagram.com/${path}?${new URLSearchParams(fields)}`),
      );
    },
    async post(path: string, fields: Fields) {
      return reply(await fetch(`${simulator.url}/graph.instagram.com/${path}`, form(fields)));
    },

    /** Approves at the consent page as the user. @returns the code */
    async code(username: string, extra: Fields = {}) {
      const answer = await fixture.authorize({
        client_id: app.id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: everyScope,
        state: 's',
        login: username,
        approve: '1',
        ...extra,
      });
      return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
    },
    codeForm: (code: string): Fields => ({
      client_id: app.id,
      client_secret: app.secret,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
    }),
    async shortToken(username: string, extra: Fields = {}): Promise<string> {
      const { body } = await fixture.exchangeCode(fixture.codeForm(await fixture.code(username, extra)));
      return body.access_token;
    },
    /** Runs the whole login. @returns a long-lived token and the account's id */
    async connect(username = 'harbour.coffee', extra: Fields = {}): Promise<Account> {
      const { body } = await fixture.get('access_token', {
        grant_type: 'ig_exchange_token',
        client_secret: app.secret,
        access_token: await fixture.shortToken(username, extra),
      });
      const me = await fixture.get('v25.0/me', { fields: 'user_id', access_token: body.access_token });
      return { id: me.body.user_id, token: body.access_token };
    },

    /** `POST /<IG_ID>/media`, with the platform's parameter names. */
    create: ({ id, token }: Account, fields: Fields) =>
      fixture.post(`v25.0/${id}/media`, { ...fields, access_token: token }),
    publish: ({ id, token }: Account, creationId: string) =>
      fixture.post(`v25.0/${id}/media_publish`, { creation_id: creationId, access_token: token }),
    async status({ token }: Account, containerId: string) {
      const { body } = await fixture.get(`v25.0/${containerId}`, {
        fields: 'status_code,status',
        access_token: token,
      });
      return body;
    },
    /** Moves the clock past processing and polls until the file has been fetched, too. */
    async processed(account: Account, containerId: string) {
      fixture.advance(10);
      for (;;) {
        const status = await fixture.status(account, containerId);
        if (status.status_code !== 'IN_PROGRESS') return status;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    /** Creates a container and waits until it is ready. @returns its id */
    async ready(account: Account, fields: Fields): Promise<string> {
      const { body } = await fixture.create(account, fields);
      await fixture.processed(account, body.id);
      return body.id;
    },
    /** Publishes a post. @returns its id */
    async live(account: Account, fields: Fields): Promise<string> {
      return (await fixture.publish(account, await fixture.ready(account, fields))).body.id;
    },
    posts: async (): Promise<readonly LivePost[]> => JSON.parse((await fixture.control('GET', 'posts')).text),
    requests: async (): Promise<readonly LoggedRequest[]> =>
      JSON.parse((await fixture.control('GET', 'requests')).text),
  };
  return fixture;
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

/** Serves the fixtures by name, and addresses that misbehave. */
async function serveFixtures() {
  const agents: (string | undefined)[] = [];
  const held: (() => void)[] = [];
  const server: Server = createServer(async (request, response) => {
    const [name = ''] = (request.url ?? '').slice(1).split('?');
    if (name === 'robots.txt') return response.writeHead(404).end();
    agents.push(request.headers['user-agent']);
    if (name === 'moved.jpg') return response.writeHead(302, { location: '/image.jpg' }).end();
    if (name === 'forbidden.jpg') return response.writeHead(403).end();
    if (name === 'untyped.jpg') return response.end(await readMedia('image.jpg'));
    if (name === 'page.jpg') return response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    if (name === 'large.jpg') {
      const rest = Buffer.alloc(8 * 1024 * 1024);
      response.writeHead(200, { 'content-type': 'image/jpeg' });
      return response.end(Buffer.concat([await readMedia('image.jpg'), rest]));
    }
    if (name === 'held.mp4') await new Promise<void>((resolve) => held.push(resolve));
    const bytes = await readMedia(name === 'held.mp4' ? 'video.mp4' : name).catch(() => undefined);
    if (bytes === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': contentTypeOf(name) }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    agents,
    held,
    url: (name: string) => `http://127.0.0.1:${port}/${name}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
