import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import type { Parameters } from '../contract/http.ts';
import { altTextOf } from '../shared/alt-text.ts';
import { isSameText } from '../shared/find-listed.ts';
import type { ContainerPlan } from '../shared/meta/containers.ts';
import { readOptions } from '../shared/options.ts';
import { type PostKind, postKind, ThreadsOptions } from './options.ts';
import { sentText } from './text.ts';

/** Returns the containers of a job's post. @throws PlatformError `rejected` for options that the rules refuse */
export function containerPlan(
  job: Pick<PublishJob, 'content' | 'media' | 'options' | 'replyTo'>,
): ContainerPlan {
  const options = readOptions(ThreadsOptions, job.options);
  const { poll, gifId, textAttachment, textSpoilers = [] } = options;
  const { text, offset } = sentText(job.content);
  const shared = {
    text: text || undefined,
    // https://developers.facebook.com/docs/threads/reply-management: "Respond to Replies"
    reply_to_id: job.replyTo,
    topic_tag: options.topicTag,
    reply_control: options.replyControl,
    enable_reply_approvals: options.replyApprovals ? 'true' : undefined,
    quote_post_id: options.quotePostId,
    text_entities: textSpoilers.length > 0 ? JSON.stringify(textSpoilers.map(entity)) : undefined,
  };
  // In a carousel, the whole post's container hides the media, not the containers of its items.
  // https://developers.facebook.com/docs/threads/create-posts/spoilers
  const spoiler = { is_spoiler_media: options.isSpoiler ? 'true' : undefined };
  switch (postKind(job.media)) {
    case 'text':
      return single({
        media_type: 'TEXT',
        link_attachment: options.link,
        poll_attachment: poll && JSON.stringify(pollAttachment(poll)),
        // https://developers.facebook.com/documentation/threads/posts: "Topic Tags, Links, and GIFs"
        gif_attachment: gifId && JSON.stringify({ gif_id: gifId, provider: 'GIPHY' }),
        text_attachment:
          textAttachment &&
          JSON.stringify({
            plaintext: textAttachment.text,
            ...(textAttachment.link !== undefined && { link_attachment_url: textAttachment.link }),
          }),
        is_ghost_post: options.isGhostPost ? 'true' : undefined,
        ...shared,
      });
    case 'image':
    case 'video':
      return single({ ...file(job.media, options, 0), ...spoiler, ...shared });
    case 'carousel':
      return {
        children: job.media.map((_item, index) => ({
          ...file(job.media, options, index),
          is_carousel_item: 'true',
        })),
        container: (childIds) => ({
          media_type: 'CAROUSEL',
          children: childIds.join(','),
          ...spoiler,
          ...shared,
        }),
      };
  }

  /** Returns a spoiler in Threads' format: relative to the text that is sent. */
  function entity(spoiler: { readonly offset: number; readonly length: number }) {
    return { entity_type: 'SPOILER', offset: spoiler.offset - offset, length: spoiler.length };
  }
}

/** Returns the options as `option_a` to `option_d`. */
function pollAttachment({ options }: NonNullable<ThreadsOptions['poll']>) {
  return Object.fromEntries(options.map((option, index) => [`option_${'abcd'[index]}`, option]));
}

/** Returns the parameters of the reply that serves as the first comment. */
export function replyParameters(mediaId: string, text: string): Parameters {
  return { media_type: 'TEXT', text, reply_to_id: mediaId };
}

function single(parameters: Parameters): ContainerPlan {
  return { children: [], container: () => parameters };
}

function file(media: readonly MediaSource[], { altText }: ThreadsOptions, index: number): Parameters {
  const item = media[index];
  if (item === undefined) return {};
  return {
    ...(item.type === 'video'
      ? { media_type: 'VIDEO', video_url: item.url }
      : { media_type: 'IMAGE', image_url: item.url }),
    alt_text: altTextOf(altText, media, index),
  };
}

export interface ListedMedia {
  readonly id: string;
  readonly text?: string | undefined;
  /** ISO 8601, to the second. */
  readonly timestamp?: string | undefined;
  readonly permalink?: string | undefined;
  readonly media_type?: string | undefined;
  readonly replied_to?: { readonly id: string } | undefined;
}

/** The `media_type` of a listed post, by kind. */
const listedMediaTypes: Readonly<Record<PostKind, string>> = {
  text: 'TEXT_POST',
  image: 'IMAGE',
  video: 'VIDEO',
  carousel: 'CAROUSEL_ALBUM',
};

/**
 * Returns true if a listed post has the job's kind and text, and replies to the same post. Threads documents `replied_to`, but a
 * reply that lacks it is still recognized.
 */
export function matchesJob(
  { media_type, text, replied_to }: ListedMedia,
  { content, media, replyTo }: Pick<PublishJob, 'content' | 'media' | 'replyTo'>,
): boolean {
  const isReplyToSame = replied_to === undefined || replied_to.id === replyTo;
  return isReplyToSame && media_type === listedMediaTypes[postKind(media)] && isSameText(text, content);
}
