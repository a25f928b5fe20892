import * as z from 'zod';
import type { MediaSource } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { SettledSteps } from '../shared/finishing.ts';
import { sendNoted } from '../shared/send-noted.ts';
import { CaptionNotes } from './captions.ts';
import type { YoutubeClient } from './client.ts';
import { isVideoMissing } from './errors.ts';

/** The notes about a video's playlist, thumbnail and captions, which a preparation or finishing may have set. */
export const ExtraNotes = z
  .object({
    /** True if a call to add the video to the playlist was about to be made, and was not certainly refused. */
    isAddSent: z.boolean().catch(false),
    settledSteps: SettledSteps.catch(() => ({})),
  })
  .extend(CaptionNotes.shape);

/**
 * Adds a video to a playlist, at most once. YouTube would add it a second time, even if the playlist has it already. So
 * a call of unknown outcome is never repeated, whatever the list shows, because it may lag.
 *
 * @param notes the notes of earlier attempts; mutated
 * @param commitNotes commits the notes before the call, so that they survive a crash
 * @throws PlatformError as YouTube does; `retry` while a call of unknown outcome is not confirmed
 */
export async function addOnce(
  notes: Pick<z.infer<typeof ExtraNotes>, 'isAddSent'>,
  client: Pick<YoutubeClient, 'addToPlaylist' | 'isInPlaylist'>,
  playlistId: string,
  videoId: string,
  commitNotes: () => Promise<void>,
): Promise<void> {
  if (await client.isInPlaylist(playlistId, videoId)) return;
  if (notes.isAddSent) {
    throw new PlatformError(
      'retry',
      `The video may be missing from the playlist ${playlistId}: YouTube did not confirm that it was added, and does not show it there.`,
    );
  }
  const note = (isSent: boolean) => {
    notes.isAddSent = isSent;
    return commitNotes();
  };
  await sendNoted(note, () => client.addToPlaylist(playlistId, videoId));
}

/** Makes a call. Fails with `retry` if YouTube does not know the video yet; such a call has no effect. */
export async function soon<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isVideoMissing(error)) throw error;
    throw new PlatformError('retry', error.message, { cause: error });
  }
}

/**
 * Returns true if YouTube may show a video as a Short: square or upright, and at most three minutes long. No field of
 * the API says so. True if the shape of the file is not known. https://support.google.com/youtube/answer/15424877
 */
export function mayBeShort({ widthPixels = 0, heightPixels = 0, durationSeconds = 0 }: MediaSource): boolean {
  const isWide = widthPixels > heightPixels && heightPixels > 0;
  return !isWide && durationSeconds <= 181;
}
