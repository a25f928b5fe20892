import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import type { Parameters } from '../contract/http.ts';
import { altTextOf } from '../shared/alt-text.ts';
import { isSameText } from '../shared/find-listed.ts';
import type { ContainerPlan } from '../shared/meta/containers.ts';
import { readOptions } from '../shared/options.ts';
import { InstagramOptions, type PostKind, postKind } from './options.ts';

/** The containers of a post, and its kind. */
export interface InstagramPlan extends ContainerPlan {
  readonly kind: PostKind;
}

/** Returns the containers of a job's post. @throws PlatformError `rejected` for options that the rules refuse */
export function containerPlan(
  job: Pick<PublishJob, 'content' | 'media' | 'cover' | 'options'>,
): InstagramPlan {
  const options = readOptions(InstagramOptions, job.options);
  const kind = postKind(job.media, options);
  const [first] = job.media;
  const shared = {
    caption: kind === 'story' ? undefined : job.content || undefined,
    collaborators: options.collaborators?.length ? JSON.stringify(options.collaborators) : undefined,
    is_ai_generated: options.isAiGenerated ? 'true' : undefined,
    location_id: options.locationId,
  };

  switch (kind) {
    case 'carousel':
      return {
        kind,
        children: job.media.map((file, index) => ({
          is_carousel_item: 'true',
          ...(file.type === 'video' && { media_type: 'VIDEO' }),
          ...mediaUrl(file),
          alt_text: file.type === 'image' ? altTextOf(options.altText, job.media, index) : undefined,
          user_tags: userTags(options, index),
        })),
        container: (childIds) => ({ media_type: 'CAROUSEL', children: childIds.join(','), ...shared }),
      };
    case 'story':
      return single(kind, {
        media_type: 'STORIES',
        ...mediaUrl(first),
        user_tags: userTags(options, 0),
        ...shared,
      });
    case 'reel':
      return single(kind, {
        media_type: 'REELS',
        ...mediaUrl(first),
        share_to_feed: String(options.shareToFeed ?? true),
        cover_url: job.cover?.url,
        thumb_offset: job.cover ? undefined : options.thumbOffset?.toString(),
        audio_name: options.audioName,
        trial_params: options.trialReel && JSON.stringify({ graduation_strategy: options.trialReel }),
        user_tags: userTags(options, 0),
        ...shared,
      });
    case 'image':
      return single(kind, {
        ...mediaUrl(first),
        alt_text: altTextOf(options.altText, job.media, 0),
        user_tags: userTags(options, 0),
        ...shared,
      });
  }
}

function single(kind: PostKind, parameters: Parameters): InstagramPlan {
  return { kind, children: [], container: () => parameters };
}

function mediaUrl(file: MediaSource | undefined): Parameters {
  if (file === undefined) return {};
  return file.type === 'video' ? { video_url: file.url } : { image_url: file.url };
}

/** Returns the `user_tags` of one file. @param index the file's position in the post */
function userTags({ userTags: all = [] }: InstagramOptions, index: number): string | undefined {
  const tags = all.filter(({ mediaIndex = 0 }) => mediaIndex === index);
  return tags.length > 0 ? JSON.stringify(tags.map(({ mediaIndex: _, ...tag }) => tag)) : undefined;
}

/** The types of a listed post, by kind. A reel is listed as a video. */
const listedTypes = {
  image: { media_type: 'IMAGE', media_product_type: 'FEED' },
  reel: { media_type: 'VIDEO', media_product_type: 'REELS' },
  carousel: { media_type: 'CAROUSEL_ALBUM', media_product_type: 'FEED' },
} as const;

export interface ListedMedia {
  readonly id: string;
  readonly caption?: string | undefined;
  /** ISO 8601, to the second. */
  readonly timestamp?: string | undefined;
  readonly permalink?: string | undefined;
  readonly media_type?: string | undefined;
  readonly media_product_type?: string | undefined;
}

/** Returns true if a listed post has the same kind and caption or, for a story, which has no caption, the same type of file. */
export function matchesJob(
  { media_type, media_product_type, caption }: ListedMedia,
  kind: PostKind,
  { content, media }: Pick<PublishJob, 'content' | 'media'>,
): boolean {
  if (kind === 'story') {
    return media_product_type === 'STORY' && media_type === (media[0]?.type === 'video' ? 'VIDEO' : 'IMAGE');
  }
  const expected = listedTypes[kind];
  return (
    media_product_type === expected.media_product_type &&
    media_type === expected.media_type &&
    isSameText(caption, content)
  );
}
