import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LivePost } from '../../kit/live-post.ts';
import { startSimulator } from '../../kit/simulator.ts';
import type { Simulator } from '../../kit/types.ts';
import { pinterest } from '../../pinterest/pinterest.ts';
import { boardIdOf, sectionIdOf } from '../../pinterest/state.ts';
import { watchExchanges } from '../../testing/reference/watch.ts';
import { readMedia } from '../support/media.ts';

export const redirectUri = 'http://127.0.0.1:4000/oauth/pinterest/callback';
export const app = { id: '1499000', secret: 'app-secret', redirectUris: [redirectUri] };
export const login = 'harbour.coffee';
export const scopes = 'user_accounts:read,boards:read,boards:write,pins:read,pins:write';
export const board = boardIdOf(login, 'Harbour');
export const otherBoard = boardIdOf(login, 'Recipes');
export const section = sectionIdOf(board, 'Mornings');

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Not validated: a missing field fails the test’s comparison. */
  readonly body: Body;
}

export interface Body {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly code: number;
  readonly message: string;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly media_id: string;
  readonly upload_url: string;
  readonly upload_parameters: Readonly<Record<string, string>>;
  readonly items: readonly Body[];
  readonly bookmark: string | null;
}

/** Opens a simulator with a clock that tests move. */
export async function openFixture() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pinterest-'));
  const clock = { time: Date.UTC(2026, 10, 20, 12), now: () => clock.time };
  const definition = pinterest({ app, users: [{ username: login }, { username: 'north.light' }] });
  const { onExchange, check } = watchExchanges('pinterest', 'test');
  const start = () => startSimulator({ definition, dataDirectory, clock, port: 0, onExchange });
  let simulator: Simulator = await start();
  const reply = async (response: Response): Promise<Reply> => {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };

  const fixture = {
    clock,
    url: () => simulator.url,
    advance(seconds: number) {
      clock.time += seconds * 1000;
    },
    async restart() {
      await simulator.stop();
      simulator = await start();
    },
    async close() {
      await simulator.stop();
      await rm(dataDirectory, { recursive: true });
      check();
    },
    async control(method: string, path: string, body?: unknown) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { 'content-type': 'application/json' };
      return reply(await fetch(`${simulator.control}/${path}`, { method, headers, ...init }));
    },
    set: (settings: Record<string, unknown>) => fixture.control('PUT', 'settings', settings),
    posts: async (): Promise<readonly LivePost[]> => JSON.parse((await fixture.control('GET', 'posts')).text),

    /** @param decisions the person’s decisions at the consent page, or other parameters of the request */
    async authorize(decisions: Record<string, string> = {}) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: app.id,
        redirect_uri: redirectUri,
        state: 'a b&c',
        scope: scopes,
        ...decisions,
      });
      return reply(await fetch(`${simulator.url}/www.pinterest.com/oauth/?${query}`, { redirect: 'manual' }));
    },
    async code(decisions: Record<string, string> = {}) {
      const { headers } = await fixture.authorize({ login, approve: '1', ...decisions });
      return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    },
    async tokens(form: Record<string, string>, secret = app.secret) {
      const authorization = `Basic ${Buffer.from(`${app.id}:${secret}`).toString('base64')}`;
      return reply(
        await fetch(`${simulator.url}/api.pinterest.com/v5/oauth/token`, {
          method: 'POST',
          headers: { authorization },
          body: new URLSearchParams(form),
        }),
      );
    },
    exchange: (code: string, fields: Record<string, string> = {}) =>
      fixture.tokens({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        continuous_refresh: 'true',
        ...fields,
      }),
    /** Runs the whole login. @returns the access token */
    async connect(decisions: Record<string, string> = {}) {
      return (await fixture.exchange(await fixture.code(decisions))).body.access_token;
    },

    async call(token: string | undefined, method: string, path: string, body?: unknown) {
      const headers = {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      return reply(
        await fetch(`${simulator.url}/api.pinterest.com/v5/${path}`, { method, headers, ...init }),
      );
    },
    /** Sends a form to S3, with its entries in the given order. */
    async upload(
      entries: readonly (readonly [string, string | Blob])[],
      headers: Record<string, string> = {},
    ) {
      const form = new FormData();
      for (const [name, value] of entries) {
        if (typeof value === 'string') form.append(name, value);
        else form.append(name, value, 'video.mp4');
      }
      const encoded = new Response(form);
      const all = { 'content-type': encoded.headers.get('content-type') ?? '', ...headers };
      const body = await encoded.arrayBuffer();
      return reply(await fetch(fixture.uploadUrl(), { method: 'POST', headers: all, body }));
    },
    uploadUrl: () => `${simulator.url}/pinterest-media-upload.s3-accelerate.amazonaws.com/`,
    /** Uploads a video. It is processed once the clock moves on. */
    async video(token: string, name = 'video.mp4') {
      const { body } = await fixture.call(token, 'POST', 'media', { media_type: 'video' });
      const file = new Blob([new Uint8Array(await readMedia(name))]);
      await fixture.upload([...Object.entries(body.upload_parameters), ['file', file]]);
      return body.media_id;
    },
  };
  return fixture;
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;
