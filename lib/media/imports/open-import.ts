import type { Media, StoredImport } from '../schemas.ts';

/** A file whose import is under way. */
export interface ImportingMedia extends Media {
  readonly importUrl: string;
  readonly import: StoredImport;
}

/** Whether somebody still has to do something for the import. */
export function isImporting(media: Media): media is ImportingMedia {
  const { status, removedAt, importUrl, import: progress } = media;
  return status === 'pending' && removedAt === undefined && importUrl !== undefined && progress !== undefined;
}
