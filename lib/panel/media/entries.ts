import type { DraftMedia } from './draft-media.ts';

export interface Entry {
  /** Stays the same when files before it come or go. */
  readonly id: string;
  readonly place: number;
  readonly file: DraftMedia;
}

/** The files with names of their own: one may be in a post twice, so its address alone does not name it. */
export function entriesOf(files: readonly DraftMedia[]): readonly Entry[] {
  return files.map((file, place) => {
    const earlier = files.slice(0, place).filter(({ url }) => url === file.url).length;
    return { id: `${file.url} ${earlier}`, place, file };
  });
}
