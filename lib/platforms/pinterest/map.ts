import type { Json } from '../../kernel/json.ts';
import type { PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { isNotOlder, plainLine } from '../shared/listed-posts.ts';
import { readOptions } from '../shared/options.ts';
import { usualKeyFrameSeconds } from './limits.ts';
import { PinterestOptions, pinKind } from './options.ts';

type Content = Pick<PublishJob, 'content' | 'media' | 'cover' | 'options'>;

/**
 * The body of the call that creates the Pin.
 *
 * @param mediaId the uploaded video; null for images, which Pinterest downloads
 * @throws PlatformError `rejected` for options that the rules refuse
 */
export function pinRequest(job: Content, mediaId: string | null): { readonly [field: string]: Json } {
  const options = readOptions(PinterestOptions, job.options);
  return {
    board_id: options.boardId,
    ...definedOnly({
      board_section_id: options.boardSectionId,
      title: options.title || undefined,
      description: job.content || undefined,
      link: options.link,
      alt_text: options.altText || undefined,
      dominant_color: options.dominantColor,
    }),
    media_source: mediaSource(job, options, mediaId),
  };
}

function mediaSource({ media, cover }: Content, options: PinterestOptions, mediaId: string | null): Json {
  const [first] = media;
  if (first === undefined) throw new PlatformError('rejected', 'Pinterest needs an image or a video');
  switch (pinKind(media)) {
    case 'image':
      return { source_type: 'image_url', url: first.url };
    case 'carousel':
      return {
        source_type: 'multiple_image_urls',
        items: media.map(({ url }, index) => ({ url, ...definedOnly(options.carouselItems?.[index] ?? {}) })),
        ...definedOnly({ index: options.carouselCoverIndex }),
      };
    case 'video':
      return {
        source_type: 'video_id',
        media_id: mediaId,
        ...(cover
          ? { cover_image_url: cover.url }
          : { cover_image_key_frame_time: options.coverKeyFrameSeconds ?? usualKeyFrameSeconds }),
      };
  }
}

function definedOnly(fields: { readonly [name: string]: Json | undefined }): {
  readonly [name: string]: Json;
} {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A Pin in a board's list. */
export interface ListedPin {
  readonly id: string;
  /** ISO 8601 in UTC, although without a zone. */
  readonly created_at?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly link?: string | undefined;
  readonly alt_text?: string | undefined;
  readonly is_owner?: boolean | undefined;
  readonly media?: { readonly media_type?: string | undefined } | undefined;
}

/** The `media_type` of a listed Pin, by kind. */
const listedMediaTypes = { image: 'image', video: 'video', carousel: 'multiple_images' } as const;

/**
 * Whether a Pin is the job's: it has the same texts and link, the same kind (if listed), and is not older than `since`.
 * Ignores differences in whitespace and in the spelling of the link, which Pinterest may change.
 *
 * @param since epoch milliseconds
 */
export function matchesJob(pin: ListedPin, job: Content, since: number): boolean {
  const options = readOptions(PinterestOptions, job.options);
  const type = pin.media?.media_type;
  return (
    pin.is_owner !== false &&
    isNotOlder(createdAtMs(pin), since) &&
    (type === undefined || type === listedMediaTypes[pinKind(job.media)]) &&
    plainLine(pin.title) === plainLine(options.title) &&
    plainLine(pin.description) === plainLine(job.content) &&
    plainLine(pin.alt_text) === plainLine(options.altText) &&
    normalizeLink(pin.link) === normalizeLink(options.link)
  );
}

function createdAtMs({ created_at: at = '' }: ListedPin): number {
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(at) ? at : `${at}Z`);
}

function normalizeLink(link = ''): string {
  return URL.parse(link)?.href ?? link;
}

export function permalinkOf(pinId: string): string {
  return `https://www.pinterest.com/pin/${pinId}/`;
}
