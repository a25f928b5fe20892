import { mapInBatches } from '../kernel/batches.ts';
import { objectPrefixesOf } from '../media/urls.ts';
import { concurrentDeletions } from './delete-items.ts';
import { type ErasureRun, requireTime } from './ports.ts';

/**
 * Removes every object of a workspace, with or without a record, and its cached copies.
 *
 * @param reference names the invalidation, so that a repeated run creates no second one
 * @throws OutOfTimeError
 */
export async function eraseFiles(run: ErasureRun, workspaceId: string, reference: string): Promise<void> {
  const { incoming, media } = objectPrefixesOf(workspaceId);
  // The uploads first: without them, nothing can make public objects again.
  for (const prefix of [incoming, media]) {
    for (;;) {
      requireTime(run);
      const keys = await run.listObjects(prefix);
      if (keys.length === 0) break;
      await mapInBatches(keys, concurrentDeletions, run.removeObject);
    }
  }
  await run.invalidate({ reference, paths: [`/${media}*`] });
}
