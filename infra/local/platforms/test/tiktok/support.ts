import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LivePost } from '../../kit/live-post.ts';
import { startSimulator } from '../../kit/simulator.ts';
import type { Simulator } from '../../kit/types.ts';
import { tiktok } from '../../tiktok/tiktok.ts';
import { readMedia } from '../support/media.ts';

export const redirectUri = 'http://127.0.0.1:4000/oauth/tiktok/callback';
export const app = { id: 'client-key', secret: 'client-secret', redirectUris: [redirectUri] };
export const scopes = 'user.info.basic,user.info.profile,video.publish,video.list';
export const draftScopes = 'user.info.basic,user.info.profile,video.upload';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** The fields that tests read from answers. Not validated: a missing field fails the test’s comparison. */
export interface Body {
  readonly error: { readonly code: string; readonly message: string };
  readonly data: {
    readonly publish_id: string;
    readonly upload_url: string;
    readonly status: string;
    readonly [field: string]: unknown;
  };
  readonly access_token: string;
  readonly refresh_token: string;
  readonly open_id: string;
}

/** Opens a simulator with a clock that tests move. */
export async function openFixture() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'tiktok-'));
  const clock = { time: Date.UTC(2026, 10, 20, 12), now: () => clock.time };
  const users = [{ username: 'harbour.coffee' }, { username: 'north.light' }];
  const definition = tiktok({ app, users });
  let simulator: Simulator = await startSimulator({ definition, dataDirectory, clock, port: 0 });
  const reply = async (response: Response): Promise<Reply> => {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };

  const fixture = {
    clock,
    advance(seconds: number) {
      clock.time += seconds * 1000;
    },
    async restart() {
      await simulator.stop();
      simulator = await startSimulator({ definition, dataDirectory, clock, port: 0 });
    },
    async close() {
      await simulator.stop();
      await rm(dataDirectory, { recursive: true });
    },
    async control(method: string, path: string, body?: unknown) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { 'content-type': 'application/json' };
      return reply(await fetch(`${simulator.control}/${path}`, { method, headers, ...init }));
    },
    set: (settings: Record<string, unknown>) => fixture.control('PUT', 'settings', settings),
    limit: (limits: Record<string, number>) => fixture.control('PUT', 'limits', limits),
    user: (changes: Record<string, unknown>) =>
      fixture.control('POST', 'users', { username: 'harbour.coffee', ...changes }),
    posts: async (): Promise<readonly LivePost[]> => JSON.parse((await fixture.control('GET', 'posts')).text),

    async authorize(changes: Record<string, string> = {}) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_key: app.id,
        redirect_uri: redirectUri,
        state: 'a b&c',
        scope: scopes,
        ...changes,
      });
      const address = `${simulator.url}/www.tiktok.com/v2/auth/authorize/?${query}`;
      return reply(await fetch(address, { redirect: 'manual' }));
    },
    /** Returns the parameters of the redirect back to the app. */
    async callback(changes: Record<string, string> = {}) {
      const { headers } = await fixture.authorize({ login: 'harbour.coffee', approve: '1', ...changes });
      return new URL(headers.get('location') ?? '').searchParams;
    },
    async oauth(path: 'token' | 'revoke', fields: Record<string, string>) {
      const form = { client_key: app.id, client_secret: app.secret, redirect_uri: redirectUri, ...fields };
      const address = `${simulator.url}/open.tiktokapis.com/v2/oauth/${path}/`;
      return reply(await fetch(address, { method: 'POST', body: new URLSearchParams(form) }));
    },
    /** Runs the whole login. @returns the access token */
    async connect(login = 'harbour.coffee', changes: Record<string, string> = {}): Promise<string> {
      const code = (await fixture.callback({ login, ...changes })).get('code') ?? '';
      const { body } = await fixture.oauth('token', { grant_type: 'authorization_code', code });
      return body.access_token;
    },
    async call(
      token: string,
      method: string,
      path: string,
      body: unknown = {},
      contentType = 'application/json',
    ) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
      const init = method === 'GET' ? {} : { body: JSON.stringify(body) };
      return reply(
        await fetch(`${simulator.url}/open.tiktokapis.com/v2/${path}`, { method, headers, ...init }),
      );
    },
    init: (token: string, source: Record<string, unknown>, info: Record<string, unknown> = {}) =>
      fixture.call(token, 'POST', 'post/publish/video/init/', {
        post_info: { title: 'Hello', privacy_level: 'PUBLIC_TO_EVERYONE', ...info },
        source_info: { source: 'FILE_UPLOAD', ...source },
      }),
    initPhotos: (token: string, urls: readonly string[], changes: Record<string, unknown> = {}) =>
      fixture.call(token, 'POST', 'post/publish/content/init/', {
        media_type: 'PHOTO',
        post_mode: 'DIRECT_POST',
        post_info: { title: 'Hi', description: 'Hello', privacy_level: 'PUBLIC_TO_EVERYONE' },
        source_info: { source: 'PULL_FROM_URL', photo_images: urls, photo_cover_index: 0 },
        ...changes,
      }),
    /** Starts the upload of a file in one chunk. */
    begin: (token: string, file: Buffer, info: Record<string, unknown> = {}) =>
      fixture.init(token, whole(file.length), info),
    /** Sends a chunk that begins at byte `first` to the upload address. */
    async put(
      url: string,
      chunk: Buffer,
      first: number,
      total: number,
      headers: Record<string, string> = {},
    ): Promise<Reply> {
      const address = `${simulator.url}/${url.replace('https://', '')}`;
      const range = `bytes ${first}-${first + chunk.length - 1}/${total}`;
      return reply(
        await fetch(address, {
          method: 'PUT',
          body: new Uint8Array(chunk),
          headers: { 'content-type': 'video/mp4', 'content-range': range, ...headers },
        }),
      );
    },
    status: (token: string, publishId: string) =>
      fixture.call(token, 'POST', 'post/publish/status/fetch/', { publish_id: publishId }),
    /** Posts a video. @returns its publish id */
    async post(token: string, info: Record<string, unknown> = {}): Promise<string> {
      const file = await readMedia('video.mp4');
      const { body } = await fixture.begin(token, file, info);
      await fixture.put(body.data.upload_url, file, 0, file.length);
      return body.data.publish_id;
    },
  };
  return fixture;
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

export const whole = (bytes: number) => ({ video_size: bytes, chunk_size: bytes, total_chunk_count: 1 });

/** Serves the fixtures over HTTP. */
export async function servePhotos() {
  const server = createServer(async (request, response) => {
    const name = request.url?.slice(1) ?? '';
    const body = await readMedia(name).catch(() => undefined);
    const type = name.endsWith('.png') ? 'image/png' : 'image/jpeg';
    response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (name: string) => `http://127.0.0.1:${port}/${name}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
