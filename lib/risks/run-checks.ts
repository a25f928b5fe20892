import * as z from 'zod';
import { plannedFrom, plannedWithin } from '../calendar/read.ts';
import { readDay } from '../daily-limits/read.ts';
import { divideDay, type ListedPlace } from '../daily-limits/shares.ts';
import { dayMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { workDuePages } from '../overdue/due-pages.ts';
import {
  advanceRiskCheck,
  postponeRiskCheck,
  type RiskCheck,
  type RiskSubject,
  removeRiskCheck,
  riskCheckFromItem,
} from '../overdue/risk-checks.ts';
import { scopeFromText } from '../pauses/scope.ts';
import { Platform } from '../platforms/contract/names.ts';
import { batchGet } from '../table/batch-get.ts';
import {
  allDueShards,
  type Key,
  mediaUsesPartition,
  postAtRiskKey,
  postPartition,
  riskCheckShard,
  targetKey,
} from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import { indexes } from '../table/schema.ts';
import { beginRun, type CheckRun, checkPosts, type RiskCount } from './check-ahead.ts';
import { pausedAheadMs } from './own-findings.ts';
import type { RiskPorts } from './ports.ts';

/** The number of posts that are checked before the place of a check is stored. */
const pageSize = 50;

/** The wait before a check that failed is tried again. */
const retryMs = 2 * minuteMs;

/**
 * Checks the posts that something has happened to: page by page, so that an account with 10,000 waiting posts takes several runs and no
 * other check waits for it. Never asks a platform: what the last answers have said counts for half an hour.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun; the next run continues
 */
export async function runRiskChecks(ports: RiskPorts, deadlineMs: number): Promise<RiskCount> {
  const dueBefore = toTimestamp(ports.now() + secondMs);
  const { count } = beginRun(ports, deadlineMs);
  await workDuePages(ports, { shards: [riskCheckShard], dueBefore, deadlineMs }, async (page) => {
    await Promise.all(
      page.map(async ({ key, item }) => {
        try {
          await runCheck({ ...beginRun(ports, deadlineMs), count }, riskCheckFromItem(item));
        } catch (error) {
          count.failures += 1;
          ports.report(`not checked: ${key.pk} ${key.sk}`, error);
          await postpone(ports, item);
        }
      }),
    );
  });
  return count;
}

async function postpone({ table, now, report }: RiskPorts, item: Record<string, unknown>): Promise<void> {
  try {
    await postponeRiskCheck(table, riskCheckFromItem(item), now() + retryMs);
  } catch (error) {
    report('a check of waiting posts could not be postponed', error);
  }
}

/** A page of posts to check, as keys in their partitions. */
interface SubjectPage {
  readonly keys: readonly Key[];
  /** The place after the page, as JSON text; `undefined` at the end. */
  readonly next: string | undefined;
}

async function runCheck(run: CheckRun, check: RiskCheck): Promise<void> {
  const { table, now } = run.ports;
  let { position } = check;
  while (now() < run.deadlineMs) {
    const { keys, next } = await readPage(run.ports, check.subject, position);
    if (!(await checkPosts(run, keys, { isEventual: false }))) return;
    if (next === undefined) return removeRiskCheck(table, check);
    if (!(await advanceRiskCheck(table, check, next))) return;
    position = next;
  }
}

function readPage(
  ports: RiskPorts,
  subject: RiskCheck['subject'],
  position: string | undefined,
): Promise<SubjectPage> {
  switch (subject.kind) {
    case 'post': {
      const { workspaceId, postId } = subject;
      return Promise.resolve({ keys: [targetKey(workspaceId, postId, '')], next: undefined });
    }
    case 'account':
      return accountPage(ports, subject, position);
    case 'file':
      return filePage(ports, subject, position);
    case 'pause':
      return pausePage(ports, subject.scope, position);
    case 'day':
      return dayPage(ports, subject, position);
  }
}

const LastKey = z.record(z.string(), z.string());
const afterOf = (position: string | undefined) =>
  position === undefined ? undefined : (LastKey.parse(JSON.parse(position)) as Record<string, string> & Key);

async function accountPage(
  { table, now }: RiskPorts,
  { workspaceId, accountId, day }: Extract<RiskSubject, { kind: 'account' }>,
  position: string | undefined,
): Promise<SubjectPage> {
  const planned =
    day === undefined
      ? plannedFrom(workspaceId, accountId, now())
      : plannedWithin(workspaceId, accountId, Math.max(now(), Date.parse(day)), Date.parse(day) + 2 * dayMs);
  if (planned === undefined) return { keys: [], next: undefined };
  const after = afterOf(position);
  // What has become due since the last page is no longer in the range.
  const isBehind = after !== undefined && after.sk < planned.sort.between[0];
  const { items, lastKey } = await queryPage(table, {
    ...planned,
    attributes: ['pk', 'sk', 'postId'],
    limit: pageSize,
    after: isBehind ? undefined : after,
  });
  const keys = items.map(({ postId }) => targetKey(workspaceId, String(postId), accountId));
  return { keys, next: lastKey && JSON.stringify(lastKey) };
}

async function filePage(
  { table }: RiskPorts,
  { workspaceId, mediaId }: { readonly workspaceId: string; readonly mediaId: string },
  position: string | undefined,
): Promise<SubjectPage> {
  const { items, lastKey } = await queryPage(table, {
    partition: mediaUsesPartition(workspaceId, mediaId),
    attributes: ['pk', 'sk'],
    limit: pageSize,
    after: afterOf(position),
  });
  const keys = items.map(({ sk }) => targetKey(workspaceId, String(sk), ''));
  return { keys, next: lastKey && JSON.stringify(lastKey) };
}

/** The number of posts of a full day that are looked at before the place is stored, where a look is a read of half a unit. */
const placesAtOnce = 100;

/**
 * Returns those of the targets planned on a day that are beyond their workspaces' shares or, if a place was left, those of the others
 * whose posts are at risk.
 */
async function dayPage(
  { table, dailyLimits }: RiskPorts,
  { platform: name, day, isLeft }: Extract<RiskSubject, { kind: 'day' }>,
  position: string | undefined,
): Promise<SubjectPage> {
  const platform = Platform.parse(name);
  const limit = dailyLimits[platform];
  if (limit === undefined) return { keys: [], next: undefined };
  const places = await readDay(table, { platform, day, posts: limit.posts }, '', { isEventual: true });
  const planned = isLeft ? places : placesBeyondShares(limit.posts, day, places);
  const waiting = planned
    .filter(({ isUsed }) => !isUsed)
    .toSorted(byName)
    .filter((place) => position === undefined || nameOf(place) > position);
  const part = waiting.slice(0, isLeft ? placesAtOnce : pageSize);
  const keys = part.map(({ workspaceId, postId, accountId }) => targetKey(workspaceId, postId, accountId));
  const last = waiting.length > part.length ? part.at(-1) : undefined;
  const next = last && nameOf(last);
  if (!isLeft) return { keys, next };
  const marks = part.map(({ workspaceId, postId }) => postAtRiskKey(workspaceId, postId));
  const atRisk = await batchGet(table, distinctKeys(marks), { isEventual: true });
  return { keys: keys.filter((_, index) => atRisk.get(marks[index] as Key) !== undefined), next };
}

const nameOf = ({ workspaceId, postId, accountId }: ListedPlace) =>
  [workspaceId, postId, accountId].join('#');
const byName = (one: ListedPlace, other: ListedPlace) => (nameOf(one) < nameOf(other) ? -1 : 1);

const distinctKeys = (keys: readonly Key[]): Key[] => [
  ...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values(),
];

function placesBeyondShares(posts: number, day: string, places: readonly ListedPlace[]): ListedPlace[] {
  if (places.length <= posts) return [];
  const workspaceIds = new Set(places.map(({ workspaceId }) => workspaceId));
  return [...workspaceIds].flatMap((workspaceId) => {
    const { own, share } = divideDay(posts, day, places, workspaceId);
    return own.slice(share);
  });
}

const PausePlace = z.object({ shard: z.int(), after: LastKey.optional() });

/** The number of keys of the index that are looked through at once for targets in the scope of a pause. */
const keysAtOnce = 500;

/** Returns those of the targets in a part of the index `overdue` that a pause may concern. */
async function pausePage(
  { table, now }: RiskPorts,
  scopeName: string,
  position: string | undefined,
): Promise<SubjectPage> {
  const scope = scopeFromText(scopeName);
  const { shard, after } = PausePlace.parse(position === undefined ? { shard: 0 } : JSON.parse(position));
  const partition = allDueShards[shard];
  if (partition === undefined) return { keys: [], next: undefined };
  const from = toTimestamp(now());
  const isBehind = after !== undefined && String(after['dueAt']) < from;
  const { items, lastKey } = await queryPage(table, {
    index: indexes.overdue,
    partition,
    sort: { between: [from, toTimestamp(now() + pausedAheadMs)] },
    attributes: ['pk', 'sk', 'dueAt', 'dueShard'],
    limit: keysAtOnce,
    after: isBehind ? undefined : after,
  });
  const isConcerned = ({ pk, sk }: Key) => {
    if (scope.kind === 'platform') return true;
    if (!pk.startsWith(postPartition(scope.workspaceId, ''))) return false;
    return scope.kind === 'workspace' || sk === targetKey('', '', scope.accountId).sk;
  };
  const keys = (items as unknown as readonly Key[]).filter(isConcerned);
  const next = lastKey ? { shard, after: lastKey } : { shard: shard + 1 };
  return { keys, next: JSON.stringify(next) };
}
