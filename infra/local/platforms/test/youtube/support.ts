import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../kit/simulator.ts';
import type { Simulator } from '../../kit/types.ts';
import { watchExchanges } from '../../testing/reference/watch.ts';
import { youtube } from '../../youtube/youtube.ts';

export const app = {
  id: 'herald.apps.googleusercontent.com',
  secret: 'GOCSPX-secret',
  redirectUris: ['http://127.0.0.1:3000/v1/connect/youtube/callback'],
};
export const redirectUri = 'http://127.0.0.1:3000/v1/connect/youtube/callback';
export const scopes = {
  upload: 'https://www.googleapis.com/auth/youtube.upload',
  read: 'https://www.googleapis.com/auth/youtube.readonly',
};

/** 20 November 2026, noon in California. */
export const noon = Date.parse('2026-11-20T20:00:00Z');
export const second = 1000;
export const hour = 3600 * second;
export const day = 24 * hour;

export interface Fixture {
  readonly clock: { time: number };
  readonly simulator: Simulator;
  restart(): Promise<void>;
  /** Returns the number of bytes written for all unfinished uploads. */
  bytesOnDisk(): Promise<number>;
  close(): Promise<void>;
}

/** Opens a simulator with its own directory and a clock that the test moves. */
export async function openFixture(): Promise<Fixture> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'youtube-'));
  const clock = { time: noon, now: () => clock.time };
  const definition = youtube({ app, users: [{ username: 'ada' }, { username: 'bob' }] });
  const { onExchange, check } = watchExchanges('youtube', 'test');
  const start = () => startSimulator({ definition, dataDirectory, clock, port: 0, onExchange });
  let simulator = await start();
  return {
    clock,
    get simulator() {
      return simulator;
    },
    async restart() {
      await simulator.stop();
      simulator = await start();
    },
    async bytesOnDisk() {
      const folder = join(dataDirectory, 'youtube-uploads');
      const names = await readdir(folder).catch(() => []);
      const files = await Promise.all(names.map((name) => stat(join(folder, name))));
      return files.reduce((sum, { size }) => sum + size, 0);
    },
    async close() {
      await simulator.stop();
      await rm(dataDirectory, { recursive: true });
      check();
    },
  };
}

type Parameters = Readonly<Record<string, string>>;

/** Returns the address of a correct authorize request. An empty value omits a parameter. */
export function authorizeUrl({ simulator }: Fixture, changes: Parameters = {}): string {
  const parameters = {
    client_id: app.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: `${scopes.upload} ${scopes.read}`,
    state: 'state-1',
    access_type: 'offline',
    prompt: 'consent',
    ...changes,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return `${simulator.url}/accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams(given)}`;
}

/** Approves as a login. @returns the redirect address */
export async function approve(fixture: Fixture, login: string, changes: Parameters = {}): Promise<URL> {
  const address = authorizeUrl(fixture, { login, approve: '1', ...changes });
  const response = await fetch(address, { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? `missing:${response.status}`);
}

export function postForm({ simulator }: Fixture, path: string, fields: Parameters): Promise<Response> {
  return fetch(`${simulator.url}/oauth2.googleapis.com/${path}`, {
    method: 'POST',
    body: new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')),
  });
}

export function exchange(fixture: Fixture, code: string, changes: Parameters = {}): Promise<Response> {
  return postForm(fixture, 'token', {
    client_id: app.id,
    client_secret: app.secret,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code,
    ...changes,
  });
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly expires_in: number;
}

export async function connect(fixture: Fixture, login = 'ada', changes: Parameters = {}): Promise<Tokens> {
  const back = await approve(fixture, login, changes);
  return readBody(await exchange(fixture, back.searchParams.get('code') ?? ''));
}

/** Reads a JSON body as the given type, without validation. */
export async function readBody<T>(response: Response): Promise<T> {
  return JSON.parse(await response.text());
}

export async function reasonOf(response: Response): Promise<string> {
  const body = await readBody<{ error: { code: number; errors: { reason: string }[] } }>(response);
  return `${body.error.code} ${body.error.errors[0]?.reason}`;
}

export function get({ simulator }: Fixture, token: string, path: string): Promise<Response> {
  return fetch(`${simulator.url}/www.googleapis.com/youtube/v3/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

export async function control<T>(
  { simulator }: Fixture,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const init = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return readBody(
    await fetch(`${simulator.control}/${path}`, { method, ...(body === undefined ? {} : init) }),
  );
}

export function planFault(fixture: Fixture, match: string, fault: string, times = 1) {
  return control<unknown>(fixture, 'POST', 'faults', { match, fault, times });
}

export interface Post {
  readonly id: string;
  readonly accountId: string;
  readonly permalink: string;
  readonly content: string;
  readonly title: string;
  readonly privacyStatus: string;
  readonly isShort: boolean;
  readonly media: readonly { type: string; bytes: number; sha256: string }[];
  readonly thumbnail?: { type: string; bytes: number; sha256: string };
  readonly publishedAt: number;
}

export const posts = (fixture: Fixture) => control<Post[]>(fixture, 'GET', 'posts');
