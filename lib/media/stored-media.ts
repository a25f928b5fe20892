import type { Item } from '../table/items.ts';
import { type Reporter, reportUnreadable } from '../table/readable.ts';
import { Media } from './schemas.ts';

/** The fields that a record needs so that its file can be found, counted and deleted. */
const Essentials = Media.pick({
  id: true,
  workspaceId: true,
  objectKey: true,
  reservedBytes: true,
  version: true,
  removedAt: true,
  isCountedImport: true,
});

/** The reason why a file with a damaged record cannot be used. */
const damaged = 'its record is damaged: delete the file and upload it again';

/**
 * Reads a file's record. A probe that is not valid is left out and reported: it only describes the file.
 *
 * @throws ZodError if anything else is not valid
 */
export function mediaFromItem(item: Item, reporter: Reporter = {}): Media {
  const whole = Media.safeParse(item);
  if (whole.success) return whole.data;
  const media = Media.parse({ ...item, probe: undefined });
  reportUnreadable(reporter, item, whole.error);
  return media;
}

/**
 * Reads a file's record for its owner, who must be able to see and delete the file whatever the record contains. A
 * damaged record is shown as `invalid`. Use the result only to show or delete the file.
 *
 * @returns `undefined` if not even the essentials can be read. In both cases, operators get a report.
 */
export function shownMediaFromItem(item: Item, reporter: Reporter = {}): Media | undefined {
  try {
    return mediaFromItem(item, reporter);
  } catch (error) {
    reportUnreadable(reporter, item, error);
    const essentials = Essentials.safeParse(item);
    if (!essentials.success) return undefined;
    const text = (name: string, otherwise: string) =>
      typeof item[name] === 'string' ? item[name] : otherwise;
    return {
      ...essentials.data,
      filename: text('filename', 'unknown'),
      contentType: text('contentType', 'application/octet-stream'),
      createdAt: text('createdAt', new Date(0).toISOString()),
      status: 'invalid',
      statusMessage: damaged,
    };
  }
}
