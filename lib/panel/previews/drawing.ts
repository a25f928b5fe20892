import type { DraftMedia } from '../media/draft-media.ts';
import type { Format } from './format.ts';
import type { PostPreviewProps } from './preview.ts';

/** What the drawing of a platform is given: {@link PostPreviewProps}, and what follows from them. */
export interface Drawing extends Omit<PostPreviewProps, 'cover'> {
  readonly format: Format;
  readonly frameMs: number | undefined;
  /** Only where the platform takes one. */
  readonly cover: DraftMedia | undefined;
}
