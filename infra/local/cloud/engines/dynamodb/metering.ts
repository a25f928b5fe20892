/** Reports the capacity that DynamoDB requests consume, by table and index. The engine computes it by AWS's rules. */

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
    async forward(target, contentType, body, principalArn) {
      const input: Record<string, unknown> = JSON.parse(body.toString('utf8'));
      const meteredBody = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }));
      const answer = await client.forward(target, contentType, meteredBody);
      const action = target.split('.').at(-1) ?? '';
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const output: Answer = JSON.parse(Buffer.concat(parts).toString('utf8'));
        const { units, byIndex } = isRefusal(output)
          ? { units: refusedUnits(output), byIndex: {} }
          : consumedUnits(output);
        const isRead = readActions.has(action);
        onConsumed({
          action,
          input,
          ...(principalArn !== undefined && { principalArn }),
          readUnits: isRead ? units : 0,
          writeUnits: isRead ? 0 : units,
          byIndex,
        });
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

/** The consumption that DynamoDB reports for a request. */
interface Reported {
  readonly CapacityUnits?: number;
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
}

/** Returns the consumed units. `ConsumedCapacity` is one object, or a list if the operation can access several tables. */
function consumedUnits({ ConsumedCapacity }: Answer): {
  readonly units: number;
  readonly byIndex: Readonly<Record<string, number>>;
} {
  let units = 0;
  const byIndex: Record<string, number> = {};
  for (const part of [ConsumedCapacity ?? []].flat() as readonly Reported[]) {
    units += part.CapacityUnits ?? 0;
    for (const [name, index] of Object.entries(part.GlobalSecondaryIndexes ?? {}))
      byIndex[name] = (byIndex[name] ?? 0) + (index.CapacityUnits ?? 0);
  }
  return { units, byIndex };
}

const isRefusal = ({ __type = '' }: Answer): boolean => __type.endsWith('ConditionalCheckFailedException');

/** Returns the units of a refused write: it costs capacity too, depending on the item's size. The engine does not report it. */
function refusedUnits({ Item }: Answer): number {
  return Math.max(1, Math.ceil(byteLength(Item) / 1_024));
}

/** Approximates the size in bytes that DynamoDB counts: names and values, without the type names. */
export function byteLength(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  const isTyped = (name: string) => /^(S|N|B|M|L|BOOL|NULL)$/.test(name);
  return Object.entries(value).reduce(
    (sum, [name, part]) => sum + (isTyped(name) ? 0 : name.length) + byteLength(part),
    0,
  );
}
