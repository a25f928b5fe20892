import type { Account } from '../../accounts/schemas.ts';
import type { InvalidCode } from '../../kernel/error-codes.ts';
import { describeMedia } from '../../media/describe.ts';
import { isImporting } from '../../media/imports/open-import.ts';
import type { Media, MediaReference, RequestedReference } from '../../media/schemas.ts';
import { shownMediaFromItem } from '../../media/stored-media.ts';
import { isDocumentType, mediaTypeOf, unknownContentType } from '../../media/types.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import { type Platform, platformTitles } from '../../platforms/contract/names.ts';
import type {
  DescribedMedia,
  PlatformRules,
  PublishableContent,
  RuleProblem,
} from '../../platforms/contract/rules.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { mediaKey } from '../../table/keys.ts';
import { targetItem } from '../../targets/item.ts';
import type { Target } from '../../targets/schemas.ts';
import type { Destination } from '../request/check-shape.ts';
import { timeProblem } from '../request/scheduled-time.ts';
import type { Post } from '../schemas.ts';
import { postItem } from '../store.ts';
import { isKnownLoss, type KnownReferences } from './known-references.ts';
import { featureProblems } from './option-features.ts';
import { checkOptionNames } from './option-names.ts';

/** A reason that a post cannot be published, with the destination if it concerns only one. */
export interface PlanProblem {
  readonly field: string;
  readonly code: InvalidCode;
  readonly message: string;
  readonly accountId?: string;
  readonly platform?: Platform;
}

/** A warning about a post that can be published. */
export type PlanWarning = PlanProblem;

/** Finds the file behind a reference; `undefined` if there is none or it is deleted. */
export type MediaLookup = (reference: Pick<MediaReference, 'mediaId' | 'objectKey'>) => Media | undefined;

export function mediaLookup(found: FoundItems, workspaceId: string): MediaLookup {
  return ({ mediaId, objectKey }) => {
    const item = found.get(mediaKey(workspaceId, mediaId));
    const media = item && shownMediaFromItem(item);
    return media?.objectKey === objectKey && media.removedAt === undefined ? media : undefined;
  };
}

/**
 * Returns the problems with files. A file to which the stored post already refers, and that is gone by now, is a warning.
 *
 * @param field the request field that names them: `coverUrl`, or a list like `mediaItems`
 */
export function mediaFindings(
  references: readonly RequestedReference[],
  field: string,
  lookup: MediaLookup,
  known: KnownReferences | undefined,
): RuleFindings {
  const findings = references.flatMap((reference, index) => {
    const problem = mediaProblem(reference, field === 'coverUrl' ? field : `${field}[${index}]`, lookup);
    return problem ? [{ problem, isKnown: isKnownLoss(problem, reference, known) }] : [];
  });
  return {
    problems: findings.filter(({ isKnown }) => !isKnown).map(({ problem }) => problem),
    warnings: findings.filter(({ isKnown }) => isKnown).map(({ problem }) => problem),
  };
}

/** @param at the field of the reference: `coverUrl`, or an element of a list */
function mediaProblem(
  reference: RequestedReference,
  at: string,
  lookup: MediaLookup,
): PlanProblem | undefined {
  const isCover = at === 'coverUrl';
  const urlField = isCover ? at : `${at}.url`;
  const typeField = isCover ? at : `${at}.type`;
  const media = lookup(reference);
  if (!media)
    return {
      field: urlField,
      code: 'media_unknown',
      message: 'is not the publicUrl of an upload of this workspace',
    };
  if (media.status === 'invalid')
    return {
      field: urlField,
      code: 'media_unusable',
      message: `the file cannot be used: ${media.statusMessage ?? 'it is invalid'}`,
    };
  if (reference.type === undefined && isImporting(media) && media.contentType === unknownContentType)
    return {
      field: `${at}.type`,
      code: 'field_required',
      message: 'is required: nothing says yet what the file is',
    };
  return isOfType(reference, media)
    ? undefined
    : { field: typeField, code: 'media_type', message: `the file is ${media.contentType}` };
}

function isOfType({ type, isDocument }: RequestedReference, media: Media): boolean {
  const { contentType } = media;
  // Until an import is done, its content type may be a guess, and the request knows better.
  if (isImporting(media) || contentType === unknownContentType) return true;
  if (isDocument) return isDocumentType(contentType);
  return type === undefined || type === mediaTypeOf(contentType);
}

/**
 * Completes a reference from the record of its file: with the file's source, and its type if the request has left it out. Without
 * a file, nothing is published either.
 */
export function withType(requested: RequestedReference, lookup: MediaLookup): MediaReference {
  const { type, isTypeGuessed, ...reference } = requested;
  const media = lookup(requested);
  const source = media?.sourceUrl === undefined ? {} : { sourceUrl: media.sourceUrl };
  if (type !== undefined && !(isTypeGuessed && media)) return { ...requested, type, ...source };
  return {
    ...reference,
    type: mediaTypeOf(media?.contentType ?? ''),
    ...(media && isImporting(media) && { isTypeGuessed: true }),
    ...source,
  };
}

/** Returns the description of a file that the rules check. Herald's guess about an import counts less than the request. */
export function describedFile(reference: RequestedReference, lookup: MediaLookup): DescribedMedia {
  const media = lookup(reference);
  const isOverruled = reference.type !== undefined && media && isImporting(media);
  const known = isOverruled ? { ...media, contentType: unknownContentType } : media;
  return describeMedia(withType(reference, lookup), known);
}

/** Returns the problems of a destination by itself. @param at its place in the request, such as `platforms[0]` */
export function destinationProblems(
  { entry, dueMs }: Destination,
  account: Account,
  at: string,
  checkTime: boolean,
  now: number,
): PlanProblem[] {
  const problems: PlanProblem[] = [];
  if (entry.platform !== undefined && entry.platform !== account.platform) {
    problems.push({
      field: `${at}.platform`,
      code: 'account_platform',
      message: `the account is on ${account.platform}`,
    });
  }
  const problem = checkTime && dueMs !== undefined ? timeProblem(dueMs, now) : undefined;
  if (problem) problems.push({ field: `${at}.scheduledFor`, ...problem });
  return problems;
}

/** The findings of a platform's rules about a destination, by field of the request. */
export interface RuleFindings {
  readonly problems: PlanProblem[];
  readonly warnings: PlanWarning[];
}

/** The context of checking a destination's content. */
export interface RuleContext {
  readonly account: Account;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
  /** The destination's place in the request, such as `platforms[0]`. */
  readonly at: string;
  readonly isDraft: boolean;
  /** True if an earlier request was accepted with these options. Then their names are not checked again. */
  readonly keepsOptions: boolean;
}

/**
 * Checks a destination by its platform's rules, and that its account can use its options. The names of its options are checked in
 * a draft too.
 */
export function checkRules(
  rules: PlatformRules | undefined,
  content: PublishableContent,
  { entry }: Destination,
  { account, stageFeatures, at, isDraft, keepsOptions }: RuleContext,
): RuleFindings {
  const { platform } = account;
  if (!rules) {
    const message = `publishing to ${platform} is not available yet`;
    return {
      problems: isDraft ? [] : [{ field: `${at}.accountId`, code: 'platform_unsupported', message }],
      warnings: [],
    };
  }
  const places: readonly (readonly [prefix: string, place: string])[] = [
    ['content', entry.customContent === undefined ? 'content' : `${at}.customContent`],
    ['mediaItems', entry.customMedia === undefined ? 'mediaItems' : `${at}.customMedia`],
    ['platformSpecificData', `${at}.platformSpecificData`],
  ];
  const inRequest = ({ field, ...problem }: RuleProblem): PlanProblem => {
    const [prefix, place] = places.find(([start]) => field.startsWith(start)) ?? [field, field];
    return { field: `${place}${field.slice(prefix.length)}`, ...problem };
  };
  const options = isDraft ? [] : featureProblems(rules.options, content.options, account, stageFeatures);
  const ofContent = isDraft ? [] : rules.check(content);
  const warnings = (!isDraft && rules.warn?.(content)) || [];
  if (keepsOptions)
    return { problems: ofContent.map(inRequest), warnings: [...options, ...warnings].map(inRequest) };
  const names = checkOptionNames(rules.options, content.options, platformTitles[platform]);
  return {
    problems: [...names.problems, ...ofContent, ...options].map(inRequest),
    warnings: [...names.warnings, ...warnings].map(inRequest),
  };
}

/**
 * The maximum size of an item. DynamoDB holds at most 400 KB per item; the rest is reserved for data that publishing adds to the
 * targets.
 */
const largestItemBytes = 330_000;

/**
 * The maximum size of a post. A replay contains the post twice, and a synchronous reply has at most 6 MB (Lambda quotas,
 * "Invocation payload"). A DynamoDB transaction holds at most 4 MB.
 */
const largestPostBytes = 2_800_000;

/** Returns the problems of parts that are too large to be stored. */
export function sizeProblems(post: Post, targets: readonly Target[]): PlanProblem[] {
  const size = (item: unknown) => Buffer.byteLength(JSON.stringify(item));
  /** Returns the size in a reply, which embeds JSON in a JSON string. */
  const replySize = (item: unknown) => size(JSON.stringify(item));
  const problems: PlanProblem[] = [];
  const code = 'post_too_large';
  let totalBytes = replySize(postItem(post));
  if (size(postItem(post)) > largestItemBytes)
    problems.push({ field: 'content', code, message: 'the post is too large' });
  for (const target of targets) {
    const bytes = size(targetItem(target));
    totalBytes += replySize(targetItem(target));
    if (bytes > largestItemBytes) {
      problems.push({
        field: `platforms[${target.position}]`,
        code,
        message: 'the destination is too large',
      });
    }
  }
  if (totalBytes > largestPostBytes)
    problems.push({
      field: 'platforms',
      code,
      message: 'the post and its destinations are too large in total',
    });
  return problems;
}
