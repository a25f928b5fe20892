import * as z from 'zod';
import { minuteMs, secondMs } from '../../../kernel/clock.ts';
import type {
  IntendedJob,
  LivePost,
  PrepareStep,
  PublishJob,
  Reconciliation,
} from '../../contract/adapter.ts';
import { PlatformError } from '../../contract/errors.ts';
import type { Parameters } from '../../contract/http.ts';
import { pollDelaySeconds } from '../finishing.ts';

/** The containers that a post consists of. */
export interface ContainerPlan {
  /** The items of a carousel, in order; empty for every other kind. */
  readonly children: readonly Parameters[];
  /** The container that is published. @param childIds the ids of the children's containers */
  container(childIds: readonly string[]): Parameters;
}

export type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED';

export interface ContainerStatus {
  readonly state: ContainerState;
  /** The platform's message. */
  readonly message: string;
}

/** One of Meta's platforms that publish with containers: its calls and the meaning of its errors. */
export interface ContainerPlatform {
  /** Display name. */
  readonly name: string;
  createContainer(parameters: Parameters): Promise<string>;
  containerStatus(containerId: string): Promise<ContainerStatus>;
  /** Whether the error of a read means that the object does not exist, or was created only a moment ago. */
  isMissing(error: unknown): boolean;
  /** Whether the platform's download or processing failed in a way that a new container may fix. */
  isFixedByNewContainer(error: PlatformError): boolean;
  /** The error that explains a failed container. */
  containerError(status: ContainerStatus): PlatformError;
}

/** The preparation as the steps store it. */
export const Progress = z.object({
  /** Containers of a carousel's items, in order. */
  children: z.array(z.string()).catch([]),
  /** How many of them, from the first, are known to be finished. */
  finishedChildren: z.int().catch(0),
  /** The container to publish. */
  container: z.string().nullable().catch(null),
  /** When the current container was first polled, in epoch milliseconds, and how often it was polled. */
  since: z.number().nullable().catch(null),
  looks: z.int().catch(0),
  /** The intent of this container's first go-live call, set once that call seems to have had no effect (epoch ms). */
  firstIntentAt: z.number().nullable().catch(null),
  /** How often preparation has started over with new containers. */
  renewals: z.int().catch(0),
});
export type Progress = z.infer<typeof Progress>;

const maxRenewals = 3;
/** The wait before the second and later renewals: Meta's downloader and caches need time before a new attempt helps. */
const renewalWaitSeconds = 30;
/** Meta's documents say to poll for five minutes at most, but long videos take longer. */
const longestProcessingMs = 30 * minuteMs;
/** A container that was just created may read as missing for up to a minute. */
const longestMissingMs = minuteMs;

/**
 * Creates the next container, or polls the existing ones. Containers have no public effect, so one whose id was lost in
 * a crash costs only its share of the account's daily limit.
 *
 * @param now epoch milliseconds
 * @throws PlatformError `rejected` if renewals or processing time are used up; any other error of the platform
 */
export async function prepareContainers(
  { preparation }: Pick<PublishJob, 'preparation'>,
  plan: ContainerPlan,
  platform: ContainerPlatform,
  now: number,
): Promise<PrepareStep> {
  const progress = Progress.parse(preparation);
  try {
    return await nextStep(progress, plan, platform, now);
  } catch (error) {
    if (!(error instanceof PlatformError) || !platform.isFixedByNewContainer(error)) throw error;
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
    const child = plan.children[children.length];
    if (child) {
      const id = await platform.createContainer(child);
      return { state: 'continue', preparation: { ...progress, children: [...children, id] } };
    }
    const unfinished = children[finishedChildren];
    if (unfinished !== undefined) {
      return poll(platform, unfinished, progress, now, {
        state: 'continue',
        preparation: resetPolling({ ...progress, finishedChildren: finishedChildren + 1 }),
      });
    }
    const id = await platform.createContainer(plan.container(children));
    return { state: 'continue', preparation: resetPolling({ ...progress, container: id }) };
  }
  return poll(platform, container, progress, now, { state: 'ready', preparation: { ...progress } });
}

/** Polls one container. @param finished the step to return if the container is finished */
async function poll(
  platform: ContainerPlatform,
  containerId: string,
  progress: Progress,
  now: number,
  finished: PrepareStep,
): Promise<PrepareStep> {
  const since = progress.since ?? now;
  const status = await platform.containerStatus(containerId).catch((error: unknown) => {
    if (!platform.isMissing(error)) throw error;
    if (now - since <= longestMissingMs) return undefined;
    const message = `${platform.name} has lost the container`;
    return { state: 'EXPIRED', message } as const;
  });
  switch (status?.state) {
    // PUBLISHED: an earlier go-live call did take effect. The next one will fail, and the worker then reconciles it.
    case 'PUBLISHED':
    case 'FINISHED':
      return finished;
    case 'EXPIRED':
      return startOver(progress, platform.containerError(status));
    case 'ERROR':
      throw platform.containerError(status);
  }
  if (now - since > longestProcessingMs) {
    throw new PlatformError('rejected', `${platform.name} was still processing the media after 30 minutes`);
  }
  return {
    state: 'waiting',
    preparation: { ...progress, since, looks: progress.looks + 1 },
    waitSeconds: pollDelaySeconds(progress.looks),
  };
}

/** Discards all containers and starts over, a bounded number of times. @param error what is wrong with the old ones */
function startOver({ renewals }: Progress, error: PlatformError): PrepareStep {
  if (renewals >= maxRenewals) {
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

/** Resets the polling state, which belongs to one container. */
function resetPolling(progress: Progress): Progress {
  return { ...progress, since: null, looks: 0 };
}

/** The id of the container that the go-live call publishes. @throws PlatformError `retry` if there is none yet */
export function readyContainer({ preparation }: PublishJob, { name }: { readonly name: string }): string {
  const { container } = Progress.parse(preparation);
  if (container !== null) return container;
  throw new PlatformError('retry', `${name}: the container was not created yet`);
}

/** A container's status may take this long to show that it was published. */
const settlingMs = 45 * secondMs;
/** If the container is missing, how long after the intent to keep searching for the post. */
const longestSearchMs = 300 * secondMs;

/**
 * Reads from the container whether it was published. A container does not reveal the id of its post, so `findPost` has
 * to search for it.
 *
 * @param findPost searches the account's latest posts for one with the job's content
 * @param now epoch milliseconds
 */
export async function reconcileContainer(
  job: IntendedJob,
  platform: ContainerPlatform,
  findPost: () => Promise<LivePost | undefined>,
  now: number,
): Promise<Reconciliation> {
  const progress = Progress.parse(job.preparation);
  if (progress.container === null) return { state: 'absent', preparation: {} };
  const sinceIntentMs = now - job.intentAt;
  const status = await platform.containerStatus(progress.container).catch((error: unknown) => {
    if (platform.isMissing(error)) return undefined;
    throw error;
  });
  switch (status?.state) {
    case 'PUBLISHED':
      return { state: 'live', post: (await findPost()) ?? { platformPostId: null, permalink: null } };
    case 'EXPIRED':
    case 'ERROR':
      return { state: 'absent', preparation: { renewals: progress.renewals } };
    case 'FINISHED':
    case 'IN_PROGRESS':
      if (sinceIntentMs < settlingMs) return pendingFor(settlingMs - sinceIntentMs);
      return { state: 'absent', preparation: { ...progress, firstIntentAt: firstIntent(job) } };
  }
  // Without the container, the list of posts can prove that the post exists, but not that it does not.
  const post = await findPost();
  if (post) return { state: 'live', post };
  if (sinceIntentMs < longestSearchMs) {
    return pendingFor(Math.min(longestSearchMs - sinceIntentMs, 30 * secondMs));
  }
  return { state: 'unknown', where: `the account's profile on ${platform.name}` };
}

function pendingFor(milliseconds: number): Reconciliation {
  return { state: 'pending', waitSeconds: Math.max(1, Math.ceil(milliseconds / secondMs)) };
}

/** The container's first intent (epoch ms). Its call may have made the post, if the status lagged beyond `settlingMs`. */
export function firstIntent({ preparation, intentAt }: IntendedJob): number {
  return Progress.parse(preparation).firstIntentAt ?? intentAt;
}

/** The first of the candidate posts that belongs to no other target; undefined if there is none. */
export async function firstFree<T extends { readonly id: string; readonly permalink?: string | undefined }>(
  job: IntendedJob,
  candidates: readonly T[],
): Promise<LivePost | undefined> {
  for (const { id, permalink } of candidates) {
    if (!(await job.isTaken?.(id))) return { platformPostId: id, permalink: permalink ?? null };
  }
  return undefined;
}
