import { createHash } from 'node:crypto';
import {
  type OpenPlatform,
  type OpenPlatformOptions,
  openPlatform,
  type Served,
} from '../../kit/open-platform.ts';
import type { PlatformDefinition } from '../../kit/types.ts';

export const redirectUri = 'https://herald.test/callback';
export const app = { id: '990011223344', secret: 'app-secret', redirectUris: [redirectUri] };
export const login = 'harbour.coffee';
export const users = [{ username: login }];

/** A clock that only the test moves. */
export interface TestClock {
  time: number;
  now(): number;
}

export function testClock(): TestClock {
  const clock: TestClock = { time: Date.UTC(2026, 10, 20, 20), now: () => clock.time };
  return clock;
}

/** Returns bytes that depend only on the seed and on the bytes taken before. */
export function seededBytes(seed: string): (count: number) => Buffer {
  let taken = 0;
  return (count) => {
    taken += 1;
    return createHash('shake256', { outputLength: count }).update(`${seed}/${taken}`).digest();
  };
}

/** Creates a virtual web. An address without a file answers 404. */
export function webOf(files: Readonly<Record<string, { type: string; bytes: Buffer }>>): typeof fetch {
  return async (address) => {
    const file = files[String(address)];
    if (file === undefined) return new Response('', { status: 404 });
    return new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.type } });
  };
}

export interface Opened extends OpenPlatform {
  /** Sends a form, a JSON object or bytes. @throws Error if there is no answer */
  call(
    method: string,
    target: string,
    sent?: Sent,
  ): Promise<{ status: number; headers: Headers; body: Body }>;
  /** Sends like `call`, but accepts any outcome. */
  send(method: string, target: string, sent?: Sent): Promise<Served>;
  control(method: string, path: string, fields?: object): Promise<void>;
}

interface Sent {
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The fields that tests read from answers. Not validated: a missing field fails the test’s comparison. */
interface Body {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly access_token: string;
}

export function openInMemory(
  definition: PlatformDefinition,
  options: Partial<OpenPlatformOptions> & Pick<OpenPlatformOptions, 'clock'>,
): Opened {
  const platform = openPlatform({
    definition,
    baseUrl: (host) => `https://${host}`,
    fetch: webOf({}),
    randomBytes: seededBytes('1'),
    ...options,
  });
  const send: Opened['send'] = (method, target, { form, json, bytes, headers } = {}) => {
    const [type, text] =
      form === undefined
        ? ['application/json', json === undefined ? '' : JSON.stringify(json)]
        : ['application/x-www-form-urlencoded', String(new URLSearchParams(form))];
    const body = bytes ?? Buffer.from(text);
    const sent = { 'content-type': type, 'content-length': String(body.length), ...headers };
    return platform.serve({ method, target, headers: sent, body });
  };
  const call: Opened['call'] = async (method, target, sent) => {
    const served = await send(method, target, sent);
    if (served.kind !== 'answer') throw new Error(`no answer: ${served.kind}`);
    const { status, headers, body } = served.answer;
    return { status, headers: new Headers(headers), body: /^[[{]/.test(body) ? JSON.parse(body) : {} };
  };
  return {
    ...platform,
    send,
    call,
    async control(method, path, fields) {
      const { status, body } = await call(method, `/_control/${path}`, { json: fields });
      if (status >= 400) throw new Error(JSON.stringify(body));
    },
  };
}

/** Gets through a consent page. @returns the code */
export async function consent(
  platform: Opened,
  address: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const query = new URLSearchParams({
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'state-1',
    approve: '1',
    login,
    ...parameters,
  });
  const { headers } = await platform.call('GET', `${address}?${query}`);
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}

/** Logs in to Threads. @returns an access token */
export async function loginToThreads(platform: Opened): Promise<string> {
  const code = await consent(platform, '/threads.net/oauth/authorize', {
    client_id: app.id,
    scope: 'threads_basic,threads_content_publish',
  });
  const form = {
    client_id: app.id,
    client_secret: app.secret,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code,
  };
  const { body } = await platform.call('POST', '/graph.threads.net/oauth/access_token', { form });
  return body.access_token;
}
