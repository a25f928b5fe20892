import { createHash, randomBytes } from 'node:crypto';
import type { LivePost } from '@herald/platform-simulators/kit/live-post.ts';
import type { Exchange } from '@herald/platform-simulators/kit/recording/exchange.ts';
import { watchExchanges } from '@herald/platform-simulators/testing/reference/watch.ts';
import { inject, vi } from 'vitest';
import type { MediaSource, PlatformAdapter, PublishJob } from '../../lib/platforms/contract/adapter.ts';
import type {
  ConnectableAccount,
  PlatformAuthorization,
} from '../../lib/platforms/contract/authorization.ts';
import { type Feature, namesOf, scopesToRequest } from '../../lib/platforms/contract/features.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';
import { adapterFor } from '../../lib/platforms/registry/adapters.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { createPlatformHttp } from '../../lib/platforms/shared/http.ts';
import type { FixtureServer } from '../support/fixture-server.ts';
import { type Publisher, publisherOf, type VirtualClock } from '../support/publisher.ts';
import { type OpenSimulated, openInMemory, openOverHttp } from '../support/simulated-platform.ts';
import { stopTime } from '../support/stopped-time.ts';
import { app, login, type PlatformRow, redirectUri } from './rows.ts';

/** A platform's adapter and its simulator, with an account that was connected by the real flow. */
export interface Fixture {
  /** The simulator's address; absent if requests reach it without sockets. */
  readonly url: string | undefined;
  /** Everything that has passed between the adapter and the simulator, with all secrets. */
  readonly exchanges: readonly Exchange[];
  readonly adapter: PlatformAdapter;
  readonly authorization: PlatformAuthorization;
  readonly tools: PlatformTools;
  readonly clock: VirtualClock;
  readonly account: ConnectableAccount;
  /** Opens an address of the platform, as the person's browser does. */
  visit(address: URL): ReturnType<Awaited<ReturnType<OpenSimulated>>['visit']>;
  /** Gets through the consent page. The parameters are the person's decisions. */
  consent(
    decisions?: Readonly<Record<string, string>>,
    features?: readonly Feature[],
  ): Promise<{ address: URL; codeVerifier: string }>;
  /** Connects by the whole flow, with these features or, by default, all. */
  connect(
    decisions?: Readonly<Record<string, string>>,
    features?: readonly Feature[],
  ): Promise<readonly ConnectableAccount[]>;
  /**
   * Opens the authorization URL in the browser in which the person consented last, and clicks nothing.
   * @param without a parameter to remove from the URL
   * @returns the page, or where the browser is sent without a question
   */
  openAgain(without?: string): Promise<{ readonly page: string } | { readonly sentTo: URL }>;
  /** @param changes to the row's post; media are names of fixtures or sources */
  publisher(changes?: JobChanges): Promise<Publisher>;
  plan(match: string, fault: string, times?: number): Promise<void>;
  set(settings: Readonly<Record<string, unknown>>): Promise<void>;
  posts(): Promise<readonly LivePost[]>;
  /** Resolves when the simulator has fetched what it was told to fetch. */
  idle(): Promise<unknown>;
  /** Calls a control address of the simulator and returns the list that it answers. */
  control(path: string, method?: string, body?: unknown): Promise<readonly { readonly text?: string }[]>;
  /** Returns and forgets the deviations from the platform's own description so far, for a test that sends something wrong. */
  takeProblems(): readonly string[];
  /** @throws Error that names what `takeProblems` would return */
  close(): Promise<void>;
}

export interface JobChanges {
  readonly content?: string;
  readonly media?: readonly (string | MediaSource)[];
  readonly cover?: MediaSource;
  readonly card?: PublishJob['card'];
  readonly options?: PublishJob['options'];
  /** Default: that of the connected account. */
  readonly accessToken?: string;
  readonly replyTo?: string;
  /** The scopes that the account counts as having; default: those of its tokens. */
  readonly scopes?: readonly string[];
}

/**
 * Opens a row's simulator and connects an account. Requests reach it without sockets; in the deep run, over HTTP. Stops the time until it is closed, so that no
 * limit of the adapters counts how slow the machine is.
 */
export async function openFixture(
  row: PlatformRow,
  fixtures: FixtureServer,
  open: OpenSimulated = inject('tablesInMemory') ? openInMemory : openOverHttp,
): Promise<Fixture> {
  stopTime();
  const clock: VirtualClock = { time: Date.UTC(2026, 10, 20, 20), now: () => clock.time };
  const watch = watchExchanges(row.platform, 'adapter');
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange) => {
    exchanges.push(exchange);
    watch.onExchange(exchange);
  };
  const { url, transport, visit, control, stop } = await open(row.simulator, clock, onExchange);
  const baseUrls = url === undefined ? {} : { [row.platform]: url };
  const tools: PlatformTools = {
    http: createPlatformHttp({ platform: row.platform, baseUrls, transport }),
    now: clock.now,
    app: row.app ?? app,
  };
  const authorization = required(authorizationFor(row.platform, row.as));
  const adapter = required(await adapterFor(row.platform));
  const idle = () => control('idle');
  const offered = authorization.featuresWith?.(tools.app) ?? authorization.features;
  const scopesOf = (features?: readonly Feature[]) => scopesToRequest(offered, features);

  if (row.settings) await control('settings', 'PUT', row.settings);

  /** All features, so that every call of the adapter can be tried. */
  const all = namesOf(authorization.features);
  const authorizationUrl = (codeVerifier: string, features: readonly Feature[] = all) => {
    const request = {
      state: 'state-1',
      redirectUri,
      scopes: scopesOf(features),
      ...(authorization.usesPkce && {
        codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      }),
    };
    return new URL(authorization.authorizationUrl(request, tools));
  };
  let cookie = '';
  const consent = async (decisions: Readonly<Record<string, string>> = {}, features?: readonly Feature[]) => {
    const codeVerifier = randomBytes(32).toString('base64url');
    const address = authorizationUrl(codeVerifier, features);
    const decided = { login, approve: '1', ...decisions };
    for (const [name, value] of Object.entries(decided)) address.searchParams.set(name, value);
    const answer = await visit(address);
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return { address: new URL(required(answer.headers.get('location'))), codeVerifier };
  };
  const connect = async (
    decisions: Readonly<Record<string, string>> = {},
    features: readonly Feature[] = all,
  ) => {
    const { address, codeVerifier } = await consent(decisions, features);
    const scopes = scopesOf(features);
    const code = required(address.searchParams.get('code'));
    const grant = { code, redirectUri, scopes, ...(authorization.usesPkce && { codeVerifier }) };
    return authorization.exchange(grant, tools);
  };
  const [account] = await connect();

  return {
    url,
    exchanges,
    takeProblems: watch.take,
    adapter,
    authorization,
    tools,
    clock,
    account: required(account),
    visit: (address) => visit(address),
    consent,
    connect,
    async openAgain(without) {
      const address = authorizationUrl('any');
      if (without !== undefined) address.searchParams.delete(without);
      const answer = await visit(address, { cookie });
      const location = answer.headers.get('location');
      return location === null ? { page: answer.text } : { sentTo: new URL(location) };
    },
    async publisher(changes = {}) {
      const { platformAccountId, username, meta, tokens } = required(account);
      // The row's cover goes only with the row's media.
      const ownCover = changes.media === undefined && row.cover !== undefined;
      const cover = changes.cover ?? (ownCover && (await fixtures.source(row.cover)));
      const media = (changes.media ?? row.media).map((file) =>
        typeof file === 'string' ? fixtures.source(file) : file,
      );
      const job = {
        reference: 'post-1',
        account: { platformAccountId, username, meta, scopes: changes.scopes ?? tokens.scopes },
        accessToken: changes.accessToken ?? tokens.accessToken,
        content: changes.content ?? row.content,
        media: await Promise.all(media),
        ...(cover && { cover }),
        ...(changes.card && { card: changes.card }),
        options: changes.options ?? row.options,
        ...(changes.replyTo !== undefined && { replyTo: changes.replyTo }),
        preparation: {},
        deadline: clock.time + 60_000,
      };
      return publisherOf(adapter, job, tools, clock, idle);
    },
    async plan(match, fault, times = 1) {
      await control('faults', 'POST', { match, fault, times });
    },
    async set(settings) {
      await control('settings', 'PUT', settings);
    },
    idle,
    posts: async () => (await control('posts')) as LivePost[],
    control: async (path, method, body) => (await control(path, method, body)) as { text?: string }[],
    async close() {
      vi.useRealTimers();
      await stop();
      watch.check();
    },
  };
}

function required<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('expected a value');
  return value;
}
