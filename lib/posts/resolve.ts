import type { Context } from '../api-contract/context.ts';
import { settleCall, unsettledCall } from '../at-most-once/call-records.ts';
import { mayTakeEffect } from '../at-most-once/judge-finding.ts';
import { auditPart } from '../audit/record.ts';
import { calendarEntryItem, takesTime } from '../calendar/entries.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError, notFound } from '../kernel/errors.ts';
import type { Json } from '../kernel/json.ts';
import type { CallRecord } from '../platforms/contract/last-call.ts';
import { unconditionally } from '../table/condition.ts';
import { putPart, transact } from '../table/transaction.ts';
import { findLivePost, livePostClaim, type PlatformPost } from '../targets/live-posts.ts';
import { isTakenDown } from '../targets/removal.ts';
import type { PersonsVerdict, Target } from '../targets/schemas.ts';
import { type TargetChanges, targetUpdatePart } from '../targets/store.ts';
import {
  beginningOfPart,
  hasPartsLeft,
  isThread,
  livePartsOf,
  platformPostIdsOf,
} from '../targets/thread.ts';
import { appendEntry, type TimelineEvent, triesOf } from '../targets/timeline.ts';
import { isHandled, type KeyUse, keyUse, withRequest } from './keyed-requests.ts';
import { readPost } from './read.ts';
import { keptAgain } from './retry.ts';
import { scheduleCheckAfterRetry } from './stored/chain-checks.ts';
import { type Post, subjectOf } from './stored/schemas.ts';
import type { PostWithTargets } from './stored/store.ts';
import type { ResolveTargetBody } from './verdict.ts';

const maxAttempts = 5;

/**
 * Settles a target that has failed because the outcome of its last call is unknown, by the word of a person. A live one becomes
 * `published`, and claims its post at the platform if the person names it by its id. If the call was for a part of a thread, the
 * thread continues. One that is not live stays failed, and a retry prepares and calls again without a lookup. The same verdict twice changes nothing.
 *
 * @throws HeraldError `not_found`; `conflict` if the outcome is not unknown, if another verdict was given, if the call may still
 *   take effect, if another target has claimed the post, if the key was used for another request, or if the post keeps changing
 */
export async function resolveTarget(
  context: Context,
  postId: string,
  accountId: string,
  verdict: ResolveTargetBody,
  idempotencyKey?: string,
): Promise<PostWithTargets> {
  const use = keyUse(idempotencyKey, askedFor(accountId, verdict));
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const found = await readPost(context, postId);
    const target = found.targets.find((each) => each.accountId === accountId);
    if (target === undefined) throw notFound('destination');
    if (isHandled(found.targets, use, context.now) || isResolved(target, verdict)) return found;
    const call = requireUnknown(target);
    const after =
      verdict.outcome === 'live'
        ? await commitLive(context, found, { target, call, use, verdict })
        : await commitNotLive(context, found.post, { target, call, use });
    if (after) return { ...found, targets: found.targets.map((each) => (each === target ? after : each)) };
  }
  throw new HeraldError('changed_concurrently', 'the post is being changed at the same time; try again');
}

const askedFor = (accountId: string, { outcome, permalink, platformPostId }: ResolveTargetBody): Json => ({
  resolve: accountId,
  outcome,
  permalink: permalink ?? null,
  platformPostId: platformPostId ?? null,
});

/**
 * Returns true if a person has given the same verdict on the target's latest call before.
 *
 * @throws HeraldError `already_resolved` if it was another one
 */
function isResolved(target: Target, { outcome, permalink, platformPostId }: ResolveTargetBody): boolean {
  const { calls = [], verdict } = target;
  const latestCall = calls.at(-1);
  if (verdict === undefined || verdict.intentAt !== latestCall?.intentAt) return false;
  // A record that a restore has left is passed on to the next part of a thread.
  if (latestCall.outcome === 'unknown') return false;
  const earlier = verdict.outcome;
  const latest = livePartsOf(target).at(-1);
  const isSame =
    earlier === outcome &&
    (permalink ?? latest?.permalink) === latest?.permalink &&
    (platformPostId ?? latest?.platformPostId) === latest?.platformPostId;
  if (isSame) return true;
  throw new HeraldError('already_resolved', `a person has resolved this destination before, as ${earlier}`);
}

/** @throws HeraldError `nothing_to_resolve` */
function requireUnknown(target: Target): CallRecord {
  const call = unsettledCall(target.calls);
  const isPartOfThread = target.status === 'partial' && hasPartsLeft(target);
  if ((target.status === 'failed' || isPartOfThread) && call !== undefined) return call;
  throw new HeraldError(
    'nothing_to_resolve',
    'the destination has not failed with an unknown outcome, so there is nothing to resolve',
  );
}

interface Resolution {
  readonly target: Target;
  /** The call whose outcome is unknown. */
  readonly call: CallRecord;
  readonly use: KeyUse | undefined;
}

/** Commits that a target is live. @returns the target after it; `undefined` if the post has changed since it was read */
async function commitLive(
  context: Context,
  { post, targets }: PostWithTargets,
  { target, call, use, verdict }: Resolution & { readonly verdict: ResolveTargetBody },
): Promise<Target | undefined> {
  const { table, now } = context;
  const { permalink, platformPostId } = verdict;
  const { workspaceId, postId, accountId, platform } = target;
  const claim = platformPostId && { platform, platformPostId, workspaceId, postId, accountId };
  if (claim) {
    const owner = await findLivePost(table, claim, target);
    const isSibling = targets.some((each) => each !== target && isClaimedBy(each, claim));
    if (isSibling || (owner && owner.postId !== postId)) throw taken(claim);
    if (platformPostIdsOf(target).includes(claim.platformPostId))
      throw taken(claim, 'another part of the thread');
  }
  // As for a chain that a retry continues: the stream starts it, and the sweep if the stream does not.
  await scheduleCheckAfterRetry(table, post, now);
  // Nobody knows it better, as for a post that a lookup finds without a time.
  const publishedAt = toTimestamp(Math.min(Date.parse(call.endedAt), now));
  const named = {
    ...(permalink !== undefined && { permalink }),
    ...(platformPostId !== undefined && { platformPostId }),
  };
  const earlier = livePartsOf(target);
  const parts = [...earlier, { ...named, publishedAt }];
  const isOpen = !isTakenDown(target) && hasPartsLeft({ ...target, parts, publishedAt });
  const resolved = resolution(context, { target, call, use }, 'live');
  const { part, after } = targetUpdatePart(table, target, {
    ...resolved,
    ...(isOpen
      ? beginningOfPart(toTimestamp(now), resolved.calls ?? [])
      : { status: 'published', wakeAt: null }),
    problem: null,
    ...(earlier.length === 0 && { ...named, calledAt: call.intentAt, publishedAt }),
    ...(isThread(target) && { parts }),
  });
  const outcome = await transact(table, [
    part,
    ...(claim ? [livePostClaim(table, claim)] : []),
    ...(takesTime(after) ? [putPart(table, calendarEntryItem(after), unconditionally)] : []),
    ...keptAgain(table, post),
    auditPart(context, subjectOf(post), `destination ${accountId}: live`),
  ]);
  if (outcome.committed) return after;
  if (claim && outcome.failedIndex === 1) throw taken(claim);
  return undefined;
}

const isClaimedBy = (target: Target, post: PlatformPost): boolean =>
  target.platform === post.platform && platformPostIdsOf(target).includes(post.platformPostId);

const taken = (
  { platformPostId }: { readonly platformPostId: string },
  owner = 'another destination',
): HeraldError =>
  new HeraldError(
    'platform_post_taken',
    `platformPostId: ${owner} has the post ${platformPostId} of the platform`,
    { param: 'platformPostId' },
  );

/**
 * Commits that a target is not live.
 *
 * @returns the target after it; `undefined` if it has changed since it was read
 * @throws HeraldError `call_may_take_effect` if nobody can know that it never will be
 */
async function commitNotLive(
  context: Context,
  post: Post,
  { target, call, use }: Resolution,
): Promise<Target | undefined> {
  if (mayTakeEffect(call, context.now))
    throw new HeraldError(
      'call_may_take_effect',
      'the platform is still processing the post, so it may yet go live; a retry asks the platform first',
    );
  if (context.now < Date.parse(call.endedAt))
    throw new HeraldError(
      'call_may_take_effect',
      `the request to publish may still be running; look again after ${call.endedAt}`,
    );
  const { table } = context;
  const { part, after } = targetUpdatePart(table, target, {
    ...resolution(context, { target, call, use }, 'not live'),
    problem: {
      code: 'not_live',
      text: 'not live: a person has looked at the platform; a retry publishes the post again',
      platformMessage: call.refusal,
    },
  });
  const audit = auditPart(context, subjectOf(post), `destination ${target.accountId}: not live`);
  const outcome = await transact(table, [part, audit]);
  return outcome.committed ? after : undefined;
}

const events: Readonly<Record<PersonsVerdict, TimelineEvent>> = {
  live: 'published',
  'not live': 'nothing went live',
};

/** Returns the changes that every verdict makes. */
function resolution(
  { now }: Context,
  { target, call, use }: Resolution,
  outcome: PersonsVerdict,
): TargetChanges {
  const { timeline, attempt, calls = [] } = target;
  const proof = `a person has looked at the platform: ${outcome}`;
  const entry = {
    at: toTimestamp(now),
    attempt,
    // It is the end of the try that it is about.
    tryNumber: triesOf(timeline).at(-1),
    event: events[outcome],
    reason: `resolved by a person: ${outcome}`,
    calls: [],
  };
  return {
    // People err: a post of a dismissed call still counts as the target's if a lookup of a later call finds it.
    calls: settleCall(calls, outcome === 'live' ? 'live' : 'dismissed', proof),
    verdict: { outcome, intentAt: call.intentAt },
    timeline: appendEntry(timeline, entry),
    ...withRequest(target, use, now),
  };
}
