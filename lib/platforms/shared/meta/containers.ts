import * as z from 'zod';
import { minuteMs, secondMs } from '../../../kernel/clock.ts';
import type { PrepareStep, PublishJob } from '../../contract/adapter.ts';
import { PlatformError } from '../../contract/errors.ts';
import type { Parameters } from '../../contract/http.ts';
import type { Preparation } from '../../contract/live-post.ts';
import { pollDelaySeconds } from '../finishing.ts';

/** The containers of a post. */
export interface ContainerPlan {
  /** The parameters of a carousel's items, in order; empty for every other kind. */
  readonly children: readonly Parameters[];
  /** Returns the parameters of the container to publish. @param childIds the ids of the children's containers */
  container(childIds: readonly string[]): Parameters;
}

export type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED';

export interface ContainerStatus {
  readonly state: ContainerState;
  readonly message: string;
}

/** One of Meta's platforms that publish with containers: its calls and the meaning of its errors. */
export interface ContainerPlatform {
  /** The platform's display name. */
  readonly name: string;
  createContainer(parameters: Parameters): Promise<string>;
  containerStatus(containerId: string): Promise<ContainerStatus>;
  /** Returns true if the error of a read means that the object does not exist, or was created only a moment ago. */
  isMissing(error: unknown): boolean;
  /** Returns true if the container is lost, or its download or processing failed, in a way that a new container may fix. */
  isFixedByNewContainer(error: PlatformError): boolean;
  /** Returns true if the platform could not download the file. A subset of {@link isFixedByNewContainer}. */
  isDownloadFailure(error: PlatformError): boolean;
  /** Returns the error that explains a failed container. */
  containerError(status: ContainerStatus): PlatformError;
  /** The age that a container should have before it is published, if containers that read FINISHED were lost before. */
  readonly settleSeconds?: number;
}

/** The preparation as the steps store it. */
export const Progress = z.object({
  /** The ids of the containers of a carousel's items, in order. */
  children: z.array(z.string()).catch([]),
  /** The number of children that are known to be finished, counted from the first. */
  finishedChildren: z.int().catch(0),
  /** The id of the container to publish. */
  container: z.string().nullable().catch(null),
  /** The time at which the container was created, in epoch milliseconds. */
  createdAt: z.number().nullable().catch(null),
  /** The time at which the platform last said that the container is finished, in epoch milliseconds. */
  finishedAt: z.number().nullable().catch(null),
  /** True if the platform says that the container is already published. */
  isPublished: z.boolean().catch(false),
  /** The time of the current container's first poll, in epoch milliseconds, and the number of polls. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** The number of times that preparation has started over with new containers. */
  renewals: z.int().catch(0),
});
export type Progress = z.infer<typeof Progress>;

const maxRenewals = 3;
/**
 * The number of renewals from which a container rests before it is published. The first new one is published as soon as
 * it is ready.
 */
const restingRenewals = 2;
/** The wait before the second and later renewals: Meta's downloader and caches need time before a new attempt helps. */
const renewalWaitSeconds = 30;
/**
 * The wait for each container that a failed download made useless: six hours of retries then create fewer than the 400
 * containers that Instagram allows an account in 24 hours.
 */
const discardedContainerSeconds = 60;
/** The longest processing time. Meta's documents say to poll for at most five minutes, but long videos take longer. */
export const longestProcessingMs = 30 * minuteMs;
/**
 * The number of short waits to skip for a video, which takes longer than an image: its polls begin with the fourth
 * wait, 8 s. Our judgement.
 */
const looksSpared = 3;
/** The longest time for which a new container may read as missing. */
const longestMissingMs = minuteMs;

/**
 * Creates the next container, or polls the existing ones. A container that was finished a short while ago is not polled again. Containers have no public effect. If a crash loses the id of
 * one, that costs only its share of the account's daily limit.
 *
 * @param now epoch milliseconds
 * @throws PlatformError `rejected` if renewals or processing time are used up; `retry` or `unknown` if the platform
 *   could not download the file, because the host of our files may be down; any other error of the platform
 */
export async function prepareContainers(
  { preparation, hasEarlierCall }: Pick<PublishJob, 'preparation' | 'hasEarlierCall'>,
  plan: ContainerPlan,
  platform: ContainerPlatform,
  now: number,
): Promise<PrepareStep> {
  const progress = Progress.parse(preparation);
  if (!hasEarlierCall && isRecentlyFinished(progress, now)) return { state: 'ready', preparation: progress };
  try {
    return await nextStep(progress, plan, platform, now);
  } catch (error) {
    // Threads also says that a resource is missing if the token is invalid.
    const isTemporary =
      error instanceof PlatformError && (error.remedy === 'retry' || error.remedy === 'unknown');
    if (!isTemporary || !platform.isFixedByNewContainer(error)) throw error;
    // After one quick renewal, the engine's backoff applies. Such errors do not use up the renewals.
    if (progress.renewals > 0 && platform.isDownloadFailure(error)) throw error;
    return startOver(progress, error);
  }
}

async function nextStep(
  progress: Progress,
  plan: ContainerPlan,
  platform: ContainerPlatform,
  now: number,
): Promise<PrepareStep> {
  const { children, finishedChildren, container } = progress;
  if (container === null) {
    if (progress.renewals > maxRenewals) {
      throw new PlatformError(
        'rejected',
        `${platform.name} could not publish any of ${maxRenewals + 1} containers`,
      );
    }
    const child = plan.children[children.length];
    if (child) {
      const id = await platform.createContainer(child);
      return { state: 'continue', preparation: { ...progress, children: [...children, id] } };
    }
    const unfinished = children[finishedChildren];
    if (unfinished !== undefined) {
      return poll(platform, unfinished, progress, now, {
        parameters: plan.children[finishedChildren],
        finished: {
          state: 'continue',
          preparation: resetPolling({ ...progress, finishedChildren: finishedChildren + 1 }),
        },
      });
    }
    const id = await platform.createContainer(plan.container(children));
    const preparation = resetPolling({ ...progress, container: id, createdAt: now });
    return { state: 'continue', preparation, isCheap: true };
  }
  const restSeconds = restLeftSeconds(progress, platform, now);
  if (restSeconds > 0) return { state: 'waiting', preparation: { ...progress }, waitSeconds: restSeconds };
  return poll(platform, container, progress, now, {
    parameters: plan.container(children),
    finished: { state: 'ready', preparation: { ...progress, finishedAt: now } },
  });
}

/**
 * The time for which a finished container counts as finished. Containers expire a day after their creation. Our
 * judgement: much less than that, and longer than the time from the preparation to the due time of most posts.
 */
const longestFinishedMs = 10 * minuteMs;

/**
 * Returns true if the container was finished a short while ago, so that only the call that publishes it is left. A status
 * may be wrong: containers that read FINISHED were lost, and after an earlier call one may read PUBLISHED. So the
 * container of a job that has lost one before, or has made a call, is always read again. If one is lost all the same, the
 * platform refuses the call, and `publishContainer` reads the status then.
 */
function isRecentlyFinished(
  { container, finishedAt, isPublished, renewals }: Progress,
  now: number,
): boolean {
  if (container === null || finishedAt === null || isPublished || renewals > 0) return false;
  return now - finishedAt <= longestFinishedMs;
}

/**
 * Returns the remaining rest of a container that replaces lost ones. Other containers rest, if at all, because they
 * are created early.
 */
function restLeftSeconds(
  { renewals, createdAt }: Progress,
  { settleSeconds = 0 }: ContainerPlatform,
  now: number,
): number {
  if (renewals < restingRenewals || createdAt === null) return 0;
  return Math.ceil((createdAt - now) / secondMs + settleSeconds);
}

/**
 * Polls one container.
 *
 * @param of.parameters the container's parameters
 * @param of.finished the step to return if the container is finished
 */
async function poll(
  platform: ContainerPlatform,
  containerId: string,
  progress: Progress,
  now: number,
  {
    parameters = {},
    finished,
  }: { readonly parameters: Parameters | undefined; readonly finished: PrepareStep },
): Promise<PrepareStep> {
  const since = progress.since ?? now;
  const status = await platform.containerStatus(containerId).catch((error: unknown) => {
    if (!platform.isMissing(error)) throw error;
    if (now - since <= longestMissingMs) return undefined;
    const message = `${platform.name} has lost the container`;
    return { state: 'EXPIRED', message } as const;
  });
  switch (status?.state) {
    case 'FINISHED':
      return finished;
    case 'PUBLISHED':
      // The status of an earlier call has been updated late. `publishContainer` then makes no call.
      return { ...finished, preparation: { ...finished.preparation, isPublished: true } };
    case 'EXPIRED':
      return startOver(progress, platform.containerError(status));
    case 'ERROR':
      throw withoutContainers(progress, platform.containerError(status));
  }
  if (now - since > longestProcessingMs) {
    throw new PlatformError('rejected', `${platform.name} was still processing the media after 30 minutes`);
  }
  return {
    state: 'waiting',
    preparation: { ...progress, since, looks: progress.looks + 1 },
    waitSeconds: pollDelaySeconds(progress.looks + (parameters['video_url'] === undefined ? 0 : looksSpared)),
  };
}

/** Returns the error of a failed container. The next attempt then starts over. Does not count as a renewal. */
function withoutContainers({ children, container, renewals }: Progress, error: PlatformError): PlatformError {
  const discarded = children.length + (container === null ? 0 : 1);
  return new PlatformError(error.remedy, error.message, {
    concerns: error.concerns,
    isDailyLimit: error.isDailyLimit,
    status: error.status,
    platformCode: error.platformCode,
    retryAfterSeconds: Math.max(error.retryAfterSeconds ?? 0, discarded * discardedContainerSeconds),
    preparation: { renewals },
    cause: error,
  });
}

/** Discards all containers and starts over, a bounded number of times. @param error the problem with the old ones */
function startOver(progress: Progress, error: PlatformError): PrepareStep {
  const { preparation, waitSeconds } = renew(progress, error);
  return { state: 'waiting', preparation, waitSeconds };
}

/**
 * Returns the preparation without its containers.
 *
 * @param error the problem with them
 * @throws PlatformError `rejected`, with the error's message, if they were replaced too often
 */
export function renew({ renewals }: Pick<Progress, 'renewals'>, error: PlatformError) {
  if (renewals >= maxRenewals) {
    throw new PlatformError('rejected', error.message, {
      status: error.status,
      platformCode: error.platformCode,
      cause: error,
    });
  }
  const preparation: Preparation = { renewals: renewals + 1 };
  return { preparation, waitSeconds: renewals === 0 ? 1 : renewalWaitSeconds };
}

/** Resets the polling state, which belongs to one container. */
function resetPolling(progress: Progress): Progress {
  return { ...progress, since: null, looks: 0 };
}
