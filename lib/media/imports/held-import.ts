import { DownloadError } from '../../http-client/address-guard/download.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { StoredImport } from '../schemas.ts';
import { findMedia, type MediaChanges, settleMedia } from '../store.ts';
import { type ImportingMedia, isImporting } from './open-import.ts';
import type { ImportPorts } from './ports.ts';
import type { ImportMessage } from './schemas.ts';
import { leaseMs, maxAttempts } from './times.ts';

/**
 * The error if this worker no longer holds an import: the file was deleted, or another worker fetches it or has fetched
 * it. Nothing was written.
 */
export class ImportLostError extends Error {
  override readonly name = 'ImportLostError';
}

/** An import that this worker holds. Its record changes with each commit. */
export interface HeldImport {
  readonly media: ImportingMedia;
  /**
   * Commits progress, and renews the lease. Safe to run concurrently: on a version conflict, reads again.
   *
   * @throws ImportLostError if this worker no longer holds the import
   * @throws DownloadError if the quota does not suffice for more reserved bytes
   */
  readonly commit: (
    progress: Partial<StoredImport>,
    changes?: Partial<Omit<MediaChanges, 'import' | 'dueAt'>>,
  ) => Promise<void>;
}

/**
 * Takes an import. The attempt is counted before the work starts, so crashes count.
 *
 * @returns `undefined` if there is nothing to do: the message is late, came twice, or came early
 */
export async function takeImport(
  { table, now }: ImportPorts,
  { workspaceId, mediaId }: ImportMessage,
): Promise<HeldImport | 'used up' | undefined> {
  for (;;) {
    const media = await findMedia(table, workspaceId, mediaId);
    if (!media || !isImporting(media)) return undefined;
    if (media.import.notBefore > toTimestamp(now())) return undefined;
    if (media.import.attempts >= maxAttempts) return 'used up';
    const { awaitsPost: _awaited, totalBytes: _former, ...before } = media.import;
    const attempts = before.attempts + 1;
    const taken = { ...before, ...lease(now()), status: 'fetching', attempts, receivedBytes: 0 } as const;
    const { reservedBytes } = media;
    const outcome = await settleMedia(table, media, { reservedBytes, import: taken, dueAt: taken.notBefore });
    if (outcome === 'settled')
      return held({ table, now }, { ...media, import: taken, version: media.version + 1 });
  }
}

const lease = (now: number) => ({ notBefore: toTimestamp(now + leaseMs) });

function held({ table, now }: Pick<ImportPorts, 'table' | 'now'>, taken: ImportingMedia): HeldImport {
  let media = taken;
  const { attempts } = taken.import;
  return {
    get media() {
      return media;
    },
    commit: async (progress, changes = {}) => {
      for (;;) {
        const imported = { ...media.import, ...lease(now()), ...progress };
        const fields = { reservedBytes: media.reservedBytes, ...changes, import: imported };
        const outcome = await settleMedia(table, media, { ...fields, dueAt: imported.notBefore });
        if (outcome === 'settled') {
          media = { ...media, ...fields, import: imported, version: media.version + 1 } as ImportingMedia;
          return;
        }
        if (outcome === 'over quota') throw new DownloadError('the storage quota is exceeded');
        const found = await findMedia(table, media.workspaceId, media.id);
        const isOurs =
          found &&
          isImporting(found) &&
          found.import.attempts === attempts &&
          found.import.status === 'fetching';
        if (!isOurs) throw new ImportLostError(`the import of ${media.id} is no longer ours`);
        media = found;
      }
    },
  };
}
