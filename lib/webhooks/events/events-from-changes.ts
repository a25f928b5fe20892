import { toAccountView } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { InboundComment, InboundMessage } from '../../automations/schemas.ts';
import { ages } from '../../insights/ages.ts';
import { numbersFromItem, readingAt } from '../../insights/numbers-row.ts';
import { targetOf } from '../../insights/store.ts';
import { snapshotsOf } from '../../insights/view.ts';
import { derivedTimeId } from '../../kernel/ids.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import { Post } from '../../posts/stored/schemas.ts';
import { toListedPostView, toListedTarget } from '../../posts/view/to-view.ts';
import type { ItemChange } from '../../table/stream.ts';
import { riskKey } from '../../targets/risk.ts';
import type { TargetSummary } from '../../targets/schemas.ts';
import { isSettled } from '../../targets/state.ts';
import type { WebhookEventType } from '../schemas.ts';
import { VersionNotice } from '../version-notices.ts';
import type { EventDraft } from './store.ts';

type Item = Readonly<Record<string, unknown>>;

/** The settings that, with the change, determine the form of an event's data. */
export interface EventSettings {
  /** The media host, without a final slash. */
  readonly mediaBaseUrl: string;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
}

/**
 * Returns the events that a change of an item causes. Pure.
 *
 * @throws if an item cannot be read
 */
export function eventsFromChange(
  change: ItemChange,
  { mediaBaseUrl, stageFeatures }: EventSettings,
): EventDraft[] {
  switch (change.after?.['kind']) {
    case 'post':
      return postEvents(change, mediaBaseUrl);
    case 'account':
      return listOf(accountEvent(change, change.after, stageFeatures));
    case 'inboundComment':
      return listOf(commentEvent(change, change.after));
    case 'inboundMessage':
      return listOf(messageEvent(change, change.after));
    case 'postNumbers':
      return numbersEvents(change, change.after);
    case 'versionNotice':
      return listOf(versionEvent(change, change.after));
    default:
      return [];
  }
}

const listOf = (draft: EventDraft | undefined): EventDraft[] => (draft ? [draft] : []);

/**
 * Returns the type of event that a change of an account causes. Every connection by a person causes one, also for an account that
 * is still connected: its authorization is a new one, perhaps another person's. It makes the account `ok`, and nothing else
 * changes `connectedAt`.
 */
function accountEventType(before: Item | undefined, after: Item): WebhookEventType | undefined {
  const wasConnected = before !== undefined && before['disconnectedAt'] === undefined;
  if (after['disconnectedAt'] !== undefined) return wasConnected ? 'account.disconnected' : undefined;
  const isNew = !wasConnected || before['connectedAt'] !== after['connectedAt'];
  if (isNew && after['status'] === 'ok') return 'account.connected';
  if (isToldToExpire(before, after)) return 'account.expiring';
  const expires = before !== undefined && before['status'] !== 'expired' && after['status'] === 'expired';
  return expires ? 'account.expired' : undefined;
}

/**
 * Returns true if a change records a notice that access ends. The sweep records each notice of each end once. An account that has
 * expired by then has had its event.
 */
function isToldToExpire(before: Item | undefined, after: Item): boolean {
  if (before === undefined || after['expiringNotice'] === undefined || after['status'] === 'expired')
    return false;
  const [last, notice] = [before, after].map((item) => accountFromItem(item).expiringNotice);
  return notice?.days !== last?.days || notice?.reconnectBy !== last?.reconnectBy;
}

function accountEvent(
  { before, atMs, sequenceNumber }: ItemChange,
  after: Item,
  stageFeatures: StageFeatures,
): EventDraft | undefined {
  const type = accountEventType(before, after);
  if (type === undefined) return undefined;
  // Disconnecting erases the profile. The event shows the account as it was, so that its receiver recognizes it.
  const shown =
    type === 'account.disconnected' ? { ...before, disconnectedAt: after['disconnectedAt'] } : after;
  const account = accountFromItem(shown);
  const { id, workspaceId } = account;
  return {
    id: derivedTimeId(atMs, 'account', workspaceId, id, sequenceNumber),
    workspaceId,
    type,
    atMs,
    accountIds: [id],
    data: { account: toAccountView(account, stageFeatures) },
  };
}

/** Returns the events of the readings that a change has stored. A row of a workspace in which nobody listens is not `told`. */
function numbersEvents({ before }: ItemChange, after: Item): EventDraft[] {
  if (before === undefined || after['status'] !== 'told') return [];
  const row = numbersFromItem({ ...after });
  const earlier = numbersFromItem({ ...before });
  const target = targetOf(row);
  const { workspaceId, postId, accountId, platform, platformPostId, publishedAt } = target;
  return ages.flatMap((age) => {
    const reading = readingAt(row, age);
    if (reading === undefined || readingAt(earlier, age) !== undefined) return [];
    const atMs = Date.parse(reading.at);
    const snapshot = snapshotsOf(target, row, 'unavailable', atMs).find((each) => each.age === age);
    return [
      {
        id: derivedTimeId(atMs, 'metrics', workspaceId, postId, accountId, age),
        workspaceId,
        type: 'post.metrics',
        atMs,
        accountIds: [accountId],
        data: {
          ...{ postId, accountId, platform, platformPostId, publishedAt },
          removedAt: row.goneAt ?? null,
          snapshot,
        },
      },
    ];
  });
}

/** Returns the event of a comment, which occurs when its item is created. */
function commentEvent({ before }: ItemChange, after: Item): EventDraft | undefined {
  if (before !== undefined) return undefined;
  const { workspaceId, accountId, commentId, personId, ...comment } = InboundComment.parse(after);
  const { platformPostId, text, username, at, automationId } = comment;
  const atMs = Date.parse(at);
  return {
    id: derivedTimeId(atMs, 'comment', workspaceId, accountId, commentId),
    workspaceId,
    type: 'comment.received',
    atMs,
    accountIds: [accountId],
    data: { accountId, platformPostId, commentId, text, username, at, automationId },
    context: { personId },
  };
}

/** Returns the event of a message. A tap on a button of Herald's is part of an automation and causes none. */
function messageEvent({ before }: ItemChange, after: Item): EventDraft | undefined {
  if (before !== undefined || after['payload'] !== undefined) return undefined;
  const { workspaceId, accountId, messageId, personId, text, at } = InboundMessage.parse(after);
  const atMs = Date.parse(at);
  return {
    id: derivedTimeId(atMs, 'message', workspaceId, accountId, messageId),
    workspaceId,
    type: 'dm.received',
    atMs,
    accountIds: [accountId],
    data: { accountId, senderId: personId, text, at },
    context: { messageId },
  };
}

/** Returns the event of a notice that a version ends, which occurs when its item is created. */
function versionEvent({ before }: ItemChange, after: Item): EventDraft | undefined {
  if (before !== undefined) return undefined;
  const { workspaceId, platform, version, endsOn, accountIds, toldAt } = VersionNotice.parse(after);
  const atMs = Date.parse(toldAt);
  return {
    id: derivedTimeId(atMs, 'version', workspaceId, platform, version),
    workspaceId,
    type: 'platform.version.ending',
    atMs,
    accountIds,
    data: { platform, version, endsOn, accountIds },
  };
}

/**
 * Returns the events that a change of a post causes: first those of its targets, then those of the whole post. The results
 * of the targets are read from the copies on the post, so that no event says more than `GET /v1/posts/{id}`. Pure.
 *
 * @param mediaBaseUrl the media host, without a final slash
 * @throws if an item cannot be read
 */
export function postEvents({ before, after }: ItemChange, mediaBaseUrl: string): EventDraft[] {
  if (after === undefined || after['status'] === 'draft') return [];
  const post = Post.parse(after);
  const earlier = before && Post.parse(before);
  const atMs = Date.parse(post.updatedAt);
  const { workspaceId, id: postId } = post;
  const view = toListedPostView(post, mediaBaseUrl);
  const { externalId, metadata, tags } = view;
  const tagged = post.tagIds && { tagged: { tagIds: post.tagIds } };
  const postAccountIds = [
    ...new Set([
      ...post.targets.map(({ accountId }) => accountId),
      ...(post.chain ?? []).flatMap((step) => step.accountIds),
    ]),
  ];
  const about = (accountIds: readonly string[]) =>
    postAccountIds.length > accountIds.length ? { accountIds, postAccountIds } : { accountIds };
  // Every write raises the post's version, so two results within one millisecond are still two events.
  const idOf = (...parts: readonly string[]) =>
    derivedTimeId(atMs, ...parts, workspaceId, postId, String(post.version));
  const ofTargets = newResults(post, earlier).map((target): EventDraft => {
    const { accountId, status } = target;
    return {
      id: idOf('target', accountId),
      workspaceId,
      type: status === 'failed' ? 'post.target.failed' : 'post.target.published',
      atMs,
      ...about([accountId]),
      data: { postId, externalId, metadata, tags, target: toListedTarget(target) },
      context: { post: view },
      ...tagged,
    };
  });
  const ofRemoved = newlyRemoved(post, earlier).map(
    (target): EventDraft => ({
      id: idOf('removed', target.accountId),
      workspaceId,
      type: 'post.target.removed',
      atMs,
      ...about([target.accountId]),
      data: { postId, externalId, metadata, tags, target: toListedTarget(target) },
      context: { post: view },
      ...tagged,
    }),
  );
  const ofPost = [...typesOf(post, earlier), ...riskTypesOf(post, earlier)].map((type): EventDraft => {
    const accountIds = post.targets.map(({ accountId }) => accountId);
    const data = { post: view };
    return { id: idOf(idNames[type]), workspaceId, type, atMs, ...about(accountIds), data, ...tagged };
  });
  return [...ofTargets, ...ofRemoved, ...ofPost];
}

type TypeOfPost = Extract<
  WebhookEventType,
  'post.scheduled' | 'post.published' | 'post.partial' | 'post.failed' | 'post.at_risk' | 'post.risk_cleared'
>;

/** The names from which ids are derived. One change causes at most one of the events with the same name here. */
const idNames: Readonly<Record<TypeOfPost, string>> = {
  'post.scheduled': 'scheduled',
  'post.published': 'post',
  'post.failed': 'post',
  'post.partial': 'partial',
  'post.at_risk': 'risk',
  'post.risk_cleared': 'risk',
};

/**
 * Returns the types of events that a change of the whole post causes. A post is scheduled if it has a time and waits for it. This
 * is announced again if the time changes, but not if failed destinations are tried again at the same time. A post has a result once
 * all its targets have one; the result is announced again if a retry changes it.
 */
function typesOf(post: Post, earlier: Post | undefined): TypeOfPost[] {
  if (post.status === 'scheduled') {
    const isNew = earlier === undefined || earlier.status === 'draft';
    const isMoved = earlier?.scheduledFor !== post.scheduledFor;
    return isNew || isMoved ? ['post.scheduled'] : [];
  }
  const { settledResult, status } = post;
  if (settledResult === undefined || settledResult === earlier?.settledResult) return [];
  if (status === 'failed') return ['post.failed'];
  return status === 'partial' ? ['post.published', 'post.partial'] : ['post.published'];
}

/** Returns the event about the risk of a post, if it has another set of findings than before. A post with a risk is announced once. */
function riskTypesOf(post: Post, earlier: Post | undefined): TypeOfPost[] {
  const [was, is] = [earlier, post].map((each) => risksIn(each?.targets ?? []));
  if (was === is) return [];
  return [is === '' ? 'post.risk_cleared' : 'post.at_risk'];
}

const risksIn = (targets: readonly TargetSummary[]): string =>
  targets.flatMap(({ accountId, risk }) => (risk ? [`${accountId} ${riskKey(risk)}`] : [])).join('\n');

/** Returns the targets whose posts are gone, and were there before. */
function newlyRemoved({ targets }: Post, earlier: Post | undefined): TargetSummary[] {
  const gone = new Set(
    earlier?.targets.filter(({ removedAt }) => removedAt !== undefined).map(({ accountId }) => accountId),
  );
  return targets.filter(({ accountId, removedAt }) => removedAt !== undefined && !gone.has(accountId));
}

/** Returns the targets that are live or have failed, and had another status before. */
function newResults({ targets }: Post, earlier: Post | undefined): TargetSummary[] {
  const statuses = new Map(earlier?.targets.map(({ accountId, status }) => [accountId, status]));
  return targets.filter(({ accountId, status }) => isSettled(status) && status !== statuses.get(accountId));
}
