import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instagram } from '@herald/platform-simulators/instagram/instagram.ts';
import { startSimulator } from '@herald/platform-simulators/kit/simulator.ts';
import type { PlatformDefinition } from '@herald/platform-simulators/kit/types.ts';
import type { ConnectableAccount } from '../../lib/platforms/contract/authorization.ts';
import { scopesToRequest } from '../../lib/platforms/contract/features.ts';
import type { PlatformHttp } from '../../lib/platforms/contract/http.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';
import { instagramAuthorization } from '../../lib/platforms/instagram/authorization.ts';
import { createPlatformHttp } from '../../lib/platforms/shared/http.ts';
import { openInMemory, type SimulatedPlatform } from './simulated-platform.ts';
import { simulatorCalls } from './simulator-calls.ts';

/** A kept connection would be dead after a restart of the simulator. */
const newConnection = { connection: 'close' };
const redirectUri = 'http://127.0.0.1:4000/callback';
export const login = 'harbour.coffee';
export const app = {
  clientId: '990011223344',
  clientSecret: 'app-secret',
  metaAppSecret: 'meta-secret',
  webhookVerifyToken: 'verify-me',
};

/** The fields that tests read from responses of the control address. */
export interface ControlAnswer {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly text: string;
  readonly fromId: string;
  readonly personId: string;
  readonly commentId?: string;
  readonly buttons: readonly { readonly title: string; readonly url?: string; readonly payload?: string }[];
  readonly status: number;
  readonly body: string;
}

/** The fields that tests read from responses of the API. */
export interface GraphAnswer {
  readonly [field: string]: unknown;
  readonly error?: { readonly code: number; readonly error_subcode?: number };
  readonly data?: readonly GraphAnswer[];
}

export type SimulatedInstagram = Awaited<ReturnType<typeof open>>;
export type StartedInstagram = Awaited<ReturnType<typeof startInstagram>>;

/** A clock that tests move. */
const startedClock = () => {
  const clock = { time: Date.UTC(2027, 0, 15, 12), now: () => clock.time };
  return clock;
};

/** Opens the simulated Instagram in this process, and connects and subscribes one account with the real flow. */
export async function openInstagram(): Promise<SimulatedInstagram> {
  const clock = startedClock();
  const { transport, ...platform } = await openInMemory(definitionWith(), clock, () => undefined);
  const http = createPlatformHttp({ platform: 'instagram', baseUrls: {}, transport });
  return open({ ...platform, clock, http });
}

/**
 * Starts the simulated Instagram on a port of its own, and connects and subscribes one account with the real flow.
 *
 * @param callbackUrl where it sends webhooks; if absent, it sends none
 */
export async function startInstagram(callbackUrl?: string) {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'instagram-people-'));
  const clock = startedClock();
  const definition = definitionWith(callbackUrl);
  const { transport, onExchange } = simulatorCalls(clock.now);
  let simulator = await startSimulator({ definition, dataDirectory, clock, port: 0, onExchange });
  const { url } = simulator;
  const opened = await open({
    clock,
    http: createPlatformHttp({ platform: 'instagram', baseUrls: { instagram: url }, transport }),
    fetch: (target, init) =>
      fetch(`${url}${target}`, { ...init, headers: { ...newConnection, ...(init.headers as object) } }),
    async visit(address) {
      const answer = await fetch(address, { redirect: 'manual', headers: newConnection });
      return { headers: answer.headers, text: await answer.text() };
    },
    async stop() {
      await simulator.stop();
      await rm(dataDirectory, { recursive: true });
    },
  });
  return {
    ...opened,
    /** Restarts the simulator on the same port and with the same data. */
    async restart() {
      await simulator.stop();
      const port = Number(new URL(url).port);
      simulator = await startSimulator({ definition, dataDirectory, clock, port, onExchange });
    },
  };
}

function definitionWith(callbackUrl?: string): PlatformDefinition {
  return instagram({
    app: {
      id: app.clientId,
      secret: app.clientSecret,
      redirectUris: [redirectUri],
      metaSecret: app.metaAppSecret,
      ...(callbackUrl !== undefined && { webhook: { callbackUrl, verifyToken: app.webhookVerifyToken } }),
    },
    users: [{ username: login }, { username: 'northlight' }],
  });
}

interface Simulator extends Pick<SimulatedPlatform, 'fetch' | 'visit' | 'stop'> {
  readonly clock: ReturnType<typeof startedClock>;
  /** The adapter's client. */
  readonly http: PlatformHttp;
}

async function open({ clock, http, fetch, visit, stop }: Simulator) {
  const tools: PlatformTools = { http, now: clock.now, app };
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(`/_control/${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const connect = async (username: string): Promise<ConnectableAccount> => {
    const scopes = scopesToRequest(instagramAuthorization.features);
    const page = new URL(instagramAuthorization.authorizationUrl({ state: 's', redirectUri, scopes }, tools));
    for (const [name, value] of Object.entries({ login: username, approve: '1' })) {
      page.searchParams.set(name, value);
    }
    const { headers } = await visit(page);
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    const [account] = await instagramAuthorization.exchange({ code, redirectUri, scopes }, tools);
    if (account === undefined) throw new Error('no account');
    await instagramAuthorization.afterConnect?.(account, tools);
    return account;
  };

  const account = await connect(login);
  return {
    clock,
    tools,
    account,
    connect,
    /** Calls the API as the connected account. Parameters have the platform's names. */
    async call(method: 'GET' | 'POST', path: string, parameters: Readonly<Record<string, unknown>>) {
      const query = method === 'GET' ? `?${new URLSearchParams(parameters as Record<string, string>)}` : '';
      const answer = await fetch(`/graph.instagram.com/v25.0/${path}${query}`, {
        method,
        headers: {
          authorization: `Bearer ${account.tokens.accessToken}`,
          'content-type': 'application/json',
        },
        ...(method === 'POST' && { body: JSON.stringify(parameters) }),
      });
      return (await answer.json()) as GraphAnswer;
    },
    /** Posts to the control address. */
    act: (path: string, body: unknown): Promise<ControlAnswer> => ask('POST', path, body),
    put: (path: string, body: unknown): Promise<unknown> => ask('PUT', path, body),
    list: (path: string): Promise<readonly ControlAnswer[]> => ask('GET', path),
    plan: (match: string, fault: string): Promise<unknown> => ask('POST', 'faults', { match, fault }),
    advance(seconds: number) {
      clock.time += seconds * 1_000;
    },
    close: stop,
  };
}
