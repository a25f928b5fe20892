import { longestRetryMs } from '../at-most-once/retry-policy.ts';
import { calendarChanges } from '../calendar/entries.ts';
import { type Clock, minuteMs, toTimestamp } from '../kernel/clock.ts';
import { derivedTimeId } from '../kernel/ids.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformRules } from '../platforms/contract/rules.ts';
import { askAgainLater, countTry, stopAsking } from '../posts/chain/next-check.ts';
import type { ChainMessage, StoredChainStep } from '../posts/chain/schemas.ts';
import { stepPost } from '../posts/chain/step-post.ts';
import { commitPost } from '../posts/commit-post.ts';
import { fileUseItems } from '../posts/file-uses.ts';
import { fieldOfStep } from '../posts/planning/plan-chain.ts';
import { planPost } from '../posts/planning/plan-post.ts';
import { referenceKeys } from '../posts/request/references.ts';
import type { Post } from '../posts/schemas.ts';
import { findPost, insertPostItems } from '../posts/store.ts';
import { batchGet, type FoundItems } from '../table/batch-get.ts';
import { postKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, updatePart } from '../table/transaction.ts';
import { plus, removed } from '../table/update.ts';
import type { Target } from '../targets/schemas.ts';
import { isLive } from '../targets/state.ts';

/** What running a chain is given of the world. */
export interface ChainPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly rulesFor: (platform: Platform) => PlatformRules | undefined;
}

export type ChainOutcome = 'run' | 'not live yet' | 'skipped' | 'nothing waits' | 'given up';

/** A step that something live cannot begin is tried for as long as a target is, and so often at least. */
const fewestTries = 8;
const givenUp = { status: 'failed', error: 'an error on our side (given up after 6 hours)' } as const;

/**
 * Makes posts of the waiting steps of a post's chain, once its first target is live. However often and by however many
 * it is told, each step becomes one post: that post is written together with the step's move away from `waiting`, under
 * the condition that it still waits. A step that cannot be settled for hours fails with that reason.
 */
export async function runChain(
  ports: ChainPorts,
  { workspaceId, postId }: ChainMessage,
): Promise<ChainOutcome> {
  const stored = await findPost(ports.table, workspaceId, postId);
  const steps = (stored?.post.chain ?? []).map((step, index) => ({ step, index }));
  const waiting = steps.filter(({ step }) => step.status === 'waiting');
  if (!stored) return 'nothing waits';
  const { post, targets } = stored;
  if (waiting.length === 0) {
    await stopAsking(ports.table, post, ports.now());
    return 'nothing waits';
  }
  const liveMs = firstLiveMs(targets);
  if (liveMs === undefined) {
    const isSkipped = targets.every(({ status }) => status === 'failed');
    if (isSkipped) await stopAsking(ports.table, post, ports.now());
    else await askAgainLater(ports.table, post, targets, ports.now());
    return isSkipped ? 'skipped' : 'not live yet';
  }
  const tries = await countTry(ports.table, post, liveMs, ports.now());
  if (tries > fewestTries && ports.now() > liveMs + longestRetryMs) {
    for (const { index } of waiting)
      await settle(ports, post, index, givenUp, index === waiting.at(-1)?.index);
    return 'given up';
  }
  const drafts = waiting.map(({ step, index }) => ({
    index,
    step,
    draft: stepPost(step, post, liveMs + step.afterMinutes * minuteMs),
  }));
  const found = await batchGet(
    ports.table,
    drafts.flatMap(({ draft }) => referenceKeys(workspaceId, draft)),
  );
  const failures: unknown[] = [];
  for (const { index, step, draft } of drafts) {
    const isLast = index === waiting.at(-1)?.index && failures.length === 0;
    try {
      const { changes, ...becomes } = planStep(ports, { post, step, index, liveMs, draft, found });
      await settle(ports, post, index, changes, isLast, becomes);
    } catch (error) {
      // One step holds up no other; the sweep asks after it until it is settled.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return 'run';
}

/** Commits what became of a step, with the post that it became. */
async function settle(
  ports: ChainPorts,
  post: Post,
  index: number,
  changes: SettledStep['changes'],
  isLast: boolean,
  { writes, targets, uses }: Omit<SettledStep, 'changes'> = { writes: [], targets: [], uses: [] },
): Promise<void> {
  const outcome = await commitPost(
    ports.table,
    ports.now(),
    [settleStep(ports, post, index, changes, isLast), ...writes],
    calendarChanges(ports.table, [], targets),
    { uses },
  );
  // Where the first condition fails, another has settled the step, or the post is gone.
  if (!outcome.committed && outcome.failedIndex > 0)
    throw new Error(`step ${index} of the chain of post ${post.id} waits, but its post is there`);
}

/** When the first target went live, in epoch milliseconds; `undefined` while none is. */
function firstLiveMs(targets: readonly Target[]): number | undefined {
  const moments = targets.flatMap(({ status, publishedAt }) =>
    isLive(status) && publishedAt !== undefined ? Date.parse(publishedAt) : [],
  );
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

interface SettledStep {
  readonly changes: Pick<StoredChainStep, 'status' | 'postId' | 'error'>;
  /** The post it becomes. */
  readonly writes: TransactionItems;
  readonly targets: readonly Target[];
  /** By which its files find it. */
  readonly uses: readonly Record<string, unknown>[];
}

/**
 * What becomes of a step. Accounts and files that are gone or unfit by now are no reason not to make its post: it fails
 * at its time, where people look for it, and each of its targets by itself.
 */
function planStep(
  { table, now, rulesFor }: ChainPorts,
  {
    post,
    step,
    index,
    liveMs,
    draft,
    found,
  }: {
    post: Post;
    step: StoredChainStep;
    index: number;
    liveMs: number;
    draft: ReturnType<typeof stepPost>;
    found: FoundItems;
  },
): SettledStep {
  const { workspaceId } = post;
  const id = derivedTimeId(liveMs, post.id, 'chain', String(index));
  const { problems, ...planned } = planPost(
    draft,
    found,
    { workspaceId, now: now(), id, createdAt: toTimestamp(liveMs), rulesFor },
    { applyRules: false, checkTimes: false, leaveToPublishing: true },
  );
  const [problem] = problems;
  if (problem) {
    const error = `${fieldOfStep(step, problem.field)}: ${problem.message}`;
    return { changes: { status: 'failed', error }, writes: [], targets: [], uses: [] };
  }
  const child = { ...planned, post: { ...planned.post, parentPostId: post.id } };
  return {
    changes: { status: 'fired', postId: id },
    writes: insertPostItems(table, child),
    targets: child.targets,
    uses: fileUseItems(child),
  };
}

/** Moves a step away from `waiting`. With the last one nothing is left for the sweep to ask after. */
function settleStep(
  { table, now }: ChainPorts,
  { workspaceId, id }: Post,
  index: number,
  changes: SettledStep['changes'],
  isLast: boolean,
): TransactionItems[number] {
  const step = `chain[${index}]`;
  const settled = Object.entries(changes).map(([name, value]) => [`${step}.${name}`, value]);
  const asksNoMore = { chainWakeAt: removed, chainTries: removed, dueAt: removed, dueShard: removed };
  return updatePart(table, postKey(workspaceId, id), {
    set: {
      ...Object.fromEntries(settled),
      version: plus(1),
      updatedAt: toTimestamp(now()),
      ...(isLast && asksNoMore),
    },
    if: { [`${step}.status`]: 'waiting' },
  });
}
