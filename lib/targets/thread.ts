import * as z from 'zod';
import { MediaReference } from '../media/schemas.ts';
import type { CallRecord } from '../platforms/contract/last-call.ts';
import type { LivePost } from '../platforms/contract/live-post.ts';

/**
 * A thread is a target of several posts, its *parts*, of which each replies to the one before. The first part is the target's own
 * content; a {@link ThreadPart} is one of the others. They go live one after the other, and `parts` of the target lists those that
 * are live.
 */
export const ThreadPart = z.object({ content: z.string(), mediaItems: z.array(MediaReference) });
export type ThreadPart = z.infer<typeof ThreadPart>;

/** A part that is live. */
export const LivePart = z.object({
  /** Absent if the platform has not named it yet. */
  platformPostId: z.string().optional(),
  permalink: z.string().optional(),
  publishedAt: z.string(),
  /** True until its id and permalink were read, or given up. */
  isUnfinished: z.literal(true).exactOptional(),
});
export type LivePart = z.infer<typeof LivePart>;

/** The fields of a target that say how far its thread is. */
export interface Threaded {
  readonly thread?: readonly ThreadPart[] | undefined;
  readonly parts?: readonly LivePart[] | undefined;
  readonly platformPostId?: string | undefined;
  readonly permalink?: string | undefined;
  readonly publishedAt?: string | undefined;
}

/** True for a target of more than one part. */
export const isThread = ({ thread = [] }: Threaded): boolean => thread.length > 0;

const partCount = ({ thread = [] }: Threaded): number => 1 + thread.length;

/**
 * Returns the parts that are live, in order. A release that does not know threads has recorded only the first, and so does a person's
 * verdict on a target without a thread.
 */
export function livePartsOf({ parts, platformPostId, permalink, publishedAt }: Threaded): LivePart[] {
  if (publishedAt === undefined) return [];
  if (parts) return [...parts];
  return [
    {
      ...(platformPostId !== undefined && { platformPostId }),
      ...(permalink !== undefined && { permalink }),
      publishedAt,
    },
  ];
}

/** True if the first part of a thread is live, and another one is not. */
export function hasPartsLeft(target: Threaded): boolean {
  const live = livePartsOf(target).length;
  return live > 0 && live < partCount(target);
}

/**
 * True if the latest live part of a thread has to be finished before the next one, which replies to it by its id.
 */
export function awaitsLatestPart(target: Threaded): boolean {
  const latest = livePartsOf(target).at(-1);
  if (latest === undefined) return false;
  return latest.isUnfinished === true || (hasPartsLeft(target) && latest.platformPostId === undefined);
}

/** Returns the part on which the next step works, counted from 0: the latest live one while that is not finished, otherwise the next. */
export function workingPart(target: Threaded): number {
  const live = livePartsOf(target).length;
  return live > 0 && (awaitsLatestPart(target) || !hasPartsLeft(target)) ? live - 1 : live;
}

/** Names a part for people, such as `part 2 of 3`; `undefined` for the only part of a target. */
export const partName = (target: Threaded, part: number): string | undefined =>
  isThread(target) ? `part ${part + 1} of ${partCount(target)}` : undefined;

/** Returns the ids of all posts that a target has made. */
export const platformPostIdsOf = ({ platformPostId, parts = [] }: Threaded): string[] => [
  ...new Set([platformPostId, ...parts.map((part) => part.platformPostId)].filter((id) => id !== undefined)),
];

/** Returns a thread's live part as it is stored. @param publishedAt a timestamp */
export function livePart(
  { platformPostId, permalink }: LivePost,
  publishedAt: string,
  isFinished: boolean,
): LivePart {
  return {
    ...(platformPostId !== null && { platformPostId }),
    ...(permalink !== null && { permalink }),
    publishedAt,
    ...(!isFinished && { isUnfinished: true }),
  };
}

/**
 * Returns the changes with which the next part of a thread begins: it has the full time for its retries and for limits.
 *
 * A backup lacks the calls of every part that was made after it, not only of the next. So the record that stands for them is passed
 * on from part to part, until the platform shows none.
 *
 * @param wakeAt a timestamp
 * @param calls with the settled call of the part before
 */
export function beginningOfPart(wakeAt: string, calls: readonly CallRecord[]) {
  const restored = calls.at(-1);
  const isPassedOn = restored?.isRestored && restored.outcome === 'live';
  return {
    status: 'publishing' as const,
    preparation: null,
    failures: 0,
    firstFailureAt: null,
    limitedSince: null,
    wakeAt,
    ...(isPassedOn && {
      calls: [...calls, { ...restored, token: {}, outcome: 'open' as const, lookups: 0, misses: 0 }],
    }),
  };
}
