import { isDeepStrictEqual } from 'node:util';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { targetOfNumbers } from '../../../lib/table/keys.ts';
import { Delivery } from '../../../lib/webhooks/schemas.ts';
import type { Item } from '../../support/database/database.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import type { ReceivedEvent, Receivers } from '../cloud/receivers.ts';
import type { World } from '../world/world.ts';

/** Something that a webhook event must report. */
export interface News {
  readonly workspaceId: string;
  /** Type, subject and content in one text: equal texts of different news are different events. */
  readonly text: string;
  readonly atMs: number;
  /** True if the workspace had an endpoint when it happened. Otherwise it depends on the moment whether one is told. */
  readonly isOwed: boolean;
  /** True if the workspace's event feed was on when it happened. */
  readonly isRecorded: boolean;
}

/** Allowed delay of an event if nothing goes wrong. */
const calmMs = 5 * secondMs;
/** Allowed delay of an event without a failed attempt after the last fault: the sweep leaves a delivery alone for so long. */
const recoveryMs = 20 * minuteMs;

/**
 * Checks the webhooks. Derives from the commits which events must arrive, without the code that makes them: each must
 * arrive with one id, at its own workspace only, and nothing else must.
 */
export function createWebhookCheck(
  world: World,
  committed: Committed,
  { received }: Receivers,
  isReplayed: (webhookId: string) => boolean,
) {
  const news: News[] = [];
  const settled = new Map<string, string>();
  /** Endpoints that were disabled once: what they miss is owed to them only by a replay. */
  const disabled = new Set<string>();
  /** Endpoints that the service has disabled: nothing is owed to them. */
  const givenUp = new Set<string>();
  const recording = new Set<string>();
  const listening = new Set<string>();
  const { violate } = world;

  committed.listen((change) => {
    const { after } = change;
    const isOfNumbers = change.kind === 'postNumbers';
    const workspaceId = String(isOfNumbers ? numbersOf(after)?.workspaceId : after?.['workspaceId']);
    for (const text of newsOf(change))
      news.push({
        ...{ workspaceId, text, atMs: world.now() },
        isOwed: listening.has(workspaceId),
        isRecorded: recording.has(workspaceId),
      });
    if (change.kind === 'workspace' && after?.['eventFeedSince'] !== undefined)
      recording.add(String(after['id']));
    if (change.kind === 'webhook') listening.add(workspaceId);
    if (change.kind !== 'webhook' || after?.['isActive'] !== false) return;
    disabled.add(String(after['id']));
    if (!change.by.name.startsWith('api')) givenUp.add(String(after['id']));
  });

  function newsOf({ kind, before, after }: Change): string[] {
    if (!after) return [];
    switch (kind) {
      case 'post':
        // An edit of a failed post makes it another one: the same result is news again.
        if (before?.['settledResult'] !== undefined && after['settledResult'] === undefined)
          settled.delete(String(after['id']));
        return [
          ...newsOfTime(before, after),
          ...newsOfTargets(before, after),
          ...newsOfRemovals(before, after),
          ...newsOfPost(after),
        ];
      case 'account':
        return newsOfAccount(before, after);
      case 'postNumbers':
        return newsOfNumbers(before, after);
      case 'inboundComment':
        return before ? [] : [`comment.received ${commentText(after)}`];
      case 'inboundMessage':
        return before || after['payload'] !== undefined ? [] : [`dm.received ${messageText(after)}`];
      default:
        return [];
    }
  }

  /** A post has news if all its destinations have a result, and one of the results is new. */
  function newsOfPost(post: Item): string[] {
    const targets = post['targets'] as readonly Item[];
    const id = String(post['id']);
    const isSettled = targets.every(({ status }) =>
      ['published', 'partial', 'failed'].includes(String(status)),
    );
    const results = targets.map(({ accountId, status }) => `${accountId} ${status}`).join();
    if (targets.length === 0 || !isSettled || settled.get(id) === results) return [];
    settled.set(id, results);
    const has = (wanted: string) => targets.every(({ status }) => status === wanted);
    const text = `${id} ${resultsText(targets)}`;
    if (has('failed')) return [`post.failed ${text}`];
    return has('published') ? [`post.published ${text}`] : [`post.published ${text}`, `post.partial ${text}`];
  }

  function checkEnd(): void {
    for (const webhook of committed.ofKind('webhook')) checkEndpoint(webhook);
    for (const each of committed.ofKind('delivery')) checkDelivery(Delivery.parse(each));
  }

  function checkEndpoint({ id, workspaceId }: Item): void {
    const own = received.filter(({ webhookId }) => webhookId === id);
    const owed = news.filter((each) => each.workspaceId === workspaceId);
    const arrived = new Map<string, ReceivedEvent[]>();
    for (const event of own) {
      const copies = arrived.get(event.eventId) ?? [];
      arrived.set(event.eventId, [...copies, event]);
      const [first = event] = copies;
      const isSame = first.deliveryId === event.deliveryId || disabled.has(String(id));
      if (!isDeepStrictEqual(first.body, event.body) || !isSame)
        violate(`the event ${event.eventId} arrived again with another body or delivery id`);
    }
    for (const [eventId, [event]] of arrived) {
      const found = event && owed.findIndex(({ text }) => text === textOf(event));
      if (event && found !== undefined && found >= 0) {
        const [reported] = owed.splice(found, 1);
        if (reported) checkLateness(reported, event);
      } else
        violate(
          `the event ${eventId} arrived, but nothing like it happened, or twice: ${event && textOf(event)}`,
        );
    }
    if (disabled.has(String(id)) && (givenUp.has(String(id)) || !isReplayed(String(id)))) return;
    for (const { text, isOwed } of owed) if (isOwed) violate(`no webhook reports "${text}"`);
  }

  function checkLateness({ text, atMs }: News, { atMs: arrivedMs, deliveryId }: ReceivedEvent): void {
    if (arrivedMs < atMs) violate(`"${text}" was reported before it happened`);
    const delivery = committed.ofKind('delivery').find(({ id }) => id === deliveryId);
    if (Number(delivery?.['failures']) > 0 || delivery?.['replayId'] !== undefined) return;
    const latestMs = world.isCalm ? atMs + calmMs : Math.max(atMs, world.lastTroubleMs()) + recoveryMs;
    if (arrivedMs > latestMs) violate(`"${text}" was reported ${arrivedMs - latestMs} ms too late`);
  }

  function checkDelivery({ id, status, webhookId, attempts, nextAttemptAt, replayId }: Delivery): void {
    const arrivals = received.filter(({ deliveryId }) => deliveryId === id);
    const answered = arrivals.filter(({ isAnswered }) => isAnswered);
    if (status === 'pending' || nextAttemptAt !== null) violate(`the delivery ${id} still waits`);
    if (status === 'delivered' && answered.length === 0)
      violate(`the delivery ${id} is delivered, but its receiver never answered 200`);
    const mayFail = replayId === undefined ? disabled : givenUp;
    if (status === 'failed' && !mayFail.has(webhookId)) violate(`the delivery ${id} has failed`);
    const successes = attempts.filter(({ statusCode }) => statusCode === 200);
    if (successes.length > answered.length)
      violate(
        `the delivery ${id} has ${successes.length} successful attempts, but ${answered.length} were answered`,
      );
    if (arrivals.some((arrival) => arrival.webhookId !== webhookId))
      violate(`the delivery ${id} arrived at another endpoint`);
  }

  return { news, checkEnd };
}

/** Returns the text of the news that an event reports. */
export function textOf({ type, body }: Pick<ReceivedEvent, 'type' | 'body'>): string {
  const data = body['data'] as Item;
  switch (type) {
    case 'post.scheduled': {
      const post = data['post'] as Item;
      return `${type} ${post['id']} ${post['scheduledFor']}`;
    }
    case 'post.target.published':
    case 'post.target.failed':
      return targetText(String(data['postId']), data['target'] as Item);
    case 'post.target.removed':
      return removedText(String(data['postId']), data['target'] as Item);
    case 'post.published':
    case 'post.partial':
    case 'post.failed': {
      const post = data['post'] as Item;
      return `${type} ${post['id']} ${resultsText(post['platforms'] as readonly Item[])}`;
    }
    case 'account.expired':
    case 'account.expiring':
    case 'account.disconnected':
      return `${type} ${(data['account'] as Item)['id']}`;
    case 'post.metrics':
      return metricsText(data, (data['snapshot'] as Item)['age']);
    case 'account.connected':
      return connectedText(data['account'] as Item);
    case 'comment.received':
      return `${type} ${commentText(data)}`;
    case 'dm.received':
      return `${type} ${messageText({ ...data, personId: data['senderId'] })}`;
    default:
      return type;
  }
}

/** A post has news if it begins to wait for a time, except after a failure or a last call, or waits for another time. */
function newsOfTime(before: Item | undefined, { id, status, scheduledFor }: Item): string[] {
  if (status !== 'scheduled') return [];
  const isNew = before === undefined || before['status'] === 'draft';
  const isMoved = before?.['scheduledFor'] !== scheduledFor;
  return isNew || isMoved ? [`post.scheduled ${id} ${scheduledFor}`] : [];
}

/** Each destination has news when it gets a result. */
function newsOfTargets(before: Item | undefined, { id, targets }: Item): string[] {
  const known = (before?.['targets'] ?? []) as readonly Item[];
  return (targets as readonly Item[])
    .filter(({ status }) => ['published', 'partial', 'failed'].includes(String(status)))
    .filter(({ accountId, status }) =>
      known.every((target) => target['accountId'] !== accountId || target['status'] !== status),
    )
    .map((target) => targetText(String(id), target));
}

/** Each destination has news when its post is gone. */
function newsOfRemovals(before: Item | undefined, { id, targets }: Item): string[] {
  const known = (before?.['targets'] ?? []) as readonly Item[];
  return (targets as readonly Item[])
    .filter(({ removedAt }) => removedAt !== undefined)
    .filter(({ accountId }) =>
      known.every((target) => target['accountId'] !== accountId || target['removedAt'] === undefined),
    )
    .map((target) => removedText(String(id), target));
}

const removedText = (postId: string, { accountId, removedAt }: Item): string =>
  `post.target.removed ${postId} ${accountId} ${removedAt}`;

const targetText = (postId: string, { accountId, status }: Item): string =>
  `post.target.${status === 'failed' ? 'failed' : 'published'} ${postId} ${accountId} ${status}`;

/** A person connects an account at `connectedAt`, whatever its state was. */
function newsOfAccount(before: Item | undefined, after: Item): string[] {
  const { id, status, disconnectedAt, connectedAt } = after;
  if (before && disconnectedAt && !before['disconnectedAt']) return [`account.disconnected ${id}`];
  if (!disconnectedAt && before?.['connectedAt'] !== connectedAt) return [connectedText(after)];
  const isTold = before && noticeText(after) !== undefined && noticeText(after) !== noticeText(before);
  if (isTold && status !== 'expired') return [`account.expiring ${id}`];
  const expires = before && before['status'] !== 'expired' && status === 'expired';
  return expires ? [`account.expired ${id}`] : [];
}

/** The numbers of a destination are news once at each age. */
function newsOfNumbers(before: Item | undefined, after: Item): string[] {
  return ['1h', '1d', '7d', '28d']
    .filter((age) => after[`r${age}`] !== undefined && before?.[`r${age}`] === undefined)
    .map((age) => metricsText({ ...numbersOf(after) }, age));
}

const numbersOf = (row: Item | undefined) =>
  row && targetOfNumbers({ pk: String(row['pk']), sk: String(row['sk']) });

const metricsText = ({ postId, accountId }: Item, age: unknown): string =>
  `post.metrics ${postId} ${accountId} ${age}`;

const noticeText = ({ expiringNotice: notice }: Item): string | undefined =>
  notice === undefined ? undefined : `${(notice as Item)['days']} ${(notice as Item)['reconnectBy']}`;

const connectedText = ({ id, connectedAt }: Item): string => `account.connected ${id} ${connectedAt}`;

const resultsText = (targets: readonly Item[]): string =>
  targets
    .map(({ accountId, status, platformPostId }) => `${accountId} ${status} ${platformPostId ?? ''}`)
    .join(', ');

const commentText = ({ accountId, platformPostId, commentId, text, username, automationId }: Item): string =>
  JSON.stringify([accountId, platformPostId, commentId, text, username, automationId]);

const messageText = ({ accountId, personId, text, at }: Item): string =>
  JSON.stringify([accountId, personId, text, at]);
