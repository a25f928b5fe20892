import { dayMs } from '../../../lib/kernel/clock.ts';
import type { Item } from '../../support/database/database.ts';
import type { Committed } from '../cloud/committed.ts';
import type { Service } from '../service.ts';
import type { World } from '../world/world.ts';
import { readTarget } from './calls.ts';

/** The days for which a file is kept after its last publication, with a day for the sweeps. */
const keptDays = 31;

/** Checks the end: every stored file has a record, and files that were published long ago are gone. */
export function checkFiles(world: World, committed: Committed, { bucket }: Service): void {
  const records = committed.ofKind('media');
  const renditions = committed.ofKind('rendition');
  const known = new Set([...records, ...renditions].map(({ objectKey }) => objectKey));
  const originals = new Set(records.map(({ id }) => id));
  for (const { objectKey, mediaId } of renditions)
    if (!originals.has(mediaId)) world.violate(`the rendition ${objectKey} has outlived its original`);
  for (const objectKey of bucket.keys())
    if (objectKey.startsWith('media/') && !known.has(objectKey))
      world.violate(`the file ${objectKey} has no record`);
  const targets = committed.ofKind('target').map(readTarget);
  for (const { id, objectKey } of records) {
    const users = targets.filter(({ mediaItems = [] }) => mediaItems.some(({ mediaId }) => mediaId === id));
    const isOver = users.every(
      ({ status, publishedAt = '' }) =>
        status === 'published' && Date.parse(publishedAt) + keptDays * dayMs < world.now(),
    );
    if (users.length > 0 && isOver && !isReferredTo(committed.ofKind('post'), String(id)))
      world.violate(`the file ${objectKey} is kept more than ${keptDays} days after its publication`);
  }
}

/** True if a post, or a step of its chain, names the file itself. */
const isReferredTo = (posts: readonly Item[], mediaId: string): boolean =>
  posts.some(({ mediaItems, chain }) => JSON.stringify([mediaItems, chain]).includes(mediaId));
