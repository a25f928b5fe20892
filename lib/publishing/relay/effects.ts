import { isDeepStrictEqual } from 'node:util';
import { takesTime } from '../../calendar/entries.ts';
import type { TakenTime } from '../../calendar/free.ts';
import { isSamePlace, placeOf } from '../../daily-limits/place.ts';
import type { PlaceName } from '../../daily-limits/settle.ts';
import { countedTarget, type LiveTarget } from '../../insights/numbers-row.ts';
import type { AbandonedUpload, PunctualityCount } from '../../overdue/repair-tasks.ts';
import type { RiskSubject } from '../../overdue/risk-checks.ts';
import type { DailyLimits } from '../../platforms/contract/daily-limit.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { AccountLimit } from '../../platforms/contract/rules.ts';
import type { ChainMessage } from '../../posts/stored/chain-schemas.ts';
import type { OutcomeCode } from '../../targets/outcome-codes.ts';
import { punctualityCount } from '../../targets/punctuality.ts';
import { awaitsRemoval } from '../../targets/removal.ts';
import { isSameRisk, presentRisk } from '../../targets/risk.ts';
import type { Target } from '../../targets/schemas.ts';
import { isLive } from '../../targets/state.ts';
import { platformPostIdsOf } from '../../targets/thread.ts';
import { hasOverdueKeys } from '../../targets/wake.ts';
import { messageOf, type PublishMessage, queueOf, type WakeQueue } from '../message.ts';
import { wakeLeadMs } from '../wake.ts';
import { abandonedUpload } from './abandoned-upload.ts';

/** Something that must be done after a committed change of a target. */
export type Effect =
  /** Schedule the target's wake. */
  | (WakeEffect & { readonly kind: 'schedule wake' })
  /** Delete the schedule, if any, of the target's previous wake, which is out of date. */
  | (WakeEffect & { readonly kind: 'unschedule wake' })
  /** Put the waiting target back into the index `overdue`, because an earlier version of the service left it out. */
  | { readonly kind: 'restore overdue keys'; readonly target: Target }
  /** Give the target a wake again: an earlier release, which does not know removals, has ended it. */
  | { readonly kind: 'resume removal'; readonly target: Target }
  /** Stop the automations of a post that is gone. */
  | ({ readonly kind: 'stop automation' } & RemovedPost)
  /** Free the target's former time on its account's calendar. */
  | { readonly kind: 'free time'; readonly time: TakenTime }
  /** Write or remove the target's places in days of its platform's limit. */
  | { readonly kind: 'settle places'; readonly places: readonly PlaceName[] }
  /** A target of a post with a chain has gone live: run the chain. */
  | ({ readonly kind: 'run chain' } & ChainMessage)
  /** Count targets that went live for the punctuality of their workspace: all of one item, see `countedIn`. Not idempotent. */
  | {
      readonly kind: 'count punctuality';
      readonly counts: readonly [PunctualityCount, ...PunctualityCount[]];
    }
  /** Note a target that has gone live, so that its numbers are read. */
  | { readonly kind: 'note numbers'; readonly target: LiveTarget }
  /** Delete an upload at the platform that no target publishes any more. */
  | { readonly kind: 'discard upload'; readonly upload: AbandonedUpload }
  /** Check posts that wait, because something has happened that may keep them from being published. */
  | { readonly kind: 'check posts'; readonly subject: RiskSubject }
  /** Update the post's status and summary from its targets. */
  | { readonly kind: 'roll-up'; readonly workspaceId: string; readonly postId: string };

/** A post that is gone at the platform. */
export interface RemovedPost {
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly platformPostId: string;
}

/** An effect on a wake. */
export interface WakeEffect {
  readonly message: PublishMessage;
  /** Epoch milliseconds. */
  readonly wakeMs: number;
  readonly queue: WakeQueue;
  /** The least time between the message's arrival and the wake, in milliseconds; negative if it may arrive later. */
  readonly aheadMs: number;
}

const wakeEffect = (target: Target, wakeAt: string): WakeEffect => ({
  message: messageOf(target),
  wakeMs: Date.parse(wakeAt),
  queue: queueOf(target),
  aheadMs: wakeLeadMs(target),
});

/**
 * The fields of a target that users see. If one changes, the post's summary changes. A new `retryAt` alone is no reason: in
 * an outage every failed try would update the post.
 */
const shown = [
  'status',
  'scheduledFor',
  'platformPostId',
  'permalink',
  'error',
  'publishedAt',
  'removedAt',
] as const;

const isVisiblyChanged = (before: Target, after: Target): boolean =>
  shown.some((name) => before[name] !== after[name]) ||
  before.errorDetail?.code !== after.errorDetail?.code ||
  !isSameRisk(presentRisk(before), presentRisk(after)) ||
  before.removal?.state !== after.removal?.state ||
  before.removal?.errorDetail?.code !== after.removal?.errorDetail?.code ||
  !isDeepStrictEqual(before.parts, after.parts);

/**
 * Returns the effects of a change. Pure. The stream may deliver a change more than once, so every effect but the count of
 * punctuality is idempotent.
 *
 * @param before the target as it was; absent for a new one
 * @param after the target as it is; absent if it was deleted
 * @param limits the daily limits of the stage's apps. Targets of other platforms have no places
 * @param counted the platforms of which the stage reads numbers
 * @param accountLimits the limits of single accounts
 */
export function effectsOf(
  before: Target | undefined,
  after: Target | undefined,
  limits: DailyLimits,
  counted: readonly Platform[] = [],
  accountLimits: AccountLimits = {},
): Effect[] {
  const effects: Effect[] = [];
  const isNewWake = before?.wakeNumber !== after?.wakeNumber;
  if (after?.wakeAt && isNewWake) {
    effects.push({ kind: 'schedule wake', ...wakeEffect(after, after.wakeAt) });
  }
  if (before?.wakeAt && isNewWake) {
    effects.push({ kind: 'unschedule wake', ...wakeEffect(before, before.wakeAt) });
  }
  if (after?.wakeAt && !hasOverdueKeys(after)) effects.push({ kind: 'restore overdue keys', target: after });
  if (after?.removedAt !== undefined && before?.removedAt === undefined) {
    const { workspaceId, postId, accountId } = after;
    for (const platformPostId of platformPostIdsOf(after))
      effects.push({ kind: 'stop automation', workspaceId, postId, accountId, platformPostId });
  }
  if (after && awaitsRemoval(after) && !after.wakeAt) effects.push({ kind: 'resume removal', target: after });
  if (
    before &&
    takesTime(before) &&
    !(after && takesTime(after) && after.scheduledFor === before.scheduledFor)
  ) {
    const { workspaceId, postId, accountId, scheduledFor } = before;
    effects.push({ kind: 'free time', time: { workspaceId, postId, accountId, scheduledFor } });
  }
  const places = changedPlaces(before, after, limits);
  if (places.length > 0) effects.push({ kind: 'settle places', places });
  if (after?.startsChain && isLive(after.status) && !(before && isLive(before.status))) {
    effects.push({ kind: 'run chain', workspaceId: after.workspaceId, postId: after.postId });
  }
  const subject = before && after && subjectToCheck(before, after);
  const subjects = [...(subject ? [subject] : []), ...fullDays(before, after, limits, accountLimits)];
  effects.push(...subjects.map((each) => ({ kind: 'check posts', subject: each }) as const));
  const upload = abandonedUpload(before, after);
  if (upload) effects.push({ kind: 'discard upload', upload });
  const count = after && punctualityCount(before, after);
  if (count) effects.push({ kind: 'count punctuality', counts: [count] });
  const live = after && counted.includes(after.platform) ? countedTarget(after) : undefined;
  if (live && !(before && countedTarget(before))) effects.push({ kind: 'note numbers', target: live });
  // A last call takes a moment. The summary skips its intent and shows the outcome, or that it is unknown.
  const isIntent = after?.status === 'publishing' && !isNewWake;
  if (before && after && !isIntent && (before.status === 'publishing' || isVisiblyChanged(before, after))) {
    effects.push({ kind: 'roll-up', workspaceId: after.workspaceId, postId: after.postId });
  }
  return effects;
}

/**
 * The refusals of a target that concern other posts of its account too, and do not change the account itself: a change of the account
 * has them checked as well.
 */
const lastingRefusals: readonly (OutcomeCode | undefined)[] = ['permission_missing', 'quota_exhausted'];

/** Returns what must be checked after a change: a target at risk that was changed, or the account of one that was refused. */
function subjectToCheck(before: Target, after: Target): RiskSubject | undefined {
  const { workspaceId, postId, accountId, errorDetail } = after;
  if (lastingRefusals.includes(errorDetail?.code) && errorDetail?.code !== before.errorDetail?.code)
    return { kind: 'account', workspaceId, accountId };
  const isChanged = before.wakeNumber !== after.wakeNumber && before.attempt !== after.attempt;
  // An edit that began before the risk was found, or of an earlier release, leaves it out.
  const isAtRisk = after.status === 'scheduled' && (presentRisk(before) ?? presentRisk(after));
  return isChanged && isAtRisk ? { kind: 'post', workspaceId, postId } : undefined;
}

export type AccountLimits = Readonly<Partial<Record<Platform, AccountLimit>>>;

/** Returns the posts that a change may leave without a place in a day, or give one: those planned on the days that it takes or leaves. */
function fullDays(
  before: Target | undefined,
  after: Target | undefined,
  limits: DailyLimits,
  accountLimits: AccountLimits,
): RiskSubject[] {
  const target = after ?? before;
  if (target === undefined) return [];
  const { platform, workspaceId, accountId } = target;
  const timeZone = limits[platform]?.timeZone;
  const [left, taken] = [before, after].map((state) => {
    const place = state && timeZone !== undefined ? placeOf(state, timeZone) : undefined;
    // A used place stays used, and was within the share.
    return place?.isUsed ? undefined : place?.day;
  });
  const hasBegun = after !== undefined && timeZone !== undefined && placeOf(after, timeZone)?.isUsed === true;
  const ofApp: RiskSubject[] = [];
  if (taken !== undefined && taken !== left) ofApp.push({ kind: 'day', platform, day: taken });
  if (left !== undefined && taken !== left && !hasBegun)
    ofApp.push({ kind: 'day', platform, day: left, isLeft: true });
  const limit = accountLimits[platform];
  const [was, is] = [before, after].map((state) =>
    state && limit?.isCounted(state.options) && takesTime(state) ? state.scheduledFor : undefined,
  );
  const days = was === is ? [] : [was, is].flatMap((time) => time?.slice(0, 'YYYY-MM-DD'.length) ?? []);
  const ofAccount = [...new Set(days)].map(
    (day): RiskSubject => ({ kind: 'account', workspaceId, accountId, day }),
  );
  return [...ofApp, ...ofAccount];
}

/** The places that a change takes, uses or leaves. */
function changedPlaces(
  before: Target | undefined,
  after: Target | undefined,
  limits: DailyLimits,
): PlaceName[] {
  const target = after ?? before;
  const timeZone = target && limits[target.platform]?.timeZone;
  if (target === undefined || timeZone === undefined) return [];
  const [left, taken] = [before, after].map((state) => state && placeOf(state, timeZone));
  if (isSamePlace(left, taken)) return [];
  const { workspaceId, postId, accountId, platform } = target;
  const days = new Set([left, taken].flatMap((place) => place?.day ?? []));
  return [...days].map((day) => ({ workspaceId, postId, accountId, platform, day, timeZone }));
}
