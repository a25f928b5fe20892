import type { ReactNode } from 'react';
import type { Platform } from '../../platforms/contract/names.ts';
import type { PostLinkCard } from '../../posts/view/schemas.ts';
import type { Account } from '../accounts/account.ts';
import type { DraftMedia, ShownMedia } from '../media/draft-media.ts';

/** The kind of post at its platform. `empty`: the platform needs a file. */
type Format =
  | 'text'
  | 'image'
  | 'photos'
  | 'carousel'
  | 'video'
  | 'reel'
  | 'story'
  | 'short'
  | 'document'
  | 'pin'
  | 'poll'
  | 'link'
  | 'reshare'
  | 'empty';

type Options = Readonly<Record<string, unknown>>;

/** The option, if it is a text with anything in it. */
export function textOf(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

const longestShortMs = 180_000;

/** Returns the kind of post, as the service's rules and the platform decide it from the files and the options. */
export function formatOf(platform: Platform, media: readonly DraftMedia[], options: Options): Format {
  const [first] = media;
  const wanted = textOf(options, 'contentType') ?? textOf(options, 'type');
  const isVideo = first?.type === 'video';
  switch (platform) {
    case 'instagram':
      if (first === undefined) return 'empty';
      if (wanted === 'story') return 'story';
      return media.length > 1 ? 'carousel' : isVideo ? 'reel' : 'image';
    case 'facebook':
      if (first === undefined) return 'text';
      if (wanted === 'story') return 'story';
      return !isVideo ? 'photos' : wanted === 'reel' ? 'reel' : 'video';
    case 'threads':
      if (first === undefined) return options['poll'] === undefined ? 'text' : 'poll';
      return media.length > 1 ? 'carousel' : isVideo ? 'video' : 'image';
    case 'youtube':
      if (!isVideo) return 'empty';
      return isShort(first) ? 'short' : 'video';
    case 'pinterest':
      if (first === undefined) return 'empty';
      return media.length > 1 ? 'carousel' : 'pin';
    case 'tiktok':
      if (first === undefined) return 'empty';
      return isVideo ? 'video' : 'photos';
    case 'linkedin':
      return ofLinkedin(media, options);
  }
}

function ofLinkedin(media: readonly DraftMedia[], options: Options): Format {
  const [first] = media;
  if (options['poll'] !== undefined) return 'poll';
  if (textOf(options, 'reshare') !== undefined) return 'reshare';
  if (textOf(options, 'link') !== undefined) return 'link';
  if (first === undefined) return 'text';
  if (first.isDocument) return 'document';
  return first.type === 'video' ? 'video' : 'photos';
}

/** YouTube makes Shorts of videos that are not wider than high, of up to three minutes. */
function isShort({ widthPixels, heightPixels, durationMs }: DraftMedia): boolean {
  if (widthPixels === undefined || heightPixels === undefined || durationMs === undefined) return false;
  return heightPixels >= widthPixels && durationMs <= longestShortMs;
}

/** Width divided by height, within what the platform shows; `fallback` if the file's size is not known. */
export function shownRatio(
  { widthPixels, heightPixels }: DraftMedia,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
): number {
  if (widthPixels === undefined || heightPixels === undefined) return fallback;
  return Math.min(max, Math.max(min, widthPixels / heightPixels));
}

/** The descriptions that a destination's own options give the files, else those of the files. */
export function altTextOf(media: DraftMedia, place: number, options: Options): string | undefined {
  const own = options['altText'];
  const text = Array.isArray(own) ? own[place] : place === 0 ? own : undefined;
  return typeof text === 'string' && text !== '' ? text : media.altText;
}

/** Props of a preview. */
export interface PostPreviewProps {
  readonly account: Account;
  readonly content: string;
  readonly media: readonly ShownMedia[];
  readonly cover?: ShownMedia | undefined;
  /** The card of the first link in the text, as the service has read it. */
  readonly card?: PostLinkCard | undefined;
  /** `platformSpecificData` of the destination, as far as it is filled in. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Stands above the post. */
  readonly children?: ReactNode;
}

/** Props of the drawing of a platform: {@link PostPreviewProps}, and what follows from them. */
export interface Drawing extends Omit<PostPreviewProps, 'cover' | 'children'> {
  readonly format: Format;
  readonly frameMs: number | undefined;
  /** Only where the platform takes one. */
  readonly cover: ShownMedia | undefined;
}
