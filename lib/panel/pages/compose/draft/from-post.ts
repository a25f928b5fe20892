import { coverAddressOption, coverOptions, frameMsOf } from '../../../media/cover.ts';
import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Post } from '../../../posts/post.ts';
import { wallClockOf } from '../../../wall-clock.ts';
import {
  canHaveFrame,
  type Destination,
  type Draft,
  inheritsComment,
  mediaOf,
  type PlannedTime,
  type Step,
} from './draft.ts';
import { instantText, isSame } from './to-request.ts';

/**
 * The draft of a post. `toRequest` of it asks for the same post. What all destinations have in common, such as the first comment, is
 * shared again.
 *
 * @param timezone in which its times are shown
 */
export function fromPost(post: Post, timezone: string): Draft {
  const draft: Draft = {
    id: post.id,
    timezone,
    content: post.content,
    media: post.mediaItems.map(fromMediaItem),
    ...(post.coverUrl !== null && { cover: { url: post.coverUrl, type: 'image' } }),
    firstComment: '',
    destinations: post.platforms.map((target) => fromTarget(target, post, timezone)),
    parked: [],
    when: {
      kind: 'at',
      time: post.scheduledFor === null ? undefined : plannedAt(post.scheduledFor, timezone),
    },
    chain: post.chain.map((step, place) => fromStep(step, `${post.id}-${place}`)),
    ...forPrograms(post),
  };
  return sharedFrame(sharedComment(draft));
}

function forPrograms({ onQuota, externalId, externalIdUnique, metadata, tags = [] }: Post) {
  const pairs = Object.entries(metadata).map(([name, value]) => ({ name, value }));
  return {
    ...(onQuota === 'fail' && { onQuota }),
    ...(externalId !== null && { externalId }),
    ...(externalIdUnique && { isExternalIdUnique: true }),
    ...(tags.length > 0 && { tags }),
    ...(pairs.length > 0 && { metadata: pairs }),
  };
}

/** An instant on the clocks of a zone. */
const plannedAt = (at: string, timezone: string): PlannedTime => ({
  ...wallClockOf(new Date(at), timezone),
  exact: at,
});

type Target = Post['platforms'][number];

function fromTarget(target: Target, post: Post, timezone: string): Destination {
  const { accountId, platform, customContent, customMedia, scheduledFor, platformSpecificData } = target;
  const hasOwnTime = scheduledFor !== null && scheduledFor !== post.scheduledFor;
  return {
    accountId,
    platform,
    ...(customContent !== null && { content: customContent }),
    ...(customMedia !== null && { media: customMedia.map(fromMediaItem) }),
    ...(hasOwnTime && { time: plannedAt(scheduledFor, timezone) }),
    ...shapeIn(target),
    options: platformSpecificData,
  };
}

type StoredFile = Post['mediaItems'][number];

export function fromMediaItem(file: StoredFile): DraftMedia {
  const { url, type, filename, sizeBytes, altText } = file;
  return {
    url,
    type: type === 'video' ? 'video' : 'image',
    ...(type === 'document' && { isDocument: true as const }),
    ...mediaIdOf(url),
    ...(filename !== undefined && { fileName: filename }),
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(altText !== undefined && { altText }),
    ...shapeIn(file),
  };
}

function shapeIn({
  fit,
  padColor,
  focalPoint,
}: Pick<StoredFile | Target, 'fit' | 'padColor' | 'focalPoint'>) {
  const shape = { ...(fit && { fit }), ...(padColor && { padColor }), ...(focalPoint && { focalPoint }) };
  return Object.keys(shape).length > 0 ? { shape } : {};
}

/** The files of a post are all the workspace's own: `…/media/<workspace>/<file>/beans.jpg`. */
function mediaIdOf(url: string): Pick<DraftMedia, 'mediaId'> {
  const [, mediaId] = /\/media\/[\w-]+\/([\da-f-]{36})\/[^/]*$/.exec(url) ?? [];
  return mediaId === undefined ? {} : { mediaId };
}

function fromStep(step: Post['chain'][number], key: string): Step {
  const { kind, accountIds, afterMinutes, content, mediaItems, options } = step;
  return {
    key,
    kind,
    accountIds,
    afterMinutes,
    content: content ?? '',
    media: mediaItems.map(fromMediaItem),
    options,
  };
}

/** Shares a first comment that all destinations have which can have one. */
function sharedComment(draft: Draft): Draft {
  const all = draft.destinations.filter(inheritsComment);
  const comment = all[0]?.options['firstComment'];
  if (typeof comment !== 'string' || comment === '') return draft;
  if (!all.every(({ options }) => options['firstComment'] === comment)) return draft;
  return {
    ...draft,
    firstComment: comment,
    destinations: draft.destinations.map((each) => without(each, 'firstComment', inheritsComment(each))),
  };
}

/** Shares the frame of the cover if all destinations that choose one choose the same, and none with such an option does without. */
function sharedFrame(draft: Draft): Draft {
  const takers = draft.destinations.filter(
    (each) =>
      canHaveFrame(each, mediaOf(draft, each)) &&
      Object.keys(coverOptions(each.platform, 0)).length > 0 &&
      !hasCoverImage(each),
  );
  const frames = takers.flatMap(({ platform, options }) => frameMsOf(platform, options) ?? []);
  if (frames.length === 0) return draft;
  // A platform that counts seconds says less than one that counts milliseconds.
  const frameMs = frames.find((each) => each % 1_000 !== 0) ?? frames[0] ?? 0;
  const isShared = ({ platform, options }: Destination) =>
    isSame(coverOptions(platform, frameMs), pick(options, Object.keys(coverOptions(platform, frameMs))));
  if (!takers.every(isShared)) return draft;
  const destinations = draft.destinations.map((each) =>
    takers.includes(each)
      ? Object.keys(coverOptions(each.platform, frameMs)).reduce(
          (rest, name) => without(rest, name, true),
          each,
        )
      : each,
  );
  return { ...draft, frameMs, destinations };
}

const hasCoverImage = ({ platform, options }: Destination): boolean =>
  options[coverAddressOption(platform) ?? ''] !== undefined;

function without(destination: Destination, name: string, isNeeded: boolean): Destination {
  if (!isNeeded) return destination;
  const { [name]: _, ...options } = destination.options;
  return { ...destination, options };
}

const pick = (options: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(options, name)).map((name) => [name, options[name]]),
  );

/** A draft whose times are shown in another zone: they stay the same instants. */
export function inZone(draft: Draft, timezone: string): Draft {
  if (draft.timezone === timezone) return draft;
  const moved = (time: PlannedTime | undefined) => {
    const at = instantText(time, draft.timezone);
    return at === undefined ? time : plannedAt(at, timezone);
  };
  const { when } = draft;
  return {
    ...draft,
    timezone,
    when: when.kind === 'at' && when.time !== undefined ? { kind: 'at', time: moved(when.time) } : when,
    destinations: draft.destinations.map(({ time, ...each }) => {
      const own = moved(time);
      return own === undefined ? each : { ...each, time: own };
    }),
  };
}
