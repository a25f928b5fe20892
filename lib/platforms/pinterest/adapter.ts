import { sha256 } from '../../kernel/ids.ts';
import type { IntendedJob, PlatformAdapter } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { LivePost } from '../contract/live-post.ts';
import { comparableText, findListed } from '../shared/find-listed.ts';
import { finishInSteps } from '../shared/finishing.ts';
import { readOptions } from '../shared/options.ts';
import { deleting, isNoSuchPost } from '../shared/removal.ts';
import { pinAbsence } from './absence.ts';
import { pinsUrl, pinterestClient } from './client.ts';
import { isLikePin, type ListedPin, permalinkOf, pinCreatedMs, pinRequest } from './map.ts';
import { PinterestOptions } from './options.ts';
import { Progress, prepare, sendsFile } from './prepare.ts';

/**
 * Pinterest's REST API. Preparation uploads a video and waits for processing. Images need no preparation: Pinterest
 * downloads them during the last call. Pinterest does not detect duplicates, so a repeated call makes a second Pin.
 */
export const pinterestAdapter: PlatformAdapter = {
  prepare,

  sendsFile,

  tokenOf: (job) => ({
    mediaId: Progress.parse(job.preparation).mediaId,
    text: sha256(comparableText(job.content)),
  }),

  absenceRule: () => pinAbsence,

  lastCallUrl: (_job, tools) => pinsUrl(tools),

  async goLive(job, tools) {
    const { mediaId } = Progress.parse(job.preparation);
    return livePost(await pinterestClient(job, tools).createPin(pinRequest(job, mediaId)));
  },

  async lookUp(job, tools) {
    const { boardId, boardSectionId } = readOptions(PinterestOptions, job.options);
    const { listBoardPins, listOwnPins } = pinterestClient(job, tools);
    const found =
      (await findPin(job, listBoardPins(boardId, boardSectionId))) ?? (await findPin(job, listOwnPins()));
    if (found === undefined) return { state: 'unseen' };
    return { state: 'live', post: livePost(found.id, pinCreatedMs(found)) };
  },

  finish: (job) => finishInSteps(job, []),

  removePost: (post, tools) =>
    deleting(() => pinterestClient(post, tools).deletePin(post.platformPostId), isNoSuchPost),
};

function livePost(pinId: string, publishedMs?: number): LivePost {
  return { platformPostId: pinId, permalink: permalinkOf(pinId), publishedMs, isFinished: true };
}

/** Finds the job's Pin in a list; undefined if the list does not show it, or cannot be read because its board is gone. */
async function findPin(
  job: IntendedJob,
  pages: AsyncIterable<readonly ListedPin[]>,
): Promise<ListedPin | undefined> {
  try {
    return await findListed(pages, job.call, {
      idOf: ({ id }) => id,
      createdMs: pinCreatedMs,
      likeness: (pin) => (isLikePin(pin, job) ? 'text' : undefined),
    });
  } catch (error) {
    if (error instanceof PlatformError && error.remedy === 'rejected') return undefined;
    throw error;
  }
}
