import { mapInBatches } from '../../kernel/batches.ts';
import { deleteRendition, renditionsOf } from '../../media/renditions/records.ts';
import type { Media } from '../../media/schemas.ts';
import { loseMedia } from '../../media/store.ts';
import { mediaFromItem } from '../../media/stored-media.ts';
import { mediaPartition } from '../../table/keys.ts';
import { queryPages } from '../../table/query.ts';
import type { Table } from '../../table/table.ts';
import { listWorkspaces } from '../../workspaces/store.ts';

export interface FilesPorts {
  readonly table: Table;
  /** Returns true if the bucket has the object. */
  readonly exists: (objectKey: string) => Promise<boolean>;
  /** Copies the object from the copies in another Region. False if it is missing there too. Absent: there are no copies. */
  readonly copyBack?: (objectKey: string) => Promise<boolean>;
  /** Called for each file that is lost. */
  readonly onLost?: (media: Media) => void;
  readonly report: (message: string, error: unknown) => void;
}

export interface FilesCount {
  checked: number;
  copied: number;
  lost: number;
  /** Renditions without an object. They are made again when a post needs them. */
  renditions: number;
  failures: number;
}

/** The message about a lost file for users, also at their posts. */
const lostMessage = 'the file was lost by the service: upload it again, and change the posts that use it';

/** The number of concurrent requests to the bucket. */
const concurrentFiles = 20;

/**
 * Looks for every accepted file of every workspace in the bucket. Copies missing files back, and marks lost ones as `invalid`: a
 * post that needs one then fails at its time and says which file to upload again. Forgets missing renditions. Idempotent.
 */
export async function restoreFiles(
  ports: FilesPorts,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<FilesCount> {
  const count = { checked: 0, copied: 0, lost: 0, renditions: 0, failures: 0 };
  for (const { id } of await listWorkspaces(ports.table))
    for await (const items of queryPages(ports.table, { partition: mediaPartition(id) }))
      await mapInBatches(items, concurrentFiles, async (item) => {
        try {
          await restoreFile(ports, mediaFromItem(item, ports.table), { isDryRun, count });
        } catch (error) {
          count.failures += 1;
          ports.report(`${item['pk']} ${item['sk']}`, error);
        }
      });
  return count;
}

async function restoreFile(
  { table, exists, copyBack, onLost }: FilesPorts,
  media: Media,
  { isDryRun, count }: { readonly isDryRun: boolean; readonly count: FilesCount },
): Promise<void> {
  if (media.status !== 'ready' || media.removedAt !== undefined) return;
  count.checked += 1;
  if (!(await exists(media.objectKey))) {
    if (!isDryRun && (await copyBack?.(media.objectKey))) count.copied += 1;
    else {
      count.lost += 1;
      onLost?.(media);
      if (!isDryRun && !(await loseMedia(table, media, lostMessage)))
        throw new Error('the record has changed: run the command again');
    }
  }
  for (const rendition of await renditionsOf(table, media.workspaceId, media.id)) {
    if (rendition.status !== 'ready' || (await exists(rendition.objectKey))) continue;
    count.renditions += 1;
    if (!isDryRun) await deleteRendition(table, rendition);
  }
}
