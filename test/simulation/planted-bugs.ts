import type { Item } from './engine-table.ts';
import type { PlantedBug } from './service.ts';
import type { AlterRequest } from './table.ts';

/**
 * Bugs that services like this one are known for, each planted in one place. A simulation that does not find them
 * proves nothing.
 */
export const plantedBugs = {
  'no intent is written before the last call': {
    alterRequest: onUpdate((input) => {
      const isIntent = valuesOf(input)[':intentAt'] !== undefined;
      return isIntent ? withoutAssignments(input, ['status', 'intentAt']) : input;
    }),
  },
  'an unknown outcome is tried again without a question': {
    alterAdapter: (adapter) => ({
      ...adapter,
      reconcile: async ({ preparation }) => ({ state: 'absent', preparation }),
    }),
  },
  'a worker that lost its lease goes on writing': {
    alterRequest: onUpdate((input) => withoutCondition(input, 'attempt = :attempt AND ', ':attempt')),
  },
  'everyone who is told of a chain step makes a post of it': {
    alterRequest: (operation, input) => {
      const parts = input['TransactItems'];
      return operation === 'TransactWriteItems' && Array.isArray(parts)
        ? { ...input, TransactItems: withoutDeduplication(parts) }
        : input;
    },
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;

function onUpdate(alter: (input: Item) => Item): AlterRequest {
  return (operation, input) => (operation === 'UpdateItem' ? alter(input) : input);
}

const valuesOf = (input: Item) => (input['ExpressionAttributeValues'] ?? {}) as Item;

function withoutCondition(input: Item, part: string, value: string): Item {
  const { ConditionExpression: condition, ...rest } = input;
  if (typeof condition !== 'string' || !condition.includes(part)) return input;
  const left = condition.replace(part, '');
  const { [value]: _unused, ...values } = valuesOf(input);
  return { ...rest, ...(left !== '' && { ConditionExpression: left }), ExpressionAttributeValues: values };
}

/** `#status` is a name of the condition as well, so the names stay. */
function withoutAssignments(input: Item, fields: readonly string[]): Item {
  let expression = String(input['UpdateExpression']);
  const values = { ...valuesOf(input) };
  const names = { ...(input['ExpressionAttributeNames'] as Item) };
  for (const field of fields) {
    expression = expression.replace(`#${field} = :${field}, `, '');
    delete values[`:${field}`];
    delete names[`#${field}`];
  }
  return {
    ...input,
    UpdateExpression: expression,
    ExpressionAttributeValues: values,
    ExpressionAttributeNames: names,
  };
}

let made = 0;

/** Every run of a chain step writes a post with an id of its own, whether the step waits or not. */
function withoutDeduplication(parts: readonly Item[]): readonly Item[] {
  const child = parts.map(({ Put }) => (Put as Item | undefined)?.['Item'] as Item | undefined);
  const post = child.find((item) => item?.['parentPostId'] !== undefined);
  if (!post) return parts;
  made += 1;
  const id = String(post['id']);
  const anotherId = id.slice(0, -8) + made.toString(16).padStart(8, '0');
  const text = JSON.stringify(parts).replaceAll(id, anotherId);
  return (JSON.parse(text) as Item[]).map((part) =>
    part['Update']
      ? { Update: withoutCondition(part['Update'] as Item, stillWaits(part), ':waiting') }
      : part,
  );
}

const stillWaits = ({ Update }: Item): string => String((Update as Item)['ConditionExpression']);
