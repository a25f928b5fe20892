import { isDeepStrictEqual } from 'node:util';
import { unsettledCall } from '../../lib/at-most-once/call-records.ts';
import type { CallRecord } from '../../lib/platforms/contract/last-call.ts';
import { postStatus } from '../../lib/posts/state.ts';
import { findPost } from '../../lib/posts/store.ts';
import { byPosition } from '../../lib/posts/view.ts';
import type { Table } from '../../lib/table/table.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { summarise, type Target } from '../../lib/targets/schemas.ts';
import { PostStatus, targetLifeCycle } from '../../lib/targets/state.ts';
import { overdueProblem } from '../support/audit-overdue.ts';
import type { Change, Committed } from './committed.ts';
import type { Item } from './engine-table.ts';
import type { LedgerEntry } from './platform.ts';
import type { Process, World } from './world.ts';

/** The last intent of a target: what it was about to publish, and when it was due. */
interface Intent {
  readonly content: string;
  readonly dueMs: number;
}

/** How late a target may go live if nothing goes wrong and it was scheduled before its preparation had to begin. */
const maxCalmLatenessMs = 1_500;
/** Allows for the stream's delay between the commit and the message. */
const streamDelayMs = 2_000;

/** What the service has promised a client about a post. */
export interface Promised {
  readonly postId: string;
  readonly workspaceId: string;
  /** The content that may go live: one text, or two while the outcome of an edit is unknown. */
  contents: ReadonlySet<string>;
  /** The texts of single destinations, which no simulated edit changes. */
  readonly ownContents: ReadonlySet<string>;
  isDeleted: boolean;
}

/**
 * Watches a run. Checks invariants on every commit and whenever something goes live, and the final state after the last
 * event.
 */
export function createChecks(
  world: World,
  committed: Committed,
  accountOf: (platformAccountId: string) => { readonly workspaceId: string; readonly id: string },
) {
  const intents = new Map<string, Intent>();
  const leaseHolders = new Map<string, Process>();
  const live = new Map<string, LedgerEntry[]>();
  const plannedAhead = new Set<string>();
  /** Targets that were deleted while their outcome was unknown. */
  const deletedInDoubt = new Set<string>();
  /** How often a person asked for another try after an unknown outcome, and the target was published again. */
  const dismissals = new Map<string, number>();
  const promised = new Map<string, Promised>();
  const { violate } = world;

  committed.listen((change) => {
    if (change.kind !== 'target') return;
    checkMove(change);
    checkOverdueKeys(change);
    checkFence(change);
    notePlan(change);
    noteIntent(change);
    noteDismissal(change);
    if (!change.after && isInDoubt(change.before?.['error'])) deletedInDoubt.add(change.key);
  });

  function checkMove({ key, before, after }: Change): void {
    if (!before || !after || before['status'] === after['status']) return;
    const [from, to] = [before, after].map(({ status }) => PostStatus.parse(status));
    if (from && to && !targetLifeCycle[from].includes(to)) violate(`${key} moved from ${from} to ${to}`);
  }

  /** The sweep must find every waiting target. */
  function checkOverdueKeys({ after }: Change): void {
    const problem = after && overdueProblem(after, world.now());
    if (problem !== undefined) violate(problem);
  }

  /** A worker that has lost its lease must write nothing more. */
  function checkFence({ key, before, after, by }: Change): void {
    if (!before || !after || by.name !== 'publish') return;
    if (after['attempt'] !== before['attempt']) leaseHolders.set(key, by);
    else if (leaseHolders.get(key) !== by) violate(`${key} was written by a worker that had lost its lease`);
  }

  function notePlan({ key, after, by }: Change): void {
    if (by.name === 'publish' || !after?.['wakeAt']) return;
    const isAhead = Date.parse(String(after['wakeAt'])) > world.now() + streamDelayMs;
    if (isAhead) plannedAhead.add(key);
    else plannedAhead.delete(key);
  }

  function noteIntent({ key, before, after }: Change): void {
    if (after?.['status'] !== 'publishing') return;
    const target = targetFromItem(after);
    if (callsOf(after).length === callsOf(before).length) return;
    const post = committed.get(`${after['pk']} POST`);
    const content = target.content ?? String(post?.['content']);
    intents.set(key, { content, dueMs: dueMsOf(target, post) });
    const promise = promised.get(target.postId);
    if (promise?.isDeleted) violate(`${key} has an intent to go live, but its post was deleted`);
  }

  function noteDismissal({ key, before, after }: Change): void {
    const isDismissed = (item: Item | undefined) => callsOf(item).at(-1)?.outcome === 'dismissed';
    if (isDismissed(after) && !isDismissed(before)) dismissals.set(key, (dismissals.get(key) ?? 0) + 1);
  }

  /** Called when something goes live. */
  function onLive(entry: LedgerEntry): void {
    const { workspaceId, id } = accountOf(entry.platformAccountId);
    const key = `POST#${workspaceId}#${entry.reference} TARGET#${id}`;
    const before = live.get(key) ?? [];
    live.set(key, [...before, entry]);
    if (before.length > (dismissals.get(key) ?? 0)) violate(`${key} went live twice`);
    const intent = intents.get(key);
    if (!intent) {
      violate(`${key} went live without an intent`);
      return;
    }
    if (entry.liveMs < intent.dueMs) violate(`${key} went live ${intent.dueMs - entry.liveMs} ms early`);
    const lateMs = entry.liveMs - intent.dueMs;
    if (world.isCalm && plannedAhead.has(key) && lateMs > maxCalmLatenessMs)
      violate(`${key} went live ${lateMs} ms late, but nothing went wrong`);
    if (entry.content !== intent.content) {
      violate(`${key} went live as "${entry.content}", but "${intent.content}" was committed`);
    }
    const promise = promised.get(entry.reference);
    if (promise && !promise.contents.has(entry.content) && !promise.ownContents.has(entry.content))
      violate(`${key} went live as "${entry.content}", but it was edited`);
  }

  /** Checks the final state: all faults are over, and all work has ended. */
  async function checkEnd(table: Table): Promise<void> {
    for (const item of [...committed.items()].filter(({ kind }) => kind === 'post')) {
      await checkPost(table, item);
    }
    for (const item of [...committed.items()].filter(({ kind }) => kind === 'chore'))
      violate(`a repair task is left: ${item['chore']}`);
    for (const key of live.keys()) {
      if (!committed.get(key) && !deletedInDoubt.has(key) && !dismissals.has(key))
        violate(`${key} is live, but its post does not exist`);
    }
    for (const { postId, workspaceId, isDeleted } of promised.values()) {
      const isThere = committed.get(`POST#${workspaceId}#${postId} POST`) !== undefined;
      if (isThere === isDeleted)
        violate(`post ${postId} was ${isDeleted ? 'deleted' : 'created'}, but is not`);
    }
  }

  async function checkPost(table: Table, item: Item): Promise<void> {
    const found = await findPost(table, String(item['workspaceId']), String(item['id']));
    if (!found) {
      violate(`post ${item['id']} is missing from the table`);
      return;
    }
    const { post, targets } = found;
    for (const target of targets) checkTarget(target);
    const expected = postStatus(targets.map(({ status }) => status));
    if (post.status !== expected)
      violate(`post ${post.id} has the status ${post.status}, but its targets make it ${expected}`);
    if (!isDeepStrictEqual(post.targets, byPosition(targets).map(summarise)))
      violate(`post ${post.id} has an outdated summary of its targets`);
    checkChain(found.post, targets);
  }

  function checkTarget(target: Target): void {
    const name = `POST#${target.workspaceId}#${target.postId} TARGET#${target.accountId}`;
    const entries = live.get(name) ?? [];
    const isUnsettled = unsettledCall(target.calls) !== undefined;
    const mayBeLive = dismissals.has(name);
    switch (target.status) {
      case 'published':
        if (entries.length === 0) violate(`${name} is published, but nothing is live`);
        if (target.platformPostId !== undefined && !entries.some(({ id }) => id === target.platformPostId))
          violate(`${name} has the id ${target.platformPostId}, but ${entries[0]?.id} is live`);
        if (isUnsettled) violate(`${name} is published, but the outcome of a call is open`);
        break;
      case 'failed':
        if (!target.error) violate(`${name} has failed without a reason`);
        if (entries.length > 0 && !isInDoubt(target.error) && !mayBeLive)
          violate(`${name} has failed (${target.error}), but is live`);
        if (isInDoubt(target.error) !== isUnsettled)
          violate(`${name} has failed (${target.error}), but its calls are ${JSON.stringify(target.calls)}`);
        break;
      case 'draft':
        if (entries.length > 0 && !mayBeLive) violate(`${name} is a draft, but is live`);
        break;
      default:
        violate(`${name} stays ${target.status}`);
    }
    if (target.wakeAt !== undefined) violate(`${name} waits for ${target.wakeAt}, but no event is left`);
  }

  /** If a target of the post is live, each step must have become one post. Otherwise, no step must have. */
  function checkChain(
    post: { id: string; chain?: readonly { status: string; postId?: string | undefined }[] | undefined },
    targets: readonly Target[],
  ): void {
    const isAnyLive = targets.some(({ status }) => status === 'published');
    const children = [...committed.items()].filter(({ parentPostId }) => parentPostId === post.id);
    const steps = post.chain ?? [];
    if (!isAnyLive && children.length > 0) violate(`the chain of ${post.id} has begun, but nothing is live`);
    if (isAnyLive && children.length !== steps.length)
      violate(`the chain of ${post.id} has ${steps.length} steps and became ${children.length} posts`);
    for (const { status, postId } of isAnyLive ? steps : []) {
      if (status !== 'fired') violate(`a step of ${post.id} is ${status}`);
      if (!children.some(({ id }) => id === postId)) violate(`a step of ${post.id} names another post`);
    }
  }

  return {
    onLive,
    checkEnd,
    promised,
  };
}

export type Checks = ReturnType<typeof createChecks>;

function dueMsOf({ scheduledFor }: Target, post: Item | undefined): number {
  return Date.parse(scheduledFor ?? String(post?.['createdAt']));
}

const callsOf = (item: Item | undefined): readonly CallRecord[] => (item && targetFromItem(item).calls) ?? [];

const isInDoubt = (error: unknown): boolean => String(error).startsWith('outcome unknown');
