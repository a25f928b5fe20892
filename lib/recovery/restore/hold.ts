import { mapInBatches } from '../../kernel/batches.ts';
import { type Clock, dayMs, toTimestamp } from '../../kernel/clock.ts';
import { type DueItem, workDuePages } from '../../overdue/due-pages.ts';
import { concurrentItems } from '../../overdue/resend.ts';
import { listPauses } from '../../pauses/read.ts';
import { settleStep } from '../../posts/chain/settle-step.ts';
import { findPost, type PostWithTargets } from '../../posts/store.ts';
import { updateItem } from '../../table/items.ts';
import { allActionShards, allDueShards, allHeldShards, postIdOf } from '../../table/keys.ts';
import { LeaseLostError } from '../../table/lease.ts';
import type { Table } from '../../table/table.ts';
import { transact } from '../../table/transaction.ts';
import { removed } from '../../table/update.ts';
import { targetFromItem } from '../../targets/item.ts';
import type { Target } from '../../targets/schemas.ts';
import { updateTarget } from '../../targets/store.ts';
import { appendEntry } from '../../targets/timeline.ts';
import { doubtAbout, doubtfulSteps, type Gap, withRestoredCall } from './doubtful.ts';

export interface HoldPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
  /** Called for each target that is in doubt, before it is changed. */
  readonly onTarget?: (target: Target) => void;
  /** Reports what could not be changed. Run the command again. */
  readonly report: (message: string, error: unknown) => void;
}

/** What was found, and changed unless the run is dry. */
export interface HoldCount {
  /** Targets that the platform is asked about. */
  targets: number;
  /** Live targets whose finishing ends. */
  finishing: number;
  /** Steps of chains that are not made into posts. */
  steps: number;
  /** Replies and messages of automations that are not sent. */
  actions: number;
  failures: number;
}

/** A target may wait this long after its time: for a limit of its platform, or between two tries. */
const longestWaitMs = 2 * dayMs;

/**
 * Makes a table that was restored from a backup safe to use: whatever may have happened in the gap is not done again. Every target
 * that was due gets the record of a call of unknown outcome, so that its next worker asks the platform, and nothing but a person's
 * retry publishes it. Run it before any function uses the table. Idempotent.
 *
 * It does not change what is due after the gap, so all of that goes live at its time.
 */
export async function holdDoubtful(
  ports: HoldPorts,
  gap: Gap,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<HoldCount> {
  const { table } = ports;
  const count: HoldCount = { targets: 0, finishing: 0, steps: 0, actions: 0, failures: 0 };
  const heldShards = (await listPauses(table)).flatMap(({ scope }) => allHeldShards(scope));
  const dueBefore = toTimestamp(gap.untilMs + longestWaitMs);
  const range = { dueBefore, deadlineMs: Number.POSITIVE_INFINITY };
  const checked = new Set<string>();
  await workDuePages(ports, { ...range, shards: [...allDueShards, ...heldShards] }, async (page) => {
    await each(ports, page, count, async (item) => {
      const postId = postIdOf(String(item['pk']));
      if (item['kind'] === 'target') await holdTarget(ports, targetFromItem(item), gap, { isDryRun, count });
      if (item['kind'] === 'chore' || checked.has(postId)) return;
      checked.add(postId);
      await endSteps(ports, String(item['workspaceId']), postId, gap, { isDryRun, count });
    });
  });
  const dueActions = { ...range, dueBefore: toTimestamp(gap.untilMs), shards: allActionShards };
  await workDuePages(ports, dueActions, async (page) => {
    await each(ports, page, count, async (item, key) => {
      count.actions += 1;
      if (isDryRun) return;
      // No sweep finds it any more. It stays as it is, so that the person is not written to twice.
      await updateItem(table, key, {
        set: { dueAt: removed, dueShard: removed },
        if: { dueAt: String(item['dueAt']) },
      });
    });
  });
  return count;
}

interface Run {
  readonly isDryRun: boolean;
  readonly count: HoldCount;
}

async function each(
  { report }: HoldPorts,
  page: readonly DueItem[],
  count: HoldCount,
  work: (item: DueItem['item'], key: DueItem['key']) => Promise<void>,
): Promise<void> {
  await mapInBatches(page, concurrentItems, async ({ item, key }) => {
    try {
      await work(item, key);
    } catch (error) {
      count.failures += 1;
      report(`${key.pk} ${key.sk}`, error);
    }
  });
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
  if (doubt === 'look up') ports.onTarget?.(target);
  if (isDryRun) return;
  const at = toTimestamp(ports.now());
  const entry = { at, attempt: target.attempt, calls: [] };
  const changes =
    doubt === 'look up'
      ? ({
          status: 'publishing',
          calls: withRestoredCall(target, gap),
          wakeAt: at,
          problem: null,
          timeline: appendEntry(target.timeline, {
            ...entry,
            event: 'outcome unknown',
            reason: 'the service was restored from a backup',
            nextAt: at,
          }),
        } as const)
      : ({
          status: 'published',
          wakeAt: null,
          problem: { code: 'extra_failed', text: unfinished },
          timeline: appendEntry(target.timeline, { ...entry, event: 'finished', reason: unfinished }),
        } as const);
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

/** Ends the steps of a post's chain that may have become posts in the gap. */
async function endSteps(
  { table, now }: HoldPorts,
  workspaceId: string,
  postId: string,
  gap: Gap,
  { isDryRun, count }: Run,
): Promise<void> {
  for (;;) {
    const found = await findPost(table, workspaceId, postId);
    const { chain = [] } = found?.post ?? {};
    const steps = found ? doubtfulSteps(chain, firstDueMs(found), gap) : [];
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

/** When the first target of a post went live or was due, in epoch milliseconds. */
function firstDueMs({ post, targets }: PostWithTargets): number {
  const times = targets.flatMap(({ publishedAt, scheduledFor }) => publishedAt ?? scheduledFor ?? []);
  return Math.min(
    ...[...times, ...(times.length > 0 ? [] : [post.createdAt])].map((time) => Date.parse(time)),
  );
}
