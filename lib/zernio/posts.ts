import { HeraldError, invalidField } from '../kernel/errors.ts';
import type { ListedPostTarget, ListedPostView, PostTarget, PostView } from '../posts/view/schemas.ts';
import type { ErrorDetail } from '../targets/problem.ts';
import {
  isFields,
  mediaNames,
  type Name,
  optionNames,
  optionsToTheirs,
  postNames,
  targetNames,
  toOurs,
  toTheirs,
} from './names.ts';

/*
 * Posts in Zernio's form and in Herald's. Pure. What a request says wrongly is left as it is, so that Herald's own rules refuse it.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Labels that Zernio stores and that change nothing of what is published. Herald does not store them. */
const labels: readonly string[] = ['title', 'hashtags', 'mentions', 'visibility'];

/** Fields of replies. A program that sends back what it has read does not mean them. */
const readOnly = (names: readonly Name[]): readonly string[] =>
  names.flatMap(([theirs, , direction]) => (direction === 'out' ? [theirs] : []));
const readOnlyOfPost = [...readOnly(postNames), 'userId', 'recycledFromPostId'];
const readOnlyOfTarget = [...readOnly(targetNames), 'errorCategory', 'errorSource'];

/** Consents and hints that change nothing of what is published. */
const hints: Readonly<Record<string, readonly string[]>> = {
  tiktok: ['contentPreviewConfirmed', 'expressConsentGiven', 'mediaType'],
};

/**
 * Returns the body of Herald's request to create or change a post.
 *
 * @throws HeraldError `not_found` for another profile; `contradictory_fields`
 */
export function toPostBody(body: Fields, workspaceId: string): Record<string, unknown> {
  const { mediaItems, platforms, queuedFromProfile, queueId, tags, ...fields } = body;
  const { tiktokSettings, facebookSettings, ...rest } = withoutKeys(fields, [...labels, ...readOnlyOfPost]);
  const shared: Readonly<Record<string, Fields>> = {
    ...(isFields(tiktokSettings) && { tiktok: tiktokSettings }),
    ...(isFields(facebookSettings) && { facebook: { facebookSettings } }),
    ...(tags !== undefined && { youtube: { tags } }),
  };
  const entries = Array.isArray(platforms) ? platforms.map((entry) => toEntry(entry, shared)) : platforms;
  const thumbnail = thumbnailOf(mediaItems);
  const slot = queueSlot({ queuedFromProfile, queueId }, rest, workspaceId);
  return {
    ...(thumbnail !== undefined && { coverUrl: thumbnail }),
    ...toOurs(postNames, withOneTime(rest)),
    ...slot,
    ...(mediaItems !== undefined && { mediaItems: toFiles(mediaItems) }),
    ...(entries !== undefined && { platforms: entries }),
  };
}

/** A draft is not published now, and what is published now has no other time: so it is at Zernio, where Herald would ask. */
function withOneTime(fields: Fields): Fields {
  const { publishNow, isDraft } = fields;
  if (publishNow !== true) return fields;
  return withoutKeys(fields, [isDraft === true ? 'publishNow' : 'scheduledFor']);
}

/** A post without a time that names its queue gets the next slot. */
function queueSlot(
  ids: { readonly queuedFromProfile: unknown; readonly queueId: unknown },
  { scheduledFor, publishNow }: Fields,
  workspaceId: string,
) {
  for (const [name, id] of Object.entries(ids))
    if (id !== undefined && id !== null && id !== workspaceId)
      throw new HeraldError('not_found', `${name}: not found; a workspace is one profile with one queue`);
  const isQueued = ids.queuedFromProfile === workspaceId;
  return isQueued && scheduledFor === undefined && publishNow !== true ? { scheduledFor: 'auto' } : {};
}

function toEntry(entry: unknown, shared: Readonly<Record<string, Fields>>): unknown {
  if (!isFields(entry)) return entry;
  const { customMedia, platformSpecificData, ...fields } = entry;
  const platform = typeof fields['platform'] === 'string' ? fields['platform'] : '';
  const common = Object.hasOwn(shared, platform) ? shared[platform] : undefined;
  const given = isFields(platformSpecificData) ? platformSpecificData : undefined;
  const options = common || given ? toOptions(platform, { ...common, ...given }) : platformSpecificData;
  const { content, files, ...others } = isFields(options) ? firstPart(platform, options) : { options };
  return {
    ...toOurs(targetNames, withoutKeys(fields, readOnlyOfTarget)),
    ...(content !== undefined && { customContent: content }),
    ...(customMedia !== undefined && { customMedia: toFiles(customMedia) }),
    ...(files !== undefined && { customMedia: toFiles(files) }),
    ...(others.options !== undefined && { platformSpecificData: others.options }),
  };
}

/** Returns Herald's form of the options of a destination. */
export function toOptions(platform: string, options: Fields): Record<string, unknown> {
  const hidden = Object.hasOwn(hints, platform) ? (hints[platform] ?? []) : [];
  const kind = commercialContent(platform, options['commercialContentType']);
  const given = withoutKeys(options, kind ? [...hidden, 'commercialContentType'] : hidden);
  return { ...toOurs(namesOf(platform), given), ...kind };
}

const namesOf = (platform: string) =>
  Object.hasOwn(optionNames, platform) ? (optionNames[platform] ?? []) : [];

/** Another form of TikTok's two declarations of advertising. A value that is not known stays, and is refused. */
function commercialContent(platform: string, kind: unknown): Record<string, unknown> | undefined {
  if (platform !== 'tiktok') return undefined;
  if (kind === 'none') return {};
  if (kind === 'brand_organic') return { brandOrganicToggle: true };
  return kind === 'brand_content' ? { brandContentToggle: true } : undefined;
}

/** A thread at Zernio is a list of all its parts; at Herald, the first one is the destination's own content. */
function firstPart(platform: string, options: Fields) {
  const { threadItems, ...others } = options;
  if (platform !== 'threads' || !Array.isArray(threadItems)) return { options };
  const [first, ...further] = threadItems as readonly unknown[];
  const parts = further.map((part) =>
    isFields(part) && part['mediaItems'] !== undefined
      ? { ...part, mediaItems: toFiles(part['mediaItems']) }
      : part,
  );
  return {
    ...(isFields(first) && { content: first['content'] ?? '', files: first['mediaItems'] }),
    options: { ...others, ...(parts.length > 0 && { thread: parts }) },
  };
}

function toFiles(items: unknown): unknown {
  if (!Array.isArray(items)) return items;
  return items.map((item: unknown) => {
    if (!isFields(item)) return item;
    const { thumbnail: _, title: _title, ...file } = item;
    return toOurs(mediaNames, file['type'] === 'gif' ? { ...file, type: 'image' } : file);
  });
}

/** Returns the picture of the first video that has one. @throws HeraldError if several files have different ones */
function thumbnailOf(items: unknown): unknown {
  if (!Array.isArray(items)) return undefined;
  const found = items.flatMap((item: unknown) =>
    isFields(item) && item['thumbnail'] !== undefined && item['thumbnail'] !== null
      ? [item['thumbnail']]
      : [],
  );
  if (new Set(found).size > 1)
    throw invalidField('mediaItems', 'only one thumbnail per post is possible', 'contradictory_fields');
  return found[0];
}

const withoutKeys = (fields: Fields, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** Returns the names of the labels in the body, which are not stored. */
export const unstoredLabels = (body: Fields): readonly string[] =>
  labels.filter((name) => Object.hasOwn(body, name));

/** Returns a post in Zernio's form. */
export function toPost(post: ListedPostView | PostView): Record<string, unknown> {
  return {
    ...toTheirs(postNames, post),
    mediaItems: post.mediaItems.map((item) => ({
      ...toTheirs(mediaNames, item),
      ...(item.type === 'video' && post.coverUrl !== null && { thumbnail: post.coverUrl }),
    })),
    platforms: post.platforms.map((target) => toTarget(target, post.content)),
  };
}

function toTarget(target: ListedPostTarget | PostTarget, content: string): Record<string, unknown> {
  const { customMedia, platformSpecificData } = {
    customMedia: null,
    platformSpecificData: undefined,
    ...target,
  };
  return {
    ...toTheirs(targetNames, target),
    ...(customMedia && { customMedia: customMedia.map((item) => toTheirs(mediaNames, item)) }),
    ...(platformSpecificData && {
      platformSpecificData: toTheirOptions(target as PostTarget, content),
    }),
    ...(target.errorDetail && target.status !== 'scheduled' && errorNames(target.errorDetail)),
  };
}

/** Returns Zernio's form of the options of a destination. The first part of a thread is the destination's own content. */
function toTheirOptions({ platform, platformSpecificData, ...target }: PostTarget, content: string) {
  const { thread, ...options } = optionsToTheirs(namesOf(platform), platformSpecificData);
  if (platform !== 'threads' || !Array.isArray(thread))
    return thread === undefined ? options : { ...options, thread };
  const { customContent, customMedia } = target;
  const toFile = (item: unknown) => (isFields(item) ? toTheirs(mediaNames, item) : item);
  const first = {
    content: customContent ?? content,
    ...(customMedia && { mediaItems: customMedia.map(toFile) }),
  };
  const further = thread.map((part: unknown) =>
    isFields(part) && Array.isArray(part['mediaItems'])
      ? { ...part, mediaItems: part['mediaItems'].map(toFile) }
      : part,
  );
  return { ...options, threadItems: [first, ...further] };
}

/** Zernio's name of an error's category, and who causes such errors. */
const categories = {
  reconnect: ['auth_expired', 'user'],
  content: ['user_content', 'user'],
  platform: ['account_issue', 'platform'],
  retryable: ['platform_error', 'platform'],
  unknown: ['unknown', 'system'],
} as const satisfies Record<ErrorDetail['category'], readonly [string, string]>;

/** Codes that have a category of their own at Zernio. */
const ownCategories: Readonly<Record<string, string>> = {
  platform_rejected: 'platform_rejected',
  quota_exhausted: 'quota_exhausted',
};

/** Returns Zernio's names of an error's category and source. */
export function errorNames({ code, category }: Pick<ErrorDetail, 'code' | 'category'>) {
  const [errorCategory, errorSource] = categories[category];
  const own = Object.hasOwn(ownCategories, code) ? ownCategories[code] : undefined;
  return { errorCategory: own ?? errorCategory, errorSource };
}
