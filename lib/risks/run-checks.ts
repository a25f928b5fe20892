import * as z from 'zod';
import { plannedFrom } from '../calendar/read.ts';
import { minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { workDuePages } from '../overdue/due-pages.ts';
import {
  advanceRiskCheck,
  postponeRiskCheck,
  type RiskCheck,
  removeRiskCheck,
  riskCheckFromItem,
} from '../overdue/risk-checks.ts';
import { scopeFromText } from '../pauses/scope.ts';
import {
  allDueShards,
  type Key,
  mediaUsesPartition,
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
  }
}

const LastKey = z.record(z.string(), z.string());
const afterOf = (position: string | undefined) =>
  position === undefined ? undefined : (LastKey.parse(JSON.parse(position)) as Record<string, string> & Key);

async function accountPage(
  { table, now }: RiskPorts,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  position: string | undefined,
): Promise<SubjectPage> {
  const planned = plannedFrom(workspaceId, accountId, now());
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
