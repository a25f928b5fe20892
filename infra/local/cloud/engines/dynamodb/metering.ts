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
        const told: Answer = JSON.parse(Buffer.concat(parts).toString('utf8'));
        const units = isRefusal(told) ? refusedUnits(told) : consumedUnits(told);
        const isRead = readActions.has(action);
        onConsumed({ action, input, readUnits: isRead ? units : 0, writeUnits: isRead ? 0 : units });
      });
      return answer;
    },
  };
}

interface Answer {
  readonly ConsumedCapacity?: unknown;
  readonly __type?: string;
  /** The item whose condition failed, where it was asked for. */
  readonly Item?: unknown;
}

/** One figure for a table and its indexes, or a list of them where a request may concern several tables. */
function consumedUnits({ ConsumedCapacity }: Answer): number {
  const parts = [ConsumedCapacity ?? []].flat() as readonly { CapacityUnits?: number }[];
  return parts.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

const isRefusal = ({ __type = '' }: Answer): boolean => __type.endsWith('ConditionalCheckFailedException');

/** A write whose condition fails is paid for as well, by the size of the item; the engine does not tell. */
function refusedUnits({ Item }: Answer): number {
  return Math.max(1, Math.ceil(byteLength(Item) / 1_024));
}

/** About what DynamoDB counts: names and values, without the names of their types. */
function byteLength(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  const isTyped = (name: string) => /^(S|N|B|M|L|BOOL|NULL)$/.test(name);
  return Object.entries(value).reduce(
    (sum, [name, part]) => sum + (isTyped(name) ? 0 : name.length) + byteLength(part),
    0,
  );
}
