import type { Account } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import { describeMedia } from '../../media/describe.ts';
import { Media, type MediaReference } from '../../media/schemas.ts';
import { mediaTypeOf } from '../../media/types.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { PlatformRules, PublishableContent } from '../../platforms/contract/rules.ts';
import type { FoundItems } from '../../table/batch-get.ts';
import { accountKey, mediaKey } from '../../table/keys.ts';
import { targetItem } from '../../targets/item.ts';
import { summarise, type Target } from '../../targets/schemas.ts';
import { firstChainWake } from '../chain/wake.ts';
import type { Destination, PostDraft } from '../request/check-shape.ts';
import { timeProblem } from '../request/scheduled-time.ts';
import type { Post } from '../schemas.ts';
import { postStatus } from '../state.ts';
import { type PostWithTargets, postItem } from '../store.ts';

/** What stands in a post's way. Where one destination is concerned, which. */
export interface PlanProblem {
  readonly field: string;
  readonly message: string;
  readonly accountId?: string;
  readonly platform?: Platform;
}

export interface PlanContext {
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly id: string;
  readonly createdAt: string;
  readonly rulesFor: (platform: Platform) => PlatformRules | undefined;
  readonly idempotencyDigest?: string | undefined;
  /** The post as it stands, where it is edited: its numbers go on from there, so that what was set off is out of date. */
  readonly existing?: PostWithTargets;
}

export interface PlanOptions {
  /** Whether the platforms' rules are to be met. */
  readonly applyRules: boolean;
  /** Whether the times were asked for just now; one that stood before may have passed. */
  readonly checkTimes: boolean;
  /** Accounts and files that are gone or unfit by now are left to be found when the targets are published. */
  readonly leaveToPublishing?: boolean;
}

export interface PostPlan {
  readonly problems: PlanProblem[];
  readonly post: Post;
  readonly targets: Target[];
  /** How long before its time the first target has to be begun. */
  readonly leadSeconds: number;
}

/**
 * Works out the post and its targets from the request and what is stored, and every problem on the way. Pure: the
 * caller decides whether to store it. Platforms' rules are applied to what is scheduled; a draft may still break them.
 */
export function planPost(
  draft: PostDraft,
  found: FoundItems,
  context: PlanContext,
  options: PlanOptions,
): PostPlan {
  const problems: PlanProblem[] = [];
  // Where only destinations have times, the earliest is the post's; it is checked as theirs.
  const ownDueMs = draft.body.scheduledFor === undefined ? undefined : draft.dueMs;
  if (options.checkTimes && draft.isScheduled && ownDueMs !== undefined) {
    const problem = timeProblem(ownDueMs, context.now);
    if (problem) problems.push({ field: 'scheduledFor', message: problem });
  }
  const media = mediaLookup(found, context.workspaceId);
  if (!options.leaveToPublishing) {
    problems.push(...mediaProblems(draft.mediaItems, 'mediaItems', media));
    if (draft.cover) problems.push(...mediaProblems([draft.cover], 'coverUrl', media));
  }

  const targets: Target[] = [];
  let longestLeadSeconds = 0;
  for (const [position, destination] of draft.destinations.entries()) {
    const at = `platforms[${position}]`;
    const accountItem = found.get(accountKey(context.workspaceId, destination.entry.accountId));
    const account = accountItem && accountFromItem(accountItem);
    if (!account || (account.disconnectedAt && !options.leaveToPublishing)) {
      problems.push({
        field: `${at}.accountId`,
        message: 'no such account',
        accountId: destination.entry.accountId,
      });
      continue;
    }
    const concerned = { accountId: account.id, platform: account.platform };
    const problemsHere = [
      ...destinationProblems(destination, account, at, options.checkTimes && draft.isScheduled, context.now),
      ...mediaProblems(destination.customMedia ?? [], `${at}.customMedia`, media),
    ];
    const rules = context.rulesFor(account.platform);
    const content = effectiveContent(draft, destination, media);
    if (options.applyRules)
      problemsHere.push(...ruleProblems(rules, content, destination, account.platform, at));
    problems.push(...problemsHere.map((problem) => ({ ...problem, ...concerned })));
    const leadSeconds = rules?.leadSeconds(content) ?? 0;
    longestLeadSeconds = Math.max(longestLeadSeconds, leadSeconds);
    targets.push(planTarget(draft, destination, { account, position, leadSeconds }, context));
  }
  const post = planPostItem(draft, targets, context);
  return {
    problems: [...problems, ...sizeProblems(post, targets)],
    post,
    targets,
    leadSeconds: longestLeadSeconds,
  };
}

/** DynamoDB holds 400 KB an item; the rest of it is for what the targets' lives add. */
const largestItemBytes = 330_000;

/** A transaction writes 4 MB at most. */
const largestPostBytes = 3_500_000;

function sizeProblems(post: Post, targets: readonly Target[]): PlanProblem[] {
  const size = (item: unknown) => Buffer.byteLength(JSON.stringify(item));
  const problems: PlanProblem[] = [];
  let totalBytes = size(postItem(post));
  if (totalBytes > largestItemBytes) problems.push({ field: 'content', message: 'the post is too large' });
  for (const target of targets) {
    const bytes = size(targetItem(target));
    totalBytes += bytes;
    if (bytes > largestItemBytes) {
      problems.push({ field: `platforms[${target.position}]`, message: 'the destination is too large' });
    }
  }
  if (totalBytes > largestPostBytes)
    problems.push({ field: 'platforms', message: 'the post is too large in all' });
  return problems;
}

function planPostItem(draft: PostDraft, targets: readonly Target[], context: PlanContext): Post {
  const { body } = draft;
  return {
    id: context.id,
    workspaceId: context.workspaceId,
    content: body.content,
    mediaItems: [...draft.mediaItems],
    ...(draft.cover && { cover: draft.cover }),
    status: postStatus(targets.map(({ status }) => status)),
    ...(draft.dueMs !== undefined && {
      scheduledFor: toTimestamp(Math.max(draft.dueMs, nowIfScheduled(draft, context))),
    }),
    timezone: body.timezone,
    createdAt: context.createdAt,
    updatedAt: toTimestamp(context.now),
    targets: targets.map(summarise),
    ...planChain(draft, targets),
    version: (context.existing?.post.version ?? 0) + 1,
    ...(context.idempotencyDigest && { idempotencyDigest: context.idempotencyDigest }),
  };
}

function planChain({ chain }: PostDraft, targets: readonly Target[]): Pick<Post, 'chain' | 'chainWakeAt'> {
  if (chain.length === 0) return {};
  const chainWakeAt = firstChainWake(targets);
  return { chain: [...chain], ...(chainWakeAt !== undefined && { chainWakeAt }) };
}

/** A scheduled time up to ten minutes back means now; a draft keeps the time it was given. */
const nowIfScheduled = (draft: PostDraft, { now }: PlanContext): number => (draft.isScheduled ? now : 0);

function planTarget(
  draft: PostDraft,
  { entry, dueMs: ownDueMs, customMedia }: Destination,
  { account, position, leadSeconds }: { account: Account; position: number; leadSeconds: number },
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
    ...(customMedia && { mediaItems: [...customMedia] }),
    options: entry.platformSpecificData ?? {},
    ...(draft.chain.length > 0 && { startsChain: true }),
    wakeNumber: (before?.wakeNumber ?? 0) + 1,
    attempt: (before?.attempt ?? 0) + 1,
    failures: 0,
    timeline: before?.timeline ?? [],
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
    wakeAt: toTimestamp(wakeMs),
  };
}

type MediaLookup = (reference: MediaReference) => Media | undefined;

function mediaLookup(found: FoundItems, workspaceId: string): MediaLookup {
  return ({ mediaId, objectKey }) => {
    const item = found.get(mediaKey(workspaceId, mediaId));
    const media = item && Media.parse(item);
    return media?.objectKey === objectKey && media.removedAt === undefined ? media : undefined;
  };
}

function mediaProblems(
  references: readonly MediaReference[],
  field: string,
  lookup: MediaLookup,
): PlanProblem[] {
  return references.flatMap((reference, index) => {
    const at = field === 'coverUrl' ? field : `${field}[${index}]`;
    const urlField = field === 'coverUrl' ? field : `${at}.url`;
    const media = lookup(reference);
    if (!media) return [{ field: urlField, message: 'is not the publicUrl of an upload of this workspace' }];
    if (media.status === 'invalid') {
      return [
        { field: urlField, message: `the file cannot be used: ${media.statusMessage ?? 'it is invalid'}` },
      ];
    }
    const isType = mediaTypeOf(media.contentType) === reference.type;
    return isType
      ? []
      : [{ field: field === 'coverUrl' ? field : `${at}.type`, message: `the file is ${media.contentType}` }];
  });
}

function destinationProblems(
  { entry, dueMs }: Destination,
  account: Account,
  at: string,
  checkTime: boolean,
  now: number,
): PlanProblem[] {
  const problems: PlanProblem[] = [];
  if (entry.platform !== undefined && entry.platform !== account.platform) {
    problems.push({ field: `${at}.platform`, message: `the account is on ${account.platform}` });
  }
  const problem = checkTime && dueMs !== undefined ? timeProblem(dueMs, now) : undefined;
  if (problem) problems.push({ field: `${at}.scheduledFor`, message: problem });
  return problems;
}

function ruleProblems(
  rules: PlatformRules | undefined,
  content: PublishableContent,
  { entry }: Destination,
  platform: Platform,
  at: string,
): PlanProblem[] {
  if (!rules)
    return [{ field: `${at}.accountId`, message: `publishing to ${platform} is not available yet` }];
  const places: readonly (readonly [prefix: string, place: string])[] = [
    ['content', entry.customContent === undefined ? 'content' : `${at}.customContent`],
    ['mediaItems', entry.customMedia === undefined ? 'mediaItems' : `${at}.customMedia`],
    ['platformSpecificData', `${at}.platformSpecificData`],
  ];
  return rules.check(content).map(({ field, message }) => {
    const [prefix, place] = places.find(([start]) => field.startsWith(start)) ?? [field, field];
    return { field: `${place}${field.slice(prefix.length)}`, message };
  });
}

function effectiveContent(
  draft: PostDraft,
  { entry, customMedia }: Destination,
  lookup: MediaLookup,
): PublishableContent {
  const describe = (reference: MediaReference) => describeMedia(reference.type, lookup(reference));
  return {
    content: entry.customContent ?? draft.body.content,
    media: (customMedia ?? draft.mediaItems).map(describe),
    ...(draft.cover && { cover: describe(draft.cover) }),
    options: entry.platformSpecificData ?? {},
  };
}
