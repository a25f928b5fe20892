/**
 * Every key of the table, built here and nowhere else. Times are ISO 8601 and ids are UUID version 7, so that text
 * order is the order we mean.
 *
 * | item               | pk                        | sk                       |
 * |--------------------|---------------------------|--------------------------|
 * | workspace          | WORKSPACE#<id>            | WORKSPACE                |
 * | directory entry    | DIRECTORY                 | WORKSPACE#<id>           |
 * | key, listed        | WORKSPACE#<id>            | KEY#<key id>             |
 * | key, by digest     | KEY#<digest>              | KEY                      |
 * | account            | WORKSPACE#<id>            | ACCOUNT#<account id>     |
 * | account's tokens   | WORKSPACE#<id>            | TOKENS#<account id>      |
 * | connection begun   | CONNECTION#<state digest> | CONNECTION               |
 * | choice of accounts | CHOICE#<token digest>     | CHOICE                   |
 * | who has an account | PLATFORM#<platform>#<its id there> | ACCOUNT#<workspace>#<account> |
 * | who came by a login | LOGIN#<platform>#<its id there> | ACCOUNT#<workspace>#<account> |
 * | post               | POST#<workspace>#<post>   | POST                     |
 * | target             | POST#<workspace>#<post>   | TARGET#<account id>      |
 * | planned time       | CALENDAR#<workspace>#<account> | <time>#<post>       |
 * | calendar's version | CALENDAR#<workspace>#<account> | VERSION             |
 * | rhythm of a key    | CALENDAR#<workspace>#<account> | RHYTHM#<key id>     |
 * | live post          | LIVE#<workspace>#<account> | LIVE#<platform post id> |
 * | idempotency record | IDEMPOTENCY#<workspace>#<digest> | IDEMPOTENCY       |
 * | media              | MEDIA#<workspace>         | <media id>               |
 * | address counter    | RATE#<address>#<minute>   | RATE                     |
 * | webhook endpoint   | WORKSPACE#<id>            | WEBHOOK#<webhook id>     |
 * | endpoint's URL     | WORKSPACE#<id>            | WEBHOOK-URL#<digest>     |
 * | event              | EVENT#<workspace>#<event> | EVENT                    |
 * | delivery           | DELIVERIES#<workspace>#<webhook> | <delivery id>     |
 */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** What an item is: every item carries its kind, and the stream's filter goes by it. */
export type ItemKind =
  | 'workspace'
  | 'directoryEntry'
  | 'workspaceKey'
  | 'key'
  | 'account'
  | 'tokens'
  | 'connection'
  | 'choice'
  | 'connectedAccount'
  | 'connectedLogin'
  | 'post'
  | 'target'
  | 'calendarEntry'
  | 'calendarVersion'
  | 'rhythm'
  | 'livePost'
  | 'idempotency'
  | 'media'
  | 'rate'
  | 'webhook'
  | 'webhookUrl'
  | 'webhookEvent'
  | 'delivery';

export const workspaceKey = (workspaceId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: 'WORKSPACE',
});
export const directoryKey = (workspaceId: string): Key => ({
  pk: 'DIRECTORY',
  sk: `WORKSPACE#${workspaceId}`,
});
export const directoryPartition = 'DIRECTORY';

export const listedKeyPrefix = 'KEY#';
export const listedKeyKey = (workspaceId: string, keyId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `${listedKeyPrefix}${keyId}`,
});
export const keyDigestKey = (digest: string): Key => ({ pk: `KEY#${digest}`, sk: 'KEY' });

export const accountPrefix = 'ACCOUNT#';
export const accountKey = (workspaceId: string, accountId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `${accountPrefix}${accountId}`,
});
export const tokensKey = (workspaceId: string, accountId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `TOKENS#${accountId}`,
});
export const connectionKey = (stateDigest: string): Key => ({
  pk: `CONNECTION#${stateDigest}`,
  sk: 'CONNECTION',
});
export const choiceKey = (tokenDigest: string): Key => ({ pk: `CHOICE#${tokenDigest}`, sk: 'CHOICE' });

/** A platform's account may be connected in several workspaces: all of them are found in one partition. */
export const platformAccountPartition = (platform: string, platformAccountId: string) =>
  `PLATFORM#${platform}#${platformAccountId}`;
export const connectedAccountKey = (account: {
  readonly platform: string;
  readonly platformAccountId: string;
  readonly workspaceId: string;
  readonly id: string;
}): Key => ({
  pk: platformAccountPartition(account.platform, account.platformAccountId),
  sk: `ACCOUNT#${account.workspaceId}#${account.id}`,
});

/** One login may carry several accounts, whose authorization ends for all of them at once. */
export const loginPartition = (platform: string, loginId: string) => `LOGIN#${platform}#${loginId}`;
export const connectedLoginKey = (
  account: { readonly platform: string; readonly workspaceId: string; readonly id: string },
  loginId: string,
): Key => ({
  pk: loginPartition(account.platform, loginId),
  sk: `ACCOUNT#${account.workspaceId}#${account.id}`,
});

/** A post and its targets share a partition: one query reads them together. */
const postPartition = (workspaceId: string, postId: string) => `POST#${workspaceId}#${postId}`;
export const postKey = (workspaceId: string, postId: string): Key => ({
  pk: postPartition(workspaceId, postId),
  sk: 'POST',
});
export const targetPrefix = 'TARGET#';
export const targetKey = (workspaceId: string, postId: string, accountId: string): Key => ({
  pk: postPartition(workspaceId, postId),
  sk: `${targetPrefix}${accountId}`,
});
/** What is planned on a channel, by its times, and what automatic slots on it go by. */
export const calendarPartition = (workspaceId: string, accountId: string) =>
  `CALENDAR#${workspaceId}#${accountId}`;
export const calendarEntryKey = (entry: {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly postId: string;
  /** As a timestamp: its text order is its time order. */
  readonly scheduledFor: string;
}): Key => ({
  pk: calendarPartition(entry.workspaceId, entry.accountId),
  sk: `${entry.scheduledFor}#${entry.postId}`,
});
/** Sorts after every entry and before everything else in the partition. */
export const afterCalendarEntries = ':';
export const calendarVersionKey = (workspaceId: string, accountId: string): Key => ({
  pk: calendarPartition(workspaceId, accountId),
  sk: 'VERSION',
});
export const rhythmKey = (workspaceId: string, accountId: string, keyId: string): Key => ({
  pk: calendarPartition(workspaceId, accountId),
  sk: `RHYTHM#${keyId}`,
});

/** By its id at the platform: which of a workspace's posts is this? */
export const livePostKey = (workspaceId: string, accountId: string, platformPostId: string): Key => ({
  pk: `LIVE#${workspaceId}#${accountId}`,
  sk: `LIVE#${platformPostId}`,
});

export const idempotencyKey = (workspaceId: string, digest: string): Key => ({
  pk: `IDEMPOTENCY#${workspaceId}#${digest}`,
  sk: 'IDEMPOTENCY',
});

export const mediaPartition = (workspaceId: string) => `MEDIA#${workspaceId}`;
export const mediaKey = (workspaceId: string, mediaId: string): Key => ({
  pk: mediaPartition(workspaceId),
  sk: mediaId,
});

export const rateKey = (address: string, minute: number): Key => ({
  pk: `RATE#${address}#${minute}`,
  sk: 'RATE',
});

export const webhookPrefix = 'WEBHOOK#';
export const webhookKey = (workspaceId: string, webhookId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `${webhookPrefix}${webhookId}`,
});
/** Holds the URL for one endpoint of the workspace. */
export const webhookUrlKey = (workspaceId: string, urlDigest: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `WEBHOOK-URL#${urlDigest}`,
});
export const webhookEventKey = (workspaceId: string, eventId: string): Key => ({
  pk: `EVENT#${workspaceId}#${eventId}`,
  sk: 'EVENT',
});
/** An endpoint's deliveries, by the time that their ids begin with. */
export const deliveriesPartition = (workspaceId: string, webhookId: string) =>
  `DELIVERIES#${workspaceId}#${webhookId}`;
export const deliveryKey = (delivery: {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly id: string;
}): Key => ({ pk: deliveriesPartition(delivery.workspaceId, delivery.webhookId), sk: delivery.id });

/** Keys of the index `posts-newest-first` and, beside the status, of `posts-by-status`. */
export const workspaceList = (workspaceId: string) => `WORKSPACE#${workspaceId}`;
export const statusList = (workspaceId: string, status: string) => `WORKSPACE#${workspaceId}#${status}`;
export const accountList = (workspaceId: string, accountId: string) => `ACCOUNT#${workspaceId}#${accountId}`;

/** How many partitions the index of what is due is spread over: each takes 1,000 writes a second. */
export const dueShardCount = 8;

/**
 * The shard that a waiting item is found in: the same item always in the same one.
 *
 * @param id a UUID; its last digits are random
 */
export const dueShard = (id: string) => `DUE#${Number.parseInt(id.slice(-4), 16) % dueShardCount}`;
export const allDueShards = Array.from({ length: dueShardCount }, (_, shard) => `DUE#${shard}`);
/** Deliveries wait in shards of their own: however many there are, what has to be published is found as fast. */
export const deliveryShard = (id: string) =>
  `DELIVERY-DUE#${Number.parseInt(id.slice(-4), 16) % dueShardCount}`;
export const allDeliveryShards = Array.from({ length: dueShardCount }, (_, shard) => `DELIVERY-DUE#${shard}`);
