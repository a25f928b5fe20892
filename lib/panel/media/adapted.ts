import type { AskedShape } from '../../media/renditions/adapt.ts';
import type { PostAdaptation } from '../../posts/view/schemas.ts';
import type { CheckedRequest, DraftMedia, SentForm, ShownMedia } from './draft-media.ts';

/** An adaptation, with the file that it is about. */
export interface AdaptedFile extends PostAdaptation {
  /** The file's place among those of its destination; absent for the cover. */
  readonly place?: number;
  /** The address of the original. */
  readonly original: string;
}

interface Request {
  readonly coverUrl?: string;
  readonly mediaItems?: readonly { readonly url: string }[];
  readonly platforms?: readonly { readonly customMedia?: readonly { readonly url: string }[] }[];
}

/** The field of a destination's file, in requests and in replies. */
const fileField = /^(?:mediaItems|platforms\[(\d+)\]\.customMedia)\[(\d+)\]$/;

/** The files that destinations get in another form, without those of the chain's steps. Pure. */
export function adaptedFiles(checked: CheckedRequest | undefined): readonly AdaptedFile[] {
  const { about, adaptations = [] } = checked ?? {};
  if (about === undefined || adaptations.length === 0) return [];
  const { coverUrl, mediaItems = [], platforms = [] } = JSON.parse(about) as Request;
  return adaptations.flatMap((adaptation): AdaptedFile[] => {
    const { field } = adaptation;
    if (field === 'coverUrl') return coverUrl === undefined ? [] : [{ ...adaptation, original: coverUrl }];
    const [isFile, destination, index] = fileField.exec(field) ?? [];
    if (isFile === undefined) return [];
    const place = Number(index);
    const files = destination === undefined ? mediaItems : platforms[Number(destination)]?.customMedia;
    const original = files?.[place]?.url;
    return original === undefined ? [] : [{ ...adaptation, place, original }];
  });
}

/** The place of a file in its list, by the field of an adaptation; `undefined` for the cover. */
export function placeIn(field: string): number | undefined {
  const [, , index] = fileField.exec(field) ?? [];
  return index === undefined ? undefined : Number(index);
}

/** The place of a file in a thread, by the field of an adaptation: of its part after the first, and in that; counted from 0. */
export function placeInThread(field: string): { readonly part: number; readonly place: number } | undefined {
  const [, part, place] = /\.thread\[(\d+)\]\.mediaItems\[(\d+)\]$/.exec(field) ?? [];
  return part === undefined ? undefined : { part: Number(part), place: Number(place) };
}

/** The part of an adaptation that is known of every post, stored or not. */
export type Adaptation = Pick<PostAdaptation, 'changes' | 'width' | 'height'>;

/**
 * A file as a destination gets it. Pure.
 *
 * @param adaptation `undefined` if the file is sent as it is
 * @param asked the shape that the destination asks for
 */
export function shownAs(file: DraftMedia, adaptation: Adaptation | undefined, asked: AskedShape): ShownMedia {
  if (adaptation === undefined) return file;
  const { width, height, changes } = adaptation;
  return {
    ...file,
    ...(width !== null && { widthPixels: width }),
    ...(height !== null && { heightPixels: height }),
    ...(file.type === 'image' && { sent: formOf(changes, asked) }),
  };
}

const usualBackground = '#ffffff';

function formOf(
  changes: Adaptation['changes'],
  { fit = 'crop', padColor = usualBackground, focalPoint }: AskedShape,
): SentForm {
  const background = padColor;
  if (!changes.includes('shape')) return { background };
  return { background, fit, ...(focalPoint && { focalPoint }) };
}

/**
 * Returns the shape that a destination asks for, as the service reads it: a file of its own wins over the destination, and the destination
 * over a shared file. Pure.
 *
 * @param destination `media` is present if it has files of its own
 * @param file `undefined` for the cover
 */
export function askedShape(
  { media, shape }: { readonly media?: unknown; readonly shape?: AskedShape },
  file: Pick<DraftMedia, 'shape'> | undefined,
): AskedShape {
  return media === undefined ? { ...file?.shape, ...shape } : { ...shape, ...file?.shape };
}
