import { secondMs } from '../../kernel/clock.ts';
import type { LivePost, PlatformAdapter, PublishJob } from '../contract/adapter.ts';
import { finishInSteps } from '../shared/finishing.ts';
import { readOptions } from '../shared/options.ts';
import { createPinSeconds, type PinterestClient, pinsUrl, pinterestClient } from './client.ts';
import { type ListedPin, matchesJob, permalinkOf, pinRequest } from './map.ts';
import { PinterestOptions } from './options.ts';
import { Progress, prepare } from './prepare.ts';

/**
 * Pinterest's REST API. Preparation uploads a video and waits for processing. Images need no preparation: Pinterest
 * downloads them during the go-live call. Pinterest does not detect duplicates, so a repeated call makes a second Pin.
 */
export const pinterestAdapter: PlatformAdapter = {
  prepare,

  lastCallUrl: (_job, tools) => pinsUrl(tools),

  async goLive(job, tools) {
    const { mediaId, firstIntentAt, othersPins } = Progress.parse(job.preparation);
    const client = pinterestClient(job, tools);
    if (firstIntentAt !== null) {
      // An earlier call was declared absent, but Pinterest's list may have lagged.
      const late = (await findPins(client, job, firstIntentAt)).find(({ id }) => !othersPins.includes(id));
      if (late) return livePost(late.id);
    }
    return livePost(await client.createPin(pinRequest(job, mediaId)));
  },

  async reconcile(job, tools) {
    const progress = Progress.parse(job.preparation);
    const firstIntentAt = progress.firstIntentAt ?? job.intentAt;
    const othersPins: string[] = [];
    for (const { id } of await findPins(pinterestClient(job, tools), job, firstIntentAt)) {
      if (!(await job.isTaken?.(id))) return { state: 'live', post: livePost(id) };
      othersPins.push(id);
    }
    const sinceIntentMs = tools.now() - job.intentAt;
    if (sinceIntentMs < settlingMs) {
      const waitMs = Math.min(settlingMs - sinceIntentMs, 15 * secondMs);
      return { state: 'pending', waitSeconds: Math.max(1, Math.ceil(waitMs / secondMs)) };
    }
    return { state: 'absent', preparation: { ...progress, firstIntentAt, othersPins } };
  },

  finish: (job) => finishInSteps(job, []),
};

/** The longest go-live call, and about 30 seconds by which Pinterest's list lags. */
const settlingMs = (createPinSeconds + 30) * secondMs;

function livePost(pinId: string): LivePost {
  return { platformPostId: pinId, permalink: permalinkOf(pinId) };
}

/** The Pins on the job's board whose content matches the job. @param since epoch milliseconds */
async function findPins(client: PinterestClient, job: PublishJob, since: number): Promise<ListedPin[]> {
  const { boardId, boardSectionId } = readOptions(PinterestOptions, job.options);
  const pins = await client.listPins(boardId, boardSectionId);
  return pins.filter((pin) => matchesJob(pin, job, since));
}
