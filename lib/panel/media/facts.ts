import { formatBytes } from '../bytes.ts';
import { words } from '../words/words.ts';
import type { DraftMedia } from './draft-media.ts';
import type { Finding } from './media-watch.tsx';

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

export type MediaKind = 'image' | 'video' | 'document';
export const kindOf = ({ type, isDocument }: DraftMedia): MediaKind => (isDocument ? 'document' : type);

/** What people call the file: its name, else the end of its address. */
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

/** What the service says about a file that it has not accepted. */
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
