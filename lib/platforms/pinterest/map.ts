import type { Json } from '../../kernel/json.ts';
import type { PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { readOptions } from '../shared/options.ts';
import { usualKeyFrameSeconds } from './limits.ts';
import { PinterestOptions, pinKind } from './options.ts';

type Content = Pick<PublishJob, 'content' | 'media' | 'cover' | 'options'>;

/**
 * The body that creates the Pin.
 *
 * @param mediaId of the video that was uploaded; images are fetched by their addresses
 * @throws PlatformError `rejected` for options that the rules refuse
 */
export function pinRequest(job: Content, mediaId: string | null): { readonly [field: string]: Json } {
  const options = readOptions(PinterestOptions, job.options);
  return {
    board_id: options.boardId,
    ...given({
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
        items: media.map(({ url }, index) => ({ url, ...given(options.carouselItems?.[index] ?? {}) })),
        ...given({ index: options.carouselCoverIndex }),
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

function given(fields: { readonly [name: string]: Json | undefined }): { readonly [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A Pin as the lists tell it. */
export interface ListedPin {
  readonly id: string;
  /** ISO 8601 in UTC, though it bears no zone. */
  readonly created_at?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly link?: string | undefined;
  readonly alt_text?: string | undefined;
  readonly is_owner?: boolean | undefined;
  readonly media?: { readonly media_type?: string | undefined } | undefined;
}

/** How a Pin of each kind reads back. */
const readBack = { image: 'image', video: 'video', carousel: 'multiple_images' } as const;

/** Their clock and ours may differ by this much. */
const clockSlackMs = 30_000;

/**
 * Whether a Pin is the one of this job: the same words and link, the same kind where that is told, not older than the
 * call. What Pinterest has made of blanks and of the link's spelling makes no difference.
 *
 * @param since epoch milliseconds
 */
export function looksLike(pin: ListedPin, job: Content, since: number): boolean {
  const options = readOptions(PinterestOptions, job.options);
  const type = pin.media?.media_type;
  return (
    pin.is_owner !== false &&
    createdAtMs(pin) >= since - clockSlackMs &&
    (type === undefined || type === readBack[pinKind(job.media)]) &&
    plain(pin.title) === plain(options.title) &&
    plain(pin.description) === plain(job.content) &&
    plain(pin.alt_text) === plain(options.altText) &&
    plainLink(pin.link) === plainLink(options.link)
  );
}

function createdAtMs({ created_at: at = '' }: ListedPin): number {
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(at) ? at : `${at}Z`);
}

function plain(words = ''): string {
  return words.normalize('NFC').replace(/\s+/g, ' ').trim();
}

function plainLink(link = ''): string {
  return URL.parse(link)?.href ?? link;
}

export function permalinkOf(pinId: string): string {
  return `https://www.pinterest.com/pin/${pinId}/`;
}
