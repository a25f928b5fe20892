import { DownloadError } from '../../http-client/address-guard/download.ts';
import { parseRetryAfter } from '../../http-client/retry-after.ts';
import { minuteMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { continuing } from '../../kernel/continued-messages.ts';
import { findMedia, settleMedia } from '../store.ts';
import { closedFields } from '../uploads/close-upload.ts';
import { type HeldImport, ImportLostError, takeImport } from './held-import.ts';
import { isImporting } from './open-import.ts';
import type { ImportPorts } from './ports.ts';
import type { ImportMessage } from './schemas.ts';
import { patienceMs } from './times.ts';
import { transfer } from './transfer.ts';

/**
 * The outcome of an attempt. `obsolete`: there was nothing to do. `lost`: the file was deleted meanwhile, or another
 * worker has taken it.
 */
export type ImportOutcome = 'fetched' | 'waiting' | 'failed' | 'lost' | 'obsolete';

/**
 * Makes one attempt to import a file. Idempotent, and safe to run concurrently: an attempt is taken with a lease, and
 * all attempts write the file to the same place. An attempt that fails for a temporary reason is repeated with growing
 * waits for half an hour; otherwise the file becomes `invalid`, with the reason. The sweep finds unfinished work.
 *
 * An interruption ends as follows:
 * - Before the message: the sweep sends it after a minute.
 * - While it fetches: the lease ends, the sweep sends a message, and the next attempt begins at the first byte. S3 removes
 *   the parts after a day.
 * - After the upload, before the record says so: the inspection of the upload accepts it, or the next attempt replaces it.
 * - Two messages: the second finds the lease and is dropped.
 * - Twenty crashes in a row: the file becomes `invalid`.
 * - The inspection never comes: the file is fetched again, after five minutes at first.
 *
 * @param timeLeftMs the time that the worker may take
 * @throws any other error, such as one of AWS, after which the sweep sends another message when the lease has ended
 */
export async function runImport(
  given: ImportPorts,
  message: ImportMessage,
  timeLeftMs: number,
): Promise<ImportOutcome> {
  const ports = { ...given, enqueue: continuing(message, given.enqueue) };
  const endMs = performance.now() + timeLeftMs;
  const held = await takeImport(ports, message);
  if (held === undefined) return 'obsolete';
  if (held === 'used up')
    return giveUp(ports, message, 'the service failed too often while it fetched the file');
  try {
    await transfer(ports, held, endMs);
    return 'fetched';
  } catch (error) {
    if (error instanceof ImportLostError) return 'lost';
    if (!(error instanceof DownloadError)) throw error;
    try {
      return await settleFailure(ports, held, error);
    } catch (lost) {
      if (lost instanceof ImportLostError) return 'lost';
      throw lost;
    }
  }
}

const growing = { baseMs: 5 * secondMs, factor: 3, capMs: 5 * minuteMs };

/**
 * The longest delay of a message in SQS:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
const longestDelayMs = 15 * minuteMs;

/** Commits the wait before the next attempt, or the end of the import. */
async function settleFailure(
  ports: ImportPorts,
  held: HeldImport,
  error: DownloadError,
): Promise<ImportOutcome> {
  const now = ports.now();
  const { workspaceId, id: mediaId, import: progress } = held.media;
  const failingSince = progress.failingSince ?? toTimestamp(now);
  const waitMs = waitBefore(progress.attempts, error, now, ports.chance());
  const isTooLate = now + waitMs > Date.parse(failingSince) + patienceMs;
  if (!error.isTemporary || isTooLate) {
    const { dueAt: _due, ...closed } = closedFields(
      held.media,
      `could not be fetched: ${error.message}`,
      now,
    );
    await held.commit({ status: 'failed', error: error.message, failingSince, notBefore: _due }, closed);
    return 'failed';
  }
  const notBefore = toTimestamp(now + waitMs);
  await held.commit({ status: 'waiting', error: error.message, failingSince, notBefore });
  // If this message is lost, the sweep sends another one when it is due.
  if (waitMs <= longestDelayMs)
    await ports.enqueue({ workspaceId, mediaId }, Math.ceil(waitMs / secondMs)).catch(() => undefined);
  return 'waiting';
}

/** Returns a random wait, from half of a growing wait to all of it, and at least as long as the server asks for. */
function waitBefore(attempts: number, { retryAfter }: DownloadError, now: number, chance: number): number {
  const askedMs = (parseRetryAfter(retryAfter, now) ?? 0) * secondMs;
  const fullMs = Math.min(growing.capMs, growing.baseMs * growing.factor ** (attempts - 1));
  return Math.max(askedMs, Math.round(fullMs * (0.5 + chance / 2)));
}

/**
 * Ends an import that no worker holds.
 *
 * @param reason shown to users
 */
async function giveUp(
  { table, now }: ImportPorts,
  { workspaceId, mediaId }: ImportMessage,
  reason: string,
): Promise<ImportOutcome> {
  for (;;) {
    const media = await findMedia(table, workspaceId, mediaId);
    if (!media || !isImporting(media)) return 'obsolete';
    const closed = closedFields(media, `could not be fetched: ${reason}`, now());
    const failed = { ...media.import, status: 'failed', error: reason } as const;
    if ((await settleMedia(table, media, { ...closed, import: failed })) === 'settled') return 'failed';
  }
}
