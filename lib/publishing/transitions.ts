import { settleCall } from '../at-most-once/call-records.ts';
import { shortReason } from '../at-most-once/short-reason.ts';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import type { CallRecord } from '../platforms/contract/last-call.ts';
import type { LivePost, Preparation } from '../platforms/contract/live-post.ts';
import { claimForCertain } from '../targets/live-posts.ts';
import type { Problem } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import { type Hold, PostTakenError, type TargetChanges, updateTarget } from '../targets/store.ts';
import {
  beginningOfPart,
  hasPartsLeft,
  isThread,
  livePart,
  livePartsOf,
  partName,
  platformPostIdsOf,
} from '../targets/thread.ts';
import {
  appendEntry,
  type LaterTimelineEvent,
  type PublishedFile,
  type TimelineEntry,
  type TimelineEvent,
} from '../targets/timeline.ts';
import type { WorkerPorts } from './call-log.ts';

/** A step, as the timeline tells it. */
export interface Step {
  readonly event: TimelineEvent;
  readonly laterEvent?: LaterTimelineEvent;
  readonly reason?: string;
  /** The files that the step publishes. */
  readonly files?: readonly PublishedFile[];
}

/**
 * Commits a step of a held target together with its timeline entry. See {@link updateTarget} for the write's conditions
 * and errors.
 */
export async function commit(
  ports: WorkerPorts,
  held: Target,
  step: Step,
  changes: TargetChanges,
  hold?: Hold,
): Promise<Target> {
  // Nobody knows when a pause ends.
  const nextAt = hold ? undefined : (changes.wakeAt ?? undefined);
  const timeline = withStep(ports, held, held.attempt, step, nextAt);
  const { problem = endsProblem(held, step) ? null : undefined } = changes;
  const shortened = problem ? { ...problem, text: shortReason(problem.text) } : problem;
  const isFirstStep = changes.preparation && held.preparation === undefined;
  const all = {
    ...changes,
    ...(isFirstStep && { preparingSince: toTimestamp(ports.now()) }),
    ...(shortened !== undefined && { problem: shortened }),
    timeline,
  };
  const target = await updateTarget(ports.table, held, all, ports.uniqueId(), hold);
  ports.onCommitted(target);
  return target;
}

/** The timeline with one more step, and the platform calls since the last one. */
function withStep(
  ports: WorkerPorts,
  { timeline }: Target,
  attempt: number,
  { files = [], ...told }: Step,
  nextAt?: string,
): TimelineEntry[] {
  return appendEntry(timeline, {
    at: toTimestamp(ports.now()),
    attempt,
    calls: ports.takeCalls(),
    ...told,
    ...(files.length > 0 && { files: [...files] }),
    ...(nextAt !== undefined && { nextAt }),
  });
}

/** The steps that show that the reason for which a target has waited is gone. */
const advances: readonly TimelineEvent[] = ['preparing', 'prepared', 'going live'];

const endsProblem = ({ error }: Target, { event }: Step): boolean =>
  error !== undefined && advances.includes(event);

/** Releases the target until its next wake, which the relay schedules. `wakeMs` is in epoch milliseconds. */
export function commitWake(
  ports: WorkerPorts,
  held: Target,
  step: Step,
  wakeMs: number,
  changes: TargetChanges = {},
): Promise<Target> {
  return commit(ports, held, step, { ...changes, wakeAt: toTimestamp(wakeMs) });
}

/** Does what {@link commitWake} does, without another timeline entry: the last one continues. */
export async function commitNextWake(ports: WorkerPorts, held: Target, wakeMs: number): Promise<Target> {
  const wakeAt = toTimestamp(wakeMs);
  const timeline = held.timeline.map((entry, index) =>
    index === held.timeline.length - 1 ? { ...entry, nextAt: wakeAt } : entry,
  );
  const target = await updateTarget(ports.table, held, { wakeAt, timeline }, ports.uniqueId());
  ports.onCommitted(target);
  return target;
}

/** Commits the preparation of a held target in the middle of a step, without a timeline entry. */
export async function commitNotes(
  ports: WorkerPorts,
  held: Target,
  preparation: Preparation,
): Promise<Target> {
  const target = await updateTarget(ports.table, held, { preparation }, ports.uniqueId());
  ports.onCommitted(target);
  return target;
}

/** Fails a target, of which what is left is certainly not live. It is live in part if a part of its thread is. */
export function commitFailed(
  ports: WorkerPorts,
  held: Target,
  problem: Problem,
  changes: TargetChanges = {},
): Promise<Target> {
  const failedAt = toTimestamp(ports.now());
  const isPartial = hasPartsLeft(held);
  const text = isPartial ? `${problem.text} (${partName(held, livePartsOf(held).length)})` : problem.text;
  const status = isPartial ? 'partial' : 'failed';
  const failed = { status, problem: { ...problem, text }, wakeAt: null, failedAt } as const;
  return commit(ports, held, { event: 'failed', reason: text }, { ...changes, ...failed });
}

/**
 * Fails a target whose outcome is unknown. Its call stays unsettled, so that a retry asks the platform first.
 *
 * @param where where a person can see what became of the call
 */
export function commitUnknown(
  ports: WorkerPorts,
  held: Target,
  where: string,
  why?: string,
): Promise<Target> {
  const text = `outcome unknown: check ${where} before retrying${why ? ` (${why})` : ''}`;
  const { calls = [] } = held;
  const problem = { code: 'outcome_unknown', text, platformMessage: calls.at(-1)?.refusal } as const;
  return commitFailed(ports, held, problem, { calls: settleCall(calls, 'unknown', why) });
}

/** Fails a target whose post nobody can see any more. A retry publishes it again. */
export function commitLost(ports: WorkerPorts, held: Target, reason: string): Promise<Target> {
  const problem = { code: 'platform_rejected', text: reason, platformMessage: reason } as const;
  const { parts: _lost, publishedAt: _live, ...rest } = held;
  return commitFailed(ports, rest, problem, {
    platformPostId: null,
    permalink: null,
    parts: null,
    publishedAt: null,
    calledAt: null,
  });
}

/** The longest time for which a live target stays `publishing` because the platform has not given its permalink. */
const permalinkPatienceMs = 60 * secondMs;

/**
 * The status of a target of which a post went live at `publishedMs` (epoch milliseconds): `publishing` until the post's permalink is
 * known, but for a minute at most; then `published`. A thread is `publishing` until all parts are live.
 */
export function liveStatus(
  ports: WorkerPorts,
  target: Target,
  live: LivePost,
  publishedMs: number,
): 'publishing' | 'published' {
  if (hasPartsLeft(target)) return 'publishing';
  const isLate = ports.now() >= publishedMs + permalinkPatienceMs;
  return live.permalink !== null || isLate ? 'published' : 'publishing';
}

/** Epoch milliseconds. */
export interface LiveTimes {
  /** The start of the call; if its outcome was looked up, the commit of its intent. */
  readonly calledMs: number;
  /** The time at which the target went live. */
  readonly publishedMs: number;
}

/**
 * Claims the post that a target's last call certainly made, in a write of its own.
 *
 * @returns true if there is an id to claim
 * @throws PostTakenError if another target has made it for certain, too
 */
export async function claimPost(
  ports: WorkerPorts,
  held: Target,
  { platformPostId }: LivePost,
): Promise<boolean> {
  if (platformPostId === null || platformPostIdsOf(held).includes(platformPostId)) return false;
  const { platform, workspaceId, accountId, postId } = held;
  const record = { platform, platformPostId, workspaceId, postId, accountId };
  if (await claimForCertain(ports.table, record, ports.now())) return true;
  throw new PostTakenError(`another destination has claimed the platform's post ${platformPostId}`);
}

/**
 * Commits that the target, or the next part of its thread, is live. Keeps the lease if something is left to finish. The next part has
 * a wake of its own.
 *
 * @param isClaimed whether {@link claimPost} has claimed the post; if not, the same transaction does
 * @throws LeaseLostError, PostTakenError as {@link updateTarget}
 */
export async function commitLive(
  ports: WorkerPorts,
  held: Target,
  live: LivePost,
  { calledMs, publishedMs }: LiveTimes,
  isClaimed: boolean,
): Promise<Target> {
  const { calls = [] } = held;
  const part = livePartsOf(held).length;
  const publishedAt = toTimestamp(publishedMs);
  const { isFinished = false } = live;
  const parts = [...livePartsOf(held), livePart(live, publishedAt, isFinished)];
  const isFirst = part === 0;
  const changes: TargetChanges = {
    calls: settleCall(calls, 'live', undefined),
    problem: null,
    ...(isThread(held) && { parts }),
    ...(isFirst && { publishedAt, calledAt: toTimestamp(calledMs), ...livePostFields(live) }),
    isClaimed,
  };
  const after = { ...held, parts, publishedAt: parts[0]?.publishedAt };
  const end = isFinished
    ? endOfPart(ports, after, changes.calls ?? [])
    : { status: liveStatus(ports, after, live, publishedMs) };
  const step = isFirst
    ? { event: 'published' as const }
    : { event: 'published' as const, laterEvent: 'part published' as const };
  return commit(ports, held, { ...step, ...reasonOfPart(held, part) }, { ...changes, ...end });
}

/**
 * Returns the changes that end the work on a live post: the target is published, or the next part of its thread begins.
 *
 * @param after the target with the live post
 */
export function endOfPart(
  ports: WorkerPorts,
  after: Target,
  calls: readonly CallRecord[] = after.calls ?? [],
): TargetChanges {
  if (!hasPartsLeft(after)) return { status: 'published', wakeAt: null };
  return beginningOfPart(toTimestamp(ports.now()), calls);
}

/** Returns the reason that the timeline gives for a step of a thread: the part that it is about. */
export function reasonOfPart(target: Target, part: number): Pick<Step, 'reason'> {
  const reason = partName(target, part);
  return reason === undefined ? {} : { reason };
}

const livePostFields = ({ platformPostId, permalink }: LivePost) => ({
  ...(platformPostId !== null && { platformPostId }),
  ...(permalink !== null && { permalink }),
});

/**
 * Returns the changes that store the id and the permalink of the latest live post, as far as they are known.
 *
 * @param isFinished true if nothing more will be known of it
 */
export function livePostChanges(target: Target, live: LivePost, isFinished: boolean): TargetChanges {
  const parts = livePartsOf(target);
  const latest = parts.at(-1);
  if (!isThread(target) || latest === undefined) return livePostFields(live);
  const part = { ...latest, ...livePart(live, latest.publishedAt, isFinished) };
  const { isUnfinished: _done, ...finished } = part;
  return {
    parts: [...parts.slice(0, -1), isFinished ? finished : part],
    ...(parts.length === 1 && livePostFields(live)),
  };
}

/**
 * Ends the work on a live target that could not be finished. Users read why.
 *
 * @param platformMessage what the platform said about it
 */
export function commitUnfinished(
  ports: WorkerPorts,
  target: Target,
  why: string,
  platformMessage?: string,
): Promise<Target> {
  const reason = `published, but not finished: ${why}`;
  return commit(
    ports,
    target,
    { event: 'finished', reason },
    { status: 'published', wakeAt: null, problem: { code: 'extra_failed', text: reason, platformMessage } },
  );
}
