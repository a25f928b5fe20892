import type { Item } from './engine-table.ts';
import type { PlantedBug } from './service.ts';
import type { AlterRequest } from './table.ts';

/**
 * Bugs that are typical of services like this one, each planted in one place. A simulation that does not find them proves
 * nothing.
 */
export const plantedBugs = {
  'no intent is written before the last call': {
    alterRequest: onUpdate((input) => {
      const { ':status': status, ':calls': calls } = valuesOf(input);
      const isIntent = status === 'publishing' && JSON.stringify(calls)?.includes('"outcome":"open"');
      return isIntent
        ? without(input, 'UpdateExpression', ['#status = :status, ', '#calls = :calls, '])
        : input;
    }),
  },
  'an unknown outcome is retried without a lookup': {
    alterAdapter: (adapter) => ({
      ...adapter,
      lookUp: async ({ preparation }) => ({ state: 'absent', proof: 'none', preparation }),
    }),
  },
  'silence counts as proof of absence': {
    alterAdapter: (adapter) => ({
      ...adapter,
      lookUp: async (job, tools) => {
        const finding = await adapter.lookUp(job, tools);
        const isSilent = finding.state === 'unseen';
        return isSilent ? { state: 'absent', proof: 'none', preparation: job.preparation } : finding;
      },
    }),
  },
  'a worker that has lost its lease keeps writing': {
    alterRequest: onUpdate((input) =>
      isFenced(input) ? without(input, 'ConditionExpression', ['#attempt = :ifAttempt AND ']) : input,
    ),
  },
  'an adapter forgets the permalink of a live post': {
    alterAdapter: (adapter) => ({
      ...adapter,
      goLive: async (job, tools) => ({
        ...(await adapter.goLive(job, tools)),
        permalink: 'https://example.com',
      }),
      finish: async ({ live, preparation }) => ({
        state: 'waiting',
        post: { ...live, permalink: null },
        preparation,
        waitSeconds: 1,
      }),
    }),
  },
  'every run of a chain step creates a post': {
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

const isFenced = (input: Item) => valuesOf(input)[':ifAttempt'] !== undefined;

/**
 * Removes parts of an expression, and the names and values that no other part uses.
 *
 * @throws Error if a part is missing, because the bug would not be planted
 */
function without(input: Item, member: string, parts: readonly string[]): Item {
  let text = String(input[member]);
  for (const part of parts) {
    if (!text.includes(part)) throw new Error(`the bug is not planted: there is no ${part} in ${text}`);
    text = text.replace(part, '');
  }
  const { [member]: _replaced, ...others } = input;
  const altered: Item = { ...others, ...(text !== '' && { [member]: text }) };
  const used = new Set(`${altered['UpdateExpression']} ${altered['ConditionExpression']}`.match(/[#:]\w+/g));
  for (const placeholders of ['ExpressionAttributeNames', 'ExpressionAttributeValues']) {
    const entries = Object.entries(altered[placeholders] as Item);
    altered[placeholders] = Object.fromEntries(entries.filter(([name]) => used.has(name)));
  }
  return altered;
}

let made = 0;

/** Every run of a chain step creates a post with a new id, whether the step still waits or not. */
function withoutDeduplication(parts: readonly Item[]): readonly Item[] {
  const child = parts.map(({ Put }) => (Put as Item | undefined)?.['Item'] as Item | undefined);
  const post = child.find((item) => item?.['parentPostId'] !== undefined);
  if (!post) return parts;
  made += 1;
  const id = String(post['id']);
  const anotherId = id.slice(0, -8) + made.toString(16).padStart(8, '0');
  const text = JSON.stringify(parts).replaceAll(id, anotherId);
  return (JSON.parse(text) as { Update?: Item }[]).map((part) => {
    const condition = part.Update?.['ConditionExpression'];
    return part.Update && typeof condition === 'string'
      ? { Update: without(part.Update, 'ConditionExpression', [condition]) }
      : part;
  });
}
