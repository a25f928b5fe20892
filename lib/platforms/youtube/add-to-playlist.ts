import * as z from 'zod';
import { PlatformError } from '../contract/errors.ts';
import { sendNoted } from '../shared/send-noted.ts';
import type { youtubeClient } from './client.ts';

/** The notes of finishing about the playlist. */
export const PlaylistNotes = z.object({
  /** True if a call to add the video was about to be made, and was not certainly refused. */
  isAddSent: z.boolean().catch(false),
});

/**
 * Adds a video to a playlist, at most once. YouTube would add it a second time, even if the playlist has it already. So
 * a call of unknown outcome is never repeated, whatever the list shows, because it may lag.
 *
 * @param notes the notes of earlier attempts; mutated
 * @param commitNotes commits the notes before the call, so that they survive a crash
 * @throws PlatformError as YouTube does; `retry` while a call of unknown outcome is not confirmed
 */
export async function addOnce(
  notes: z.infer<typeof PlaylistNotes>,
  client: Pick<ReturnType<typeof youtubeClient>, 'addToPlaylist' | 'isInPlaylist'>,
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
