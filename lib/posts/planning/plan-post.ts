import type { Account } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { unbuiltProblem } from '../../api-contract/unbuilt-fields.ts';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import { adaptContent, askedShapes, shapeOf, threadFileField } from '../../media/renditions/adapt.ts';
import { type StoredAdaptation, toStoredAdaptation } from '../../media/renditions/stored-adaptation.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import type { LinkCard } from '../../platforms/contract/link-card.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import {
  optionField,
  type PlatformRules,
  type PublishableContent,
  type RulesFor,
} from '../../platforms/contract/rules.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { accountKey } from '../../table/keys.ts';
import { summarise, type Target } from '../../targets/schemas.ts';
import type { Destination, PostDraft } from '../request/check-shape.ts';
import { timeProblem } from '../request/scheduled-time.ts';
import { searchDigest } from '../search/searched-texts.ts';
import { firstChainWake } from '../stored/chain-checks.ts';
import { storedMetadata } from '../stored/json-fields.ts';
import type { Approval, Post } from '../stored/schemas.ts';
import { postStatus } from '../stored/state.ts';
import type { PostWithTargets } from '../stored/store.ts';
import { checkRules } from './check-rules.ts';
import { effectiveContent } from './content.ts';
import { acceptedOptions, firstWakeNumber, removedCalls, withWorkDone } from './kept-work.ts';
import type { Checks } from './modes.ts';
import {
  destinationProblems,
  type MediaLookup,
  mediaFindings,
  mediaLookup,
  type PlanProblem,
  type PlanWarning,
  type RuleFindings,
  sizeProblems,
  withType,
} from './problems.ts';
import type { CardReadings } from './read-cards.ts';

/** The surroundings of a post to plan. */
export interface PlanContext {
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly id: string;
  readonly createdAt: string;
  readonly rulesFor: RulesFor;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
  /** The stored items to which the request refers. */
  readonly found: FoundItems;
  readonly idempotencyDigest?: string | undefined;
  /** The approval of the post after the change. */
  readonly approval?: Approval | undefined;
  /** The pages of links that were read for destinations. Absent: none was. */
  readonly cards?: CardReadings;
}

/** A context with the checks of its mode: see `checksOf`. */
export interface CheckedContext extends PlanContext {
  readonly checks: Checks;
  /** The stored post, if it is being edited. Its numbers continue, which makes its scheduled wakes obsolete. */
  readonly existing: PostWithTargets | undefined;
}

export interface PostPlan {
  readonly problems: PlanProblem[];
  readonly warnings: PlanWarning[];
  readonly adaptations: PlannedAdaptation[];
  readonly cards: PlannedCard[];
  readonly post: Post;
  readonly targets: Target[];
  /** Time before the post's due time at which work on the first target must start. */
  readonly leadSeconds: number;
}

/** A file that a destination gets in another form. */
export interface PlannedAdaptation extends StoredAdaptation {
  readonly accountId: string;
  readonly platform: Platform;
}

/** The card of a link in the text of a destination. */
export interface PlannedCard extends LinkCard {
  readonly accountId: string;
  readonly platform: Platform;
}

/**
 * Plans a post and its targets from the request and the stored items, and collects all problems and warnings. Pure: the
 * caller decides whether to store the result.
 */
export async function planPost(draft: PostDraft, context: CheckedContext): Promise<PostPlan> {
  const media = mediaLookup(context.found, context.workspaceId);
  const ofPost = postFindings(draft, media, context);
  const destinations = await Promise.all(
    draft.destinations.map((destination, position) =>
      planDestination(draft, destination, position, media, context),
    ),
  );
  const candidate = planPostItem(draft, [], media, context);
  const targets = destinations.flatMap(({ target, askedFor, files }) => {
    if (!target) return [];
    const { state, planned } = withWorkDone(target, askedFor, candidate, context.existing);
    return state === 'unbegun' ? withFilesAhead(planned, files, context) : planned;
  });
  const planned = planPostItem(draft, targets, media, context);
  const post = { ...planned, searchDigest: searchDigest({ post: planned, targets }) };
  return {
    problems: [
      ...ofPost.problems,
      ...destinations.flatMap(({ problems }) => problems),
      ...sizeProblems(post, targets),
    ],
    warnings: [...ofPost.warnings, ...destinations.flatMap(({ warnings }) => warnings)],
    adaptations: destinations.flatMap(({ target }) => (target ? adaptationsOf(target) : [])),
    cards: targets.flatMap(({ accountId, platform, card }) => (card ? { ...card, accountId, platform } : [])),
    post,
    targets,
    leadSeconds: Math.max(0, ...destinations.map(({ leadSeconds }) => leadSeconds)),
  };
}

const adaptationsOf = ({ accountId, platform, adaptations = [] }: Target): PlannedAdaptation[] =>
  adaptations.map((adaptation) => ({ ...adaptation, accountId, platform }));

/** The files of a destination, before its preparation. `awaited`: one has not arrived. `unfit`: one needs a rendition. */
type FilesState = 'awaited' | 'unfit' | 'fit';

/** The time after which a file that has not arrived is first looked for. */
const firstLookMs = 15 * secondMs;

/**
 * Returns the target with an early wake if its files may need renditions: they are made long before its preparation, and a file that
 * cannot be converted is known in time. Its usual first wake follows when they are ready.
 */
function withFilesAhead(target: Target, files: FilesState, { now }: CheckedContext): Target {
  const { wakeAt: until } = target;
  const wakeAt = toTimestamp(files === 'awaited' ? now + firstLookMs : now);
  if (files === 'fit' || until === undefined || until <= wakeAt) return target;
  return { ...target, wakeAt, awaitsFiles: { since: toTimestamp(now), until } };
}

/** @param isAdapted true if a file needs a rendition, as far as is known */
function filesStateOf(
  { mediaItems, cover }: PostDraft,
  { customMedia = mediaItems, thread = [] }: Destination,
  media: MediaLookup,
  isAdapted: boolean,
): FilesState {
  const ofThread = thread.flatMap((part) => part.mediaItems);
  const references = [...customMedia, ...ofThread, ...(cover ? [cover] : [])];
  if (references.some((reference) => media(reference)?.status === 'pending')) return 'awaited';
  return isAdapted ? 'unfit' : 'fit';
}

/** Checks the parts that belong to no destination: fields that are not built, and the post's own time and files. */
function postFindings(draft: PostDraft, media: MediaLookup, { checks, now }: CheckedContext): RuleFindings {
  const problems: PlanProblem[] = checks.goesLive ? (draft.unbuilt ?? []).map(unbuiltProblem) : [];
  const warnings: PlanWarning[] = [];
  // If only destinations have times, the post's time is the earliest of them, which is checked with its destination.
  const ownDueMs = draft.body.scheduledFor === undefined ? undefined : draft.dueMs;
  if (checks.times && draft.isScheduled && ownDueMs !== undefined) {
    const problem = timeProblem(ownDueMs, now);
    if (problem) problems.push({ field: 'scheduledFor', ...problem });
  }
  if (draft.isAuto && !draft.isScheduled)
    warnings.push({
      field: 'scheduledFor',
      code: 'content_ignored',
      message: 'a draft takes no slot: send auto again when you schedule it',
    });
  if (!checks.references) return { problems, warnings };
  const ofFiles = mediaFindings(draft.mediaItems, 'mediaItems', media, checks.known);
  const ofCover = mediaFindings(draft.cover ? [draft.cover] : [], 'coverUrl', media, checks.known);
  return {
    problems: [...problems, ...ofFiles.problems, ...ofCover.problems],
    warnings: [...warnings, ...ofFiles.warnings, ...ofCover.warnings],
  };
}

interface PlannedDestination extends RuleFindings {
  /** Absent if the account is unknown. */
  readonly target?: Target;
  /** The time that the request asks for, even if it has passed; absent if there is none. */
  readonly askedFor?: string | undefined;
  readonly leadSeconds: number;
  readonly files: FilesState;
}

async function planDestination(
  draft: PostDraft,
  destination: Destination,
  position: number,
  media: MediaLookup,
  context: CheckedContext,
): Promise<PlannedDestination> {
  const at = `platforms[${position}]`;
  const account = resolveAccount(destination, context);
  if (!account) {
    const { accountId } = destination.entry;
    const problem = { code: 'account_unknown', message: 'no such account', accountId } as const;
    return {
      problems: [{ field: `${at}.accountId`, ...problem }],
      warnings: [],
      leadSeconds: 0,
      files: 'fit',
    };
  }
  const rules = await context.rulesFor(account.platform);
  const reading = context.cards?.get(account.id);
  const card = reading && 'card' in reading ? reading.card : undefined;
  const content = { ...effectiveContent(draft, destination, media, account), ...(card && { card }) };
  const adapted = adaptDestination(draft, destination, { at, rules, content });
  const { problems, warnings } = checkDestination(
    draft,
    destination,
    { account, at, rules, content: adapted.content, media },
    context,
  );
  const concerned = { accountId: account.id, platform: account.platform };
  const leadSeconds = rules?.leadSeconds(adapted.content) ?? 0;
  const sendsFile = rules?.sendsFile?.(adapted.content) ?? false;
  const target = {
    ...planTarget(draft, destination, { account, position, leadSeconds, sendsFile, media }, context),
    ...(adapted.adaptations.length > 0 && { adaptations: adapted.adaptations }),
    ...(card && { card }),
  };
  const ofCard = reading && 'problem' in reading ? [unreadLink(destination, at, reading.problem)] : [];
  return {
    problems: problems.map((problem) => ({ ...problem, ...concerned })),
    warnings: [...warnings, ...ofCard].map((warning) => ({ ...warning, ...concerned })),
    target,
    files: rules ? filesStateOf(draft, destination, media, adapted.adaptations.length > 0) : 'fit',
    askedFor: timestampOf(destination.dueMs ?? draft.dueMs),
    leadSeconds,
  };
}

/** Returns the warning about a link whose page could not be read. */
function unreadLink({ entry }: Destination, at: string, reason: string): PlanWarning {
  const field = entry.customContent === undefined ? 'content' : `${at}.customContent`;
  const message = `the page of the first link could not be read, so the post has no card: ${reason}`;
  return { field, code: 'link_unreadable', message };
}

/** Returns the content of a destination as its platform takes it, and the files that are adapted for that. */
function adaptDestination(
  { mediaItems, cover }: PostDraft,
  { entry, customMedia, thread = [] }: Destination,
  {
    at,
    rules = {},
    content,
  }: {
    readonly at: string;
    readonly rules: Partial<PlatformRules> | undefined;
    readonly content: PublishableContent;
  },
): { readonly content: PublishableContent; readonly adaptations: StoredAdaptation[] } {
  const references = customMedia ?? mediaItems;
  const asked = askedShapes({ ...shapeOf(entry), mediaItems: customMedia, thread }, references);
  const { content: adapted, adaptations } = adaptContent(rules, content, asked);
  const list = customMedia ? `${at}.customMedia` : 'mediaItems';
  const files = [
    ...references.map(({ mediaId }, index) => ({
      name: `mediaItems[${index}]`,
      field: `${list}[${index}]`,
      mediaId,
    })),
    ...thread.flatMap((part, index) =>
      part.mediaItems.map(({ mediaId }, place) => {
        const name = threadFileField(index, place);
        return { name, field: `${at}.${name}`, mediaId };
      }),
    ),
    ...(cover ? [{ name: 'coverUrl', field: 'coverUrl', mediaId: cover.mediaId }] : []),
  ];
  return {
    content: adapted,
    adaptations: adaptations.flatMap((adaptation) => {
      const file = files.find(({ name }) => name === adaptation.field);
      return file ? toStoredAdaptation(adaptation, file.field, file.mediaId) : [];
    }),
  };
}

/** Returns the account of a destination; `undefined` if there is none, or if it is disconnected and must not be. */
function resolveAccount({ entry }: Destination, context: CheckedContext): Account | undefined {
  const { found, workspaceId, checks } = context;
  const item = found.get(accountKey(workspaceId, entry.accountId));
  const account = item && accountFromItem(item);
  const isKnown = checks.known?.accountIds.has(entry.accountId) === true;
  return account && isGone(account, context) && !isKnown ? undefined : account;
}

/** True for a disconnected account in a plan that must not have any. */
const isGone = ({ disconnectedAt }: Account, { checks }: CheckedContext): boolean =>
  disconnectedAt !== undefined && checks.references;

interface ResolvedDestination {
  readonly account: Account;
  /** The destination's place in the request, such as `platforms[0]`. */
  readonly at: string;
  readonly rules: Awaited<ReturnType<RulesFor>>;
  readonly content: PublishableContent;
  readonly media: MediaLookup;
}

function checkDestination(
  draft: PostDraft,
  destination: Destination,
  { account, at, rules, content, media }: ResolvedDestination,
  context: CheckedContext,
): RuleFindings {
  const { checks, now, stageFeatures } = context;
  const isAccountGone = isGone(account, context);
  const { customMedia = [], thread = [] } = destination;
  const ofFiles = [
    mediaFindings(customMedia, `${at}.customMedia`, media, checks.known),
    ...thread.map(({ mediaItems }, index) =>
      mediaFindings(mediaItems, `${at}.${optionField(['thread', index, 'mediaItems'])}`, media, checks.known),
    ),
  ];
  const ofRules = checks.references
    ? checkRules(rules, content, destination, {
        account,
        stageFeatures,
        at,
        isDraft: !checks.goesLive,
        accepted: acceptedOptions(account.id, context.existing),
        // The features of a disconnected account are unknown until it is connected again.
        keepsOptions: !checks.optionNames || isAccountGone,
      })
    : { problems: [], warnings: [] };
  return {
    problems: [
      ...destinationProblems(destination, account, at, checks.times && draft.isScheduled, now),
      ...ofFiles.flatMap(({ problems }) => problems),
      ...ofRules.problems,
    ],
    warnings: [
      ...ofFiles.flatMap(({ warnings }) => warnings),
      ...(isAccountGone ? [disconnectedWarning(at)] : []),
      ...shapeWarnings(destination, content, at),
      ...ofRules.warnings,
    ],
  };
}

/** Warns about a shape that is asked for where there is no picture. People send the same to all their destinations. */
function shapeWarnings(
  { entry }: Destination,
  { media, thread = [], cover }: PublishableContent,
  at: string,
): PlanWarning[] {
  const files = [...media, ...thread.flatMap((part) => part.media)];
  const hasPicture = cover !== undefined || files.some(({ type }) => type === 'image');
  if (entry.fit === undefined || files.length === 0 || hasPicture) return [];
  const message = 'has no effect: only pictures are padded or cropped, and this post has none';
  return [{ field: `${at}.fit`, code: 'option_not_applicable', message }];
}

const disconnectedWarning = (at: string): PlanWarning => ({
  field: `${at}.accountId`,
  code: 'account_unknown',
  message: 'the account is disconnected: connect it again, or nothing is published on it',
});

function planPostItem(
  draft: PostDraft,
  targets: readonly Target[],
  media: MediaLookup,
  context: CheckedContext,
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
      scheduledFor: postTime(draft, draft.dueMs, targets, context),
    }),
    timezone: body.timezone,
    ...(body.onQuota === 'fail' && { onQuota: body.onQuota }),
    createdAt: context.createdAt,
    updatedAt: toTimestamp(context.now),
    targets: targets.map(summarise),
    ...planChain(draft, targets, media),
    ...planLabels(draft),
    ...(draft.tagIds && draft.tagIds.length > 0 && { tagIds: [...draft.tagIds] }),
    ...(context.approval && { approval: context.approval }),
    ...removedCalls(targets, context.existing),
    ...(!draft.isScheduled && draft.unbuilt && { unbuilt: draft.unbuilt.slice(0, maxRemembered) }),
    version: (context.existing?.post.version ?? 0) + 1,
    ...(context.idempotencyDigest && { idempotencyDigest: context.idempotencyDigest }),
  };
}

/** The number of fields that are not built that a draft remembers, so that they fit into its item. */
const maxRemembered = 20;

/** Plans the chain of a post, with the time of the sweep's first check. Pure. */
function planChain(
  { chain }: PostDraft,
  targets: readonly Target[],
  media: MediaLookup,
): Pick<Post, 'chain' | 'chainWakeAt'> {
  if (chain.length === 0) return {};
  const chainWakeAt = firstChainWake(targets);
  const steps = chain.map(({ mediaItems, ...step }) => ({
    ...step,
    ...(mediaItems && { mediaItems: mediaItems.map((reference) => withType(reference, media)) }),
  }));
  return { chain: steps, ...(chainWakeAt !== undefined && { chainWakeAt }) };
}

/** Plans the labels that a client has attached to a post. Pure. */
function planLabels({
  body: { metadata, externalId, externalIdUnique },
}: PostDraft): Pick<Post, 'metadata' | 'externalId' | 'externalIdUnique'> {
  const stored = storedMetadata(metadata);
  return {
    ...(stored !== undefined && { metadata: stored }),
    ...(typeof externalId === 'string' && { externalId }),
    ...(externalIdUnique && { externalIdUnique }),
  };
}

const timestampOf = (timeMs: number | undefined) => (timeMs === undefined ? undefined : toTimestamp(timeMs));

/** Returns a due time in epoch milliseconds: a scheduled time up to ten minutes back means now. A draft keeps its time. */
const dueTimeMs = ({ isScheduled }: PostDraft, askedMs: number, { now }: PlanContext): number =>
  isScheduled ? Math.max(askedMs, now) : askedMs;

/** Returns the post's own due time. A time that has passed stays if an edit has left a target alone that is due at it. */
function postTime(
  draft: PostDraft,
  askedMs: number,
  targets: readonly Target[],
  context: PlanContext,
): string {
  const asked = toTimestamp(askedMs);
  const isKept = targets.some(({ scheduledFor }) => scheduledFor === asked);
  return isKept ? asked : toTimestamp(dueTimeMs(draft, askedMs, context));
}

function planTarget(
  draft: PostDraft,
  { entry, dueMs: ownDueMs, customMedia, thread }: Destination,
  {
    account,
    position,
    leadSeconds,
    sendsFile,
    media,
  }: { account: Account; position: number; leadSeconds: number; sendsFile: boolean; media: MediaLookup },
  context: CheckedContext,
): Target {
  const dueMs = ownDueMs ?? draft.dueMs;
  const before = context.existing?.targets.find(({ accountId }) => accountId === account.id);
  const calls = before?.calls ?? context.existing?.post.removedCalls?.[account.id];
  const target: Target = {
    workspaceId: context.workspaceId,
    postId: context.id,
    accountId: account.id,
    platform: account.platform,
    position,
    status: draft.isScheduled ? 'scheduled' : 'draft',
    ...(entry.customContent !== undefined && { content: entry.customContent }),
    ...(customMedia && { mediaItems: customMedia.map((reference) => withType(reference, media)) }),
    ...(thread && {
      thread: thread.map(({ content, mediaItems }) => ({
        content,
        mediaItems: mediaItems.map((reference) => withType(reference, media)),
      })),
    }),
    ...shapeOf(entry),
    options: withoutThread(entry.platformSpecificData ?? {}),
    ...(draft.chain.length > 0 && { startsChain: true }),
    wakeNumber: before ? before.wakeNumber + 1 : firstWakeNumber(context.existing, context.now),
    attempt: (before?.attempt ?? 0) + 1,
    failures: 0,
    timeline: before?.timeline ?? [],
    ...(calls && { calls }),
    ...(before?.requests && { requests: before.requests }),
    // The relay has it checked again at once.
    ...(before?.risk && draft.isScheduled && { risk: before.risk }),
  };
  if (dueMs === undefined) return target;
  const due = dueTimeMs(draft, dueMs, context);
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
    ...(due <= context.now && { isImmediate: true }),
    ...(autoKeyId !== undefined && { autoKeyId }),
    ...(sendsFile && { sendsFile }),
    wakeAt: toTimestamp(wakeMs),
  };
}

/** Returns the options without the thread, which the target stores apart. */
function withoutThread({ thread: _thread, ...options }: Target['options']): Target['options'] {
  return options;
}
