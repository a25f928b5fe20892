import type { Account } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { RequestedReference } from '../../media/schemas.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import type { PublishableContent, RulesFor } from '../../platforms/contract/rules.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { accountKey } from '../../table/keys.ts';
import { summarise, type Target } from '../../targets/schemas.ts';
import type { Destination, PostDraft } from '../request/check-shape.ts';
import { timeProblem } from '../request/scheduled-time.ts';
import type { Post } from '../schemas.ts';
import { postStatus } from '../state.ts';
import type { PostWithTargets } from '../store.ts';
import type { KnownReferences } from './known-references.ts';
import { planChain, planLabels } from './plan-parts.ts';
import {
  checkRules,
  describedFile,
  destinationProblems,
  type MediaLookup,
  mediaFindings,
  mediaLookup,
  type PlanProblem,
  type PlanWarning,
  sizeProblems,
  withType,
} from './problems.ts';

/** How to plan a draft. */
export interface PlanContext {
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly id: string;
  readonly createdAt: string;
  readonly rulesFor: RulesFor;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
  /** The stored items that the request refers to. */
  readonly found: FoundItems;
  readonly idempotencyDigest?: string | undefined;
  /** The stored post, if it is being edited. Its numbers continue, which makes its scheduled wakes obsolete. */
  readonly existing?: PostWithTargets | undefined;
  /** Whether to check the platforms' rules. */
  readonly applyRules: boolean;
  /** Whether to check the times. Not if they were set by an earlier request: they may have passed since. */
  readonly checkTimes: boolean;
  /** Whether the options are those of an earlier request, which was accepted with them. */
  readonly keepsOptions?: boolean;
  /** If the post is being edited, and is not scheduled by that: what it refers to already. */
  readonly known?: KnownReferences | undefined;
  /** Whether to accept accounts and files that are gone or unfit by now. Publishing then reports them. */
  readonly leaveToPublishing?: boolean;
}

export interface PostPlan {
  readonly problems: PlanProblem[];
  readonly warnings: PlanWarning[];
  readonly post: Post;
  readonly targets: Target[];
  /** How long before its time work on the first target must start. */
  readonly leadSeconds: number;
}

/**
 * Plans a post and its targets from the request and the stored items, and collects all problems and warnings. Pure: the
 * caller decides whether to store the result. A draft may break the platforms' rules; a scheduled post may not.
 */
export async function planPost(draft: PostDraft, context: PlanContext): Promise<PostPlan> {
  const { found } = context;
  const problems: PlanProblem[] = [];
  const warnings: PlanWarning[] = [];
  // If only destinations have times, the post's time is the earliest of them, which is checked with its destination.
  const ownDueMs = draft.body.scheduledFor === undefined ? undefined : draft.dueMs;
  if (context.checkTimes && draft.isScheduled && ownDueMs !== undefined) {
    const problem = timeProblem(ownDueMs, context.now);
    if (problem) problems.push({ field: 'scheduledFor', ...problem });
  }
  if (draft.isAuto && !draft.isScheduled)
    warnings.push({
      field: 'scheduledFor',
      code: 'content_ignored',
      message: 'a draft takes no slot: send auto again when you schedule it',
    });
  const media = mediaLookup(found, context.workspaceId);
  const { known } = context;
  if (!context.leaveToPublishing) {
    const ofFiles = mediaFindings(draft.mediaItems, 'mediaItems', media, known);
    const ofCover = mediaFindings(draft.cover ? [draft.cover] : [], 'coverUrl', media, known);
    problems.push(...ofFiles.problems, ...ofCover.problems);
    warnings.push(...ofFiles.warnings, ...ofCover.warnings);
  }

  const targets: Target[] = [];
  let longestLeadSeconds = 0;
  for (const [position, destination] of draft.destinations.entries()) {
    const at = `platforms[${position}]`;
    const accountItem = found.get(accountKey(context.workspaceId, destination.entry.accountId));
    const account = accountItem && accountFromItem(accountItem);
    const isGone = account?.disconnectedAt !== undefined && !context.leaveToPublishing;
    const isKnown = known?.accountIds.has(destination.entry.accountId) === true;
    if (!account || (isGone && !isKnown)) {
      problems.push({
        field: `${at}.accountId`,
        code: 'account_unknown',
        message: 'no such account',
        accountId: destination.entry.accountId,
      });
      continue;
    }
    const concerned = { accountId: account.id, platform: account.platform };
    const ofFiles = mediaFindings(destination.customMedia ?? [], `${at}.customMedia`, media, known);
    const problemsHere = [
      ...destinationProblems(destination, account, at, context.checkTimes && draft.isScheduled, context.now),
      ...ofFiles.problems,
    ];
    warnings.push(...ofFiles.warnings.map((warning) => ({ ...warning, ...concerned })));
    if (isGone)
      warnings.push({
        field: `${at}.accountId`,
        code: 'account_unknown',
        message: 'the account is disconnected: connect it again, or nothing is published on it',
        ...concerned,
      });
    const rules = await context.rulesFor(account.platform);
    const content = effectiveContent(draft, destination, media);
    if (!context.leaveToPublishing) {
      const findings = checkRules(rules, content, destination, {
        account,
        stageFeatures: context.stageFeatures,
        at,
        isDraft: !context.applyRules,
        // What a disconnected account may do is unknown until it is connected again.
        keepsOptions: context.keepsOptions === true || isGone,
      });
      problemsHere.push(...findings.problems);
      warnings.push(...findings.warnings.map((warning) => ({ ...warning, ...concerned })));
    }
    problems.push(...problemsHere.map((problem) => ({ ...problem, ...concerned })));
    const leadSeconds = rules?.leadSeconds(content) ?? 0;
    longestLeadSeconds = Math.max(longestLeadSeconds, leadSeconds);
    const sendsFile = rules?.sendsFile?.(content) ?? false;
    const planned = { account, position, leadSeconds, sendsFile, media };
    targets.push(planTarget(draft, destination, planned, context));
  }
  const post = planPostItem(draft, targets, media, context);
  return {
    problems: [...problems, ...sizeProblems(post, targets)],
    warnings,
    post,
    targets,
    leadSeconds: longestLeadSeconds,
  };
}

function planPostItem(
  draft: PostDraft,
  targets: readonly Target[],
  media: MediaLookup,
  context: PlanContext,
): Post {
  const { body } = draft;
  return {
    id: context.id,
    workspaceId: context.workspaceId,
    content: body.content,
    mediaItems: draft.mediaItems.map((reference) => withType(reference, media)),
    ...(draft.cover && { cover: withType(draft.cover, media) }),
    status: postStatus(targets.map(({ status }) => status)),
    ...(draft.dueMs !== undefined && {
      scheduledFor: toTimestamp(Math.max(draft.dueMs, nowIfScheduled(draft, context))),
    }),
    timezone: body.timezone,
    ...(body.onQuota === 'fail' && { onQuota: body.onQuota }),
    createdAt: context.createdAt,
    updatedAt: toTimestamp(context.now),
    targets: targets.map(summarise),
    ...planChain(draft, targets, media),
    ...planLabels(draft),
    version: (context.existing?.post.version ?? 0) + 1,
    ...(context.idempotencyDigest && { idempotencyDigest: context.idempotencyDigest }),
  };
}

/** The earliest allowed time: a scheduled time up to ten minutes back means now. A draft keeps its time. */
const nowIfScheduled = (draft: PostDraft, { now }: PlanContext): number => (draft.isScheduled ? now : 0);

function planTarget(
  draft: PostDraft,
  { entry, dueMs: ownDueMs, customMedia }: Destination,
  {
    account,
    position,
    leadSeconds,
    sendsFile,
    media,
  }: { account: Account; position: number; leadSeconds: number; sendsFile: boolean; media: MediaLookup },
  context: PlanContext,
): Target {
  const dueMs = ownDueMs ?? draft.dueMs;
  const before = context.existing?.targets.find(({ accountId }) => accountId === account.id);
  const target: Target = {
    workspaceId: context.workspaceId,
    postId: context.id,
    accountId: account.id,
    platform: account.platform,
    position,
    status: draft.isScheduled ? 'scheduled' : 'draft',
    ...(entry.customContent !== undefined && { content: entry.customContent }),
    ...(customMedia && { mediaItems: customMedia.map((reference) => withType(reference, media)) }),
    options: entry.platformSpecificData ?? {},
    ...(draft.chain.length > 0 && { startsChain: true }),
    wakeNumber: before ? before.wakeNumber + 1 : firstWakeNumber(context),
    attempt: (before?.attempt ?? 0) + 1,
    failures: 0,
    timeline: before?.timeline ?? [],
    ...(before?.calls && { calls: before.calls }),
  };
  if (dueMs === undefined) return target;
  const due = Math.max(dueMs, nowIfScheduled(draft, context));
  const scheduledFor = toTimestamp(due);
  if (!draft.isScheduled) return { ...target, scheduledFor };
  const autoKeyId =
    ownDueMs === undefined && draft.autoKeyId !== undefined
      ? draft.autoKeyId
      : before?.scheduledFor === scheduledFor
        ? before.autoKeyId
        : undefined;
  const wakeMs = Math.max(context.now, due - leadSeconds * secondMs);
  return {
    ...target,
    scheduledFor,
    ...(autoKeyId !== undefined && { autoKeyId }),
    ...(sendsFile && { sendsFile }),
    wakeAt: toTimestamp(wakeMs),
  };
}

/**
 * The number of a new target's first wake. An edit may bring a target back that an earlier edit has removed, and messages,
 * schedules or workers of that one may still be on their way. So its numbers begin with the time: no wake of the removed one had
 * a number that high.
 */
const firstWakeNumber = ({ existing, now }: PlanContext): number => (existing ? now : 1);

function effectiveContent(
  draft: PostDraft,
  { entry, customMedia }: Destination,
  lookup: MediaLookup,
): PublishableContent {
  const describe = (reference: RequestedReference) => describedFile(reference, lookup);
  return {
    content: entry.customContent ?? draft.body.content,
    media: (customMedia ?? draft.mediaItems).map(describe),
    ...(draft.cover && { cover: describe(draft.cover) }),
    options: entry.platformSpecificData ?? {},
  };
}
