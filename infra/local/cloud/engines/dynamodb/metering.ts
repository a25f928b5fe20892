/** Reports the capacity that DynamoDB requests consume. The engine computes it by AWS's rules. */

import type { ConsumedCapacity } from '../types.ts';
import type { EngineClient } from './engine-client.ts';

const readActions = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems']);

/** Wraps a client so that it reports what each forwarded request consumed, once the response has been read. */
export function metered(
  client: EngineClient,
  onConsumed: (consumed: ConsumedCapacity) => void,
): EngineClient {
  return {
    ...client,
    async forward(target, contentType, body) {
      const input: Record<string, unknown> = JSON.parse(body.toString('utf8'));
      const meteredBody = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }));
      const answer = await client.forward(target, contentType, meteredBody);
      const action = target.split('.').at(-1) ?? '';
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const output: Answer = JSON.parse(Buffer.concat(parts).toString('utf8'));
        const units = isRefusal(output) ? refusedUnits(output) : consumedUnits(output);
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
  /** The item whose condition failed, if the request asked for it. */
  readonly Item?: unknown;
}

/** `ConsumedCapacity` is one object, or a list if the operation can access several tables. */
function consumedUnits({ ConsumedCapacity }: Answer): number {
  const parts = [ConsumedCapacity ?? []].flat() as readonly { CapacityUnits?: number }[];
  return parts.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

const isRefusal = ({ __type = '' }: Answer): boolean => __type.endsWith('ConditionalCheckFailedException');

/** A write whose condition fails also costs capacity, depending on the item's size. The engine does not report it. */
function refusedUnits({ Item }: Answer): number {
  return Math.max(1, Math.ceil(byteLength(Item) / 1_024));
}

/** Approximates the size that DynamoDB counts: names and values, without the type names. */
function byteLength(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  const isTyped = (name: string) => /^(S|N|B|M|L|BOOL|NULL)$/.test(name);
  return Object.entries(value).reduce(
    (sum, [name, part]) => sum + (isTyped(name) ? 0 : name.length) + byteLength(part),
    0,
  );
}
