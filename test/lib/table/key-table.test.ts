import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as keys from '../../../lib/table/keys.ts';
import { partitions } from '../../../lib/table/partitions.ts';

const account = {
  platform: '<platform>',
  platformAccountId: '<its id there>',
  workspaceId: '<workspace>',
  id: '<account>',
};

/** The key of each kind of item, made of the placeholders of the table at the top of `keys.ts`. */
const keyOf: Readonly<Record<keys.ItemKind, keys.Key>> = {
  workspace: keys.workspaceKey('<id>'),
  directoryEntry: keys.directoryKey('<id>'),
  ownedName: keys.ownedNameKey('<workspace>', '<partition>'),
  workspaceKey: keys.listedKeyKey('<id>', '<key id>'),
  key: keys.keyDigestKey('<digest>'),
  keyUse: keys.keyUseKey('<key id>'),
  grant: keys.grantKey('<key id>'),
  auditEntry: keys.auditEntryKey('<workspace>', '<entry id>'),
  member: keys.memberKey('<workspace>', '<member id>'),
  memberCounts: keys.memberCountsKey('<workspace>'),
  membership: keys.membershipKey('<person>', '<workspace>'),
  listedSession: keys.listedSessionKey('<person>', '<session id>'),
  invitation: keys.invitationKey('<address digest>', '<workspace>'),
  signIn: keys.signInKey('<cookie digest>'),
  session: keys.sessionKey('<cookie digest>'),
  sessionGrant: keys.sessionGrantKey('<cookie digest>'),
  sessionUse: keys.sessionUseKey('<cookie digest>'),
  account: keys.accountKey('<id>', '<account id>'),
  tokens: keys.tokensKey('<id>', '<account id>'),
  connection: keys.connectionKey('<state digest>'),
  connectedAccount: keys.connectedAccountKey(account),
  connectedLogin: keys.connectedLoginKey(account, '<its id there>'),
  post: keys.postKey('<workspace>', '<post>'),
  target: keys.targetKey('<workspace>', '<post>', '<account id>'),
  calendarEntry: keys.calendarEntryKey({
    workspaceId: '<workspace>',
    accountId: '<account>',
    postId: '<post>',
    scheduledFor: '<time>',
  }),
  calendarVersion: keys.calendarVersionKey('<workspace>', '<account>'),
  rhythm: keys.rhythmKey('<workspace>', '<account>', '<key id, or `panel`>'),
  tags: keys.tagsKey('<id>'),
  snippet: keys.snippetKey('<id>', '<snippet id>'),
  dayPlace: keys.dayPlaceKey(
    { platform: '<platform>', workspaceId: '<workspace>', postId: '<post>', accountId: '<account>' },
    '<day>',
  ),
  livePost: keys.livePostKey('<platform>', '<its id there>'),
  idempotency: keys.idempotencyKey('<workspace>', '<digest>'),
  externalId: keys.externalIdKey('<workspace>', '<digest>', '<post id>'),
  claimedExternalId: keys.claimedExternalIdKey('<workspace>', '<digest>'),
  media: keys.mediaKey('<workspace>', '<media id>'),
  mediaUse: keys.mediaUseKey('<workspace>', '<media>', '<post id>'),
  rendition: keys.renditionKey('<workspace>', '<media>', '<rendition id>'),
  rate: keys.rateKey('<counter>', '<minute>' as never),
  chore: keys.repairTaskKey('<digest>'),
  webhook: keys.webhookKey('<id>', '<webhook id>'),
  webhookUrl: keys.webhookUrlKey('<id>', '<digest>'),
  webhookEvent: keys.webhookEventKey('<workspace>', '<event>'),
  delivery: keys.deliveryKey({ workspaceId: '<workspace>', webhookId: '<webhook>', id: '<delivery id>' }),
  feedHead: keys.feedHeadKey('<workspace>'),
  feedPlace: { pk: keys.feedPartition('<workspace>', '<bucket>' as never), sk: '<sequence>' },
  replay: keys.replayKey('<workspace>', '<webhook>'),
  automation: keys.automationKey('<workspace>', '<automation id>'),
  automationPost: keys.automationPostKey('<workspace>', '<account>', '<platform post id, or another name>'),
  postTime: keys.postTimeKey('<workspace>', '<account>', '<platform post id>'),
  automationCounts: keys.automationCountsKey('<automation>', '<shard>' as never),
  automationReply: keys.automationReplyKey('<automation>', '<comment id>'),
  automationMessage: keys.automationPersonKey('<automation>', '<person id>'),
  inboundComment: keys.inboundCommentKey('<workspace>', '<account>', '<comment id>'),
  inboundMessage: keys.inboundMessageKey('<workspace>', '<account>', '<message id>'),
  waitingAction: keys.waitingActionKey(
    { workspaceId: '<workspace>', accountId: '<account>', automationId: '<automation>' },
    '<cause>',
    '<digest>',
  ),
  awaitedAnswer: keys.awaitedAnswerKey('<workspace>', '<account>', '<person id>'),
  privateReplyCap: keys.privateReplyCapKey('<platform>', '<its id there>'),
  sentClaim: keys.sentClaimKey('<digest>'),
  link: keys.linkKey('<code>'),
  clicks: keys.clicksKey('<code>', '<day>', '<shard>' as never),
  punctuality: keys.punctualityKey('<workspace>', '<day>', '<platform>'),
  postNumbers: {
    pk: keys.numbersPartition('<workspace>', '<month>'),
    sk: keys.postNumbersKey({
      workspaceId: '<workspace>',
      publishedAt: '<time>',
      postId: '<post>',
      accountId: '<account>',
    }).sk,
  },
  bestPosts: keys.bestPostsKey('<workspace>', '<month>'),
  accountNumbers: keys.accountNumbersKey('<workspace>', '<account>', '<day>'),
  numbersProgress: keys.numbersProgressKey('<age, or `ACCOUNTS`>'),
  pause: keys.pauseKey('<scope>'),
  listedPause: keys.listedPauseKey('<scope>'),
  withdrawal: keys.withdrawalKey('<code digest>'),
  versionNotice: keys.versionNoticeKey('<id>', '<platform>', '<version>'),
  versionWalk: keys.versionWalkKey('<platform>', '<version>'),
  watch: keys.watchKey,
  postAtRisk: keys.postAtRiskKey('<workspace>', '<post>'),
  riskCheck: keys.riskCheckKey('<workspace>', '<subject>'),
  askedAccount: keys.askedAccountKey('<workspace>', '<account id>'),
  riskWindow: keys.riskWindowKey('<minutes>' as never, '<shard>'),
  sealingKey: keys.sealingKeyKey('<first day>'),
  searchedPost: keys.searchedPostKey('<workspace>', '<post>'),
  postWord: keys.postWordKey('<workspace>', '<first letters>', '<post>'),
};

const text = readFileSync(join(import.meta.dirname, '../../../lib/table/keys.ts'), 'utf8');
const rows = [...text.matchAll(/^ \* \|([^|-]+)\|([^|]+)\|([^|]+)\|$/gm)]
  .map(([, ...cells]) => cells.map((cell) => cell.trim()))
  .slice(1);

it('the table of keys has the key of every kind of item', () => {
  expect(rows.map(([, pk, sk]) => `${pk} | ${sk}`).sort()).toEqual(
    Object.values(keyOf)
      .map(({ pk, sk }) => `${pk} | ${sk}`)
      .sort(),
  );
});

it('the list of partitions has the beginning of every partition key, and no other', () => {
  const used = new Set(Object.values(keyOf).map(({ pk }) => pk.replace(/<.*$/, '').replace(/#.*$/, '#')));
  expect([...partitions].sort()).toEqual([...used].sort());
});

it('no partition key begins with two partitions of the list, because rights are granted by them', () => {
  for (const { pk } of Object.values(keyOf)) {
    expect(partitions.filter((prefix) => pk.startsWith(prefix))).toHaveLength(1);
  }
});

it('every kind of item has one key, or one function that builds it', () => {
  const builders = Object.entries(keys).filter(
    ([name, built]) => /Key$/.test(name) && (built instanceof Function || 'pk' in Object(built)),
  );
  expect(builders).toHaveLength(Object.keys(keyOf).length);
});
