import * as z from 'zod';
import { batchesOf } from '../kernel/batches.ts';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { unconditionally } from '../table/condition.ts';
import { getItem, type Item, putItem } from '../table/items.ts';
import { allDueShards, type Key, postIdOf, riskWindowKey, targetPrefix } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import { indexes } from '../table/schema.ts';
import { rememberedMs } from './ask-account.ts';
import { type CheckOptions, type CheckPost, postChecker } from './check-post.ts';
import type { RiskPorts } from './ports.ts';

/** A regular check of waiting posts. */
interface Window {
  /** The time before its first wake at which a target is checked. */
  readonly aheadMs: number;
  /** The most by which it is checked earlier, so that posts of a full hour are not late. */
  readonly earlierMs: number;
  /** The time before its first wake from which the check is left out. */
  readonly nearestMs: number;
  /** The age of the last question about an account from which its platform is asked again. */
  readonly askAgainMs: number;
}

/** Twenty minutes for the check itself, so that its findings are known two hours ahead. */
const urgentMs = 140 * minuteMs;
const earlierMs = 10 * minuteMs;

/**
 * The regular checks, the urgent one first. The first check of a day has the platform asked only if nobody has asked it in the last 20
 * hours, so that an account that posts every day costs one question a day.
 */
export const windows: readonly Window[] = [
  { aheadMs: urgentMs, earlierMs, nearestMs: 0, askAgainMs: rememberedMs },
  { aheadMs: 24 * hourMs, earlierMs, nearestMs: urgentMs + earlierMs, askAgainMs: 20 * hourMs },
];

/**
 * The number of keys of a shard that are read at once, and after which the place in it is stored: few enough that a run completes some
 * pages even if a platform takes long.
 */
const pageSize = 25;

/** The number of posts that are checked at the same time. Most of a check is waiting for the table. */
const concurrentPosts = 10;

/** The time for which the place in a shard is kept; nothing is due so long ago. */
const keptMs = 30 * 24 * hourMs;

/** The number of posts and targets that were checked, of changed risks, and of posts that could not be checked. */
export interface RiskCount {
  posts: number;
  targets: number;
  changed: number;
  failures: number;
}

/** A run of checks: what it shares from the first post to the last. */
export interface CheckRun {
  readonly ports: RiskPorts;
  readonly checkPost: CheckPost;
  /** Epoch milliseconds after which nothing is begun. */
  readonly deadlineMs: number;
  readonly count: RiskCount;
}

export function beginRun(ports: RiskPorts, deadlineMs: number): CheckRun {
  const count = { posts: 0, targets: 0, changed: 0, failures: 0 };
  return { ports, checkPost: postChecker(ports), deadlineMs, count };
}

/**
 * Checks the targets whose regular checks are due: those that the index `overdue` shows for the time ahead, shard by shard. The place in
 * a shard is stored after each page, so a run that ends anywhere repeats one page at most, and a backlog is continued. What is created
 * or moved behind that place is due too soon for this check, or was just checked by the request.
 *
 * @param deadlineMs epoch milliseconds after which nothing is begun
 */
export async function checkAhead(ports: RiskPorts, deadlineMs: number): Promise<RiskCount> {
  const run = beginRun(ports, deadlineMs);
  for (const window of windows) {
    await Promise.all(
      allDueShards.map(async (shard) => {
        try {
          await checkShard(run, window, shard);
        } catch (error) {
          run.count.failures += 1;
          ports.report(`the posts ahead in ${shard} were not checked`, error);
        }
      }),
    );
  }
  return run.count;
}

/** The place up to which the targets of a shard were checked, as stored. */
export const Place = z.object({
  throughAt: z.string(),
  /** The key of the last target, if others may have the same wake. */
  last: z.object({ pk: z.string(), sk: z.string() }).optional(),
});
type Place = z.infer<typeof Place>;

/** The time by which a place may lag behind if nothing was found since, so that quiet minutes write nothing. */
const longestLagMs = 30 * minuteMs;

async function checkShard(run: CheckRun, window: Window, shard: string): Promise<void> {
  const { table, now } = run.ports;
  const { aheadMs, earlierMs, nearestMs, askAgainMs } = window;
  const key = riskWindowKey(aheadMs / minuteMs, shard);
  const stored = await getItem(table, key, { isEventual: true });
  const nearest = toTimestamp(now() + nearestMs);
  const untilMs = now() + aheadMs + earlierMs;
  const until = toTimestamp(untilMs);
  let place: Place = stored ? Place.parse(stored) : { throughAt: nearest };
  // What is nearer by now is left to the next check, or is due.
  if (place.throughAt < nearest) place = { throughAt: nearest };
  while (now() < run.deadlineMs && place.throughAt < until) {
    const { throughAt, last } = place;
    const { items, lastKey } = await queryPage(table, {
      index: indexes.overdue,
      partition: shard,
      sort: { between: [throughAt, until] },
      attributes: ['pk', 'sk', 'dueAt'],
      limit: pageSize,
      after: last && { dueShard: shard, dueAt: throughAt, ...last },
    });
    const isDone = await checkPosts(run, items as unknown as readonly Key[], {
      isEventual: true,
      askAgainMs,
    });
    // The next run repeats the page. It asks no platform again.
    if (!isDone) return;
    place = lastKey ? placeAt(lastKey) : { throughAt: until };
    if (stored && items.length === 0 && Date.parse(throughAt) > untilMs - longestLagMs) return;
    const expiresAtSeconds = Math.ceil((now() + keptMs) / secondMs);
    await putItem(table, { ...key, kind: 'riskWindow', ...place, expiresAtSeconds }, unconditionally);
  }
}

const placeAt = ({ dueAt, pk, sk }: Item): Place => ({
  throughAt: String(dueAt),
  last: { pk: String(pk), sk: String(sk) },
});

/**
 * Checks some targets, those of a post together. A key without an account stands for all targets of its post.
 *
 * @returns false if time has run out before all were checked
 */
export async function checkPosts(
  { ports: { now, report }, checkPost, deadlineMs, count }: CheckRun,
  keys: readonly Key[],
  options: CheckOptions,
): Promise<boolean> {
  const targets = keys.filter(({ sk }) => sk.startsWith(targetPrefix));
  const byPost = Map.groupBy(targets, ({ pk }) => pk);
  for (const batch of batchesOf([...byPost], concurrentPosts)) {
    if (now() >= deadlineMs) return false;
    await Promise.all(
      batch.map(async ([partition, ofPost]) => {
        const accountIds = new Set(ofPost.map(({ sk }) => sk.slice(targetPrefix.length)));
        const post = { workspaceId: workspaceIdOf(partition), postId: postIdOf(partition), accountIds };
        const check = () => checkPost(post, options);
        try {
          // Nobody comes back to a post before its next regular check, so a failed read must not cost it this one.
          const checked = await check().catch(check);
          count.posts += 1;
          count.targets += checked.checked;
          count.changed += checked.changed;
        } catch (error) {
          count.failures += 1;
          report(`not checked ahead: ${partition}`, error);
        }
      }),
    );
  }
  return true;
}

const workspaceIdOf = (partition: string) => partition.split('#')[1] ?? '';
