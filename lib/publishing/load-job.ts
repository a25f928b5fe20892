import type { Account } from '../accounts/schemas.ts';
import { lastCallOf } from '../at-most-once/call-records.ts';
import { describeMedia } from '../media/describe.ts';
import { isImporting } from '../media/imports/open-import.ts';
import { type Adaptation, type AdaptedContent, threadFileField } from '../media/renditions/adapt.ts';
import type { Media, MediaReference } from '../media/schemas.ts';
import { mediaFromItem } from '../media/stored-media.ts';
import { isDocumentType, mediaTypeOf, unknownContentType } from '../media/types.ts';
import type { IntendedJob, PublishJob } from '../platforms/contract/adapter.ts';
import type { LastCall } from '../platforms/contract/last-call.ts';
import type { LinkCard } from '../platforms/contract/link-card.ts';
import type { LivePost } from '../platforms/contract/live-post.ts';
import type { DescribedMedia, PlatformRules, PublishableContent } from '../platforms/contract/rules.ts';
import { isOfOthers, surplusOptions, withoutOptions } from '../platforms/contract/shared-options.ts';
import type { Post } from '../posts/stored/schemas.ts';
import { batchGet } from '../table/batch-get.ts';
import type { FoundItems } from '../table/found-items.ts';
import { type Key, mediaKey } from '../table/keys.ts';
import { findLivePost } from '../targets/live-posts.ts';
import { OwnFailure } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import { livePartsOf, workingPart } from '../targets/thread.ts';
import { type AwaitedFile, adaptedContent, type Sources, withRenditions } from './adapt-files.ts';
import type { PublishingPorts } from './ports.ts';
import { stepDeadline, type Work } from './work.ts';

/**
 * Loads all that the adapter needs: content, files and a valid token.
 *
 * @returns if a file has not arrived or is being converted, only what it waits for
 * @throws PlatformError if a file cannot be used or converted, the content violates the platform's rules, or the account must be
 *   connected again
 */
export async function loadJob(
  ports: PublishingPorts,
  work: Work & { readonly account: Account },
): Promise<{ readonly job: PublishJob } | AwaitedFile> {
  const loaded = await loadContent(ports, work);
  if ('kind' in loaded) return loaded;
  const { target, account } = work;
  const job: PublishJob = {
    reference: target.postId,
    account: {
      platformAccountId: account.platformAccountId,
      username: account.username,
      meta: account.meta,
      scopes: account.scopes,
    },
    accessToken: await ports.accessToken(account, work.tokensItem),
    ...contentOf(ports, loaded, target),
    preparation: target.preparation ?? {},
    dueMs: Date.parse(target.scheduledFor ?? work.post.createdAt),
    hasEarlierCall: hasUnsuccessfulCall(target),
    deadline: stepDeadline(ports, work),
    worker: { endsMs: work.deadline, ended: work.ended },
  };
  return { job };
}

/** True if a call was made that did not make the latest live part, so that it may have made the next. */
const hasUnsuccessfulCall = ({ calls = [], ...target }: Target): boolean =>
  calls.length > 0 && (livePartsOf(target).length === 0 || calls.at(-1)?.outcome !== 'live');

/** Returns the content of the part of a target that the next step is about. A target without a thread has one part. */
function contentOf(
  ports: PublishingPorts,
  { content, media, thread, cover }: LoadedContent,
  target: Target,
): Pick<PublishJob, 'content' | 'media' | 'cover' | 'card' | 'options' | 'replyTo'> {
  const part = workingPart(target);
  if (part === 0)
    return {
      content: content.content,
      media,
      ...(cover && { cover }),
      ...(content.card && { card: withPicture(ports, target, content.card) }),
      options: content.options,
    };
  const replyTo = livePartsOf(target)[part - 1]?.platformPostId;
  if (replyTo === undefined) throw new Error('a part of a thread would reply to a post without an id');
  const text = content.thread?.[part - 1]?.content ?? '';
  return { content: text, media: thread[part - 1] ?? [], options: {}, replyTo };
}

function withPicture(
  { fetchPicture }: PublishingPorts,
  { workspaceId }: Target,
  card: LinkCard,
): NonNullable<PublishJob['card']> {
  const { imageUrl } = card;
  if (imageUrl === undefined || !fetchPicture) return card;
  return { ...card, fetchPicture: () => fetchPicture(imageUrl, workspaceId) };
}

/** A target's content as its platform takes it, with its files. */
export interface LoadedContent extends Sources {
  readonly content: PublishableContent;
  /** The files that renditions take the place of. */
  readonly adaptations: readonly Adaptation[];
}

/**
 * Loads a target's content and its files, or the renditions that take their place. Asks nothing of the platform.
 *
 * @returns if a file has not arrived or is being converted, only what it waits for
 * @throws PlatformError as {@link loadJob}, except for the account
 */
export async function loadContent(
  ports: PublishingPorts,
  work: Work & { readonly account: Account },
): Promise<LoadedContent | AwaitedFile> {
  const { target, post } = work;
  const items = await batchGet(ports.table, fileKeysOf(target, post));
  const described = await describeContent(ports, work, items);
  if ('kind' in described) return described;
  const { files, rules, adapted } = described;
  const all = files.map(({ reference, field, part, stored, described: file }) => {
    const { widthPixels, heightPixels, durationSeconds } = file;
    const { id: mediaId, sha256 } = stored;
    const details = { widthPixels, heightPixels, durationSeconds, altText: reference.altText };
    const source = { ...ports.mediaSource(reference, stored), mediaId, sha256, ...details };
    return { reference, field, part, source };
  });
  // Checked only before preparation begins: a target that is being prepared has passed this check.
  if (target.status === 'scheduled' && target.preparation === undefined)
    requireValidContent(rules, adapted.content);
  const media = all.slice(0, (target.mediaItems ?? post.mediaItems).length);
  const thread = (target.thread ?? []).map((_part, index) => all.filter(({ part }) => part === index + 1));
  const cover = post.cover && all.at(-1);
  const sources = await withRenditions(ports, work, { media, thread, cover }, adapted);
  return 'kind' in sources ? sources : { ...adapted, ...sources };
}

/** A target's content as its platform takes it, before its files or renditions are opened. */
export interface DescribedContent {
  readonly files: readonly (WantedFile & { readonly stored: Media; readonly described: DescribedMedia })[];
  /** Undefined for a platform without rules. */
  readonly rules: PlatformRules | undefined;
  readonly adapted: AdaptedContent;
}

/**
 * Describes a target's content from the records of its files. Writes nothing and checks no rule.
 *
 * @param items the records by {@link fileKeysOf}
 * @returns if a file has not arrived, only what it waits for
 * @throws PlatformError if a file cannot be used
 */
export async function describeContent(
  { table, rulesFor }: Pick<PublishingPorts, 'table' | 'rulesFor'>,
  work: Pick<Work, 'target' | 'post'> & { readonly account: Account },
  items: FoundItems,
): Promise<DescribedContent | AwaitedFile> {
  const { target, post, account } = work;
  const liveParts = livePartsOf(target).length;
  const records = wantedFiles(target, post).map(({ reference, field, part }) => {
    const item = items.get(mediaKey(target.workspaceId, reference.mediaId));
    const found = item && mediaFromItem(item, table);
    const isGone = found === undefined || found.removedAt !== undefined;
    const stored = isGone && part < liveParts ? gone(target, reference) : requireUsable(found, field);
    return { reference: withFileType(reference, stored, field), field, part, stored };
  });
  const missing = records.find(({ stored }) => stored.status === 'pending');
  if (missing) return missingFile(missing.field, missing.stored);
  const files = records.map((record) => ({
    ...record,
    described: describeMedia(record.reference, record.stored),
  }));
  const ofPart = (part: number) =>
    files.filter((file) => file.part === part).map(({ described }) => described);
  const { thread = [] } = target;
  const cover = post.cover && files.at(-1);
  const rules = await rulesFor(target.platform);
  const used = usedContent(target, rules, {
    content: target.content ?? post.content,
    media: ofPart(0).slice(0, (target.mediaItems ?? post.mediaItems).length),
    ...(thread.length > 0 && {
      thread: thread.map(({ content }, index) => ({ content, media: ofPart(index + 1) })),
    }),
    ...(cover && { cover: cover.described }),
    ...(target.card && { card: target.card }),
    options: target.options,
    account,
  });
  return { files, rules, adapted: adaptedContent(rules, used, work) };
}

/** Returns the files of a target: its media, those of its thread, and the cover. */
function wantedFiles(target: Target, post: Post): WantedFile[] {
  const at = `platforms[${target.position}]`;
  const list = target.mediaItems ? `${at}.customMedia` : 'mediaItems';
  const references = target.mediaItems ?? post.mediaItems;
  return [
    ...references.map((reference, index) => ({ reference, field: `${list}[${index}]`, part: 0 })),
    ...(target.thread ?? []).flatMap(({ mediaItems }, index) =>
      mediaItems.map((reference, place) => {
        return { reference, field: `${at}.${threadFileField(index, place)}`, part: index + 1 };
      }),
    ),
    ...(post.cover ? [{ reference: post.cover, field: 'coverUrl', part: 0 }] : []),
  ];
}

/** Returns the keys of the records of a target's files. */
export const fileKeysOf = (target: Target, post: Post): Key[] =>
  wantedFiles(target, post).map(({ reference }) => mediaKey(target.workspaceId, reference.mediaId));

interface WantedFile {
  readonly reference: MediaReference;
  /** Names it in the request. */
  readonly field: string;
  /** The part of the target that publishes it, counted from 0. */
  readonly part: number;
}

/**
 * Stands for a file that was deleted after its target went live: a platform may process the post for hours, and finishing rarely needs
 * the file. Nothing is known of it, so nothing is converted, and a platform that does ask for its bytes fails.
 */
const gone = ({ workspaceId }: Target, { mediaId, objectKey }: MediaReference): Media => ({
  ...{ id: mediaId, workspaceId, objectKey, filename: objectKey, contentType: unknownContentType },
  ...{ status: 'ready', reservedBytes: 0, version: 0, createdAt: '' },
});

function missingFile(field: string, media: Media): AwaitedFile {
  const name = `${field}: the file ${media.filename}`;
  if (media.sourceUrl === undefined) {
    const missing = { code: 'media_missing', text: `${name} was not uploaded` } as const;
    return { kind: 'upload', reason: `${name} has not been uploaded yet`, missing };
  }
  const { status, error } = media.import ?? {};
  const kind = isImporting(media) ? 'import' : 'upload';
  const url = urlField(field);
  if (status === 'checking') {
    const text = `${url}: was fetched, but has not been inspected in time`;
    return { kind, reason: `${name} has not been inspected yet`, missing: { code: 'media_delayed', text } };
  }
  const missing = {
    code: error === undefined ? 'media_delayed' : 'media_unreachable',
    text: `${url}: could not be fetched: ${error ?? 'its turn has not come'}`,
  } as const;
  return { kind, reason: `${name} has not been fetched yet`, missing };
}

/** `coverUrl` is a URL itself. */
const urlField = (field: string): string => (field === 'coverUrl' ? field : `${field}.url`);

/**
 * Returns the reference with the type of its file, if its own type is a guess. The type of an imported file may be known only
 * now.
 *
 * @throws OwnFailure if the request says that the file is of another type
 */
function withFileType(
  reference: MediaReference,
  { sourceUrl, status, contentType }: Media,
  field: string,
): MediaReference {
  if (sourceUrl === undefined || status !== 'ready') return reference;
  const type = mediaTypeOf(contentType);
  if (reference.isTypeGuessed) return { ...reference, type };
  if (reference.isDocument ? isDocumentType(contentType) : type === reference.type) return reference;
  throw new OwnFailure('rejected', 'media_invalid', `${field}.type: the file is ${contentType}`);
}

/** @returns the record of a file that is ready, or is not uploaded yet. @throws PlatformError for any other file */
function requireUsable(media: Media | undefined, field: string): Media {
  if (!media) throw new OwnFailure('rejected', 'media_missing', `${field}: the file was deleted`);
  const { filename, removedAt, status, statusMessage = 'it is invalid' } = media;
  if (removedAt !== undefined) {
    // If a post was stored while the file was being deleted, the retention sweep restores the file within minutes.
    throw new OwnFailure('retry', 'media_missing', `${field}: the file ${filename} is being deleted`);
  }
  if (status === 'invalid' && media.import?.status === 'failed')
    throw new OwnFailure('rejected', 'media_unreachable', `${urlField(field)}: ${statusMessage}`);
  if (status === 'invalid') {
    throw new OwnFailure(
      'rejected',
      'media_invalid',
      `${field}: the file ${filename} cannot be used: ${statusMessage}`,
    );
  }
  return media;
}

/** Returns the content without the options of other platforms that such a post does not take. */
function usedContent(
  { platform }: Target,
  rules: PlatformRules | undefined,
  content: PublishableContent,
): PublishableContent {
  const hasOthers = Object.keys(content.options).some((name) => isOfOthers(name, platform));
  return rules && hasOthers ? withoutOptions(content, surplusOptions(platform, rules, content)) : content;
}

/** Repeats the check that was made when the post was stored: the files' probed properties may be known only now. */
function requireValidContent(rules: PlatformRules | undefined, content: PublishableContent): void {
  const problems = rules?.check(content) ?? [];
  if (problems.length === 0) return;
  throw new OwnFailure(
    'rejected',
    'content_invalid',
    problems.map(({ field, message }) => `${field}: ${message}`).join('; '),
  );
}

/** Builds the job of a target with a recorded last call. Throws as {@link loadJob} does. */
export async function intendedJob(
  ports: PublishingPorts,
  work: Work & { readonly account: Account },
): Promise<IntendedJob> {
  const loaded = await loadJob(ports, work);
  // Its files were ready before the call, and a file that is ready stays so. A release since may make other renditions.
  if ('kind' in loaded) throw new OwnFailure('retry', loaded.missing.code, loaded.reason);
  return withLastCall(ports, work.target, loaded.job);
}

/** Adds a target's latest last call to its job. */
export function withLastCall(
  { table }: Pick<PublishingPorts, 'table'>,
  target: Target,
  job: PublishJob,
): IntendedJob {
  const { platform, workspaceId, accountId, postId, calls = [], publishedAt = '' } = target;
  const otherParts = livePartsOf(target).toSpliced(workingPart(target), 1);
  const isTaken = async (platformPostId: string): Promise<boolean> => {
    if (otherParts.some((part) => part.platformPostId === platformPostId)) return true;
    const owner = await findLivePost(table, { platform, platformPostId }, { workspaceId, accountId });
    return owner !== undefined && !(owner.workspaceId === workspaceId && owner.postId === postId);
  };
  const publishedMs = Date.parse(publishedAt);
  // A target that an earlier release published has no record.
  const former = { token: {}, sinceMs: publishedMs, endedMs: publishedMs, isTaken };
  return { ...job, call: calls.length > 0 ? lastCallOf(calls, isTaken) : former };
}

/**
 * Wraps a call for an adapter that may search a platform's list for its post. It asks about each post that it recognizes by its looks
 * whether that is taken, so every other post that it returns is certainly the target's.
 *
 * @returns the wrapped call, and a function that returns true if the adapter has recognized this post by its looks
 */
export function notingCompared(call: LastCall): {
  readonly call: LastCall;
  readonly isCompared: (post: LivePost) => boolean;
} {
  const comparedIds = new Set<string | null>();
  const isTaken = (id: string) => {
    comparedIds.add(id);
    return call.isTaken(id);
  };
  return { call: { ...call, isTaken }, isCompared: ({ platformPostId }) => comparedIds.has(platformPostId) };
}
