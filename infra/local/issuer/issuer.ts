/** A simulated OpenID Connect issuer for local runs. It is in no deployed bundle. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isFromWebPage, isLoopbackHost, webPageRefusal } from '@herald/loopback/web-pages.ts';
import { json } from './answers.ts';
import { authorizationEndpoint } from './authorization.ts';
import { discoveryDocument, paths } from './discovery.ts';
import { endSessionEndpoint } from './end-session.ts';
import { type EndpointMood, type Settings, settingsProblem, usualSettings } from './settings.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';
import { openState } from './state.ts';
import { tokenEndpoint } from './token.ts';
import type { Answer, Call, IssuerClient, IssuerClock, KnownPerson } from './types.ts';

export interface IssuerOptions {
  /** 0 for any free port. People keep their identity only if issuer and port stay the same. */
  readonly port: number;
  readonly clock: IssuerClock;
  /** Asked for each request, because the addresses of clients can become known later. */
  readonly clients: () => readonly IssuerClient[];
  /** Those who sign in with one click. */
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
/** In bytes. */
const longestBody = 64 * 1_024;

type Endpoint = (call: Call) => Answer | Promise<Answer>;

/**
 * Starts the issuer on the loopback address.
 *
 * @throws Error with a one-line message if the port is in use, or the stored key cannot be read
 */
export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const keys = await openSigningKeys(options.dataDirectory);
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
  const { clients, people } = options;
  const serve = openIssuer({ url, keys, clients, people });

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    readCall(request, options.clock.now())
      .then((call) => serve(call))
      .then((outcome) => send(response, outcome))
      .catch((error: unknown) => {
        if (response.destroyed) return;
        console.error(`issuer: ${request.method} ${request.url?.split('?')[0]}`, error);
        send(response, json({ error: 'server_error' }, 500));
      });
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

interface IssuerParts extends Pick<IssuerOptions, 'clients' | 'people'> {
  readonly url: string;
  readonly keys: SigningKeys;
}

/** Everything but the server. @returns what answers a call */
function openIssuer({ url, keys, clients, people }: IssuerParts) {
  let settings = usualSettings;
  const surroundings = {
    url,
    keys,
    people,
    state: openState(),
    clients,
    settings: () => settings,
  };
  const { authorize, proceed } = authorizationEndpoint(surroundings);
  const { token, userInfo } = tokenEndpoint(surroundings);
  const endSession = endSessionEndpoint(surroundings);

  const endpoints: Readonly<Record<string, Endpoint>> = {
    [`GET ${paths.discovery}`]: () => json(discoveryDocument(url)),
    [`GET ${paths.jwks}`]: () => json(keys.published()),
    // OpenID Connect Core, section 3.1.2.1, requires both methods.
    [`GET ${paths.authorization}`]: authorize,
    [`POST ${paths.authorization}`]: authorize,
    [`POST ${paths.proceed}`]: proceed,
    [`POST ${paths.token}`]: token,
    [`GET ${paths.userInfo}`]: userInfo,
    [`POST ${paths.userInfo}`]: userInfo,
    [`GET ${paths.endSession}`]: endSession,
    [`POST ${paths.endSession}`]: endSession,
    [`GET ${controlPath}/settings`]: () => json(settings),
    [`PUT ${controlPath}/settings`]({ body }) {
      const changes: unknown = parse(body);
      const problem = settingsProblem(changes);
      if (problem !== undefined) return json({ error: problem }, 400);
      settings = { ...settings, ...(changes as Partial<Settings>) };
      return json(settings);
    },
    [`DELETE ${controlPath}/settings`]() {
      settings = usualSettings;
      return json(settings);
    },
    async [`POST ${controlPath}/rotate-key`]() {
      await keys.rotate();
      return json(keys.published());
    },
  };

  return async (call: Call): Promise<Answer | EndpointMood> => {
    if (call.path.startsWith(`${controlPath}/`) && isFromWebPage(call.headers)) {
      return json({ error: webPageRefusal.error }, webPageRefusal.status);
    }
    // After DNS rebinding, a page of the internet would be of the issuer's own origin.
    if (!isLoopbackHost(call.headers)) return json({ error: 'unknown host' }, 421);
    if (call.isTooLong) return json({ error: 'invalid_request' }, 413);
    const endpoint = endpoints[`${call.method} ${call.path}`];
    if (endpoint === undefined) return missing(call, Object.keys(endpoints));
    const mood = moodOf(call.path, settings);
    return mood === 'works' ? endpoint(call) : mood;
  };
}

function moodOf(path: string, { discovery, jwks, token }: Settings): EndpointMood {
  if (path === paths.discovery) return discovery;
  if (path === paths.jwks) return jwks;
  return path === paths.token ? token : 'works';
}

function missing({ path }: Call, routes: readonly string[]): Answer {
  const allowed = routes.filter((route) => route.endsWith(` ${path}`)).map((route) => route.split(' ')[0]);
  if (allowed.length === 0) return json({ error: 'not_found' }, 404);
  return json({ error: 'invalid_request' }, 405, { allow: allowed.join(', ') });
}

async function readCall(request: IncomingMessage, at: number): Promise<Call> {
  const { method = 'GET', url = '/', headers } = request;
  const { pathname, searchParams } = URL.parse(url, 'http://127.0.0.1') ?? new URL('http://127.0.0.1/');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= longestBody) chunks.push(chunk);
  }
  const body = Buffer.concat(chunks).toString();
  return { method, path: pathname, query: searchParams, headers, body, isTooLong: length > longestBody, at };
}

const endlessPiece = ' '.repeat(64 * 1_024);

function send(response: ServerResponse, outcome: Answer | EndpointMood): void {
  if (outcome === 'silent') return;
  if (outcome === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(endlessPiece));
    };
    response.on('drain', more);
    more();
    return;
  }
  const answer = typeof outcome === 'string' ? json({ error: 'temporarily_unavailable' }, 503) : outcome;
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) });
  response.end(answer.body);
}

/** @returns undefined if the text is not JSON */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
