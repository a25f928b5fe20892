import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { EngineClient } from '@herald/local-cloud/engines/dynamodb/engine-client.ts';
import { metered } from '@herald/local-cloud/engines/dynamodb/metering.ts';
import type { ConsumedCapacity } from '@herald/local-cloud/engines/types.ts';

export interface Meter {
  readonly url: string;
  /** Returns the requests since the last call of `take`. */
  take(): ConsumedCapacity[];
  stop(): Promise<void>;
}

/** Starts a proxy in front of the engine that records the capacity each request consumed. */
export async function startMeter(engine: EngineClient): Promise<Meter> {
  const requests: ConsumedCapacity[] = [];
  const { forward } = metered(engine, (consumed) => requests.push(consumed));
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { 'x-amz-target': target, 'content-type': contentType } = request.headers;
    const answer = await forward(String(target), String(contentType), await buffer(request));
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    await pipeline(answer, response);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the meter has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    take: () => requests.splice(0),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
