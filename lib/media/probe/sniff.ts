import { fileTypeFromBuffer } from 'file-type';
import { acceptedContentTypes, acceptedInWords, refusedTypeName } from '../types.ts';
import type { RangeReader } from './range-reader.ts';

/** Covers every signature, and the first entries of an Office document (a ZIP archive). */
export const headBytes = 65_536;

/** Containers that share a format. Only a brand, which programs choose freely, tells them apart. */
const isoVideos = ['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp'];

/** Pictures that share a format too. Some programs write a brand that says nothing of the codec. */
const heifImages = ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'];

/** Accepted detected types per declared type, if that is more than the declared type itself. */
const detectableTypes: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['image/png', 'image/apng'],
  'image/heic': heifImages,
  'image/heif': [...heifImages, 'image/avif'],
  'image/avif': ['image/avif', 'image/heif'],
  'video/mp4': isoVideos,
  'video/quicktime': isoVideos,
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
 * Compares a file's first bytes with its declared type. Returns what is wrong, or `undefined`.
 *
 * @param contentType one of the accepted ones
 */
export async function typeProblem(reader: RangeReader, contentType: string): Promise<string | undefined> {
  if (reader.sizeBytes === 0) return 'the file is empty';
  const found = await sniff(await reader.read(0, headBytes));
  const accepted = detectableTypes[contentType] ?? [contentType];
  if (found !== undefined && accepted.includes(found)) return undefined;
  const refused = found && refusalOf(found);
  return refused ?? `the file is ${found ?? 'of an unknown type'}, not ${contentType}`;
}

/** Says that a type is not accepted, and which are; `undefined` for a type without a usual name. */
function refusalOf(found: string): string | undefined {
  const name = refusedTypeName(found);
  return name && `the file is ${name} (${found}), which is not accepted. Accepted are ${acceptedInWords}`;
}

/**
 * The accepted content type of a file whose type nobody has promised.
 *
 * @param head its first {@link headBytes} bytes
 * @param expected decides between types that share a format
 * @param named what the server calls it, for the words
 * @returns what the file is instead, in words, if no platform accepts it
 */
export async function typeOfHead(
  head: Uint8Array,
  expected: string,
  named = '',
): Promise<{ readonly contentType: string } | { readonly problem: string }> {
  const found = await sniff(head);
  const fits = (contentType: string) =>
    found !== undefined && (detectableTypes[contentType] ?? [contentType]).includes(found);
  const contentType = [expected, ...acceptedContentTypes].find(
    (type) => acceptedContentTypes.includes(type) && fits(type),
  );
  if (contentType !== undefined) return { contentType };
  const [name] = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(named) ?? [];
  const unknown = name === undefined ? 'of an unknown type' : `of an unknown type (${name}, says the server)`;
  const refused = found && refusalOf(found);
  return { problem: refused ?? `the file is ${found ?? unknown}, which no platform accepts` };
}

async function sniff(head: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(head))?.mime;
  } catch {
    // Only bytes in memory are read, so any error comes from the file's content.
    return undefined;
  }
}
