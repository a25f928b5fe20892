import type { Context } from '../../api-contract/context.ts';
import type { DayReader } from '../../daily-limits/shared-days.ts';
import { secondMs } from '../../kernel/clock.ts';
import { HeraldError, invalidFields } from '../../kernel/errors.ts';
import type { DailyLimits } from '../../platforms/contract/daily-limit.ts';
import { chooseSlot } from '../../rhythm/choose-slot.ts';
import { rhythmOwnerOf } from '../../rhythm/store.ts';
import { backOff, type Table } from '../../table/table.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import { requireBeyondDrafts } from '../approval/beyond-drafts.ts';
import type { PostDraft } from '../request/check-shape.ts';
import type { PostWithTargets } from '../stored/store.ts';
import { checkAccountLimits } from './limited-accounts.ts';
import { checkDays } from './limited-days.ts';
import { checksOf, existingOf, isBeyondDrafts, type PlanMode } from './modes.ts';
import { planPostAndChain } from './plan-chain.ts';
import type { PlanContext, PostPlan } from './plan-post.ts';
import type { PlanProblem, PlanWarning } from './problems.ts';

/** The context for planning. Posts of one request share these reads. */
export interface PlanningContext extends Context {
  /** The daily limits of the stage's apps. */
  readonly dailyLimits: DailyLimits;
  /** The reader of days. Default: reads each day for each post. */
  readonly days?: DayReader;
  /** The chooser of slots. Default: reads the calendars for each post. */
  readonly chooseSlot?: typeof chooseSlot;
}

/** A post that can be stored. If its time was chosen for it, the claims take the slot. */
export interface SlottedPlan extends PostWithTargets {
  readonly claims: TransactionItems;
  readonly warnings: readonly PlanWarning[];
}

const noSlot: PlanProblem = {
  field: 'scheduledFor',
  code: 'slot_unavailable',
  message: 'no slot is free within 90 days',
};

/** The maximum number of slots to choose if claims fail: about nine seconds in total. */
const maxAttempts = 20;
const contentionRange = { baseMs: 25, capMs: 1_200 };

/**
 * Plans a post with its chain, in a slot if the post asks for one: first without a time, then, if there are no problems,
 * with the time of a free slot. Then checks the limits of its days and accounts.
 *
 * @returns `undefined` if another slot is just being claimed: the caller must try again
 * @throws HeraldError `permission_missing` if the post would be no draft and the actor may only draft; `invalid`, listing every
 *   problem
 */
export async function planInSlot(
  context: PlanningContext,
  draft: PostDraft,
  plan: PlanContext,
  mode: PlanMode,
): Promise<SlottedPlan | undefined> {
  if (isBeyondDrafts(mode, draft)) await requireBeyondDrafts(context);
  const mayRefuse = mayRefuseDays(draft, mode);
  const first = await soundPlan(draft, plan, mode);
  if (!draft.isScheduled || !draft.isAuto) return withLimits(context, plan, first, [], mayRefuse);
  const slot = await (context.chooseSlot ?? chooseSlot)(context, slotRequest(draft, first, context.now));
  if (slot.state === 'unsettled') return undefined;
  if (slot.state === 'none') throw invalidFields([noSlot]);
  const planned = await soundPlan(inSlot(draft, slot.atMs, context), plan, mode);
  return withLimits(context, plan, planned, slot.claims, mayRefuse);
}

/** @throws HeraldError `invalid` if a destination has no place in its day and may not wait for the next */
async function withLimits(
  context: PlanningContext,
  { rulesFor }: PlanContext,
  { post, targets, warnings }: PostPlan,
  claims: TransactionItems,
  mayRefuse: boolean,
): Promise<SlottedPlan> {
  const [days, ofAccounts] = await Promise.all([
    checkDays(context, { post, targets }, { mayRefuse }),
    checkAccountLimits({ table: context.table, rulesFor }, targets),
  ]);
  if (days.problems.length > 0) throw invalidFields(days.problems);
  return { post, targets, claims, warnings: [...warnings, ...days.warnings, ...ofAccounts] };
}

/**
 * Plans a post with its chain as {@link planInSlot} does, but claims no slot, and returns problems instead of throwing them. Of
 * a slot that another post is just taking, it does not wait for the outcome.
 *
 * @throws HeraldError `permission_missing`, as {@link planInSlot}
 */
export async function foresee(
  context: PlanningContext,
  draft: PostDraft,
  plan: PlanContext,
  mode: PlanMode,
): Promise<PostPlan> {
  if (isBeyondDrafts(mode, draft)) await requireBeyondDrafts(context);
  const first = await planPostAndChain(draft, plan, mode);
  const planned = first.problems.length > 0 ? first : await withSlot(context, draft, plan, mode, first);
  const [days, ofAccounts] = await Promise.all([
    checkDays(context, planned, { mayRefuse: mayRefuseDays(draft, mode) }),
    checkAccountLimits({ table: context.table, rulesFor: plan.rulesFor }, planned.targets),
  ]);
  return {
    ...planned,
    problems: [...planned.problems, ...days.problems],
    warnings: [...planned.warnings, ...days.warnings, ...ofAccounts],
  };
}

async function withSlot(
  context: PlanningContext,
  draft: PostDraft,
  plan: PlanContext,
  mode: PlanMode,
  first: PostPlan,
): Promise<PostPlan> {
  if (!draft.isScheduled || !draft.isAuto) return first;
  const slot = await (context.chooseSlot ?? chooseSlot)(context, slotRequest(draft, first, context.now));
  if (slot.state === 'none') return { ...first, problems: [noSlot] };
  if (slot.state === 'unsettled') return first;
  return planPostAndChain(inSlot(draft, slot.atMs, context), plan, mode);
}

const inSlot = (draft: PostDraft, atMs: number, { actor }: PlanningContext): PostDraft => ({
  ...draft,
  dueMs: atMs,
  autoKeyId: rhythmOwnerOf(actor),
});

/** True if a post may be refused because the limit of its day is used up. */
const mayRefuseDays = (draft: PostDraft, mode: PlanMode): boolean =>
  checksOf(mode, draft).times || existingOf(mode)?.post.onQuota !== 'fail';

/**
 * Waits with jittered backoff before another slot is chosen, so that competing requests spread out.
 *
 * @param mayWait false if there is no time left to try again
 * @throws HeraldError `unavailable` after too many attempts
 */
export async function awaitAnotherSlot(table: Table, attempt: number, mayWait = true): Promise<void> {
  if (attempt >= maxAttempts || !mayWait) {
    throw new HeraldError('slots_contended', 'too many posts are claiming slots on this account; try again', {
      retryAfterSeconds: 2,
    });
  }
  await backOff(table, attempt, contentionRange);
}

function slotRequest(draft: PostDraft, { post, leadSeconds }: PostPlan, now: number) {
  return {
    postId: post.id,
    accountIds: draft.destinations
      .filter(({ dueMs }) => dueMs === undefined)
      .map(({ entry }) => entry.accountId),
    earliestMs: now + leadSeconds * secondMs,
  };
}

async function soundPlan(draft: PostDraft, context: PlanContext, mode: PlanMode): Promise<PostPlan> {
  const planned = await planPostAndChain(draft, context, mode);
  if (planned.problems.length > 0) throw invalidFields(planned.problems);
  return planned;
}
