import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Item } from '../../support/database/database.ts';
import type { World } from '../world/world.ts';
import { keyOf } from './committed.ts';

/** Maximum time until a late transaction becomes visible. */
const longestMs = secondMs;

/**
 * Transactions whose parts are not all visible yet. DynamoDB applies a transaction as a whole, but reads that are not
 * transactions may see it part by part, and another write of one of its items conflicts:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation
 */
export interface OpenTransactions {
  /** @param before the items as they were before the transaction, by their keys, in the order of its parts */
  begin(before: ReadonlyMap<string, Item | undefined>): void;
  /** Returns the time at which the latest change of the items becomes visible, in epoch milliseconds; 0 if all are visible. */
  visibleMs(keys: readonly string[]): number;
  /** The output of a read, with former items in place of those that are not visible yet. */
  shown(output: Item): Item;
}

export function createOpenTransactions(world: World): OpenTransactions {
  const hidden = new Map<string, { readonly before: Item | undefined; readonly untilMs: number }>();

  const shownItem = (item: Item): Item | undefined => {
    const former = hidden.get(keyOf(item));
    return former && former.untilMs > world.now() ? former.before : item;
  };
  const shownItems = (items: readonly Item[]) => items.flatMap((item) => shownItem(item) ?? []);

  return {
    begin(before) {
      if (!world.happens('transactionLate')) return;
      let untilMs = world.now();
      const times = Array.from(before, () => (untilMs += world.random.between(0, longestMs / before.size)));
      // The parts become visible in any order: here in theirs, from any of them on.
      const first = Math.floor(untilMs) % times.length;
      for (const [index, [key, item]] of [...before].entries())
        hidden.set(key, { before: item, untilMs: times[(index + first) % times.length] ?? untilMs });
      world.troubleUntil(untilMs, 'transactionLate', 'the table');
    },
    visibleMs: (keys) => Math.max(0, ...keys.map((key) => hidden.get(key)?.untilMs ?? 0)),
    shown(output) {
      if (hidden.size === 0) return output;
      const { Item: item, Items: items, Responses: responses } = output;
      return {
        ...output,
        ...(item !== undefined && { Item: shownItem(item as Item) }),
        ...(Array.isArray(items) && { Items: shownItems(items as Item[]) }),
        ...(isBatch(responses) && {
          Responses: Object.fromEntries(
            Object.entries(responses).map(([table, found]) => [table, shownItems(found)]),
          ),
        }),
      };
    },
  };
}

/** Returns true if these are the responses of a BatchGetItem. Those of a TransactGetItems are one snapshot. */
function isBatch(responses: unknown): responses is Record<string, Item[]> {
  return typeof responses === 'object' && responses !== null && !Array.isArray(responses);
}

/** The keys of the items that a request writes, or reads as a transaction. */
export function keysWrittenBy(operation: string, input: Item): string[] {
  switch (operation) {
    case 'UpdateItem':
    case 'DeleteItem':
      return [keyOf(input['Key'] as Item)];
    case 'PutItem':
      return [keyOf(input['Item'] as Item)];
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return (input['TransactItems'] as Record<string, Item>[]).flatMap((part) =>
        Object.values(part).map((one) => keyOf((one['Key'] ?? one['Item']) as Item)),
      );
    default:
      return [];
  }
}
