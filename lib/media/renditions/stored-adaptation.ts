import * as z from 'zod';
import { type Adaptation, adaptationChanges } from './adapt.ts';
import { renditionIdOf } from './recipe.ts';

export const AdaptationChange = z.enum(adaptationChanges).meta({
  id: 'AdaptationChange',
  description:
    '`format`: the file becomes a JPEG. `colors`: they are converted to sRGB. `shape`: as `fit` says. `pixels`: it is scaled. `bytes`: it is compressed to fewer. `container`: a video is moved to another container. `index`: the index of a video is rewritten. The last two encode nothing again',
});

/** An adaptation, as stored on its target when that is planned. Publishing does not use it; it adapts again. */
export const StoredAdaptation = z.object({
  /** The field of the request: `mediaItems[0]`, `platforms[1].customMedia[0]` or `coverUrl`. */
  field: z.string(),
  changes: z.array(AdaptationChange),
  message: z.string(),
  contentType: z.enum(['image/jpeg', 'image/png', 'video/mp4', 'video/webm']),
  width: z.int().optional(),
  height: z.int().optional(),
  mediaId: z.uuid(),
  renditionId: z.string(),
});
export type StoredAdaptation = z.infer<typeof StoredAdaptation>;

/** Converts an adaptation to its stored form. @param field the field of the request */
export function toStoredAdaptation(
  { changes, message, recipe, widthPixels, heightPixels }: Adaptation,
  field: string,
  mediaId: string,
): StoredAdaptation {
  return {
    field,
    changes: [...changes],
    message,
    contentType: recipe.contentType,
    ...(widthPixels !== undefined && { width: widthPixels }),
    ...(heightPixels !== undefined && { height: heightPixels }),
    mediaId,
    renditionId: renditionIdOf(recipe),
  };
}
