import type { DraftMedia, MediaView } from './draft-media.ts';

/** Turns a file of the workspace into one of a draft. */
export function fromLibrary({
  id,
  publicUrl,
  type,
  contentType,
  filename,
  sizeBytes,
  probe,
}: MediaView): DraftMedia {
  return {
    url: publicUrl,
    type,
    mediaId: id,
    fileName: filename,
    ...(isDocument(contentType) && { isDocument: true }),
    ...(sizeBytes !== null && { sizeBytes }),
    ...(probe?.width !== undefined && { widthPixels: probe.width }),
    ...(probe?.height !== undefined && { heightPixels: probe.height }),
    ...(probe?.durationMs !== undefined && { durationMs: probe.durationMs }),
  };
}

const isDocument = (contentType: string): boolean => contentType.startsWith('application/');

let carried: readonly DraftMedia[] = [];

/** Hands files to the next new post. */
export function carry(files: readonly DraftMedia[]): void {
  carried = files;
}

/** Takes the files that another page has handed over, once. */
export function takeCarried(): readonly DraftMedia[] {
  const files = carried;
  carried = [];
  return files;
}
