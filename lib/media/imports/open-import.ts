import { HeraldError } from '../../kernel/errors.ts';
import type { Media, StoredImport } from '../schemas.ts';

/**
 * The most imports of one workspace that may be open at the same time. All workspaces share the 50 workers. 500 imports
 * occupy all of them ten times, so a workspace that begins as many as it can keeps the others waiting for minutes, not
 * hours. One request may import 50 files, so each request succeeds once enough earlier imports have ended.
 *
 * The count is in the workspace's item, which also holds the quota: a write that gives back bytes then writes no further item.
 */
export const maxOpenImports = 500;

/** A file with an open import. */
export interface ImportingMedia extends Media {
  readonly importUrl: string;
  readonly import: StoredImport;
}

type ImportState = Pick<Media, 'status' | 'removedAt' | 'importUrl' | 'import'>;

/** Returns true if the import is open: there is still work to do for it. */
export function isImporting(media: Media): media is ImportingMedia {
  return isOpen(media);
}

function isOpen({ status, removedAt, importUrl, import: progress }: ImportState): boolean {
  return status === 'pending' && removedAt === undefined && importUrl !== undefined && progress !== undefined;
}

/**
 * Returns how a write of a file's record changes the number of open imports that its workspace counts. Pure. An import
 * that an earlier release began is not counted, so its end gives nothing back. If an earlier release ended a counted
 * import without giving it back, the next write gives it back.
 *
 * @param before the record as it was read
 * @param after the record as it will be
 */
export function countChange(
  before: ImportState & Pick<Media, 'isCountedImport'>,
  after: ImportState,
): -1 | 0 | 1 {
  const isCounted = before.isCountedImport === true;
  if (isOpen(after)) return isCounted || isOpen(before) ? 0 : 1;
  return isCounted ? -1 : 0;
}

/**
 * The wait before another request. Most imports take seconds. A longer wait would leave room unused; after a shorter
 * one, most requests would be refused again.
 */
const retryAfterSeconds = 60;

/**
 * Returns the error of a request that would open more imports than the workspace may have.
 *
 * @param openImports the number of open imports
 * @param fields the fields that name the files to import, in the order of the request. The error is about the first
 *   file for which there is no room
 */
export function tooManyImports(openImports: number, fields: readonly string[]): HeraldError {
  const param = fields[Math.max(0, maxOpenImports - openImports)] ?? fields[0] ?? 'url';
  const needed = fields.length;
  return new HeraldError(
    'too_many_imports',
    `${param}: the workspace has ${openImports} open imports, and may have ${maxOpenImports}; this request needs ${needed}. Wait until some have ended, then send it again`,
    { param, retryAfterSeconds },
  );
}
