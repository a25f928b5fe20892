import * as z from 'zod';
import type { PrepareStep, PublishJob } from '../adapter.ts';
import { PlatformError } from '../errors.ts';
import { pollDelaySeconds } from '../polling.ts';
import type { PlatformTools } from '../tools.ts';
import { type InstagramClient, instagramClient } from './client.ts';
import { containerError, isCuredByNewContainer, isMissing } from './errors.ts';
import { containerPlan } from './map.ts';

/** What is left between two steps. */
export const Progress = z.object({
  /** Containers of a carousel's items, in order. */
  children: z.array(z.string()).catch([]),
  /** How many of them are known to be finished. */
  finishedChildren: z.int().catch(0),
  /** The container to publish. */
  container: z.string().nullable().catch(null),
  /** Since when Instagram has been asked about the present container, in epoch milliseconds, and how often. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** The first last call that was made for this container, where it was found to have had no effect (epoch ms). */
  firstIntentAt: z.number().nullable().catch(null),
  /** How often all containers were made anew. */
  renewals: z.int().catch(0),
});
export type Progress = z.infer<typeof Progress>;

const mostRenewals = 3;
/** Before a new start: Meta's fetcher and caches need a moment to change their mind. */
const renewalWaitSeconds = 30;
/** Meta asks for five minutes of patience; long videos take more. */
const longestProcessingMs = 30 * 60_000;
/** For a minute a container that was just made may read as missing. */
const longestMissingMs = 60_000;

/**
 * Makes the next container, or looks at those that are made. Containers have no public effect, so that one whose id
 * was lost in a crash costs nothing but its share of the 400 a day.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const progress = Progress.parse(job.preparation);
  try {
    return await nextStep(job, progress, instagramClient(job, tools), tools.now());
  } catch (error) {
    if (!(error instanceof PlatformError) || !isCuredByNewContainer(error)) throw error;
    return renewed(progress, error);
  }
}

async function nextStep(
  job: PublishJob,
  progress: Progress,
  client: InstagramClient,
  now: number,
): Promise<PrepareStep> {
  const plan = containerPlan(job);
  const { children, finishedChildren, container } = progress;

  if (container === null) {
    const child = plan.children[children.length];
    if (child) {
      const id = await client.createContainer(child);
      return { state: 'continue', preparation: { ...progress, children: [...children, id] } };
    }
    const open = children[finishedChildren];
    if (open !== undefined) {
      return look(client, open, progress, now, {
        state: 'continue',
        preparation: fresh({ ...progress, finishedChildren: finishedChildren + 1 }),
      });
    }
    const id = await client.createContainer(plan.container(children));
    return { state: 'continue', preparation: fresh({ ...progress, container: id }) };
  }
  return look(client, container, progress, now, { state: 'ready', preparation: { ...progress } });
}

/** Looks at one container. @param finished the step to take once it is */
async function look(
  client: InstagramClient,
  containerId: string,
  progress: Progress,
  now: number,
  finished: PrepareStep,
): Promise<PrepareStep> {
  const since = progress.since ?? now;
  const status = await client.containerStatus(containerId).catch((error: unknown) => {
    if (isMissing(error) && now - since <= longestMissingMs) return undefined;
    throw isMissing(error) ? containerError('Instagram has lost the container: error code 2207008') : error;
  });
  switch (status?.status_code) {
    // Published: an earlier last call did take effect. The next one will say so, and is then looked into.
    case 'PUBLISHED':
    case 'FINISHED':
      return finished;
    case 'EXPIRED':
      return renewed(progress, containerError(`${status.status}: error code 2207008`));
    case 'ERROR':
      throw containerError(status.status);
  }
  if (now - since > longestProcessingMs) {
    throw new PlatformError('rejected', 'Instagram was still processing the media after 30 minutes');
  }
  return {
    state: 'waiting',
    preparation: { ...progress, since, looks: progress.looks + 1 },
    waitSeconds: pollDelaySeconds(progress.looks),
  };
}

/** Starts again with new containers, a bounded number of times. */
function renewed({ renewals }: Progress, error: PlatformError): PrepareStep {
  if (renewals >= mostRenewals) {
    throw new PlatformError('rejected', error.message, {
      status: error.status,
      platformCode: error.platformCode,
      cause: error,
    });
  }
  return {
    state: 'waiting',
    preparation: { renewals: renewals + 1 },
    waitSeconds: renewals === 0 ? 1 : renewalWaitSeconds,
  };
}

/** A new container is looked at from the beginning. */
function fresh(progress: Progress): Progress {
  return { ...progress, since: null, looks: 0 };
}
