/** What requests to DynamoDB cost, by the engine's own account, which follows AWS's rules. */

import type { ConsumedCapacity } from '../types.ts';
import type { EngineClient } from './engine-client.ts';

const readActions = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);

/** The same client, which asks what each forwarded request consumed and tells it once the answer has been read. */
export function metered(
  client: EngineClient,
  onConsumed: (consumed: ConsumedCapacity) => void,
): EngineClient {
  return {
    ...client,
    async forward(target, contentType, body) {
      const input: Record<string, unknown> = JSON.parse(body.toString('utf8'));
      const asking = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }));
      const answer = await client.forward(target, contentType, asking);
      const action = target.split('.').at(-1) ?? '';
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const units = consumedUnits(JSON.parse(Buffer.concat(parts).toString('utf8')));
        const isRead = readActions.has(action);
        onConsumed({ action, input, readUnits: isRead ? units : 0, writeUnits: isRead ? 0 : units });
      });
      return answer;
    },
  };
}

/** One figure for a table and its indexes, or a list of them where a request may concern several tables. */
function consumedUnits({ ConsumedCapacity }: { ConsumedCapacity?: unknown }): number {
  const parts = [ConsumedCapacity ?? []].flat() as readonly { CapacityUnits?: number }[];
  return parts.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
