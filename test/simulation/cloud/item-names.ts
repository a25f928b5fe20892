import type { Item } from '../../support/database/database.ts';

/** Names of items, by the first part of their sort key or, if that has no name, of their partition key. */
const nouns: Readonly<Record<string, string>> = {
  ANSWER: 'awaited answer',
  'APP-DAY': 'place in a day',
  AUDIT: 'audit entry',
  AUTOMATION: 'automation',
  AUTOMATIONS: 'automation',
  CALENDAR: 'calendar entry',
  CHORE: 'repair task',
  COMMENT: 'comment',
  COUNTS: 'counts of an automation',
  DELIVERIES: 'delivery',
  EVENT: 'webhook event',
  FEED: 'place in an event feed',
  HEAD: 'end of an event feed',
  IDEMPOTENCY: 'idempotency record',
  LIVE: 'live post',
  MEDIA: 'file',
  MESSAGE: 'message',
  PERSON: 'message to a person',
  REPLAY: 'replay',
  REPLY: 'reply to a comment',
  USES: 'use of a file',
  VERSION: 'version of a calendar',
  WEBHOOK: 'webhook',
};

/** Returns the name of an item in a story, by its key: `the target of <post> on <account>`. */
export function itemName(key: Item): string {
  const partition = String(key['pk']).split('#');
  const sort = String(key['sk']).split('#');
  const [, workspace, post] = partition;
  switch (sort[0]) {
    case 'TARGET':
      return `the target of ${post} on ${sort[1]}`;
    case 'POST':
      return `the post ${post}`;
    case 'ACCOUNT':
      return partition[0] === 'WORKSPACE' ? `the account ${sort[1]}` : `the link to ${sort.at(-1)}`;
    case 'TOKENS':
      return `the tokens of ${sort[1]}`;
    case 'WORKSPACE':
      return `the workspace ${sort[1] ?? workspace}`;
  }
  const name = [sort[0], partition[0]].find((part) => part !== undefined && part in nouns) ?? '';
  return `the ${nouns[name] ?? String(partition[0]).toLowerCase()}`;
}

/** More items are counted instead of named. */
const mostNamed = 4;

const verbs: Readonly<Record<string, string>> = {
  GetItem: 'reads',
  UpdateItem: 'updates',
  PutItem: 'writes',
  Delete: 'deletes',
  DeleteItem: 'deletes',
  ConditionCheck: 'checks',
};

/** A request to the table in words: `updates the target of <post> on <account>`. */
export function requestText(operation: string, input: Item): string {
  const key = (input['Key'] ?? input['Item']) as Item | undefined;
  if (key) return `${verbs[operation] ?? operation} ${itemName(key)}`;
  const values = input['ExpressionAttributeValues'] as Item | undefined;
  if (operation === 'Query')
    return input['IndexName'] === undefined
      ? `reads all items of ${itemName({ pk: values?.[':partition'], sk: '' }).replace(/^the /, 'a ')}`
      : `reads the index ${input['IndexName']}`;
  const parts = operation.startsWith('Transact')
    ? (input['TransactItems'] as Record<string, Item>[]).flatMap((part) => Object.entries(part))
    : [];
  const texts = parts.length > 0 ? parts.map(partText) : keysOf(input).map(itemName);
  const shown = texts.slice(0, mostNamed).join(', ');
  const rest = texts.length > mostNamed ? ` and ${texts.length - mostNamed} more` : '';
  const verb = operation.includes('Write') ? 'writes' : 'reads';
  return `${verb}${parts.length > 0 ? ' together:' : ''} ${shown}${rest}`;
}

/** A part of a transaction. Most parts write or read, so these are only named. */
function partText([kind, part]: readonly [string, Item]): string {
  const name = itemName((part['Key'] ?? part['Item']) as Item);
  return kind === 'Delete' || kind === 'ConditionCheck' ? `${verbs[kind]} ${name}` : name;
}

/** The keys of a batch. */
function keysOf({ RequestItems: requests }: Item): Item[] {
  return Object.values(requests as Record<string, { Keys: Item[] } | Record<string, Item>[]>).flatMap(
    (asked) =>
      Array.isArray(asked)
        ? asked.map(
            ({ PutRequest, DeleteRequest }) => (PutRequest?.['Item'] ?? DeleteRequest?.['Key']) as Item,
          )
        : asked.Keys,
  );
}
