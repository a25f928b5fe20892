import type { readMediaOperation } from '../../media/operations.ts';
import type { AskedShape } from '../../media/renditions/adapt.ts';
import { parseObjectKey } from '../../media/urls.ts';
import type { MediaType, Platform } from '../../platforms/contract/names.ts';
import type { PostAdaptation, PostLinkCard } from '../../posts/view/schemas.ts';
import type { ReplyOf } from '../api/operation-types.ts';
import { formatBytes } from '../bytes.ts';
import { words } from '../words/words.ts';

/** A file of a draft, once its bytes are with the service. A draft that is kept in the browser holds these and nothing else of a file. */
export interface DraftMedia {
  /** The address that requests name: `mediaItems[].url`. */
  readonly url: string;
  readonly type: MediaType;
  /** A document, for LinkedIn: its `type` is `image`, and requests may say `document`. */
  readonly isDocument?: true;
  /** The id of an uploaded or imported file; absent for one that a post imports by its address. */
  readonly mediaId?: string;
  /** The name on the person's disk. */
  readonly fileName?: string;
  readonly sizeBytes?: number;
  readonly widthPixels?: number;
  readonly heightPixels?: number;
  readonly durationMs?: number;
  readonly altText?: string;
  /** The change of shape for platforms that do not take the picture's own. */
  readonly shape?: AskedShape;
}

/** The form in which a destination gets a picture. */
export interface SentForm {
  /** Absent if the picture keeps its shape. */
  readonly fit?: AskedShape['fit'];
  readonly focalPoint?: AskedShape['focalPoint'];
  /** The color of bars, and behind transparent parts. */
  readonly background: string;
}

/** A file as a destination gets it: its size is the one that is sent. */
export interface ShownMedia extends DraftMedia {
  /** Absent if the file is sent as it is. */
  readonly sent?: SentForm;
}

/** The service's answer about a request, from which the draft may differ by now. */
export interface CheckedRequest {
  /** The request, as JSON. */
  readonly about: string;
  readonly adaptations?: readonly PostAdaptation[];
  readonly linkCards?: readonly PostLinkCard[];
}

/** The picture of a video before it plays. An image wins over a frame where a platform takes both. */
export interface CoverChoice {
  /** The frame, in milliseconds from the beginning. `coverOptions` says it in each platform's own option. */
  readonly frameMs?: number;
  /** `coverUrl` of the post. */
  readonly image?: DraftMedia;
}

/** Props of the editor of media. */
export interface MediaEditorProps {
  readonly value: readonly DraftMedia[];
  readonly onChange: (value: readonly DraftMedia[]) => void;
  /**
   * Removes the file at a place, and returns what brings it back. If absent, only the file itself is brought back, without what the
   * rest of the post says about it.
   */
  readonly onRemove?: (place: number) => () => void;
  /** Tells the number of files that are still on their way: the draft can be saved, but not be scheduled. */
  readonly onPendingChange: (pending: number) => void;
  readonly mostItems: number;
  /** The service's problems by the place of the file; `-1` for all. */
  readonly problems?: ReadonlyMap<number, readonly string[]>;
  readonly isDisabled?: boolean;
  /**
   * Names the draft, and the account if these are its own files. Uploads of a key go on while its editor is not shown, such as behind
   * another tab; after a reload, those that were lost are named. If absent, uploads end with the editor.
   */
  readonly draftKey?: string;
  /** The destinations' platforms: only they say what is asked for, such as a cover. */
  readonly platforms?: readonly Platform[];
  /** Tells how the destinations get the files. */
  readonly checked?: CheckedRequest | undefined;
  readonly cover?: CoverChoice;
  /** If absent, no cover is asked for. */
  readonly onCoverChange?: (cover: CoverChoice) => void;
}

export interface Entry<File extends DraftMedia = DraftMedia> {
  /** Stays the same when files before it come or go. */
  readonly id: string;
  readonly place: number;
  readonly file: File;
}

/** The files with names of their own: one may be in a post twice, so its address alone does not name it. */
export function entriesOf<File extends DraftMedia>(files: readonly File[]): readonly Entry<File>[] {
  return files.map((file, place) => {
    const earlier = files.slice(0, place).filter(({ url }) => url === file.url).length;
    return { id: `${file.url} ${earlier}`, place, file };
  });
}

const addresses = new Map<string, string>();

/** Keeps the file that was just uploaded at hand, so that it is shown before the service serves it, and without loading it again. */
export function rememberLocally(publicUrl: string, file: Blob): void {
  addresses.set(publicUrl, URL.createObjectURL(file));
}

/** The id of a file that the service has; `undefined` for an address elsewhere. */
export function mediaIdOf({ mediaId, url }: Pick<DraftMedia, 'mediaId' | 'url'>): string | undefined {
  if (mediaId !== undefined || !URL.canParse(url)) return mediaId;
  return parseObjectKey(new URL(url).pathname.slice(1))?.mediaId;
}

/**
 * The address from which the browser can load a file; `undefined` for one elsewhere. The panel loads nothing from other servers: they would
 * learn who looks at the draft.
 */
export const shownAddressOf = (media: DraftMedia): string | undefined =>
  addresses.get(media.url) ?? (mediaIdOf(media) === undefined ? undefined : media.url);

/** `0:05`, `1:02:03`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** `0:01.5`: a place in a video. */
export const formatFrame = (milliseconds: number): string =>
  `${formatDuration(milliseconds)}.${Math.floor((milliseconds % 1_000) / 100)}`;

type MediaKind = 'image' | 'video' | 'document';
export const kindOf = ({ type, isDocument }: DraftMedia): MediaKind => (isDocument ? 'document' : type);

/** Returns what people call the file: its name, else the end of its address. */
export function nameOf({ fileName, url }: DraftMedia): string {
  if (fileName !== undefined) return fileName;
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return decodeURIComponentSafely(path.split('/').at(-1) ?? '') || url;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const rareFormat = /\.(heic|heif|avif|mkv)s?$/i;

/** The name of a format that some browsers cannot show; `undefined` for a usual one. */
export const formatNameOf = (media: DraftMedia): string | undefined =>
  rareFormat.exec(nameOf(media))?.[1]?.toUpperCase();

/** `1080 × 1350 · 2.4 MiB`; what is not known is left out. */
export function factsOf({ widthPixels, heightPixels, sizeBytes }: DraftMedia): string {
  return [
    widthPixels !== undefined &&
      heightPixels !== undefined &&
      words.media.tile.pixels(widthPixels, heightPixels),
    sizeBytes !== undefined && formatBytes(sizeBytes),
  ]
    .filter((part) => part !== false)
    .map((part) => part.replaceAll(' ', '\u00A0'))
    .join(' · ');
}

/** A file as the service has it. */
export type MediaView = ReplyOf<typeof readMediaOperation>['media'];

/** The findings of the service about a file; `gone` if it has none. */
export type Finding = MediaView | 'gone';

/** Says what the service thinks of a file that it has not accepted. */
export function conditionOf(found: Finding | undefined): {
  readonly isPending: boolean;
  readonly words?: string;
  readonly problem?: string;
} {
  if (found === undefined) return { isPending: false };
  if (found === 'gone') return { isPending: false, problem: words.media.tile.unknown };
  if (found.status === 'ready') return { isPending: false };
  if (found.status === 'invalid') {
    const message = found.statusMessage ?? found.import?.error ?? '';
    return { isPending: false, problem: message.charAt(0).toUpperCase() + message.slice(1) };
  }
  const progress = found.import;
  if (progress === null) return { isPending: true, words: words.media.tile.checking };
  if (progress.status === 'checking') return { isPending: true, words: words.media.tile.checking };
  if (progress.error !== null && progress.status === 'waiting')
    return { isPending: true, words: words.media.tile.waitsUntil };
  const { receivedBytes, totalBytes } = progress;
  return {
    isPending: true,
    words:
      receivedBytes === 0
        ? words.media.tile.importing
        : words.media.tile.importedBytes(
            formatBytes(receivedBytes),
            totalBytes === null ? undefined : formatBytes(totalBytes),
          ),
  };
}
