import type { Account } from '../../accounts/schemas.ts';
import type { InvalidCode } from '../../kernel/error-codes.ts';
import { describeMedia } from '../../media/describe.ts';
import { isImporting } from '../../media/imports/open-import.ts';
import { shapeOf } from '../../media/renditions/adapt.ts';
import type { Media, MediaReference, RequestedReference } from '../../media/schemas.ts';
import { shownMediaFromItem } from '../../media/stored-media.ts';
import { isDocumentType, mediaTypeOf, unknownContentType } from '../../media/types.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { DescribedMedia } from '../../platforms/contract/rules.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { mediaKey } from '../../table/keys.ts';
import { targetItem } from '../../targets/item.ts';
import type { Target } from '../../targets/schemas.ts';
import { isThread } from '../../targets/thread.ts';
import type { Destination } from '../request/check-shape.ts';
import { timeProblem } from '../request/scheduled-time.ts';
import type { Post } from '../stored/schemas.ts';
import { postItem } from '../stored/store.ts';
import type { KnownReferences } from './modes.ts';

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
  if (!isOfType(reference, media))
    return { field: typeField, code: 'media_type', message: `the file is ${media.contentType}` };
  return shapeProblem(reference, at, media);
}

/** Returns the problem with a shape that is asked for a file that is certainly no picture. */
function shapeProblem(reference: RequestedReference, at: string, media: Media): PlanProblem | undefined {
  const [name] = Object.keys(shapeOf(reference));
  const { type, isTypeGuessed } = withType(reference, () => media);
  if (name === undefined || isTypeGuessed || (type === 'image' && !isDocumentType(media.contentType)))
    return undefined;
  const message = 'is for pictures only: a video or a document is never padded or cropped';
  return { field: `${at}.${name}`, code: 'option_not_applicable', message };
}

/** True if a problem means that a file is gone or cannot be used, and the stored post already refers to that file. */
function isKnownLoss(
  { code }: { readonly code: InvalidCode },
  { mediaId }: Pick<RequestedReference, 'mediaId'>,
  known: KnownReferences | undefined,
): boolean {
  const isLoss = code === 'media_unknown' || code === 'media_unusable';
  return isLoss && known?.mediaIds.has(mediaId) === true;
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

/** The size of a part of a thread that is live, in a post's copy of its target. */
const livePartBytes = 250;

const partsOf = (targets: readonly Target[]): number =>
  targets.reduce((sum, target) => sum + (isThread(target) ? 1 + (target.thread?.length ?? 0) : 0), 0);

/** Returns the problems of parts that are too large to be stored. */
export function sizeProblems(post: Post, targets: readonly Target[]): PlanProblem[] {
  const size = (item: unknown) => Buffer.byteLength(JSON.stringify(item));
  /** Returns the size in a reply, which embeds JSON in a JSON string. */
  const replySize = (item: unknown) => size(JSON.stringify(item));
  const problems: PlanProblem[] = [];
  const code = 'post_too_large';
  let totalBytes = replySize(postItem(post));
  if (size(postItem(post)) + livePartBytes * partsOf(targets) > largestItemBytes)
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
