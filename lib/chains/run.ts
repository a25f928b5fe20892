import { calendarChanges, commitWithCalendar } from '../calendar/index.ts';
import { type Clock, minuteMs, toTimestamp } from '../kernel/clock.ts';
import { derivedTimeId } from '../kernel/ids.ts';
import type { Platform } from '../platforms/names.ts';
import type { PlatformRules } from '../platforms/rules.ts';
import { planPost } from '../posts/plan.ts';
import { referenceKeys } from '../posts/references.ts';
import type { Post } from '../posts/schemas.ts';
import { isLive } from '../posts/state.ts';
import { findPost, insertPostItems } from '../posts/store.ts';
import { batchGet, type FoundItems } from '../table/batch-get.ts';
import { conditionalUpdate } from '../table/conditional-update.ts';
import { dueShard, postKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactionItems } from '../table/transaction.ts';
import type { Target } from '../targets/schemas.ts';
import { fieldOfStep } from './plan.ts';
import type { ChainMessage, StoredChainStep } from './schemas.ts';
import { stepPost } from './step-post.ts';
import { nextChainWake } from './wake.ts';

/** What running a chain is given of the world. */
export interface ChainPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly rulesFor: (platform: Platform) => PlatformRules | undefined;
}

export type ChainOutcome = 'run' | 'not live yet' | 'nothing waits';

/**
 * Makes posts of the waiting steps of a post's chain, once its first target is live. However often and by however many
 * it is told, each step becomes one post: that post is written together with the step's move away from `waiting`, under
 * the condition that it still waits.
 */
export async function runChain(
  ports: ChainPorts,
  { workspaceId, postId }: ChainMessage,
): Promise<ChainOutcome> {
  const stored = await findPost(ports.table, workspaceId, postId);
  const steps = (stored?.post.chain ?? []).map((step, index) => ({ step, index }));
  const waiting = steps.filter(({ step }) => step.status === 'waiting');
  if (!stored || waiting.length === 0) return 'nothing waits';
  const { post, targets } = stored;
  const liveMs = firstLiveMs(targets);
  if (liveMs === undefined) {
    await askAgainLater(ports, post);
    return 'not live yet';
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
  for (const { index, step, draft } of drafts) {
    const settled = planStep(ports, { post, step, index, liveMs, draft, found });
    const isLast = index === waiting.at(-1)?.index;
    const outcome = await commitWithCalendar(
      ports.table,
      [settleStep(ports, post, index, settled.changes, isLast), ...settled.writes],
      calendarChanges(ports.table, [], settled.targets),
    );
    // Where the first condition fails, another has settled the step, or the post is gone.
    if (!outcome.committed && outcome.failedIndex > 0)
      throw new Error(`step ${index} of the chain of post ${post.id} waits, but its post is there`);
  }
  return 'run';
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
    return { changes: { status: 'failed', error }, writes: [], targets: [] };
  }
  const child = { ...planned, post: { ...planned.post, parentPostId: post.id } };
  return {
    changes: { status: 'fired', postId: id },
    writes: insertPostItems(table, child),
    targets: child.targets,
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
  const sets = Object.entries(changes).map(([name]) => `chain[${index}].#${name} = :${name}`);
  const values = Object.entries(changes).map(([name, value]) => [`:${name}`, value]);
  return {
    Update: {
      TableName: table.name,
      Key: postKey(workspaceId, id),
      UpdateExpression: `SET ${sets.join(', ')}, version = version + :one, updatedAt = :now${isLast ? ' REMOVE chainWakeAt, dueAt, dueShard' : ''}`,
      ConditionExpression: `chain[${index}].#status = :waiting`,
      ExpressionAttributeNames: Object.fromEntries(Object.keys(changes).map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(values),
        ':waiting': 'waiting',
        ':one': 1,
        ':now': toTimestamp(now()),
      },
    },
  };
}

/** The sweep asked too early. An edit that came between has set another time, which stands. */
async function askAgainLater({ table, now }: ChainPorts, post: Post): Promise<void> {
  const { workspaceId, id, chainWakeAt, scheduledFor, createdAt } = post;
  if (chainWakeAt === undefined || Date.parse(chainWakeAt) > now()) return;
  const next = nextChainWake(Date.parse(scheduledFor ?? createdAt), now());
  await conditionalUpdate(table, {
    Key: postKey(workspaceId, id),
    UpdateExpression: 'SET chainWakeAt = :next, dueAt = :next, dueShard = :shard',
    ConditionExpression: 'chainWakeAt = :before',
    ExpressionAttributeValues: { ':next': next, ':before': chainWakeAt, ':shard': dueShard(id) },
  });
}
