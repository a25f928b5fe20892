import type {
  IntendedJob,
  LivePost,
  PlatformAdapter,
  Preparation,
  PublishJob,
} from '../../contract/adapter.ts';
import { PlatformError } from '../../contract/errors.ts';
import type { PlatformTools } from '../../contract/tools.ts';
import { finishInSteps } from '../finishing.ts';
import {
  type ContainerPlan,
  type ContainerPlatform,
  firstFree,
  prepareContainers,
  readyContainer,
  reconcileContainer,
} from './containers.ts';

/** The platform calls that publishing with containers needs. */
interface ContainerClient extends Pick<ContainerPlatform, 'createContainer' | 'containerStatus'> {
  publish(containerId: string): Promise<string>;
  permalink(platformPostId: string): Promise<string | null>;
}

/** The differences between the adapters of Instagram and Threads. */
export interface ContainerAdapter<Client extends ContainerClient, Kept extends Preparation>
  extends Omit<ContainerPlatform, 'createContainer' | 'containerStatus'> {
  open(job: PublishJob, tools: PlatformTools): Client;
  plan(job: PublishJob): ContainerPlan;
  lastCallUrl(job: PublishJob, tools: PlatformTools): string;
  /** The account's latest posts whose content matches the job's. */
  listLikely(
    client: Client,
    job: IntendedJob,
  ): Promise<readonly { id: string; permalink?: string | undefined }[]>;
  /** The text of the job's first comment, if it has one. */
  firstComment(job: PublishJob): string | undefined;
  /** Notes of earlier attempts at the first comment; `comment` mutates them. */
  readKept(preparation: Preparation): Kept;
  /** Posts the first comment, unless an earlier attempt whose response was lost has already posted it. */
  comment(client: Client, job: IntendedJob, platformPostId: string, text: string, kept: Kept): Promise<void>;
}

/** The adapter of a platform with containers. A container does not reveal its post's id, so `findPost` may search it. */
export function containerAdapter<Client extends ContainerClient, Kept extends Preparation>(
  platform: ContainerAdapter<Client, Kept>,
): PlatformAdapter {
  const { name, open, isMissing } = platform;
  const containersOf = (client: Client): ContainerPlatform => ({ ...platform, ...client });
  const findPost = async (client: Client, job: IntendedJob) =>
    firstFree(job, await platform.listLikely(client, job));
  /** For a short time a new post reads as missing, although the post exists and the token is valid. */
  const retryIfMissing = (problem: string) => (error: unknown) => {
    throw isMissing(error) ? new PlatformError('retry', `${name} ${problem}`) : error;
  };

  return {
    prepare: async (job, tools) =>
      prepareContainers(job, platform.plan(job), containersOf(open(job, tools)), tools.now()),

    lastCallUrl: (job, tools) => platform.lastCallUrl(job, tools),

    async goLive(job, tools) {
      const platformPostId = await open(job, tools).publish(readyContainer(job, platform));
      return { platformPostId, permalink: null };
    },

    async reconcile(job, tools) {
      const client = open(job, tools);
      return reconcileContainer(job, containersOf(client), () => findPost(client, job), tools.now());
    },

    finish(job, tools) {
      const client = open(job, tools);
      const kept = platform.readKept(job.preparation);

      const withId = async (post: LivePost) => {
        if (post.platformPostId !== null) return post;
        const found = await findPost(client, job);
        if (found) return found;
        throw new PlatformError('retry', `The post is live, but ${name} does not list it yet.`);
      };
      const withPermalink = async (post: LivePost) => {
        if (post.platformPostId === null || post.permalink !== null) return post;
        const permalink = await client
          .permalink(post.platformPostId)
          .catch(retryIfMissing('returned no permalink for the post.'));
        return { ...post, permalink };
      };
      const withFirstComment = async (post: LivePost) => {
        const text = platform.firstComment(job)?.trim();
        if (!text) return post;
        if (post.platformPostId === null) {
          const message = 'The first comment could not be posted, because the id of the post is not known.';
          throw new PlatformError('rejected', message);
        }
        await platform
          .comment(client, job, post.platformPostId, text, kept)
          .catch(retryIfMissing('did not accept the first comment yet.'));
        return post;
      };
      return finishInSteps(job, [withId, withPermalink, withFirstComment], () => ({ ...kept }));
    },
  };
}
