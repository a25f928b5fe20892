import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The tokens that a client has, as the service issued them. */
export interface KeptTokens {
  access_token: string;
  refresh_token?: string;
}

export interface SigningIn {
  readonly url: string;
  readonly clientId: string;
  /** True if the client is to use its metadata document by itself, which its library does only with https. */
  readonly hasDocument: boolean;
  readonly redirectUrl: string;
  readonly fetch?: typeof fetch;
  /** A person with a browser: goes to the address and returns that to which the client's page is called. */
  readonly visit: (url: URL) => Promise<URL>;
}

/** An official client that signs in by itself. */
export interface SignedInAgent {
  readonly tools: () => Promise<readonly { readonly name: string }[]>;
  readonly call: (
    name: string,
    args?: object,
  ) => Promise<{ readonly isError?: unknown; readonly structuredContent?: unknown }>;
  readonly close: () => Promise<void>;
  /** The client's own store, which tests may change. */
  readonly kept: { tokens?: KeptTokens };
  /** The addresses to which the client has sent the person. */
  readonly visited: readonly URL[];
}

/** A store of one user, as the libraries ask for it. */
function storeOf({ clientId, hasDocument, redirectUrl }: SigningIn) {
  const kept: { tokens?: KeptTokens; verifier?: string; client?: object; discovery?: unknown } = {
    ...(!hasDocument && { client: { client_id: clientId } }),
  };
  const asked: URL[] = [];
  const provider = {
    redirectUrl,
    ...(hasDocument && { clientMetadataUrl: clientId }),
    clientMetadata: {
      client_name: 'Agent',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state: () => 'the-state',
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: KeptTokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      asked.push(url);
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    invalidateCredentials: (what: string) => {
      if (what === 'all' || what === 'tokens') delete kept.tokens;
    },
    saveDiscoveryState: (discovery: unknown) => {
      kept.discovery = discovery;
    },
    discoveryState: () => kept.discovery,
  };
  return { kept, asked, provider };
}

interface Sdk {
  readonly name: string;
  readonly client: () => {
    connect(transport: never): Promise<void>;
    listTools(): Promise<{ tools: { name: string }[] }>;
    callTool(call: never): Promise<object>;
    close(): Promise<void>;
  };
  readonly transport: (url: URL, options: never) => { finishAuth(answer: never): Promise<void> };
  /** The part of the answer's address that its transport wants. */
  readonly answerOf: (url: URL) => unknown;
}

const identity = { name: 'test', version: '1' };

export const sdks: readonly Sdk[] = [
  {
    name: '@modelcontextprotocol/sdk, of the handshake era',
    client: () => new FormerClient(identity) as never,
    transport: (url, options) => new FormerTransport(url, options),
    answerOf: (url) => url.searchParams.get('code') ?? '',
  },
  {
    name: '@modelcontextprotocol/client, of revision 2026-07-28',
    client: () =>
      new ModernClient(identity, { versionNegotiation: { mode: { pin: '2026-07-28' } } }) as never,
    transport: (url, options) => new ModernTransport(url, options) as never,
    // The library compares `iss` with the issuer that it has found.
    answerOf: (url) => url.searchParams,
  },
];

/** Connects a client that has no tokens: it is refused, finds the login, sends the person there, and tries again. */
export async function signInWith(sdk: Sdk, signingIn: SigningIn): Promise<SignedInAgent> {
  const { kept, asked, provider } = storeOf(signingIn);
  const options = { authProvider: provider, ...(signingIn.fetch && { fetch: signingIn.fetch }) };
  const open = () => sdk.transport(new URL(signingIn.url), options as never);
  const first = open();
  const refused = await sdk
    .client()
    .connect(first as never)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  const [login] = asked;
  if (login === undefined) throw new Error('the client did not begin a login', { cause: refused });
  await first.finishAuth(sdk.answerOf(await signingIn.visit(login)) as never);
  const client = sdk.client();
  await client.connect(open() as never);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, args = {}) => client.callTool({ name, arguments: { ...args } } as never),
    close: () => client.close(),
    kept,
    visited: asked,
  };
}
