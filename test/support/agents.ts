import type { Agent, Generation } from '../contract/clients/agents.ts';
import { type Answer, type Call, publicBaseUrl, type RequestParts } from './api.ts';

/** Returns a `fetch` that sends requests to the function behind `/mcp`. Other methods are answered as `not-found` does. */
const fetchThrough =
  (call: Call): typeof fetch =>
  async (_input, init = {}) => {
    const method = init.method ?? 'GET';
    if (method !== 'POST') return new Response(null, { status: 405 });
    const headers = Object.fromEntries(new Headers(init.headers as Record<string, string>).entries());
    const answer = await call('mcp', { headers, rawBody: String(init.body) });
    const body = answer.text === '' ? null : answer.text;
    return new Response(body, { status: answer.status, headers: { ...answer.headers } });
  };

/** Connects an official client to the function. */
export const connectAgent = (
  { connect }: Generation,
  call: Call,
  apiKey: string,
  answer?: Parameters<Generation['connect']>[0]['answer'],
): Promise<Agent> =>
  connect({ url: `${publicBaseUrl}/mcp`, apiKey, fetch: fetchThrough(call), ...(answer && { answer }) });

/** Sends one message as a client of the handshake era does. */
export function rpc(
  call: Call,
  apiKey: string | undefined,
  method: string,
  params: object = {},
  parts: RequestParts = {},
): Promise<Answer> {
  return call('mcp', {
    ...(apiKey !== undefined && { apiKey }),
    body: { jsonrpc: '2.0', id: 1, method, params },
    ...parts,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...parts.headers,
    },
  });
}
