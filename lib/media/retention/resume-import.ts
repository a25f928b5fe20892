import { type Clock, minuteMs, toTimestamp } from '../../kernel/clock.ts';
import type { Table } from '../../table/table.ts';
import type { ImportingMedia } from '../imports/open-import.ts';
import type { ImportMessage } from '../imports/schemas.ts';
import type { StoredImport } from '../schemas.ts';
import { settleMedia } from '../store.ts';
import { markRemoved } from './delete.ts';
import type { FindMediaUsage } from './usage.ts';

interface ResumePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly findUsage: FindMediaUsage;
  readonly enqueueImport: (message: ImportMessage) => Promise<void>;
}

/** The shortest time for which the sweep leaves an import alone after it has sent its message. */
const shortestPauseMs = 2 * minuteMs;

const longestPauseMs = 30 * minuteMs;

/**
 * Returns the time at which the sweep sends a message again that no worker has taken. The pause is as long as the
 * import has waited, so it doubles: an import that only waits for its turn in the queue adds few messages to it.
 */
function nextMessageAt({ notBefore }: StoredImport, now: number): string {
  const waitedMs = now - Date.parse(notBefore);
  return toTimestamp(now + Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs)));
}

/**
 * Sends another message for an import that is due: its message was lost, its worker has crashed, its wait is over, or
 * its inspection has lost it. Removes the file of a post that was never stored.
 */
export async function resumeImport(
  ports: ResumePorts,
  media: ImportingMedia,
): Promise<'resumed' | 'cleanedUp' | 'kept'> {
  const { table, now } = ports;
  const { awaitsPost, ...progress } = media.import;
  if (awaitsPost && !(await isUsed(ports, media)))
    return (await markRemoved(table, media, 'cleanup', now())) ? 'cleanedUp' : 'kept';
  const { workspaceId, id: mediaId, reservedBytes } = media;
  const changes = { reservedBytes, import: progress, dueAt: nextMessageAt(progress, now()) };
  if ((await settleMedia(table, media, changes)) !== 'settled') return 'kept';
  await ports.enqueueImport({ workspaceId, mediaId });
  return 'resumed';
}

async function isUsed({ table, now, findUsage }: ResumePorts, media: ImportingMedia): Promise<boolean> {
  const usage = await findUsage(table, media, now());
  return Object.values(usage).some((value) => value !== undefined && value !== false);
}
