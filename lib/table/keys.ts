/**
 * Every key of the table. Keys are built here and nowhere else. Times are ISO 8601 and ids are UUID version 7, so that
 * text order is time order.
 *
 * | item               | pk                        | sk                       |
 * |--------------------|---------------------------|--------------------------|
 * | workspace          | WORKSPACE#<id>            | WORKSPACE                |
 * | directory entry    | DIRECTORY                 | WORKSPACE#<id>           |
 * | name of what it owns | OWNED#<workspace>       | <partition>              |
 * | API key, in list   | WORKSPACE#<id>            | KEY#<key id>             |
 * | API key, by digest | KEY#<digest>              | KEY                      |
 * | API key's last use | KEY-USE#<key id>       | KEY-USE                  |
 * | codes and tokens of a grant | GRANT#<key id> | GRANT                    |
 * | audit entry        | AUDIT#<workspace>         | <entry id>               |
 * | member             | MEMBERS#<workspace>       | MEMBER#<member id>       |
 * | numbers of members | MEMBERS#<workspace>       | COUNTS                   |
 * | membership         | PERSON#<person>           | WORKSPACE#<workspace>    |
 * | session, in list   | PERSON#<person>           | SESSION#<session id>     |
 * | invitation         | INVITED#<address digest>  | WORKSPACE#<workspace>    |
 * | pending sign in    | SIGN-IN#<cookie digest>   | SIGN-IN                  |
 * | session            | SESSION#<cookie digest>   | SESSION                  |
 * | session's refresh token | SESSION#<cookie digest> | GRANT                |
 * | session's last use | SESSION-USE#<cookie digest> | SESSION-USE            |
 * | account            | WORKSPACE#<id>            | ACCOUNT#<account id>     |
 * | account's tokens   | WORKSPACE#<id>            | TOKENS#<account id>      |
 * | tags               | WORKSPACE#<id>            | TAGS                     |
 * | saved text         | WORKSPACE#<id>            | SNIPPET#<snippet id>     |
 * | attempt to connect | CONNECTION#<state digest> | CONNECTION               |
 * | account, by platform id | PLATFORM#<platform>#<its id there> | ACCOUNT#<workspace>#<account> |
 * | account, by login  | LOGIN#<platform>#<its id there> | ACCOUNT#<workspace>#<account> |
 * | post               | POST#<workspace>#<post>   | POST                     |
 * | target             | POST#<workspace>#<post>   | TARGET#<account id>      |
 * | calendar entry     | CALENDAR#<workspace>#<account> | <time>#<post>       |
 * | calendar's version | CALENDAR#<workspace>#<account> | VERSION             |
 * | rhythm             | CALENDAR#<workspace>#<account> | RHYTHM#<key id, or `panel`> |
 * | place in an app's day | APP-DAY#<platform>#<day> | <workspace>#<post>#<account> |
 * | live post          | LIVE#<platform>#<its id there> | LIVE                |
 * | idempotency record | IDEMPOTENCY#<workspace>#<digest> | IDEMPOTENCY       |
 * | post, by external id | EXTERNAL#<workspace>#<digest> | POST#<post id> |
 * | claimed external id | EXTERNAL#<workspace>#<digest> | UNIQUE          |
 * | media              | MEDIA#<workspace>         | <media id>               |
 * | file's use by a post | USES#<workspace>#<media> | <post id>               |
 * | rendition          | RENDITIONS#<workspace>#<media> | <rendition id>     |
 * | request counter    | RATE#<counter>#<minute>   | RATE                     |
 * | repair task        | CHORE#<digest>            | CHORE                    |
 * | webhook endpoint   | WORKSPACE#<id>            | WEBHOOK#<webhook id>     |
 * | endpoint's URL     | WORKSPACE#<id>            | WEBHOOK-URL#<digest>     |
 * | event              | EVENT#<workspace>#<event> | EVENT                    |
 * | delivery           | DELIVERIES#<workspace>#<webhook> | <delivery id>     |
 * | end of the event feed | FEED-HEAD#<workspace>  | HEAD                     |
 * | place in the event feed | FEED#<workspace>#<bucket> | <sequence>          |
 * | replay             | REPLAY#<workspace>#<webhook> | REPLAY                |
 * | automation         | AUTOMATIONS#<workspace>   | <automation id>          |
 * | posts' automation  | AUTOMATION-POST#<workspace>#<account> | <platform post id, or another name> |
 * | time of a post     | AUTOMATION-POST#<workspace>#<account> | TIME#<platform post id> |
 * | automation's counts | AUTOMATION#<automation>  | COUNTS#<shard>           |
 * | reply to a comment | AUTOMATION#<automation>   | REPLY#<comment id>       |
 * | message to a person | AUTOMATION#<automation>  | PERSON#<person id>       |
 * | inbound comment    | INBOUND#<workspace>#<account> | COMMENT#<comment id> |
 * | inbound message    | INBOUND#<workspace>#<account> | MESSAGE#<message id> |
 * | awaited answer     | INBOUND#<workspace>#<account> | ANSWER#<person id>   |
 * | action that waits  | INBOUND#<workspace>#<account> | WAIT#<cause>#<automation>#<digest> |
 * | cap of private replies | PRIVATE-REPLIES#<platform>#<its id there> | CAP |
 * | claim of what was sent | SENT#<digest>         | SENT                     |
 * | tracked link       | LINK#<code>               | LINK                     |
 * | clicks of a link   | CLICKS#<code>             | <day>#<shard>            |
 * | punctuality of a day | PUNCTUALITY#<workspace> | <day>#<platform>#0 |
 * | numbers of a post  | NUMBERS#<workspace>#<month> | <time>#<post>#<account> |
 * | best posts of a month | NUMBERS#<workspace>#<month> | BEST                |
 * | numbers of an account's day | ACCOUNT-NUMBERS#<workspace>#<account> | <day> |
 * | progress of reading numbers | NUMBERS-PROGRESS | <age, or `ACCOUNTS`>      |
 * | pause              | PAUSE#<scope>             | PAUSE                    |
 * | pause, in list     | PAUSES                    | <scope>                  |
 * | withdrawal         | WITHDRAWAL#<code digest>  | WITHDRAWAL               |
 * | notice of a version's end | WORKSPACE#<id>     | VERSION-NOTICE#<platform>#<version> |
 * | walk of these notices | VERSIONS               | <platform>#<version>     |
 * | watch of platforms | WATCH                     | WATCH                    |
 * | data key of a period | SEALING-KEYS          | <first day>              |
 * | post at risk       | RISKS#<workspace>         | POST#<post>              |
 * | check of posts to do | RISKS#<workspace>       | CHECK#<subject>          |
 * | question about an account | RISKS#<workspace>  | ASKED#<account id>       |
 * | place of the checks in a shard | STAGE-RISKS   | AHEAD#<minutes>#<shard>  |
 * | words of a post    | SEARCH#<workspace>        | <post>                   |
 * | post, by a word    | WORDS#<workspace>#c       | <first letters>#<post>   |
 */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The kind of an item. Every item stores it, and the stream's filter uses it. */
export type ItemKind =
  | 'workspace'
  | 'directoryEntry'
  | 'ownedName'
  | 'workspaceKey'
  | 'key'
  | 'keyUse'
  | 'grant'
  | 'auditEntry'
  | 'member'
  | 'memberCounts'
  | 'membership'
  | 'listedSession'
  | 'invitation'
  | 'signIn'
  | 'session'
  | 'sessionGrant'
  | 'sessionUse'
  | 'account'
  | 'tokens'
  | 'tags'
  | 'snippet'
  | 'connection'
  | 'connectedAccount'
  | 'connectedLogin'
  | 'post'
  | 'target'
  | 'calendarEntry'
  | 'calendarVersion'
  | 'rhythm'
  | 'dayPlace'
  | 'livePost'
  | 'idempotency'
  | 'externalId'
  | 'claimedExternalId'
  | 'media'
  | 'mediaUse'
  | 'rendition'
  | 'rate'
  | 'chore'
  | 'webhook'
  | 'webhookUrl'
  | 'webhookEvent'
  | 'delivery'
  | 'feedHead'
  | 'feedPlace'
  | 'replay'
  | 'automation'
  | 'automationPost'
  | 'postTime'
  | 'automationCounts'
  | 'automationReply'
  | 'automationMessage'
  | 'inboundComment'
  | 'inboundMessage'
  | 'awaitedAnswer'
  | 'waitingAction'
  | 'privateReplyCap'
  | 'sentClaim'
  | 'link'
  | 'clicks'
  | 'punctuality'
  | 'postNumbers'
  | 'bestPosts'
  | 'accountNumbers'
  | 'numbersProgress'
  | 'pause'
  | 'listedPause'
  | 'withdrawal'
  | 'versionNotice'
  | 'versionWalk'
  | 'watch'
  | 'postAtRisk'
  | 'riskCheck'
  | 'askedAccount'
  | 'riskWindow'
  | 'sealingKey'
  | 'searchedPost'
  | 'postWord';

export const workspaceKey = (workspaceId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: 'WORKSPACE',
});
export const snippetPrefix = 'SNIPPET#';
export const snippetKey = (workspaceId: string, snippetId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `${snippetPrefix}${snippetId}`,
});
/** Returns the key of the item with all tags of a workspace. */
export const tagsKey = (workspaceId: string): Key => ({ pk: `WORKSPACE#${workspaceId}`, sk: 'TAGS' });
export const directoryKey = (workspaceId: string): Key => ({
  pk: 'DIRECTORY',
  sk: `WORKSPACE#${workspaceId}`,
});
export const directoryPartition = 'DIRECTORY';

/**
 * Returns the partition with the names of partitions that belong to a workspace although their keys do not name it. Each name is
 * written together with the partition's first item and kept for the life of the workspace, so that its erasure finds the
 * partition.
 */
export const ownedPartition = (workspaceId: string) => `OWNED#${workspaceId}`;
export const ownedNameKey = (workspaceId: string, partition: string): Key => ({
  pk: ownedPartition(workspaceId),
  sk: partition,
});

export const listedKeyPrefix = 'KEY#';
export const listedKeyKey = (workspaceId: string, keyId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `${listedKeyPrefix}${keyId}`,
});
export const keyDigestKey = (digest: string): Key => ({ pk: `KEY#${digest}`, sk: 'KEY' });

/** Returns the key of a key's last use. It is not in the workspace's partition, because every function of the API writes it. */
export const keyUseKey = (keyId: string): Key => ({ pk: `KEY-USE#${keyId}`, sk: 'KEY-USE' });

/** Returns the key of the codes and tokens of a grant. They are not in the key's partition, because the token endpoint writes them. */
export const grantKey = (keyId: string): Key => ({ pk: `GRANT#${keyId}`, sk: 'GRANT' });

export const memberPrefix = 'MEMBER#';
export const membersPartition = (workspaceId: string) => `MEMBERS#${workspaceId}`;
export const memberKey = (workspaceId: string, memberId: string): Key => ({
  pk: membersPartition(workspaceId),
  sk: `${memberPrefix}${memberId}`,
});
export const memberCountsKey = (workspaceId: string): Key => ({
  pk: membersPartition(workspaceId),
  sk: 'COUNTS',
});

/** Returns the partition of a person's workspaces and sessions. */
export const personPartition = (personId: string) => `PERSON#${personId}`;
export const membershipPrefix = 'WORKSPACE#';
export const membershipKey = (personId: string, workspaceId: string): Key => ({
  pk: personPartition(personId),
  sk: `${membershipPrefix}${workspaceId}`,
});
export const listedSessionPrefix = 'SESSION#';
export const listedSessionKey = (personId: string, sessionId: string): Key => ({
  pk: personPartition(personId),
  sk: `${listedSessionPrefix}${sessionId}`,
});

export const invitedPartition = (addressDigest: string) => `INVITED#${addressDigest}`;
export const invitationKey = (addressDigest: string, workspaceId: string): Key => ({
  pk: invitedPartition(addressDigest),
  sk: `WORKSPACE#${workspaceId}`,
});

export const signInKey = (cookieDigest: string): Key => ({ pk: `SIGN-IN#${cookieDigest}`, sk: 'SIGN-IN' });
export const sessionKey = (cookieDigest: string): Key => ({ pk: `SESSION#${cookieDigest}`, sk: 'SESSION' });
export const sessionGrantKey = (cookieDigest: string): Key => ({
  pk: `SESSION#${cookieDigest}`,
  sk: 'GRANT',
});
/**
 * Returns the key of a session's last use. It is not in the session's partition, because every function of the API writes it, and
 * none of them may create a session.
 */
export const sessionUseKey = (cookieDigest: string): Key => ({
  pk: `SESSION-USE#${cookieDigest}`,
  sk: 'SESSION-USE',
});

/** Returns the partition of a workspace's audit log, in order of time: the ids begin with the time. */
export const auditPartition = (workspaceId: string) => `AUDIT#${workspaceId}`;
export const auditEntryKey = (workspaceId: string, entryId: string): Key => ({
  pk: auditPartition(workspaceId),
  sk: entryId,
});

export const accountPrefix = 'ACCOUNT#';
export const accountKey = (workspaceId: string, accountId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `${accountPrefix}${accountId}`,
});
const tokensPrefix = 'TOKENS#';
export const tokensKey = (workspaceId: string, accountId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `${tokensPrefix}${accountId}`,
});
/** Returns the account to which these tokens belong. */
export function accountOfTokens({ pk, sk }: Key): { workspaceId: string; id: string } {
  return { workspaceId: pk.slice('WORKSPACE#'.length), id: sk.slice(tokensPrefix.length) };
}
export const connectionKey = (stateDigest: string): Key => ({
  pk: `CONNECTION#${stateDigest}`,
  sk: 'CONNECTION',
});

/** Returns the partition of a platform account's connections. The account may be connected in several workspaces. */
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

/**
 * Returns the partition of a login's accounts. A login may give access to several; if its authorization ends, it ends for all.
 */
export const loginPartition = (platform: string, loginId: string) => `LOGIN#${platform}#${loginId}`;
export const connectedLoginKey = (
  account: { readonly platform: string; readonly workspaceId: string; readonly id: string },
  loginId: string,
): Key => ({
  pk: loginPartition(account.platform, loginId),
  sk: `ACCOUNT#${account.workspaceId}#${account.id}`,
});

/** Returns the partition that a post and its targets share, so that one query reads them together. */
export const postPartition = (workspaceId: string, postId: string) => `POST#${workspaceId}#${postId}`;
/** Returns the id in the partition key of a post. */
export const postIdOf = (partition: string) => partition.split('#')[2] ?? '';
export const postKey = (workspaceId: string, postId: string): Key => ({
  pk: postPartition(workspaceId, postId),
  sk: 'POST',
});
export const targetPrefix = 'TARGET#';
export const targetKey = (workspaceId: string, postId: string, accountId: string): Key => ({
  pk: postPartition(workspaceId, postId),
  sk: `${targetPrefix}${accountId}`,
});
/**
 * Returns the partition of an account's planned posts in order of time, with the rhythms and version that automatic slots use.
 */
export const calendarPartition = (workspaceId: string, accountId: string) =>
  `CALENDAR#${workspaceId}#${accountId}`;
export const calendarEntryKey = (entry: {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly postId: string;
  /** A timestamp, whose text order is its time order. */
  readonly scheduledFor: string;
}): Key => ({
  pk: calendarPartition(entry.workspaceId, entry.accountId),
  sk: `${entry.scheduledFor}#${entry.postId}`,
});
/** A sort key after every entry and before everything else in the partition. */
export const afterCalendarEntries = ':';
export const calendarVersionKey = (workspaceId: string, accountId: string): Key => ({
  pk: calendarPartition(workspaceId, accountId),
  sk: 'VERSION',
});
export const rhythmPrefix = 'RHYTHM#';
export const rhythmKey = (workspaceId: string, accountId: string, owner: string): Key => ({
  pk: calendarPartition(workspaceId, accountId),
  sk: `${rhythmPrefix}${owner}`,
});

/** Returns the partition of the targets that count towards a platform's limit per app and day, by workspace and age. */
export const dayPartition = (platform: string, day: string) => `APP-DAY#${platform}#${day}`;
export const dayPlacePrefix = (workspaceId: string) => `${workspaceId}#`;
/** Returns a sort key after every place of the workspace and before those of the next one. */
export const afterDayPlaces = (workspaceId: string) => `${workspaceId}#~`;
/** @param day the day as `YYYY-MM-DD`, in the limit's time zone */
export const dayPlaceKey = (
  target: {
    readonly platform: string;
    readonly workspaceId: string;
    readonly postId: string;
    readonly accountId: string;
  },
  day: string,
): Key => ({
  pk: dayPartition(target.platform, day),
  sk: `${dayPlacePrefix(target.workspaceId)}${target.postId}#${target.accountId}`,
});

/** Returns the key that finds the post, of whatever workspace, that has an id at a platform. */
export const livePostKey = (platform: string, platformPostId: string): Key => ({
  pk: `LIVE#${platform}#${platformPostId}`,
  sk: 'LIVE',
});
export const formerLivePostsPartition = (workspaceId: string, accountId: string) =>
  `LIVE#${workspaceId}#${accountId}`;
/** Returns the key under which an earlier release stored a workspace's post by its id at the platform. */
export const formerKeyOfLivePost = (workspaceId: string, accountId: string, platformPostId: string): Key => ({
  pk: formerLivePostsPartition(workspaceId, accountId),
  sk: `LIVE#${platformPostId}`,
});

export const idempotencyKey = (workspaceId: string, digest: string): Key => ({
  pk: `IDEMPOTENCY#${workspaceId}#${digest}`,
  sk: 'IDEMPOTENCY',
});

const externalIdPartition = (workspaceId: string, digest: string) => `EXTERNAL#${workspaceId}#${digest}`;
export const externalIdPrefix = 'POST#';
/**
 * Returns the key that finds a post by its external id. The posts of an external id are in the order of their creation.
 *
 * @param digest the digest of the external id
 */
export const externalIdKey = (workspaceId: string, digest: string, postId: string): Key => ({
  pk: externalIdPartition(workspaceId, digest),
  sk: `${externalIdPrefix}${postId}`,
});
/** Returns the key of the item that only the post that claims the external id holds. */
export const claimedExternalIdKey = (workspaceId: string, digest: string): Key => ({
  pk: externalIdPartition(workspaceId, digest),
  sk: 'UNIQUE',
});

export const mediaPartition = (workspaceId: string) => `MEDIA#${workspaceId}`;
export const mediaKey = (workspaceId: string, mediaId: string): Key => ({
  pk: mediaPartition(workspaceId),
  sk: mediaId,
});

/** Returns the partition of the posts that refer to a file or have done so. */
export const mediaUsesPartition = (workspaceId: string, mediaId: string) => `USES#${workspaceId}#${mediaId}`;
export const mediaUseKey = (workspaceId: string, mediaId: string, postId: string): Key => ({
  pk: mediaUsesPartition(workspaceId, mediaId),
  sk: postId,
});

/** Returns the partition of the renditions of a file. */
export const renditionsPartition = (workspaceId: string, mediaId: string) =>
  `RENDITIONS#${workspaceId}#${mediaId}`;
export const renditionKey = (workspaceId: string, mediaId: string, renditionId: string): Key => ({
  pk: renditionsPartition(workspaceId, mediaId),
  sk: renditionId,
});

/** @param counter an address, `KEY#<key id>`, `GRANT#<key id>`, `WORKSPACE#<id>` or `SESSION#<cookie digest>` */
export const rateKey = (counter: string, minute: number): Key => ({
  pk: `RATE#${counter}#${minute}`,
  sk: 'RATE',
});

export const webhookPrefix = 'WEBHOOK#';
export const webhookKey = (workspaceId: string, webhookId: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `${webhookPrefix}${webhookId}`,
});
/** Returns the key of the item that reserves a URL for one endpoint of the workspace. */
export const webhookUrlKey = (workspaceId: string, urlDigest: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `WEBHOOK-URL#${urlDigest}`,
});
export const webhookEventKey = (workspaceId: string, eventId: string): Key => ({
  pk: `EVENT#${workspaceId}#${eventId}`,
  sk: 'EVENT',
});
/** Returns the partition of an endpoint's deliveries. Their ids begin with the event's time, so they are in order of time. */
export const deliveriesPartition = (workspaceId: string, webhookId: string) =>
  `DELIVERIES#${workspaceId}#${webhookId}`;
/** Reads the endpoint of a partition that {@link deliveriesPartition} names. */
export const endpointOf = (
  partition: string,
): { readonly workspaceId: string; readonly webhookId: string } => {
  const [, workspaceId = '', webhookId = ''] = partition.split('#');
  return { workspaceId, webhookId };
};
export const deliveryKey = (delivery: {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly id: string;
}): Key => ({ pk: deliveriesPartition(delivery.workspaceId, delivery.webhookId), sk: delivery.id });

export const feedHeadKey = (workspaceId: string): Key => ({ pk: `FEED-HEAD#${workspaceId}`, sk: 'HEAD' });
/**
 * The number of events of a workspace's feed that share a partition. So reading old events is apart from adding new ones, and no
 * partition grows without end.
 */
export const feedBucketSize = 10_000;
/** Returns the partition of the events with a sequence in this bucket, in order. */
export const feedPartition = (workspaceId: string, bucket: number) => `FEED#${workspaceId}#${bucket}`;
export const feedBucket = (sequence: number) => Math.floor(sequence / feedBucketSize);
export const sequenceText = (sequence: number) => String(sequence).padStart(15, '0');
export const feedPlaceKey = (workspaceId: string, sequence: number): Key => ({
  pk: feedPartition(workspaceId, feedBucket(sequence)),
  sk: sequenceText(sequence),
});
/** Returns the key of an endpoint's replay. It has one at a time. */
export const replayKey = (workspaceId: string, webhookId: string): Key => ({
  pk: `REPLAY#${workspaceId}#${webhookId}`,
  sk: 'REPLAY',
});

export const automationsPartition = (workspaceId: string) => `AUTOMATIONS#${workspaceId}`;
export const automationKey = (workspaceId: string, automationId: string): Key => ({
  pk: automationsPartition(workspaceId),
  sk: automationId,
});
export const automationPostsPartition = (workspaceId: string, accountId: string) =>
  `AUTOMATION-POST#${workspaceId}#${accountId}`;
/**
 * Returns the key that finds the only automation of these posts.
 *
 * @param posts the post's id at the platform, or another name: see `nameOf` in `lib/automations/answered-posts.ts`
 */
export const automationPostKey = (workspaceId: string, accountId: string, posts: string): Key => ({
  pk: automationPostsPartition(workspaceId, accountId),
  sk: posts,
});
/** Returns the key of the time at which a post went live that Herald did not publish. */
export const postTimeKey = (workspaceId: string, accountId: string, platformPostId: string): Key => ({
  pk: automationPostsPartition(workspaceId, accountId),
  sk: `TIME#${platformPostId}`,
});
/** Returns the partition of an automation's actions and counts. */
export const automationPartition = (automationId: string) => `AUTOMATION#${automationId}`;
export const automationCountsPrefix = 'COUNTS#';
export const automationCountsKey = (automationId: string, shard: number): Key => ({
  pk: automationPartition(automationId),
  sk: `${automationCountsPrefix}${shard}`,
});
export const automationReplyKey = (automationId: string, commentId: string): Key => ({
  pk: automationPartition(automationId),
  sk: `REPLY#${commentId}`,
});
export const automationPersonKey = (automationId: string, personId: string): Key => ({
  pk: automationPartition(automationId),
  sk: `PERSON#${personId}`,
});
/** Returns the partition of the comments and messages that people wrote to an account, and of their awaited answers. */
export const inboundPartition = (workspaceId: string, accountId: string) =>
  `INBOUND#${workspaceId}#${accountId}`;
export const inboundCommentKey = (workspaceId: string, accountId: string, commentId: string): Key => ({
  pk: inboundPartition(workspaceId, accountId),
  sk: `COMMENT#${commentId}`,
});
export const inboundMessageKey = (workspaceId: string, accountId: string, messageId: string): Key => ({
  pk: inboundPartition(workspaceId, accountId),
  sk: `MESSAGE#${messageId}`,
});
/** Returns the key of the automations that treat the person's next message as a tap on their button. */
export const awaitedAnswerKey = (workspaceId: string, accountId: string, personId: string): Key => ({
  pk: inboundPartition(workspaceId, accountId),
  sk: `ANSWER#${personId}`,
});
/**
 * Returns the key of the item that says for what an action waits.
 *
 * @param cause a text without `#`
 * @param digest the digest of the action's key
 */
export const waitingActionKey = (
  { workspaceId, accountId, automationId }: Record<'workspaceId' | 'accountId' | 'automationId', string>,
  cause: string,
  digest: string,
): Key => ({
  pk: inboundPartition(workspaceId, accountId),
  sk: `WAIT#${cause}#${automationId}#${digest}`,
});
/** Reads the key of an action that waits. The index `overdue` has nothing but the key. */
export function partsOfWaitingAction({ pk, sk }: Key) {
  const [, workspaceId = '', accountId = ''] = pk.split('#');
  const [, cause = '', automationId = ''] = sk.split('#');
  return { workspaceId, accountId, automationId, cause };
}
/**
 * Returns the key of the item that counts the private replies of a platform account in the last hour, over all its workspaces.
 */
export const privateReplyCapKey = (platform: string, platformAccountId: string): Key => ({
  pk: `PRIVATE-REPLIES#${platform}#${platformAccountId}`,
  sk: 'CAP',
});
/**
 * Returns the key of the item that the sender of a reply or message holds.
 *
 * @param digest the digest of the platform and its id there
 */
export const sentClaimKey = (digest: string): Key => ({ pk: `SENT#${digest}`, sk: 'SENT' });
export const linkKey = (code: string): Key => ({ pk: `LINK#${code}`, sk: 'LINK' });
export const clicksPartition = (code: string) => `CLICKS#${code}`;
/** @param day the day as `YYYY-MM-DD`, in UTC */
export const clicksKey = (code: string, day: string, shard: number): Key => ({
  pk: clicksPartition(code),
  sk: `${day}#${shard}`,
});

export const punctualityPartition = (workspaceId: string) => `PUNCTUALITY#${workspaceId}`;
/** Returns the key of the lateness counts of a day's targets. @param day the day as `YYYY-MM-DD`, in UTC */
export const punctualityKey = (workspaceId: string, day: string, platform: string): Key => ({
  pk: punctualityPartition(workspaceId),
  // An earlier release divided a day's counts into four items, with the numbers 0 to 3.
  sk: `${day}#${platform}#0`,
});

/** Returns the month of a timestamp, such as `2026-03`. */
export const monthOf = (timestamp: string) => timestamp.slice(0, 'YYYY-MM'.length);
/**
 * Returns the partition of the numbers of a workspace's posts that went live in a month, in order of that time.
 *
 * @param month as `YYYY-MM`, in UTC
 */
export const numbersPartition = (workspaceId: string, month: string) => `NUMBERS#${workspaceId}#${month}`;
export const postNumbersKey = (target: {
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly publishedAt: string;
}): Key => ({
  pk: numbersPartition(target.workspaceId, monthOf(target.publishedAt)),
  sk: `${target.publishedAt}#${target.postId}#${target.accountId}`,
});
/** Returns the target in the key of its numbers. */
export function targetOfNumbers({ pk, sk }: Key) {
  const [publishedAt = '', postId = '', accountId = ''] = sk.split('#');
  return { workspaceId: pk.split('#')[1] ?? '', postId, accountId, publishedAt };
}
/** Returns the key of the best posts of a month. It is behind all times. */
export const bestPostsKey = (workspaceId: string, month: string): Key => ({
  pk: numbersPartition(workspaceId, month),
  sk: 'BEST',
});
/** Returns the partition of an account's numbers by day. */
export const accountNumbersPartition = (workspaceId: string, accountId: string) =>
  `ACCOUNT-NUMBERS#${workspaceId}#${accountId}`;
/** @param day as `YYYY-MM-DD` */
export const accountNumbersKey = (workspaceId: string, accountId: string, day: string): Key => ({
  pk: accountNumbersPartition(workspaceId, accountId),
  sk: day,
});
/** Returns the key of the progress of reading numbers: of the posts of an age, or of the accounts of a day. */
export const numbersProgressKey = (what: string): Key => ({ pk: 'NUMBERS-PROGRESS', sk: what });

/** @param scope the scope of the pause, as text: see `lib/pauses/scope.ts` */
export const pauseKey = (scope: string): Key => ({ pk: `PAUSE#${scope}`, sk: 'PAUSE' });
export const pauseListPartition = 'PAUSES';
export const listedPauseKey = (scope: string): Key => ({ pk: pauseListPartition, sk: scope });

/** Returns the key of a person's request at a platform: to end the authorization, or to have their data deleted. */
export const withdrawalKey = (codeDigest: string): Key => ({
  pk: `WITHDRAWAL#${codeDigest}`,
  sk: 'WITHDRAWAL',
});

/** Returns the key of the notice to a workspace that a version of a platform's API ends. */
export const versionNoticeKey = (workspaceId: string, platform: string, version: string): Key => ({
  pk: `WORKSPACE#${workspaceId}`,
  sk: `VERSION-NOTICE#${platform}#${version}`,
});
/** Returns the key of the item that says which workspaces have been looked at for such notices. */
export const versionWalkKey = (platform: string, version: string): Key => ({
  pk: 'VERSIONS',
  sk: `${platform}#${version}`,
});
/** The key of the sweep's notes about destinations that are put off. */
/** The data key that seals the tokens of a period. @param period its first day */
export const sealingKeyKey = (period: string): Key => ({ pk: 'SEALING-KEYS', sk: period });

export const watchKey: Key = { pk: 'WATCH', sk: 'WATCH' };

/** Returns the partition of what checks ahead of posts have found in a workspace, and of what they have to do. */
export const risksPartition = (workspaceId: string) => `RISKS#${workspaceId}`;
export const postAtRiskPrefix = 'POST#';
export const postAtRiskKey = (workspaceId: string, postId: string): Key => ({
  pk: risksPartition(workspaceId),
  sk: `${postAtRiskPrefix}${postId}`,
});
export const askedAccountKey = (workspaceId: string, accountId: string): Key => ({
  pk: risksPartition(workspaceId),
  sk: `ASKED#${accountId}`,
});
const stageRisksPartition = 'STAGE-RISKS';
/** Returns the key of a check of posts to do. @param workspaceId absent for posts of all workspaces: the check is next to the places of checks */
export const riskCheckKey = (workspaceId: string | undefined, subject: string): Key => ({
  pk: workspaceId === undefined ? stageRisksPartition : risksPartition(workspaceId),
  sk: `CHECK#${subject}`,
});
/** Returns the key of the place up to which a shard was checked. @param minutes how far ahead of their time posts are checked */
export const riskWindowKey = (minutes: number, shard: string): Key => ({
  pk: stageRisksPartition,
  sk: `AHEAD#${minutes}#${shard}`,
});

/** Returns the partition of the posts that the search finds, in the order of their creation, with their words. */
export const searchedPostsPartition = (workspaceId: string) => `SEARCH#${workspaceId}`;
export const searchedPostKey = (workspaceId: string, postId: string): Key => ({
  pk: searchedPostsPartition(workspaceId),
  sk: postId,
});
/** The number of partitions over which a workspace's words are spread. Each takes 1,000 writes a second. */
const wordShardCount = 16;
const wordPartition = (workspaceId: string, shard: number) => `WORDS#${workspaceId}#${shard.toString(16)}`;
export const allWordPartitions = (workspaceId: string): string[] =>
  Array.from({ length: wordShardCount }, (_, shard) => wordPartition(workspaceId, shard));
/** Returns the prefix of the sort keys of the posts with a word that begins with these letters. */
export const postWordPrefix = (stem: string) => `${stem}#`;
/** Returns the key of a post's words that begin with these letters. The posts of a stem are in the order of their creation. */
export const postWordKey = (workspaceId: string, stem: string, postId: string): Key => ({
  pk: wordPartition(workspaceId, (stem.codePointAt(0) ?? 0) % wordShardCount),
  sk: `${postWordPrefix(stem)}${postId}`,
});

/** Returns the key of a task that the sweep must run. */
export const repairTaskKey = (digest: string): Key => ({ pk: `CHORE#${digest}`, sk: 'CHORE' });

/** Returns a partition key of the indexes `posts-newest-first` and `posts-by-time` and, with a group, of `posts-by-status`. */
export const workspaceList = (workspaceId: string) => `WORKSPACE#${workspaceId}`;
export const statusList = (workspaceId: string, group: StatusGroup) => `WORKSPACE#${workspaceId}#${group}`;
export type StatusGroup = 'draft' | 'scheduled' | 'attention';
export const accountList = (workspaceId: string, accountId: string) => `ACCOUNT#${workspaceId}#${accountId}`;

/** The number of partitions per kind in the index `overdue`. Each takes 1,000 writes a second. */
export const dueShardCount = 8;

/**
 * Returns the shard of a waiting item, which is always the same for an item.
 *
 * @param id a UUID; its last digits are random
 */
export const dueShard = (id: string) => `DUE#${Number.parseInt(id.slice(-4), 16) % dueShardCount}`;
export const allDueShards = Array.from({ length: dueShardCount }, (_, shard) => `DUE#${shard}`);
/** Returns the shard of a delivery. Deliveries have their own shards, so that their backlog does not delay publishing. */
export const deliveryShard = (id: string) =>
  `DELIVERY-DUE#${Number.parseInt(id.slice(-4), 16) % dueShardCount}`;
/** Returns the shard of an automation's action. Actions also have their own shards. */
export const actionShard = (digest: string) =>
  `ACTION-DUE#${Number.parseInt(digest.slice(-4), 16) % dueShardCount}`;
export const allActionShards = Array.from({ length: dueShardCount }, (_, shard) => `ACTION-DUE#${shard}`);
/** Returns the shard of an action that waits for the end of a cause, in the order of the ends of windows. */
export const waitingShard = (digest: string) =>
  `WAIT-DUE#${Number.parseInt(digest.slice(-4), 16) % dueShardCount}`;
export const allWaitingShards = Array.from({ length: dueShardCount }, (_, shard) => `WAIT-DUE#${shard}`);
/** Returns the shard of a comment or claim that must be looked at before it is known which automation answers. */
export const intakeShard = (digest: string) =>
  `INTAKE-DUE#${Number.parseInt(digest.slice(-4), 16) % dueShardCount}`;
export const allIntakeShards = Array.from({ length: dueShardCount }, (_, shard) => `INTAKE-DUE#${shard}`);
export const allDeliveryShards = Array.from({ length: dueShardCount }, (_, shard) => `DELIVERY-DUE#${shard}`);

/** The shard of the deliveries of replays, apart from those of new events, which they must not delay. One is enough for their pace. */
export const replayedShard = 'REPLAYED-DUE';
/** The shard of replays that still make deliveries. They are few. */
export const replayShard = 'REPLAYS-DUE';

const heldPrefix = 'HELD#';
/**
 * Returns the shard of a target that a pause holds. Held targets have their own shards, by the scope of the pause, which no sweep
 * reads every minute.
 *
 * @param id as for {@link dueShard}
 */
export const heldShard = (scope: string, id: string) =>
  `${heldPrefix}${scope}#${Number.parseInt(id.slice(-4), 16) % dueShardCount}`;
export const allHeldShards = (scope: string) =>
  Array.from({ length: dueShardCount }, (_, shard) => `${heldPrefix}${scope}#${shard}`);
/** Returns the scope of the pause that holds the items of this shard; `undefined` for any other shard. */
export const scopeOfHeldShard = (shard: string): string | undefined =>
  shard.startsWith(heldPrefix) ? shard.slice(heldPrefix.length, shard.lastIndexOf('#')) : undefined;

/**
 * Returns the owner that takes turns with others when overdue items are swept: the workspace or automation that an item's key
 * names. All repair tasks together are one owner.
 */
export function ownerOf({ pk }: Key): string {
  const [kind = '', id = ''] = pk.split('#');
  return kind === 'CHORE' ? kind : id;
}

/** Returns the hour of a timestamp, such as `2026-03-01T12`. */
const hourOf = (timestamp: string) => timestamp.slice(0, 13);
/**
 * Returns the shard of a failed target, which waits for a person. Operators find it by the hour of its failure; no sweep reads
 * it.
 *
 * @param failedAt a timestamp
 * @param id as for {@link dueShard}
 */
export const failedShard = (failedAt: string, id: string) =>
  `FAILED#${hourOf(failedAt)}#${Number.parseInt(id.slice(-4), 16) % dueShardCount}`;
/** @param failedAt a timestamp in the hour */
export const allFailedShards = (failedAt: string) =>
  Array.from({ length: dueShardCount }, (_, shard) => `FAILED#${hourOf(failedAt)}#${shard}`);

/** Returns the shard of a file that waits for the end of its upload grant, its removal or its cleanup. */
export const mediaShard = (id: string) => `MEDIA-DUE#${Number.parseInt(id.slice(-4), 16) % dueShardCount}`;
export const allMediaShards = Array.from({ length: dueShardCount }, (_, shard) => `MEDIA-DUE#${shard}`);

/** The shard of checks of posts that something has happened to. They are few, and each covers many posts. */
export const riskCheckShard = 'RISK-CHECKS-DUE';

/** The shard of workspaces whose grace has ended or whose erasure has begun. They are few. */
export const erasureShard = 'ERASURE';

/** The shard of withdrawals that are not complete. They are few. */
export const withdrawalShard = 'WITHDRAWALS-DUE';

/** Returns the shard of tokens that must be refreshed. It is separate from publishing, so that neither sweep delays the other. */
export const renewalShard = (platform: string) => `RENEWAL#${platform}`;

/** Returns the shard of accounts for which a workspace must be told that their access ends soon. */
export const expiringShard = (platform: string) => `EXPIRING#${platform}`;

/**
 * Returns the shard of a post's numbers. Their sort key is the time at which the post went live, and stays: a reading is due at each
 * age, so the posts that are due are those of a range of times.
 */
export const numbersShard = (id: string, isStory: boolean) =>
  `${isStory ? 'STORY-NUMBERS' : 'NUMBERS'}#${Number.parseInt(id.slice(-4), 16) % dueShardCount}`;
export const allNumbersShards = Array.from({ length: dueShardCount }, (_, shard) => `NUMBERS#${shard}`);
/** The shards of stories, of which readings are due at other ages. */
export const allStoryNumbersShards = Array.from(
  { length: dueShardCount },
  (_, shard) => `STORY-NUMBERS#${shard}`,
);
/** The shard of posts whose numbers could not be read when they were due, with the time of the next try. */
export const numbersRetryShard = 'NUMBERS-RETRY';
