import type { Json } from '../../kernel/json.ts';
import type { PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { altTextOf } from '../shared/alt-text.ts';
import { comparableText, isSameText } from '../shared/find-listed.ts';
import { readOptions } from '../shared/options.ts';
import { usualKeyFrameSeconds } from './limits.ts';
import { PinterestOptions, pinKind } from './options.ts';

type Content = Pick<PublishJob, 'content' | 'media' | 'cover' | 'options'>;

/**
 * Returns the body of the call that creates the Pin.
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
      alt_text: altTextOfPin(job.media, options),
      dominant_color: options.dominantColor,
      ai_disclosures: options.aiDisclosures?.length ? { values: options.aiDisclosures } : undefined,
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
        ...coverOf(cover, options),
      };
  }
}

/** Returns exactly one of the ways to name a cover, because Pinterest requires one. */
function coverOf(
  cover: Content['cover'],
  { coverImageUrl, coverKeyFrameSeconds, coverImageKeyFrameTime }: PinterestOptions,
): { readonly [field: string]: Json } {
  if (coverImageUrl !== undefined) return { cover_image_url: coverImageUrl };
  if (cover) return { cover_image_url: cover.url };
  const frameSeconds = coverKeyFrameSeconds ?? coverImageKeyFrameTime ?? usualKeyFrameSeconds;
  return { cover_image_key_frame_time: frameSeconds };
}

/** Returns a Pin's one alternative text. With several images, that of the image that is shown first. */
export function altTextOfPin(
  media: readonly { readonly altText?: string | undefined }[],
  { altText, carouselCoverIndex = 0 }: PinterestOptions,
): string | undefined {
  return altText || altTextOf(undefined, media, carouselCoverIndex);
}

function definedOnly(fields: { readonly [name: string]: Json | undefined }): {
  readonly [name: string]: Json;
} {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export interface ListedPin {
  readonly id: string;
  readonly board_id?: string | undefined;
  /** The creation time as ISO 8601 in UTC, although without a zone. */
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
 * Returns true if a Pin has the job's content. The id of the media is not listed, so the link and the texts decide: one
 * of them must be the same, and none may differ. Pinterest may fill in texts that the job does not have, leave some
 * out, and change the whitespace of a text and the spelling of a link. A job without link and texts matches no Pin.
 */
export function isLikePin(pin: ListedPin, job: Content): boolean {
  const options = readOptions(PinterestOptions, job.options);
  const type = pin.media?.media_type;
  if (pin.is_owner === false || (pin.board_id ?? options.boardId) !== options.boardId) return false;
  if (type !== undefined && type !== listedMediaTypes[pinKind(job.media)]) return false;
  // Pinterest adds no link, so a Pin with one is another Pin.
  if (pin.link && !options.link) return false;
  const links = pin.link && options.link ? [normalizeLink(pin.link) === normalizeLink(options.link)] : [];
  const texts = [
    [pin.description, job.content],
    [pin.title, options.title],
    [pin.alt_text, altTextOfPin(job.media, options)],
  ].filter(([shown, sent]) => comparableText(shown) !== '' && comparableText(sent) !== '');
  const compared = [...links, ...texts.map(([shown, sent = '']) => isSameText(shown, sent))];
  return compared.length > 0 && !compared.includes(false);
}

/** Returns the time at which a Pin was created, in epoch milliseconds; NaN if Pinterest does not say. */
export function pinCreatedMs({ created_at: at = '' }: ListedPin): number {
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(at) ? at : `${at}Z`);
}

function normalizeLink(link = ''): string {
  return URL.parse(link)?.href ?? link;
}

export function permalinkOf(pinId: string): string {
  return `https://www.pinterest.com/pin/${pinId}/`;
}
