import * as z from 'zod';
import { sha256 } from '../../kernel/ids.ts';
import type { SettledSteps } from '../shared/finishing.ts';
import type { YoutubeClient } from './client.ts';
import { isCaptionThere } from './errors.ts';
import type { Caption } from './map.ts';

/** The notes about the tracks that a video has, or is about to get. */
export const CaptionNotes = z.object({
  captionTracks: z
    .array(z.object({ language: z.string(), name: z.string(), digest: z.string(), isDone: z.boolean() }))
    .catch(() => []),
});
type CaptionNotes = z.infer<typeof CaptionNotes>;

const digestOf = (text: string): string => sha256(text).slice(0, 16);

const stepPrefix = 'captions ';

/** Returns the name under which the outcome of these tracks is kept: another one for other tracks. */
export const captionsStep = (captions: readonly Caption[]): string =>
  `${stepPrefix}${digestOf(JSON.stringify(captions))}`;

/**
 * Returns the outcomes of steps without those of other tracks: an edit that returns to them must bring them again. Pure.
 *
 * @param step the name of the outcome of these tracks
 */
export const withoutOtherTracks = (outcomes: SettledSteps, step: string): SettledSteps =>
  Object.fromEntries(
    Object.entries(outcomes).filter(([name]) => name === step || !name.startsWith(stepPrefix)),
  );

/**
 * Makes the tracks of a video those of its post: removes tracks that an edit has replaced, and uploads what is missing. Can be repeated,
 * because YouTube refuses a second track of the same language and name.
 *
 * @param notes the notes of earlier attempts; mutated
 * @param commitNotes commits the notes before an upload or a removal, so that a later edit knows what may be there
 */
export async function bringCaptions(
  notes: CaptionNotes,
  client: Pick<YoutubeClient, 'insertCaption' | 'listCaptions' | 'deleteCaption'>,
  videoId: string,
  captions: readonly Caption[],
  commitNotes: () => Promise<void>,
): Promise<void> {
  const wanted = captions.map((caption) => ({ caption, digest: digestOf(caption.text) }));
  const isWanted = (track: CaptionNotes['captionTracks'][number]) =>
    wanted.some(({ caption, digest }) => isSameTrack(caption, track) && digest === track.digest);
  const surplus = notes.captionTracks.filter((track) => !isWanted(track));
  if (surplus.length > 0) {
    for (const track of surplus) track.isDone = false;
    await commitNotes();
    const there = await client.listCaptions(videoId);
    for (const { id } of there.filter((one) => surplus.some((track) => isSameTrack(one, track))))
      await client.deleteCaption(id);
    notes.captionTracks = notes.captionTracks.filter(isWanted);
  }
  for (const { caption, digest } of wanted) {
    const { language, name } = caption;
    let track = notes.captionTracks.find((one) => isSameTrack(one, caption));
    if (track?.isDone) continue;
    if (track === undefined) {
      track = { language, name, digest, isDone: false };
      notes.captionTracks.push(track);
      await commitNotes();
    }
    await client.insertCaption(videoId, caption).catch((error: unknown) => {
      if (!isCaptionThere(error)) throw error;
    });
    track.isDone = true;
  }
}

type Named = Pick<Caption, 'language' | 'name'>;
const isSameTrack = (one: Named, other: Named): boolean =>
  one.language === other.language && one.name === other.name;
