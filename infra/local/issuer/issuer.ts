/** A simulated OpenID Connect issuer for local runs. It is in no deployed bundle. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isFromWebPage, isLoopbackHost, webPageRefusal } from '@herald/loopback/web-pages.ts';
import { type IssuerClient, type KnownPerson, openProvider, paths } from './provider.ts';
import { type EndpointMood, type Settings, settingsProblem, usualSettings } from './settings.ts';
import { openSigningKeys } from './signing-keys.ts';
import { type IssuerClock, openStore } from './store.ts';

export interface IssuerOptions {
  /** 0 for any free port. People keep their identity only if issuer and port stay the same. */
  readonly port: number;
  readonly clock: IssuerClock;
  /** Returns the clients. It is called for each request, because the addresses of clients can become known later. */
  readonly clients: () => readonly IssuerClient[];
  /** The people who sign in with one click. */
  readonly people: readonly KnownPerson[];
  /** Keeps the signing key; absent: a new key for each start. */
  readonly dataDirectory?: string;
}

export interface Issuer {
  /** The issuer's identifier, without a trailing slash. */
  readonly url: string;
  /** The address of the controls for tests. */
  readonly control: string;
  stop(): Promise<void>;
}

const controlPath = '/_local';

/**
 * Starts the issuer on the loopback address.
 *
 * @throws Error with a one-line message if the port is in use, or the stored key cannot be read
 */
export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const keys = openSigningKeys(options.dataDirectory);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${options.port} is in use: stop the other program`);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const url = `http://127.0.0.1:${address.port}`;

  let settings = usualSettings;
  const store = openStore(options.clock);
  const removed = new Set<string>();
  const isRemoved = ({ email }: { readonly email: string }) => removed.has(email.toLowerCase());
  const open = () => openProvider({ ...options, url, keys, store, settings: () => settings, isRemoved });
  let answer = open();

  const controls: Readonly<Record<string, (body: string) => Answer>> = {
    'GET settings': () => [200, settings],
    'PUT settings'(body) {
      const changes = parse(body);
      const problem = settingsProblem(changes);
      if (problem !== undefined) return [400, { error: problem }];
      settings = { ...settings, ...(changes as Partial<Settings>) };
      return [200, settings];
    },
    'DELETE settings'() {
      settings = usualSettings;
      return [200, settings];
    },
    'POST remove-person': (body) => changePerson(body, (email) => removed.add(email)),
    'POST restore-person': (body) => changePerson(body, (email) => removed.delete(email)),
    'POST rotate-key'() {
      keys.rotate();
      // The library reads its keys only once.
      answer = open();
      return [200, {}];
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '/';
    if (path.startsWith(`${controlPath}/`)) {
      if (isFromWebPage(request.headers)) return send(response, webPageRefusal.status, webPageRefusal);
      const control = controls[`${request.method} ${path.slice(controlPath.length + 1)}`];
      return send(response, ...(control?.(await text(request)) ?? notFound));
    }
    // After DNS rebinding, a page from the internet would have the issuer's own origin.
    if (!isLoopbackHost(request.headers)) return send(response, 421, { error: 'unknown host' });
    const mood = moodOf(path, settings);
    return mood === 'works' ? answer(request, response) : misbehave(response, mood);
  }

  server.on('request', (request, response) => {
    // Reading fails only for a request that broke off.
    serve(request, response).catch(() => response.destroy());
  });

  return {
    url,
    control: url + controlPath,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function changePerson(body: string, change: (email: string) => unknown): Answer {
  const { email } = (parse(body) ?? {}) as { readonly email?: unknown };
  if (typeof email !== 'string') return [400, { error: 'the body must be { "email": "…" }' }];
  change(email.toLowerCase());
  return [200, {}];
}

type Answer = readonly [status: number, body: object];

const notFound: Answer = [404, { error: 'not_found' }];

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function moodOf(path: string, settings: Settings): EndpointMood {
  const endpoint = (['discovery', 'jwks', 'token'] as const).find((name) => paths[name] === path);
  return endpoint === undefined ? 'works' : settings[endpoint];
}

const endlessPiece = ' '.repeat(64 * 1_024);

function misbehave(response: ServerResponse, mood: Exclude<EndpointMood, 'works'>): void {
  if (mood === 'unavailable') send(response, 503, { error: 'temporarily_unavailable' });
  if (mood !== 'endless') return;
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(endlessPiece));
  };
  response.on('drain', more);
  more();
}

/** Parses JSON. @returns undefined if the text is not JSON */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
