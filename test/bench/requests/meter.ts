import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { EngineClient } from '../../../infra/local/engines/dynamodb/engine-client.ts';

/** One request to DynamoDB, and what it cost in request units. */
export interface MeteredRequest {
  /** Such as `GetItem`. */
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface Meter {
  readonly url: string;
  /** The requests since the last time it was asked. */
  take(): MeteredRequest[];
  stop(): Promise<void>;
}

const readActions = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);

/**
 * Stands between the service and the engine: asks for the consumed capacity of every request, in the service's place,
 * and keeps it.
 */
export async function startMeter(engine: EngineClient): Promise<Meter> {
  const requests: MeteredRequest[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const target = String(request.headers['x-amz-target']);
    const input: Record<string, unknown> = JSON.parse((await buffer(request)).toString('utf8'));
    const asked = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }));
    const answer = await engine.forward(target, String(request.headers['content-type']), asked);
    const body = await buffer(answer);
    const action = target.split('.').at(-1) ?? '';
    const units = consumedUnits(JSON.parse(body.toString('utf8')));
    const isRead = readActions.has(action);
    requests.push({ action, input, readUnits: isRead ? units : 0, writeUnits: isRead ? 0 : units });
    const contentType = answer.headers['content-type'];
    response
      .writeHead(answer.statusCode ?? 500, contentType ? { 'content-type': contentType } : {})
      .end(body);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
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

/** One figure for a table and its indexes, or a list of them where a request may concern several tables. */
function consumedUnits({ ConsumedCapacity }: { ConsumedCapacity?: unknown }): number {
  const parts = [ConsumedCapacity ?? []].flat() as readonly { CapacityUnits?: number }[];
  return parts.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
