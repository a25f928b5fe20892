import * as z from 'zod';
import { secondMs } from '../../../kernel/clock.ts';
import type { IntendedJob, PublishJob } from '../../contract/adapter.ts';
import { PlatformError } from '../../contract/errors.ts';
import type { AbsenceRule, Finding } from '../../contract/last-call.ts';
import type { LivePost, Preparation } from '../../contract/live-post.ts';
import { listLookups } from '../find-listed.ts';
import { ifReadable } from '../if-readable.ts';
import {
  type ContainerPlatform,
  type ContainerStatus,
  longestProcessingMs,
  Progress,
  renew,
} from './containers.ts';

/** The time limit of the call that publishes a container. Our judgement: long, because a timeout leaves the outcome unknown. */
export const publishSeconds = 45;

/**
 * Returns the rule for giving up the outcome of a call that published a container as unknown.
 *
 * There is no `usedOnce`. Meta documents no answer to a second publish of a container: it may be refused, or may make a
 * second post. A container that still reads FINISHED proves nothing either, because its status may lag behind the call.
 * Only ERROR and EXPIRED are proof, because the platform says so itself ("Publishing: container status").
 *
 * @param where the place where a person can see the outcome of the call
 */
export function containerAbsence(where: string): AbsenceRule {
  return {
    ...listLookups,
    callSeconds: publishSeconds,
    processingSeconds: longestProcessingMs / secondMs,
    where,
  };
}

/** The record of a call that publishes a container. */
const Token = z.object({ container: z.string().nullable().catch(null) });

export function containerToken({ preparation }: Pick<PublishJob, 'preparation'>): Preparation {
  return Token.parse(preparation);
}

/**
 * Publishes the container. If the platform refuses it as lost or broken, replaces the preparation by one without it, so
 * that a new container is created: containers that read FINISHED can be lost, and no retry with them succeeds.
 *
 * @param publish returns the id of the post
 * @throws PlatformError `unknown` without a call, if the container reads as published already; any error of the platform
 */
export async function publishContainer(
  { preparation }: Pick<PublishJob, 'preparation'>,
  platform: ContainerPlatform,
  publish: (containerId: string) => Promise<string>,
): Promise<LivePost> {
  const progress = Progress.parse(preparation);
  const { container } = progress;
  if (container === null) {
    throw new PlatformError('retry', `${platform.name}: the container was not created yet`);
  }
  if (progress.isPublished) throw alreadyPublished(platform);
  try {
    return { platformPostId: await publish(container), permalink: null };
  } catch (error) {
    const isLost =
      error instanceof PlatformError && error.remedy === 'retry' && platform.isFixedByNewContainer(error);
    if (!isLost) throw error;
    // An already published container gets the same answer. If its status cannot be read, the container is kept.
    const status = await readStatus(platform, container).catch(() => {
      throw error;
    });
    if (status?.state === 'PUBLISHED') throw alreadyPublished(platform, error);
    const renewed = renew(progress, error);
    throw new PlatformError('retry', error.message, {
      status: error.status,
      platformCode: error.platformCode,
      retryAfterSeconds: renewed.waitSeconds,
      preparation: renewed.preparation,
      cause: error,
    });
  }
}

function alreadyPublished({ name }: ContainerPlatform, cause?: unknown): PlatformError {
  return new PlatformError('unknown', `${name} says that the container is already published`, { cause });
}

/** The wait before reading again a container that the platform is still publishing. Our judgement. */
const publishingWaitSeconds = 15;

/**
 * Reads from the container, and from the account's list, whether it was published.
 *
 * @param findPost searches the account's list for the post: a container does not reveal the id of its post
 * @param isRecognizable true if a post that is found must be the job's. If false, it only gives the id of a published one
 */
export async function lookUpContainer(
  { call, preparation }: Pick<IntendedJob, 'call' | 'preparation'>,
  platform: ContainerPlatform,
  findPost: () => Promise<LivePost | undefined>,
  isRecognizable: boolean,
): Promise<Finding> {
  const { container } = Token.parse(call.token);
  const status = container === null ? undefined : await ifReadable(() => readStatus(platform, container));
  // Checked before the failures: a post that is live must never be made again, whatever its container reads.
  const post = isRecognizable || status?.state === 'PUBLISHED' ? await findPost() : undefined;
  if (post) return { state: 'live', post };
  switch (status?.state) {
    case 'PUBLISHED':
      return { state: 'live', post: { platformPostId: null, permalink: null } };
    case 'ERROR':
    case 'EXPIRED': {
      const proof = `the container's status is ${status.state}: ${platform.containerError(status).message}`;
      const { renewals } = Progress.parse(preparation);
      return { state: 'absent', proof, preparation: { renewals: renewals + 1 } };
    }
    case 'IN_PROGRESS':
      return { state: 'processing', waitSeconds: publishingWaitSeconds };
    default:
      return { state: 'unseen' };
  }
}

/** Reads the container's status; undefined if the container reads as missing. */
async function readStatus(
  platform: ContainerPlatform,
  containerId: string,
): Promise<ContainerStatus | undefined> {
  return platform.containerStatus(containerId).catch((error: unknown) => {
    if (platform.isMissing(error)) return undefined;
    throw error;
  });
}
