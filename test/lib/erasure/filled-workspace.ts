import { gunzipSync } from 'node:zlib';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { RateLimiter } from '../../../lib/api-contract/rate-limit.ts';
import { awaitAnswerWrite } from '../../../lib/automations/actions/awaited-answers.ts';
import { newReply } from '../../../lib/automations/actions/new-actions.ts';
import { waitingActionItem } from '../../../lib/automations/actions/noted-waits.ts';
import { noteRefusedButtons, reserveMessage } from '../../../lib/automations/actions/private-reply-cap.ts';
import { claimWrite } from '../../../lib/automations/actions/sent-claims.ts';
import { ingestComment } from '../../../lib/automations/inbound/ingest-comment.ts';
import { ingestMessage } from '../../../lib/automations/inbound/ingest-message.ts';
import type { InboundComment } from '../../../lib/automations/schemas.ts';
import { deleteAutomation, replaceAutomation } from '../../../lib/automations/store.ts';
import { settlePlace } from '../../../lib/daily-limits/settle.ts';
import { storeAccountDay } from '../../../lib/insights/account-days.ts';
import { rankRows } from '../../../lib/insights/best-posts.ts';
import { noteLive, storeReading } from '../../../lib/insights/store.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId, sha256 } from '../../../lib/kernel/ids.ts';
import { dayIn } from '../../../lib/kernel/time-zone.ts';
import { newCode } from '../../../lib/links/plan.ts';
import { requestRendition } from '../../../lib/media/renditions/records.ts';
import { incomingKeyOf } from '../../../lib/media/urls.ts';
import { putRepairTask } from '../../../lib/overdue/repair-tasks.ts';
import { putRiskCheck } from '../../../lib/overdue/risk-checks.ts';
import { putPause } from '../../../lib/pauses/manage.ts';
import { inviteMember } from '../../../lib/people/members/invite.ts';
import { indexPost } from '../../../lib/posts/search/index-post.ts';
import { commitPost } from '../../../lib/posts/stored/commit-post.ts';
import { idempotencyDays, insertPostItems } from '../../../lib/posts/stored/store.ts';
import { Rhythm } from '../../../lib/rhythm/schemas.ts';
import { setRhythm } from '../../../lib/rhythm/store.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { type Item, putItem, updateItem } from '../../../lib/table/items.ts';
import {
  askedAccountKey,
  calendarVersionKey,
  clicksKey,
  postAtRiskKey,
  postTimeKey,
  punctualityKey,
} from '../../../lib/table/keys.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import { deleteWebhook } from '../../../lib/webhooks/endpoints/store.ts';
import { beginReplay } from '../../../lib/webhooks/replays/begin.ts';
import { tellOfEndingVersions } from '../../../lib/webhooks/version-notices.ts';
import { KeyUses } from '../../../lib/workspaces/key-use.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { listKeys } from '../../../lib/workspaces/store.ts';
import { connectable } from '../../support/authorization.ts';
import { anAutomation, storeAutomation } from '../../support/automations.ts';
import { aPost, aTarget, referenceTo, storeMedia } from '../../support/builders.ts';
import { type ConnectingFixture, platform } from '../../support/connecting.ts';
import { giveAccess } from '../../support/grants.ts';
import { aPerson, fakeDirectory, storeMember } from '../../support/members.ts';
import { storeSnippet, storeTags } from '../../support/tags.ts';
import { storeDelivery, storeRecordedEvent, storeWebhook } from '../../support/webhooks.ts';

export interface Filled {
  readonly workspaceId: string;
  readonly postId: string;
  /** Every id, code and digest that belongs to the workspace alone. */
  readonly ids: readonly string[];
  readonly objectKeys: readonly string[];
  readonly accounts: { readonly own: Account; readonly shared: Account };
}

const ann = { kind: 'operator', id: 'ann' } as const;

/** Stores at least one item of every kind in a workspace, with the service's own code where there is some. */
export async function fillWorkspace(fixture: ConnectingFixture, name: string): Promise<Filled> {
  const workspaceId = await fixture.addWorkspace(name);
  const context = fixture.context(workspaceId);
  const { table, now } = context;
  const { key } = await createKey({ ...context, actor: ann }, { workspaceId, name: 'key' });
  await new KeyUses(table).record(key.id, now);
  const ids = [workspaceId, key.id, key.digest];

  const connect = async (platformAccountId: string, loginId?: string) => {
    const changes = loginId === undefined ? {} : { loginId };
    fixture.authorization.answers.exchange = async () => [connectable(platformAccountId, now, changes)];
    const account = await fixture.connect(workspaceId);
    ids.push(account.id);
    return account;
  };
  const shared = await connect('shared-channel');
  await connect(`channel-${name}`, `former-person-${name}`);
  const own = await connect(`channel-${name}`, `person-${name}`);
  const accountId = own.id;

  const media = await storeMedia(table, workspaceId);
  const pending = await storeMedia(table, workspaceId, { id: newId(now), status: 'pending' });
  ids.push(media.id, pending.id);
  await requestRendition(
    { table, now: () => now, enqueueRendition: async () => {} },
    { workspaceId, mediaId: media.id, recipe: { kind: 'video', contentType: 'video/mp4', maxBytes: 1_000 } },
  );

  const postId = newId(now);
  const target = aTarget({
    workspaceId,
    postId,
    accountId,
    platform: 'youtube',
    scheduledFor: toTimestamp(now + 60 * dayMs),
    wakeAt: toTimestamp(now + 60 * dayMs),
    platformPostId: `live-${name}`,
  });
  const post = aPost([target], {
    mediaItems: [referenceTo(media)],
    idempotencyDigest: sha256(`idempotency of ${name}`),
    externalId: `row of ${name}`,
    externalIdUnique: true,
  });
  const expiresAtSeconds = Math.floor(now / 1_000) + idempotencyDays * 86_400;
  const items = insertPostItems(table, { post, targets: [target] }, { expiresAtSeconds });
  await commitPost(table, now, { items, after: { post, targets: [target] } });
  ids.push(postId);
  const timeZone = 'America/Los_Angeles';
  const day = dayIn(timeZone, now + 60 * dayMs);
  await settlePlace(table, { workspaceId, postId, accountId, platform: 'youtube', day, timeZone });
  await claimLivePost(table, {
    platform: 'youtube',
    workspaceId,
    accountId,
    platformPostId: `live-${name}`,
    postId,
  });
  await indexPost(table, { workspaceId, postId });
  await putRepairTask(table, { kind: 'roll-up', workspaceId, postId }, now);
  await putRiskCheck(table, { kind: 'account', workspaceId, accountId }, now);
  for (const [key, kind] of [
    [postAtRiskKey(workspaceId, postId), 'postAtRisk'],
    [askedAccountKey(workspaceId, accountId), 'askedAccount'],
  ] as const)
    await putItem(table, { ...key, kind, workspaceId, postId, accountId }, unconditionally);
  await setRhythm(context, accountId, Rhythm.parse({}));
  const version = { set: { kind: 'calendarVersion' }, add: { version: 1 }, if: unconditionally };
  await updateItem(table, calendarVersionKey(workspaceId, accountId), version);

  const ending = { name, sunsetOn: toTimestamp(now + 30 * dayMs).slice(0, 10) };
  await tellOfEndingVersions(
    {
      table,
      now: () => now,
      versionOf: async (of) => (of === platform ? ending : undefined),
      report: (message) => {
        throw new Error(message);
      },
    },
    Number.POSITIVE_INFINITY,
  );

  const [endpoint, formerEndpoint] = [newId(now), newId(now)];
  ids.push(endpoint, formerEndpoint);
  for (const id of [endpoint, formerEndpoint]) {
    const webhook = await storeWebhook(table, workspaceId, { id });
    const delivery = await storeDelivery(table, webhook, { atMs: now });
    ids.push(delivery.id, delivery.eventId);
    if (id === formerEndpoint) await deleteWebhook(table, webhook);
  }
  ids.push(await storeRecordedEvent(table, workspaceId, [accountId], now));
  const replay = { ...context, verb: 'webhook.replay' as const };
  await beginReplay(replay, endpoint, { since: toTimestamp(now) });

  await storeTags(table, workspaceId, [`tag of ${name}`]);
  ids.push((await storeSnippet(table, workspaceId, { id: newId(now) })).id);

  const codes = [newCode(), newCode(), newCode()];
  const [code = '', formerCode = '', lostCode = ''] = codes;
  const automation = await storeAutomation(table, workspaceId, {
    ...{ id: newId(now), accountId, platformPostId: `live-${name}`, commentReply: 'Thanks' },
    links: [{ code, url: 'https://shop.example/' }],
  });
  // An edit may drop a link from the automation. Its code then is only among the names of what the workspace owns.
  const added = [{ code: lostCode, url: 'https://shop.example/lost' }];
  await replaceAutomation(table, automation, { ...automation, version: 2 }, added);
  await putItem(
    table,
    { ...postTimeKey(workspaceId, accountId, `former-${name}`), kind: 'postTime', publishedAt: now },
    unconditionally,
  );
  const former = anAutomation(workspaceId, { id: newId(now), accountId, platformPostId: `former-${name}` });
  await storeAutomation(table, workspaceId, {
    ...former,
    links: [{ code: formerCode, url: 'https://shop.example/' }],
  });
  ids.push(automation.id, former.id, ...codes);
  for (const each of codes)
    await updateItem(table, clicksKey(each, '2026-11-20', 3), {
      set: { kind: 'clicks' },
      add: { clicks: 1 },
      if: unconditionally,
    });
  await updateItem(table, punctualityKey(workspaceId, '2026-11-20', 'instagram'), {
    set: { kind: 'punctuality' },
    add: { count: 1 },
    if: unconditionally,
  });
  const live = {
    ...{ workspaceId, postId, accountId, platform: 'youtube' as const, platformPostId: `live-${name}` },
    ...{ publishedAt: toTimestamp(now), isStory: false },
  };
  await noteLive(table, live, now);
  const reading = { at: toTimestamp(now), n: [1, null, 1, 1, null, null, null] };
  const row = await storeReading(table, live, '1h', reading, { isAnnounced: false, isRetried: false });
  await rankRows(table, row ? [row] : [], now);
  await storeAccountDay(table, own, toTimestamp(now).slice(0, 10), { views: 1 }, toTimestamp(now));
  for (const platformPostId of [automation.platformPostId, former.platformPostId]) {
    const event = {
      kind: 'comment' as const,
      ...{ accountPlatformId: own.platformAccountId, at: now, username: 'ada' },
      ...{ personId: `ada-${name}`, commentId: `comment-${platformPostId}`, platformPostId, text: 'Where?' },
    };
    await ingestComment(table, own, event, { now, windowHours: 24 });
  }
  await deleteAutomation(table, former);
  const message = {
    kind: 'message' as const,
    ...{ accountPlatformId: own.platformAccountId, at: now, text: 'Hello' },
    ...{ personId: `ada-${name}`, messageId: `message-${name}` },
  };
  await ingestMessage(table, own, message, now);
  const awaiting = { workspaceId, accountId, personId: `ada-${name}`, automationId: automation.id };
  const answered: InboundComment = {
    ...{ workspaceId, accountId, commentId: `comment-${name}`, platformPostId: '1' },
    ...{ kind: 'inboundComment' as const, personId: `ada-${name}`, username: null, text: 'Where?' },
    ...{ at: toTimestamp(now), expiresAtSeconds: now },
  };
  const reply = newReply(answered, automation.id, now);
  const sent = { platform: 'instagram', id: `reply-${name}` } as const;
  await transact(table, [awaitAnswerWrite(table, awaiting, now), claimWrite(table, sent, reply, now)]);
  const wait = { cause: 'paused', endMs: now + dayMs, noteId: `note-${name}`, now };
  await putItem(table, waitingActionItem(reply, wait), unconditionally);
  await reserveMessage(table, own, { now, maxPerHour: 9, chance: 0, automationId: automation.id });
  await noteRefusedButtons(table, own, { automationId: automation.id, now });

  const members = { ...context, actor: ann, directory: fakeDirectory() };
  const personId = `person-of-${name}`;
  const owner = await storeMember(members, { email: `owner@${name}.example`, role: 'owner', personId });
  const invited = await inviteMember(members, { email: 'both@shops.example', role: 'member' });
  ids.push(owner.id, invited.id, personId, owner.email);
  await giveAccess(table, workspaceId, { now, actor: aPerson({ id: personId }) });
  for (const { id, digest } of await listKeys(table, workspaceId)) ids.push(id, digest);

  const scope = { kind: 'account', workspaceId, accountId } as const;
  await putPause({ ...context, actor: ann }, { scope, reason: 'a test' });
  const limiter = new RateLimiter(table);
  for (const [of, id] of [
    ['address', '192.0.2.1'],
    ['key', key.id],
    ['workspace', workspaceId],
  ] as const)
    await limiter.count({ of, id, perMinute: 9 }, now);
  const objectKeys = [media.objectKey, incomingKeyOf(media.objectKey), incomingKeyOf(pending.objectKey)];
  return { workspaceId, postId, ids, objectKeys, accounts: { own, shared } };
}

/** All of an item as text, in one order, with what it holds compressed. */
export function textOf(item: Item): string {
  return JSON.stringify(item, (_name, value) => {
    if (value instanceof Set) return [...value].sort();
    if (value instanceof Uint8Array) return gunzipSync(value).toString();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
