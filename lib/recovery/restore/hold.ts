import { unsettledCall } from '../../at-most-once/call-records.ts';
import { mapInBatches } from '../../kernel/batches.ts';
import { dayMs, hourMs, toTimestamp } from '../../kernel/clock.ts';
import { type DueItem, endOfTime, workDuePages } from '../../overdue/due-pages.ts';
import { repairTaskFromItem } from '../../overdue/repair-tasks.ts';
import { concurrentItems } from '../../overdue/resend.ts';
import { listPauses } from '../../pauses/read.ts';
import { settleStep } from '../../posts/stored/chain-steps.ts';
import { findPost, type PostWithTargets } from '../../posts/stored/store.ts';
import { updateItem } from '../../table/items.ts';
import { allActionShards, allDueShards, allFailedShards, allHeldShards, postIdOf } from '../../table/keys.ts';
import { LeaseLostError } from '../../table/lease.ts';
import { transact } from '../../table/transaction.ts';
import { removed } from '../../table/update.ts';
import { targetFromItem } from '../../targets/item.ts';
import type { Target } from '../../targets/schemas.ts';
import { type TargetChanges, updateTarget } from '../../targets/store.ts';
import { appendEntry } from '../../targets/timeline.ts';
import { doubtAbout, doubtfulSteps, type Gap, withRestoredCall } from './doubtful.ts';
import { findUnscheduled } from './gone-schedules.ts';
import { counting, type HoldCount, type HoldPorts, type Run } from './hold-run.ts';

/** The maximum time that a target may wait after its time: for a limit of its platform, or between two tries. */
const longestWaitMs = 2 * dayMs;
export interface HoldOptions {
  /** Only counts, and changes nothing. */
  readonly isDryRun?: boolean;
  /** The names of all schedules that the lost table has left behind. Absent: they are lost too, see {@link findUnscheduled}. */
  readonly scheduleNames?: readonly string[] | undefined;
}

/**
 * Makes a table that was restored from a backup safe to use: nothing that may have happened in the gap is done again. Every
 * target that was due gets the record of a call of unknown outcome, so that its next worker asks the platform, and only a
 * person's retry publishes it. Run it before any function uses the table. Idempotent.
 *
 * It does not change work that is due after the gap, so that goes live at its time, except targets that have lost their schedule.
 */
export async function holdDoubtful(
  ports: HoldPorts,
  gap: Gap,
  { isDryRun = false, scheduleNames }: HoldOptions = {},
): Promise<HoldCount> {
  const count = { targets: 0, unscheduled: 0, retries: 0, finishing: 0, steps: 0, actions: 0, failures: 0 };
  const run = { isDryRun, count };
  // First, because it may find that the group is the wrong one. Then nothing is changed.
  const unscheduled = scheduleNames ? await findUnscheduled(ports, scheduleNames, gap) : [];
  await holdDue(ports, gap, run);
  const posts = [...Map.groupBy(unscheduled, ({ postId }) => postId)];
  await mapInBatches(posts, concurrentItems, ([postId, targets]) =>
    counting(ports, count, `post ${postId}`, () => holdUnscheduled(ports, targets, gap, run)),
  );
  await holdActions(ports, gap, run);
  await askBeforeRetries(ports, gap, run);
  return count;
}

/** Holds the targets of a post that have lost their schedules. They may have been live since the beginning of the gap. */
async function holdUnscheduled(
  ports: HoldPorts,
  targets: readonly Target[],
  gap: Gap,
  run: Run,
): Promise<void> {
  for (const target of targets) {
    run.count.unscheduled += 1;
    ports.onTarget?.(target, true);
    if (!run.isDryRun) await updateHeld(ports, target, lookedUp(ports, target, gap));
  }
  const [first] = targets;
  if (first) await endSteps(ports, first, gap, run, gap.sinceMs);
}

/** Holds the doubtful targets and chains of posts in the index `overdue`. */
async function holdDue(ports: HoldPorts, gap: Gap, run: Run): Promise<void> {
  const { table } = ports;
  const scopes = new Set((await listPauses(table)).map(({ scope }) => scope));
  const checked = new Set<string>();
  const workPage = async (page: readonly DueItem[]) => {
    await each(ports, page, run.count, async (item) => {
      if (item['kind'] === 'chore') {
        // A pause that has just ended is not listed, but may still hold targets. Its task exists until it holds none.
        const { task } = repairTaskFromItem(item);
        if (task.kind === 'held targets') scopes.add(task.scope);
        return;
      }
      const postId = postIdOf(String(item['pk']));
      if (item['kind'] === 'target') await holdTarget(ports, targetFromItem(item), gap, run);
      if (checked.has(postId)) return;
      checked.add(postId);
      await endSteps(ports, { workspaceId: String(item['workspaceId']), postId }, gap, run);
    });
  };
  const range = {
    dueBefore: toTimestamp(gap.untilMs + longestWaitMs),
    deadlineMs: Number.POSITIVE_INFINITY,
  };
  await workDuePages(ports, { ...range, shards: allDueShards }, workPage);
  await workDuePages(ports, { ...range, shards: [...scopes].flatMap(allHeldShards) }, workPage);
}

/** Takes due replies and messages out of the index, so that no sweep finds them. */
async function holdActions(ports: HoldPorts, gap: Gap, { isDryRun, count }: Run): Promise<void> {
  // All times, because the sweep postpones items that it has sent for up to their lateness.
  const range = { dueBefore: endOfTime, deadlineMs: Number.POSITIVE_INFINITY, shards: allActionShards };
  const until = toTimestamp(gap.untilMs);
  await workDuePages(ports, range, async (page) => {
    await each(ports, page, count, async (item, key) => {
      if (String(item['wakeAt']) > until) return;
      count.actions += 1;
      if (isDryRun) return;
      // It keeps its state otherwise, so that the person does not get a second message.
      await updateItem(ports.table, key, {
        set: { dueAt: removed, dueShard: removed },
        if: { dueAt: String(item['dueAt']) },
      });
    });
  });
}

async function each(
  ports: HoldPorts,
  page: readonly DueItem[],
  count: HoldCount,
  work: (item: DueItem['item'], key: DueItem['key']) => Promise<void>,
): Promise<void> {
  await mapInBatches(page, concurrentItems, ({ item, key }) =>
    counting(ports, count, `${key.pk} ${key.sk}`, () => work(item, key)),
  );
}

async function holdTarget(
  ports: HoldPorts,
  target: Target,
  gap: Gap,
  { isDryRun, count }: Run,
): Promise<void> {
  const doubt = doubtAbout(target, gap);
  if (doubt === 'nothing') return;
  count[doubt === 'look up' ? 'targets' : 'finishing'] += 1;
  if (doubt === 'look up') ports.onTarget?.(target, false);
  if (isDryRun) return;
  await updateHeld(ports, target, doubt === 'look up' ? lookedUp(ports, target, gap) : ended(ports, target));
}

/** Returns the changes of a target whose outcome the platform is asked for. */
function lookedUp({ now }: HoldPorts, target: Target, gap: Gap): TargetChanges {
  const at = toTimestamp(now());
  const reason = 'the service was restored from a backup';
  return {
    status: 'publishing',
    calls: withRestoredCall(target, gap),
    wakeAt: at,
    problem: null,
    timeline: appendEntry(target.timeline, {
      ...entryAt(at, target),
      event: 'outcome unknown',
      reason,
      nextAt: at,
    }),
  };
}

/** Returns the changes of a live target that is not finished any more. */
function ended({ now }: HoldPorts, target: Target): TargetChanges {
  const entry = entryAt(toTimestamp(now()), target);
  return {
    status: 'published',
    wakeAt: null,
    problem: { code: 'extra_failed', text: unfinished },
    timeline: appendEntry(target.timeline, { ...entry, event: 'finished', reason: unfinished }),
  };
}

const entryAt = (at: string, { attempt }: Target) => ({ at, attempt, calls: [] });

/** @throws Error if the target has changed since it was read */
async function updateHeld(ports: HoldPorts, target: Target, changes: TargetChanges): Promise<void> {
  try {
    await updateTarget(ports.table, target, changes, ports.uniqueId());
  } catch (error) {
    if (error instanceof LeaseLostError)
      throw new Error('it has changed: a function uses the table already', { cause: error });
    throw error;
  }
}

const unfinished =
  'published, but perhaps not finished: the service was restored from a backup. Look at its first comment and thumbnail';

/** The time before the backup in which a destination may have failed that a person retries in the gap. Our judgement. */
const retriedWithinMs = 2 * dayMs;

/**
 * Makes the next retry of a failed target ask the platform first: a person may have retried it in the gap, and it may be live. It
 * stays failed, with the same error. Covers targets that failed in the two days before the backup. Idempotent.
 */
async function askBeforeRetries(ports: HoldPorts, gap: Gap, { isDryRun, count }: Run): Promise<void> {
  const range = { dueBefore: endOfTime, deadlineMs: Number.POSITIVE_INFINITY };
  // Each hour has shards of its own.
  for (let hour = gap.sinceMs - retriedWithinMs; hour < gap.untilMs + hourMs; hour += hourMs)
    await workDuePages(ports, { ...range, shards: allFailedShards(toTimestamp(hour)) }, async (page) => {
      await mapInBatches(page, concurrentItems, ({ item, key }) =>
        counting(ports, count, `${key.pk} ${key.sk}`, async () => {
          const target = targetFromItem(item);
          // An unsettled call is asked about anyway.
          const hasFailed = target.status === 'failed' || target.status === 'partial';
          if (!hasFailed || unsettledCall(target.calls)) return;
          count.retries += 1;
          if (!isDryRun) await updateTarget(ports.table, target, askedFirst(target, gap), ports.uniqueId());
        }),
      );
    });
}

/** Returns changes without the preparation, as any retry of a failed target begins: the failed one is not used again. */
function askedFirst(target: Target, gap: Gap) {
  const calls = withRestoredCall({ ...target, preparation: {} }, gap);
  const asked = calls.map((call, index) =>
    index === calls.length - 1 ? { ...call, outcome: 'unknown' as const } : call,
  );
  return { calls: asked, preparation: null };
}

/**
 * Ends the steps of a post's chain that may have become posts in the gap.
 *
 * @param dueMs the time at which the post may have gone live, in epoch milliseconds; default: the due time of the backup's first
 *   target
 */
async function endSteps(
  { table, now }: HoldPorts,
  { workspaceId, postId }: Pick<Target, 'workspaceId' | 'postId'>,
  gap: Gap,
  { isDryRun, count }: Run,
  dueMs?: number,
): Promise<void> {
  for (;;) {
    const found = await findPost(table, workspaceId, postId);
    const { chain = [] } = found?.post ?? {};
    const steps = found ? doubtfulSteps(chain, dueMs ?? firstDueMs(found), gap) : [];
    const [index] = steps;
    if (isDryRun) count.steps += steps.length;
    if (found === undefined || index === undefined || isDryRun) return;
    const waiting = chain.filter(({ status }) => status === 'waiting').length;
    const result = {
      status: 'failed',
      error: 'the service was restored from a backup: create it again',
    } as const;
    const part = settleStep(table, found.post, index, result, { isLast: waiting === 1, now: now() });
    if ((await transact(table, [part])).committed) count.steps += 1;
  }
}

/** Returns the time at which the first target of a post went live or was due, in epoch milliseconds. */
function firstDueMs({ post, targets }: PostWithTargets): number {
  const times = targets.flatMap(({ publishedAt, scheduledFor }) => publishedAt ?? scheduledFor ?? []);
  return Math.min(
    ...[...times, ...(times.length > 0 ? [] : [post.createdAt])].map((time) => Date.parse(time)),
  );
}
