import { fileTypeFromBuffer } from 'file-type';
import type { RangeReader } from './range-reader.ts';

/** Enough for every signature, and for the first entries of an Office document, which is a ZIP archive. */
const headBytes = 65_536;

/** Containers that share a format: which of them a file is depends on a brand that programs choose freely. */
const isoVideos = ['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp'];

/** What a file of a type may look like, where that is more than the type itself. */
const looks: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['image/png', 'image/apng'],
  'video/mp4': isoVideos,
  'video/quicktime': isoVideos,
  'video/webm': ['video/webm', 'video/matroska'],
  'application/msword': ['application/x-cfb'],
  'application/vnd.ms-powerpoint': ['application/x-cfb'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/zip',
  ],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/zip',
  ],
};

/**
 * What is wrong with a file that is said to be of this type, by its first bytes; `undefined` where nothing is.
 *
 * @param contentType one of the accepted ones
 */
export async function typeProblem(reader: RangeReader, contentType: string): Promise<string | undefined> {
  if (reader.sizeBytes === 0) return 'the file is empty';
  const found = await sniff(await reader.read(0, headBytes));
  if (found !== undefined && (looks[contentType] ?? [contentType]).includes(found)) return undefined;
  return `the file is ${found ?? 'of an unknown type'}, not ${contentType}`;
}

async function sniff(head: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(head))?.mime;
  } catch {
    // Only bytes in memory are looked at: whatever fails there is the file's doing.
    return undefined;
  }
}
