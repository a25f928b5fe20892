import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * Fate of a call. `throttle`, `deny`, `fault`: it is refused and has no effect. `lose`: it takes effect, and the connection
 * breaks before the response. `fault-after`: it takes effect, and the response is a 500. `hang`: it has no effect and gets no
 * response. `garble`: it has no effect, and the response is not JSON.
 */
export type Fault = 'throttle' | 'deny' | 'fault' | 'lose' | 'fault-after' | 'hang' | 'garble';

export interface StagedEndpoint {
  readonly url: string;
  /** The names of the operations, in the order of arrival. */
  readonly calls: string[];
  /** Returns the number of connections that were opened. */
  readonly connections: () => number;
  /** Called for every call to the endpoint; `undefined` forwards it. */
  stage: (operation: string) => Fault | undefined;
  stop(): Promise<void>;
}

/** Starts a proxy in front of the database engine that injects the faults that `stage` returns. */
export async function startStagedEndpoint(engineUrl: string): Promise<StagedEndpoint> {
  const agent = new Agent({ keepAlive: true });
  const calls: string[] = [];
  let connections = 0;

  const forward = async ({ headers }: IncomingMessage, body: Buffer) => {
    const { hostname, port } = new URL(engineUrl);
    const passed = request({ hostname, port, method: 'POST', path: '/', headers, agent });
    passed.end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 502, body: await buffer(answer) };
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    calls.push(operation);
    const refuse = (status: number, type: string) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type }));
    };
    const fault = endpoint.stage(operation);
    if (fault === 'throttle') return refuse(400, 'ProvisionedThroughputExceededException');
    if (fault === 'deny') return refuse(400, 'AccessDeniedException');
    if (fault === 'fault') return refuse(500, 'InternalServerError');
    if (fault === 'hang') return;
    if (fault === 'garble') {
      response.end('<html>');
      return;
    }
    const passed = await forward(incoming, body);
    if (fault === 'lose') {
      response.destroy();
      return;
    }
    if (fault === 'fault-after') return refuse(500, 'InternalServerError');
    response.writeHead(passed.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(passed.body);
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 120_000;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint: StagedEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    connections: () => connections,
    stage: () => undefined,
    async stop() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
  return endpoint;
}
