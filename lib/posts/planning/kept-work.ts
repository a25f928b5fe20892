import { isDeepStrictEqual } from 'node:util';
import { hourMs } from '../../kernel/clock.ts';
import { shapeOf } from '../../media/renditions/adapt.ts';
import { uploadIdOf } from '../../platforms/contract/live-post.ts';
import type { Target } from '../../targets/schemas.ts';
import type { Post } from '../stored/schemas.ts';
import type { PostWithTargets } from '../stored/store.ts';

/**
 * The time for which a preparation is used, unless the platform keeps the upload until it is published. Containers of Instagram
 * and Threads, and photos that Facebook has not published, last 24 hours. An upload that ends sooner is begun again at the first
 * wake, in time.
 */
const preparationLifeMs = 20 * hourMs;

/**
 * Returns a planned target with what is left of the work on the stored one. If an edit changes neither what the target publishes nor
 * when, it is the stored target, with its wake, and with a time that has passed. If it changes the time alone, the target keeps its
 * preparation, which may have taken minutes and a part of a daily limit, as long as that lasts until the new time. It also keeps
 * the upload of the same files if the platform lets its text and options be changed.
 *
 * @param askedFor the time that the edit leads to, even if that has passed
 */
export function withWorkDone(
  target: Target,
  askedFor: string | undefined,
  post: Post,
  existing: PostWithTargets | undefined,
): { readonly state: 'begun' | 'unbegun'; readonly planned: Target } {
  const unbegun = { state: 'unbegun', planned: target } as const;
  const stored = existing?.targets.find(({ accountId }) => accountId === target.accountId);
  // A draft may wait forever, so it leaves nothing at a platform.
  if (!existing || stored?.status !== 'scheduled' || target.status === 'draft') return unbegun;
  const asked = { ...target, scheduledFor: askedFor };
  const [before, after] = [workOf(stored, existing.post), workOf(asked, post)];
  const isSame = isDeepStrictEqual(before, after);
  if (isSame && isDeepStrictEqual(timeOf(stored), timeOf(asked))) return { state: 'begun', planned: stored };
  const isKeptUpload = uploadIdOf(stored.preparation) !== undefined;
  if (!isSame && !(isKeptUpload && isDeepStrictEqual(filesIn(before), filesIn(after)))) return unbegun;
  const { preparation, preparingSince, sendsFile } = stored;
  const { scheduledFor } = target;
  if (!preparation || preparingSince === undefined || scheduledFor === undefined) return unbegun;
  const isInTime = Date.parse(scheduledFor) <= Date.parse(preparingSince) + preparationLifeMs;
  if (!isInTime && !isKeptUpload) return unbegun;
  const { sendsFile: _plannedSend, ...rest } = target;
  const planned = { ...rest, preparation, preparingSince, ...(sendsFile && { sendsFile }) };
  return { state: 'begun', planned };
}

type AskedTarget = Omit<Target, 'scheduledFor'> & { readonly scheduledFor?: string | undefined };

const timeOf = ({ scheduledFor, autoKeyId }: AskedTarget) => ({ scheduledFor, autoKeyId });

/** Returns the fields of a target and its post that determine what the target publishes. */
function workOf(target: AskedTarget, post: Post) {
  const { status, position, options, startsChain, content, mediaItems, thread, card } = target;
  const shared = {
    ...(content === undefined && { content: post.content }),
    ...(mediaItems === undefined && { mediaItems: post.mediaItems }),
    cover: post.cover,
  };
  const own = {
    status,
    position,
    options,
    startsChain,
    content,
    mediaItems,
    thread,
    card,
    shape: shapeOf(target),
  };
  return { own, shared };
}

/** Returns the files that a target publishes. */
const filesIn = ({ own, shared }: ReturnType<typeof workOf>) => ({
  media: own.mediaItems ?? shared.mediaItems,
  thread: own.thread,
  cover: shared.cover,
  shape: own.shape,
});

/** Returns the options of a scheduled post's destination, which an earlier request was accepted with. */
export function acceptedOptions(accountId: string, existing: PostWithTargets | undefined): Target['options'] {
  if (existing === undefined || existing.post.status === 'draft') return {};
  return existing.targets.find((target) => target.accountId === accountId)?.options ?? {};
}

/** Returns the last calls of the targets that an edit removes, or an earlier one has removed. Pure. */
export function removedCalls(
  targets: readonly Target[],
  existing: PostWithTargets | undefined,
): Pick<Post, 'removedCalls'> {
  const kept = new Set(targets.map(({ accountId }) => accountId));
  const stored = existing?.targets.map(({ accountId, calls = [] }) => [accountId, calls] as const) ?? [];
  const removed = [...Object.entries(existing?.post.removedCalls ?? {}), ...stored].filter(
    ([accountId, calls]) => !kept.has(accountId) && calls.length > 0,
  );
  return removed.length > 0 ? { removedCalls: Object.fromEntries(removed) } : {};
}

/**
 * Returns the number of a new target's first wake. An edit may restore a target that an earlier edit has removed, and messages,
 * schedules or workers of the removed one may still be on their way. So its numbers begin with the time, which is higher than any
 * wake number of the removed one.
 *
 * @param now epoch milliseconds
 */
export const firstWakeNumber = (existing: PostWithTargets | undefined, now: number): number =>
  existing ? now : 1;
