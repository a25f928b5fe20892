import type { ActorReference } from '../../access/actor.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Media } from '../schemas.ts';
import { acceptedContentTypes, contentTypeOf, normalizedContentType, unknownContentType } from '../types.ts';
import { objectKeyFor } from '../urls.ts';

/** The longest URL that is imported. */
export const importUrlCharacters = 2_048;

export interface ImportRequest {
  readonly workspaceId: string;
  readonly id: string;
  /** The file's URL, which has passed `checkPublicUrl`. */
  readonly url: URL;
  readonly filename?: string | undefined;
  /** The file's type according to the client. The file's bytes decide. */
  readonly contentType?: string | undefined;
  readonly uploadedBy: ActorReference;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Returns the record of a file to import. Its content type is a guess from the request or the name's extension, until
 * the bytes are seen. Pure.
 */
export function plannedImport({
  workspaceId,
  id,
  url,
  filename = nameIn(url),
  contentType,
  uploadedBy,
  now,
}: ImportRequest): Media {
  const named = normalizedContentType(contentType ?? '');
  return {
    id,
    workspaceId,
    objectKey: objectKeyFor(workspaceId, id, filename),
    filename,
    contentType: acceptedContentTypes.includes(named)
      ? named
      : (contentTypeOf(filename) ?? contentTypeOf(url.pathname) ?? unknownContentType),
    status: 'pending',
    reservedBytes: 0,
    version: 1,
    createdAt: toTimestamp(now),
    uploadedBy,
    sourceUrl: `${url.origin}${url.pathname}`,
    importUrl: url.href,
    import: { status: 'waiting', attempts: 0, receivedBytes: 0, notBefore: toTimestamp(now) },
    isCountedImport: true,
  };
}

const longestName = 255;

/** Returns the last segment of the path, decoded; `file` if it has none. */
function nameIn({ pathname }: URL): string {
  const segment = pathname.split('/').at(-1) ?? '';
  return decoded(segment).slice(0, longestName).toWellFormed() || 'file';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
