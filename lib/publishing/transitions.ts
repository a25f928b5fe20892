import { settleCall } from '../at-most-once/call-records.ts';
import { shortReason } from '../at-most-once/short-reason.ts';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import type { LivePost, Preparation } from '../platforms/contract/live-post.ts';
import { claimForCertain } from '../targets/live-posts.ts';
import type { Problem } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import { type Hold, PostTakenError, type TargetChanges, updateTarget } from '../targets/store.ts';
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

/** Fails a target that is certainly not live. */
export function commitFailed(
  ports: WorkerPorts,
  held: Target,
  problem: Problem,
  changes: TargetChanges = {},
): Promise<Target> {
  const failedAt = toTimestamp(ports.now());
  const failed = { status: 'failed', problem, wakeAt: null, failedAt } as const;
  return commit(ports, held, { event: 'failed', reason: problem.text }, { ...changes, ...failed });
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
  return commitFailed(ports, held, problem, {
    platformPostId: null,
    permalink: null,
    publishedAt: null,
    calledAt: null,
  });
}

/** The longest time for which a live target stays `publishing` because the platform has not given its permalink. */
const permalinkPatienceMs = 60 * secondMs;

/**
 * The status of a target that went live at `publishedMs` (epoch milliseconds): `publishing` until its permalink is
 * known, but for a minute at most; then `published`.
 */
export function liveStatus(
  ports: WorkerPorts,
  live: LivePost,
  publishedMs: number,
): 'publishing' | 'published' {
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
  if (platformPostId === null || platformPostId === held.platformPostId) return false;
  const { platform, workspaceId, accountId, postId } = held;
  const record = { platform, platformPostId, workspaceId, postId, accountId };
  if (await claimForCertain(ports.table, record, ports.now())) return true;
  throw new PostTakenError(`another destination has claimed the platform's post ${platformPostId}`);
}

/**
 * Commits that the target is live. Keeps the lease if something is left to finish.
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
  const end = live.isFinished
    ? ({ status: 'published', wakeAt: null } as const)
    : { status: liveStatus(ports, live, publishedMs) };
  const publishedAt = toTimestamp(publishedMs);
  const calls = settleCall(held.calls ?? [], 'live', undefined);
  return commit(
    ports,
    held,
    { event: 'published' },
    {
      ...end,
      calls,
      publishedAt,
      calledAt: toTimestamp(calledMs),
      problem: null,
      ...livePostChanges(live),
      isClaimed,
    },
  );
}

/** The changes that store a live post's id and permalink, as far as they are known. */
export function livePostChanges({ platformPostId, permalink }: LivePost): TargetChanges {
  return { ...(platformPostId !== null && { platformPostId }), ...(permalink !== null && { permalink }) };
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
