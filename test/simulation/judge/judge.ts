import { isDeepStrictEqual } from 'node:util';
import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { PostStatus, targetLifeCycle } from '../../../lib/targets/state.ts';
import { hasPartsLeft } from '../../../lib/targets/thread.ts';
import { overdueProblem } from '../../support/audit-overdue.ts';
import type { Item } from '../../support/database/database.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import { nextReleaseReads } from '../cloud/releases.ts';
import type { LiveEntry, Platforms } from '../platforms/platforms.ts';
import type { ReadyWorkspace } from '../scenario/setup.ts';
import type { Service } from '../service.ts';
import { isTargetWorker } from '../world/process.ts';
import type { World } from '../world/world.ts';
import { createAutomationCheck } from './automations.ts';
import { callsOf, isInDoubt, readTarget } from './calls.ts';
import { createConnections } from './connections.ts';
import { createConversionCheck } from './conversions.ts';
import { createErasureCheck } from './erasure.ts';
import { createEventFeedCheck } from './event-feed.ts';
import { failureProblem } from './failures.ts';
import { checkFiles } from './files.ts';
import { checkPosts } from './final-posts.ts';
import { createLastCallCheck } from './last-calls.ts';
import { createLatenessCheck } from './lateness.ts';
import { createLeaseCheck } from './leases.ts';
import { createPauses } from './pauses.ts';
import { newPeopleLog } from './people-log.ts';
import { checkPlaces } from './places.ts';
import { createPrivateVideosCheck } from './private-videos.ts';
import type { Promises } from './promises.ts';
import { createRemovalCheck } from './removals.ts';
import { checkThreads } from './threads.ts';
import { createWebhookCheck } from './webhooks.ts';

/** A recorded intent of a target: what it is about to publish, and when it was due. */
export interface Intent {
  readonly key: string;
  readonly content: string;
  readonly dueMs: number;
}

/** A platform's working time on a file if the run does not say. */
const usualProcessingSeconds = 10;

/** An account of the run, as its platform knows it. */
const accountName = (platform: string, platformAccountId: string) => `${platform} ${platformAccountId}`;

/** The intents and live posts of one text on one account. Usually of one target; posts with the same text share a group. */
export interface Group {
  readonly intents: Map<string, Intent>;
  readonly live: LiveEntry[];
}

interface JudgePorts {
  readonly world: World;
  readonly committed: Committed;
  readonly service: Service;
  readonly platforms: Platforms;
}

export type Judge = ReturnType<typeof createJudge>;

/**
 * Watches a run. Checks invariants on every commit and whenever something goes live, and the final state after the last
 * event.
 */
export function createJudge({ world, committed, service, platforms }: JudgePorts) {
  const people = newPeopleLog();
  const connections = createConnections(world, committed);
  const pauses = createPauses(world, committed);
  const erasure = createErasureCheck(world, committed, service);
  const webhooks = createWebhookCheck(world, committed, service.receivers, (id) => feed.isReplayed(id));
  const feed = createEventFeedCheck(world, committed, webhooks.news);
  const automations = createAutomationCheck({
    ...{ world, committed, service, platforms },
    ...{ connections, pauses, people },
    nameOf: (accountId: string) => accounts.get(accountId),
  });
  const accounts = new Map<string, string>();
  const groups = new Map<string, Group>();
  const leaseHolders = new Map<string, string>();
  /** Targets that were deleted while their outcome was unknown, or with their workspace. */
  const deletedInDoubt = new Set<string>();
  /** Number of times that a person asked for another try after an unknown outcome, and the target was published again. */
  const dismissals = new Map<string, number>();
  const promises: Promises = new Map();
  /** The accounts that may get a text twice, as their platforms know them. */
  const twins = new Set<string>();
  /** Number of posts that each workspace has been asked for, and the number it has had, without those of chains. */
  const asked = new Map<string, number>();
  const created = new Map<string, number>();
  const lateness = createLatenessCheck(world, committed, pauses);
  const leases = createLeaseCheck(world, committed);
  createConversionCheck(world, committed);
  const { wasDisconnected } = lateness;
  const privateVideos = createPrivateVideosCheck({ world, committed, platforms, wasDisconnected });
  const removals = createRemovalCheck({
    ...{ world, committed, platforms, wasDisconnected },
    isTwin: (accountId) => twins.has(accounts.get(accountId) ?? ''),
  });
  const lastCalls = createLastCallCheck(world);
  service.queues.publish.whenSent(leases.noteSent);
  service.queues.upload.whenSent(leases.noteSent);
  const { violate } = world;

  const groupOf = (account: string, content: string): Group => {
    const name = `${account} ${content}`;
    const group = groups.get(name) ?? { intents: new Map(), live: [] };
    groups.set(name, group);
    return group;
  };

  committed.listen((change) => {
    if (change.kind === 'post') notePost(change);
    if (change.kind === 'account' && change.before?.['disconnectedAt'] !== change.after?.['disconnectedAt'])
      lateness.noteConnection(String(change.after?.['id']));
    if (change.kind !== 'target') return;
    leases.note(change);
    checkMove(change);
    checkRecords(change);
    checkOverdueKeys(change);
    checkFence(change);
    checkGoingLive(change);
    noteIntent(change);
    noteDismissal(change);
    lateness.note(change);
    const isErased = erasure.isDeleted(String(change.before?.['workspaceId']));
    if (!change.after && (isErased || isInDoubt(change.before?.['error']))) deletedInDoubt.add(change.key);
  });

  function notePost({ before, after }: Change): void {
    if (before || !after || after['parentPostId'] !== undefined) return;
    const workspaceId = String(after['workspaceId']);
    const count = (created.get(workspaceId) ?? 0) + 1;
    created.set(workspaceId, count);
    const most = asked.get(workspaceId) ?? 0;
    if (count > most) violate(`${count} posts were created for ${most} requests`);
  }

  function checkMove({ key, before, after }: Change): void {
    if (!before || !after || before['status'] === after['status']) return;
    const [from, to] = [before, after].map(({ status }) => PostStatus.parse(status));
    if (from && to && !targetLifeCycle[from].includes(to)) violate(`${key} moved from ${from} to ${to}`);
  }

  /** The records of last calls are never removed. */
  function checkRecords({ key, before, after }: Change): void {
    if (after && callsOf(after).length < callsOf(before).length)
      violate(`${key} lost the records of its last calls`);
  }

  /** The sweep must find every waiting target. */
  function checkOverdueKeys({ after }: Change): void {
    const problem = after && overdueProblem(nextReleaseReads(after), world.now() + world.clockSkewMs);
    if (problem !== undefined) violate(problem);
  }

  /** A worker that has lost its lease must write nothing more. */
  function checkFence({ key, before, after, by }: Change): void {
    if (!before || !after || !isTargetWorker(by)) return;
    if (after['attempt'] !== before['attempt']) leaseHolders.set(key, by.name);
    else if (leaseHolders.get(key) !== by.name && !isOnlyTold(before, after))
      violate(`${key} was written by a worker that had lost its lease`);
  }

  /** Whoever deletes an unpublished upload tells so in the timeline of its target, which nobody holds then. */
  function isOnlyTold(before: Item, after: Item): boolean {
    const others = (item: Item) => ({ ...item, timeline: undefined });
    return before['leaseUntil'] === undefined && isDeepStrictEqual(others(before), others(after));
  }

  /** A person's act must not touch a target that is going live. */
  function checkGoingLive({ key, before, after, by }: Change): void {
    if (before?.['status'] !== 'publishing' || !by.name.startsWith('api')) return;
    if (!after) violate(`${key} was deleted while it was going live`);
    else if (after['wakeNumber'] !== before['wakeNumber'])
      violate(`${key} was changed while it was going live`);
  }

  function noteIntent({ key, before, after, by }: Change): void {
    if (after && callsOf(after).at(-1)?.outcome !== 'open')
      lastCalls.forgetIntent(by, readTarget(after).platform);
    if (after?.['status'] !== 'publishing') return;
    if (callsOf(after).length === callsOf(before).length) return;
    const target = readTarget(after);
    lastCalls.noteIntent(by, target.platform);
    const post = committed.get(`${after['pk']} POST`);
    const content = target.content ?? String(post?.['content']);
    const account = accounts.get(target.accountId) ?? '';
    groupOf(account, content).intents.set(key, { key, content, dueMs: dueMsOf(target, post) });
    if (promises.get(target.postId)?.isDeleted)
      violate(`${key} has an intent to go live, but its post was deleted`);
  }

  function noteDismissal({ key, before, after }: Change): void {
    const isDismissed = (item: Item | undefined) => callsOf(item).at(-1)?.outcome === 'dismissed';
    if (isDismissed(after) && !isDismissed(before)) dismissals.set(key, (dismissals.get(key) ?? 0) + 1);
  }

  /** Called when something goes live. */
  function onLive(entry: LiveEntry): void {
    const { platform, post, liveMs } = entry;
    const account = accountName(platform, post.accountId);
    const group = groupOf(account, post.content);
    group.live.push(entry);
    const intents = [...group.intents.values()];
    if (intents.length === 0) {
      violate(`"${post.content}" went live on ${platform} without an intent`);
      return;
    }
    const allowed = intents.reduce((sum, { key }) => sum + 1 + (dismissals.get(key) ?? 0), 0);
    if (group.live.length > allowed)
      violate(
        `"${post.content}" went live ${group.live.length} times on ${platform}, for ${allowed} intents`,
      );
    const earlyMs = Math.min(...intents.map(({ dueMs }) => dueMs)) - liveMs;
    if (earlyMs > world.clockSkewMs)
      violate(`"${post.content}" went live ${earlyMs} ms early on ${platform}`);
    for (const { key } of intents) checkPromise(key, post.content);
  }

  function checkPromise(key: string, content: string): void {
    const target = committed.get(key);
    const promised = target && promises.get(String(target['postId']));
    if (!promised || promised.contents.has(content) || promised.ownContents.has(content)) return;
    violate(`${key} went live as "${content}", but it was edited`);
  }

  /** Checks the final state: all faults are over, and all work has ended. */
  async function checkEnd(table: Table): Promise<void> {
    for (const { chore } of committed.ofKind('chore'))
      if (!privateVideos.isExcused(String(chore))) violate(`a repair task is left: ${chore}`);
    await privateVideos.checkEnd();
    checkTargets();
    await checkThreads(world, committed, platforms);
    await removals.checkEnd();
    const kept = new Map([...promises].filter(([, { workspaceId }]) => !erasure.isDeleted(workspaceId)));
    await checkPosts({ world, committed, table, promises: kept });
    checkPlaces(world, committed);
    checkFiles(world, committed, service);
    erasure.checkEnd();
    webhooks.checkEnd();
    await feed.checkEnd(table);
    await automations.checkEnd();
    for (const record of service.streamDeadLetters)
      violate(`a change was not read: ${JSON.stringify(record)}`);
  }

  function checkTargets(): void {
    const targets = committed.ofKind('target').map(readTarget);
    const claimed = new Map<string, string>();
    for (const target of targets) {
      const name = nameOf(target);
      checkTarget(name, target);
      if (target.platformPostId === undefined) continue;
      const id = `${target.platform} ${target.platformPostId}`;
      const other = claimed.get(id);
      if (other !== undefined) violate(`${name} and ${other} claim the same post ${id}`);
      claimed.set(id, name);
    }
    for (const group of groups.values()) checkUnclaimed(group, targets);
  }

  /** Every live post belongs to a target that knows it, or whose outcome is reported as unknown. */
  function checkUnclaimed({ intents, live }: Group, targets: readonly Target[]): void {
    const owners = targets.filter((target) => intents.has(nameOf(target)));
    const known = new Set(owners.map(({ platformPostId }) => platformPostId));
    const unknown = live.filter(({ post }) => !known.has(post.id));
    const isExplained = [...intents.keys()].some(
      (key) => deletedInDoubt.has(key) || dismissals.has(key) || isInDoubt(committed.get(key)?.['error']),
    );
    // TikTok gives a post its id late, or never.
    const withoutId = owners.filter(
      ({ status, platformPostId }) => status === 'published' && platformPostId === undefined,
    );
    const first = unknown[withoutId.length];
    if (first && !isExplained)
      violate(
        `"${first.post.content}" is live on ${first.platform} as ${first.post.id}, but no target knows it`,
      );
  }

  function checkTarget(name: string, target: Target): void {
    const live = [...groups.values()]
      .filter(({ intents }) => intents.has(name))
      .flatMap((group) => group.live);
    const isUnsettled = callsOf(committed.get(name)).some(
      ({ outcome }) => outcome === 'open' || outcome === 'unknown',
    );
    switch (target.status) {
      case 'published': {
        const own = live.find(({ post }) => post.id === target.platformPostId);
        if (target.platformPostId !== undefined && !own)
          violate(`${name} has the id ${target.platformPostId}, but no such post is live`);
        if (live.length === 0) violate(`${name} is published, but nothing is live`);
        if (own) lateness.checkLive(name, target, own.post.publishedAt);
        if (isUnsettled) violate(`${name} is published, but the outcome of a call is open`);
        break;
      }
      case 'partial':
      case 'failed': {
        if (target.status === 'partial' && !hasPartsLeft(target))
          violate(`${name} is live in part, but lacks none`);
        const isTwin = twins.has(accounts.get(target.accountId) ?? '');
        const problem = failureProblem(world, target, {
          wasDisconnected: lateness.wasDisconnected(target.accountId),
          isTwin,
        });
        if (problem !== undefined) violate(`${name} ${problem}`);
        if (isInDoubt(target.error) !== isUnsettled)
          violate(`${name} has failed (${target.error}), but its calls are ${JSON.stringify(target.calls)}`);
        break;
      }
      case 'draft':
        break;
      default:
        violate(`${name} stays ${target.status}`);
    }
    if (target.wakeAt !== undefined) violate(`${name} waits for ${target.wakeAt}, but no event is left`);
  }

  return {
    onLive,
    /** Called when a platform fetches a picture that it gets as a rendition only. */
    onOriginalFetched(address: string): void {
      violate(`a platform fetched ${address} itself, and not its rendition`);
    },
    onLastCall: lastCalls.check,
    checkEnd,
    promises,
    people,
    feed,
    addWorkspace(workspace: ReadyWorkspace): void {
      asked.set(workspace.id, workspace.plan.posts.length);
      for (const [index, { id, platform, platformAccountId }] of workspace.accounts.entries()) {
        accounts.set(id, accountName(platform, platformAccountId));
        const settings = Object.values(workspace.plan.accounts[index]?.settings ?? {});
        const seconds = settings.filter((value) => typeof value === 'number');
        lateness.noteProcessing(platform, Math.max(usualProcessingSeconds, ...seconds) * secondMs);
      }
      for (const id of accountsWithTwins(workspace)) twins.add(accounts.get(id) ?? '');
    },
  };
}

/** The accounts that may get a text twice: by two posts with the same text, or by a cross-post of a post that they have. */
function accountsWithTwins({ plan: { posts }, accounts }: ReadyWorkspace): string[] {
  if (posts.some(({ text }) => text !== undefined)) return accounts.map(({ id }) => id);
  const crossPosts = posts.flatMap(({ chain }) => chain.filter(({ kind }) => kind === 'crossPost'));
  return crossPosts.flatMap(({ account }) => accounts[account]?.id ?? []);
}

const nameOf = ({ workspaceId, postId, accountId }: Target): string =>
  `POST#${workspaceId}#${postId} TARGET#${accountId}`;

function dueMsOf({ scheduledFor }: Target, post: Item | undefined): number {
  return Date.parse(scheduledFor ?? String(post?.['createdAt']));
}
