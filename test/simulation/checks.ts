import { isDeepStrictEqual } from 'node:util';
import { postStatus } from '../../lib/posts/state.ts';
import { findPost } from '../../lib/posts/store.ts';
import { byPosition } from '../../lib/posts/view.ts';
import type { Table } from '../../lib/table/table.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { summarise, type Target } from '../../lib/targets/schemas.ts';
import { PostStatus, targetLifeCycle } from '../../lib/targets/state.ts';
import type { Change, Committed } from './committed.ts';
import type { Item } from './engine-table.ts';
import type { LedgerEntry } from './platform.ts';
import type { Process, World } from './world.ts';

/** The last intent of a target: what it was about to publish, and when it might. */
interface Intent {
  readonly content: string;
  readonly dueMs: number;
}

/** How long after its time a target is live where nothing goes wrong and it was planned ahead of its preparation. */
const latestInCalmMs = 1_500;
/** From commit to message there is the stream. */
const aheadMs = 2_000;

/** What a client was promised of a post. */
export interface Promised {
  readonly postId: string;
  readonly workspaceId: string;
  /** What may go live: one text, or two while nobody knows whether an edit was taken. */
  contents: ReadonlySet<string>;
  /** Texts of single destinations, which no edit here changes. */
  readonly ownContents: ReadonlySet<string>;
  isDeleted: boolean;
}

/**
 * Watches a run. What must hold at every step is looked at with every commit and with everything that goes live; what
 * must hold in the end is looked at once nothing is going to happen any more.
 */
export function createChecks(
  world: World,
  committed: Committed,
  accountOf: (platformAccountId: string) => { readonly workspaceId: string; readonly id: string },
) {
  const intents = new Map<string, Intent>();
  const holders = new Map<string, Process>();
  const live = new Map<string, LedgerEntry[]>();
  const plannedAhead = new Set<string>();
  /** Deleted by their owners while nobody could say whether they are live. */
  const givenUp = new Set<string>();
  const promised = new Map<string, Promised>();
  const { violate } = world;

  committed.listen((change) => {
    if (change.kind !== 'target') return;
    checkMove(change);
    checkFence(change);
    notePlan(change);
    noteIntent(change);
    if (!change.after && isInDoubt(change.before?.['error'])) givenUp.add(change.key);
  });

  function checkMove({ key, before, after }: Change): void {
    if (!before || !after || before['status'] === after['status']) return;
    const [from, to] = [before, after].map(({ status }) => PostStatus.parse(status));
    if (from && to && !targetLifeCycle[from].includes(to)) violate(`${key} moved from ${from} to ${to}`);
  }

  /** A worker that lost its lease writes nothing more. */
  function checkFence({ key, before, after, by }: Change): void {
    if (!before || !after || by.name !== 'publish') return;
    if (after['attempt'] !== before['attempt']) holders.set(key, by);
    else if (holders.get(key) !== by) violate(`${key} was written by a worker that had lost its lease`);
  }

  function notePlan({ key, after, by }: Change): void {
    if (by.name === 'publish' || !after?.['wakeAt']) return;
    const isAhead = Date.parse(String(after['wakeAt'])) > world.now() + aheadMs;
    if (isAhead) plannedAhead.add(key);
    else plannedAhead.delete(key);
  }

  function noteIntent({ key, before, after }: Change): void {
    const isIntent = after?.['status'] === 'publishing' && before?.['intentAt'] !== after['intentAt'];
    if (!after || !isIntent) return;
    const target = targetFromItem(after);
    const post = committed.get(`${after['pk']} POST`);
    const content = target.content ?? String(post?.['content']);
    intents.set(key, { content, dueMs: dueMsOf(target, post) });
    const of = promised.get(target.postId);
    if (of?.isDeleted) violate(`${key} is about to go live though its post was deleted`);
  }

  /** Everything that goes live, as it does. */
  function onLive(entry: LedgerEntry): void {
    const { workspaceId, id } = accountOf(entry.platformAccountId);
    const key = `POST#${workspaceId}#${entry.reference} TARGET#${id}`;
    const before = live.get(key) ?? [];
    live.set(key, [...before, entry]);
    if (before.length > 0) violate(`${key} went live twice`);
    const intent = intents.get(key);
    if (!intent) {
      violate(`${key} went live without an intent`);
      return;
    }
    if (entry.liveMs < intent.dueMs) violate(`${key} went live ${intent.dueMs - entry.liveMs} ms early`);
    const lateMs = entry.liveMs - intent.dueMs;
    if (world.isCalm && plannedAhead.has(key) && lateMs > latestInCalmMs)
      violate(`${key} went live ${lateMs} ms late, and nothing was wrong`);
    if (entry.content !== intent.content) {
      violate(`${key} went live as "${entry.content}", but "${intent.content}" was committed`);
    }
    const of = promised.get(entry.reference);
    if (of && !of.contents.has(entry.content) && !of.ownContents.has(entry.content))
      violate(`${key} went live as "${entry.content}" though it was edited`);
  }

  /** What must hold once all faults are over and all that was begun has ended. */
  async function checkEnd(table: Table): Promise<void> {
    for (const item of [...committed.items()].filter(({ kind }) => kind === 'post')) {
      await checkPost(table, item);
    }
    for (const key of live.keys()) {
      if (!committed.get(key) && !givenUp.has(key)) violate(`${key} is live, but its post is gone`);
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
      violate(`post ${item['id']} is not in the table`);
      return;
    }
    const { post, targets } = found;
    for (const target of targets) checkTarget(target);
    const expected = postStatus(targets.map(({ status }) => status));
    if (post.status !== expected) violate(`post ${post.id} says ${post.status}, its targets ${expected}`);
    if (!isDeepStrictEqual(post.targets, byPosition(targets).map(summarise)))
      violate(`post ${post.id} lists its targets as they were`);
    checkChain(found.post, targets);
  }

  function checkTarget(target: Target): void {
    const name = `POST#${target.workspaceId}#${target.postId} TARGET#${target.accountId}`;
    const entries = live.get(name) ?? [];
    switch (target.status) {
      case 'published':
        if (entries.length === 0) violate(`${name} says published, and nothing is live`);
        if (target.platformPostId !== undefined && target.platformPostId !== entries[0]?.id)
          violate(`${name} says it is ${target.platformPostId}, and ${entries[0]?.id} is live`);
        break;
      case 'failed':
        if (!target.error) violate(`${name} has failed without a reason`);
        if (entries.length > 0 && !isInDoubt(target.error))
          violate(`${name} has failed (${target.error}), and is live`);
        break;
      case 'draft':
        if (entries.length > 0) violate(`${name} is a draft, and live`);
        break;
      default:
        violate(`${name} stays ${target.status}`);
    }
    if (target.wakeAt !== undefined) violate(`${name} waits for ${target.wakeAt}, and nothing comes`);
  }

  /** Each step became one post where anything is live, and none where nothing is. */
  function checkChain(
    post: { id: string; chain?: readonly { status: string; postId?: string | undefined }[] | undefined },
    targets: readonly Target[],
  ): void {
    const isAnyLive = targets.some(({ status }) => status === 'published');
    const children = [...committed.items()].filter(({ parentPostId }) => parentPostId === post.id);
    const steps = post.chain ?? [];
    if (!isAnyLive && children.length > 0) violate(`the chain of ${post.id} began, and nothing is live`);
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

const isInDoubt = (error: unknown): boolean => String(error).startsWith('outcome unknown');
