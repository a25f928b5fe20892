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

/** The containers a post is made of. */
export interface ContainerPlan {
  /** The items of a carousel, in order; empty for every other kind. */
  readonly children: readonly Parameters[];
  /** The container that is published. @param childIds the ids of the children's containers */
  container(childIds: readonly string[]): Parameters;
}

export type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED';

export interface ContainerStatus {
  readonly state: ContainerState;
  /** The platform's own words. */
  readonly message: string;
}

/** One of Meta's platforms that publish by containers: what it calls things, and what its errors mean. */
export interface ContainerPlatform {
  /** As people know it. */
  readonly name: string;
  createContainer(parameters: Parameters): Promise<string>;
  containerStatus(containerId: string): Promise<ContainerStatus>;
  /** What a read says of a container that is not there, or was made a moment ago. */
  isMissing(error: unknown): boolean;
  /** Whether fetching or processing went wrong in a way that a new container may cure. */
  isCuredByNewContainer(error: PlatformError): boolean;
  /** The error behind a container that failed. */
  containerError(status: ContainerStatus): PlatformError;
}

/** What is left between two steps. */
export const Progress = z.object({
  /** Containers of a carousel's items, in order. */
  children: z.array(z.string()).catch([]),
  /** How many of them are known to be finished. */
  finishedChildren: z.int().catch(0),
  /** The container to publish. */
  container: z.string().nullable().catch(null),
  /** Since when the platform has been asked about the present container, in epoch milliseconds, and how often. */
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
const longestProcessingMs = 30 * minuteMs;
/** For a minute a container that was just made may read as missing. */
const longestMissingMs = minuteMs;

/**
 * Makes the next container, or looks at those that are made. Containers have no public effect, so that one whose id
 * was lost in a crash costs nothing but its share of the day's.
 *
 * @param now epoch milliseconds
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
    if (!(error instanceof PlatformError) || !platform.isCuredByNewContainer(error)) throw error;
    return renewed(progress, error);
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
    const open = children[finishedChildren];
    if (open !== undefined) {
      return look(platform, open, progress, now, {
        state: 'continue',
        preparation: fresh({ ...progress, finishedChildren: finishedChildren + 1 }),
      });
    }
    const id = await platform.createContainer(plan.container(children));
    return { state: 'continue', preparation: fresh({ ...progress, container: id }) };
  }
  return look(platform, container, progress, now, { state: 'ready', preparation: { ...progress } });
}

/** Looks at one container. @param finished the step to take once it is */
async function look(
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
    // Published: an earlier last call did take effect. The next one will say so, and is then looked into.
    case 'PUBLISHED':
    case 'FINISHED':
      return finished;
    case 'EXPIRED':
      return renewed(progress, platform.containerError(status));
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

/** The container that the last call publishes. @throws PlatformError `retry` where there is none yet */
export function readyContainer({ preparation }: PublishJob, { name }: { readonly name: string }): string {
  const { container } = Progress.parse(preparation);
  if (container !== null) return container;
  throw new PlatformError('retry', `${name}: there is no container yet`);
}

/** The status of a container may lag behind the publishing of it. */
const settlingMs = 45 * secondMs;
/** After so long without its container, nothing can be learned of a call any more. */
const longestSearchMs = 300 * secondMs;

/**
 * Asks the container whether it was published. It never tells the id of its post, so that is looked for.
 *
 * @param findPost among the account's latest posts, by its looks
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
  // Without the container only the list of posts can prove anything, and only that the post is there.
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

/** Should the status of an earlier call have lagged for longer than it was waited for, the post is that call's. */
export function firstIntent({ preparation, intentAt }: IntendedJob): number {
  return Progress.parse(preparation).firstIntentAt ?? intentAt;
}

/** The first of the listed posts that looks like the job's and belongs to no other. */
export async function firstFree<T extends { readonly id: string; readonly permalink?: string | undefined }>(
  job: IntendedJob,
  candidates: readonly T[],
): Promise<LivePost | undefined> {
  for (const { id, permalink } of candidates) {
    if (!(await job.isTaken?.(id))) return { platformPostId: id, permalink: permalink ?? null };
  }
  return undefined;
}

/** Their clock and ours may differ by this much, and theirs has no milliseconds. */
const clockSlackMs = 30 * secondMs;

/** @param timestamp ISO 8601, of a listed post @param intentAt epoch milliseconds */
export function isNotOlder(timestamp: string | undefined, intentAt: number): boolean {
  return Date.parse(timestamp ?? '') >= intentAt - clockSlackMs;
}

/** Texts as they compare: platforms trim them and may write accents and line ends another way. */
export function plainText(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n').trim();
}
