import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The result of a tool's call. */
export interface ToolResult {
  readonly isError: boolean;
  /** The structured content, or the error. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** An official client, connected to the server. */
export interface Agent {
  readonly version: string | undefined;
  readonly tools: () => Promise<readonly { readonly name: string }[]>;
  /** Calls a tool and checks its result against the tool's schema, as the client does. */
  readonly call: (name: string, args?: object) => Promise<ToolResult>;
  readonly close: () => Promise<void>;
}

interface Connecting {
  readonly url: string;
  readonly apiKey: string;
  readonly fetch?: typeof fetch;
  /** The user's answer to a question. Absent: the client cannot ask. */
  readonly answer?: (question: string) => {
    readonly action: 'accept' | 'decline';
    readonly publish?: boolean;
  };
}

/** A generation of the protocol, with its official client. */
export interface Generation {
  readonly name: string;
  readonly connect: (connecting: Connecting) => Promise<Agent>;
}

const identity = { name: 'test', version: '1' };

const optionsOf = ({ apiKey, fetch: send }: Connecting) => ({
  requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  ...(send && { fetch: send as never }),
});

/** The parts of the clients' results, which both give. */
interface GivenResult {
  readonly isError?: unknown;
  readonly content?: unknown;
  readonly structuredContent?: unknown;
}

function resultOf(given: object): ToolResult {
  const result: GivenResult = given;
  const [first] = (result.content ?? []) as { readonly text: string }[];
  const value = JSON.parse(first?.text ?? 'null') as ToolResult['value'];
  if (result.isError === true) return { isError: true, value: value['error'] as ToolResult['value'] };
  return { isError: false, value: result.structuredContent as ToolResult['value'] };
}

export const former: Generation = {
  name: '@modelcontextprotocol/sdk, of the handshake era',
  connect: async (connecting) => {
    const client = new FormerClient(identity);
    const transport = new FormerTransport(new URL(connecting.url), optionsOf(connecting));
    // Its own types do not fit `exactOptionalPropertyTypes`.
    await client.connect(transport as never);
    return {
      version: transport.protocolVersion,
      tools: async () => (await client.listTools()).tools,
      call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: { ...args } })),
      close: () => client.close(),
    };
  },
};

export const modern: Generation = {
  name: '@modelcontextprotocol/client, of revision 2026-07-28',
  connect: async (connecting) => {
    const { answer } = connecting;
    const client = new ModernClient(identity, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      ...(answer && { capabilities: { elicitation: { form: {} } } }),
    });
    if (answer)
      client.setRequestHandler('elicitation/create', ({ params }) => {
        const { action, publish } = answer(params.message);
        return { action, ...(publish !== undefined && { content: { publish } }) };
      });
    await client.connect(new ModernTransport(new URL(connecting.url), optionsOf(connecting)));
    return {
      version: client.getNegotiatedProtocolVersion(),
      tools: async () => (await client.listTools()).tools,
      call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: { ...args } })),
      close: () => client.close(),
    };
  },
};

export const generations: readonly Generation[] = [former, modern];
