import type { IntendedJob, PlatformAdapter, PublishJob } from '../../contract/adapter.ts';
import { PlatformError } from '../../contract/errors.ts';
import type { AbsenceRule } from '../../contract/last-call.ts';
import type { LivePost } from '../../contract/live-post.ts';
import type { PlatformTools } from '../../contract/tools.ts';
import { clockSlackMs, findListed, type Recognition } from '../find-listed.ts';
import { finishInSteps } from '../finishing.ts';
import { commentOnce } from '../first-comment.ts';
import { ifReadable } from '../if-readable.ts';
import { visibleText } from '../text.ts';
import { containerToken, lookUpContainer, publishContainer } from './container-calls.ts';
import { type ContainerPlan, type ContainerPlatform, prepareContainers } from './containers.ts';

/** The platform calls for publishing with containers. */
interface ContainerClient extends Pick<ContainerPlatform, 'createContainer' | 'containerStatus'> {
  publish(containerId: string): Promise<string>;
  permalink(platformPostId: string): Promise<string | null>;
}

/** A post as the platform lists it. */
interface Listed {
  readonly id: string;
  /** ISO 8601, to the second. */
  readonly timestamp?: string | undefined;
  readonly permalink?: string | undefined;
}

/** The parts for posting a post's first comment. `notes` are mutated and committed. */
interface FirstComment<Client, Notes> {
  readonly post: { readonly platformPostId: string; readonly text: string };
  readonly client: Client;
  readonly notes: Notes;
  readonly job: IntendedJob;
}

/** The differences between the adapters of Instagram and Threads. */
export interface ContainerAdapter<
  Client extends ContainerClient,
  Post extends Listed,
  Notes extends { isCommentSent: boolean },
> extends Omit<ContainerPlatform, 'createContainer' | 'containerStatus'> {
  open(job: PublishJob, tools: PlatformTools): Client;
  plan(job: PublishJob): ContainerPlan;
  lastCallUrl(job: PublishJob, tools: PlatformTools): string;
  absenceRule(job: PublishJob): AbsenceRule;
  /** Lists the posts of the account that may include the job's, page by page, newest first. @param sinceMs epoch milliseconds */
  listPosts(client: Client, job: PublishJob, sinceMs: number): AsyncIterable<readonly Post[]>;
  /** Returns true if a listed post has the job's kind and text. */
  matches(post: Post, job: PublishJob): boolean;
  /** Returns true if listed posts of the job's kind have a text, and the job's is not empty. */
  hasText(job: PublishJob): boolean;
  /** Returns true if the live post must be adjusted. Absent: never. */
  adjusts?(job: PublishJob): boolean;
  /** Makes a change of the live post that may be made again. */
  adjust?(client: Client, platformPostId: string): Promise<unknown>;
  /** Returns the text of the job's first comment, if it has one. */
  firstComment(job: PublishJob): string | undefined;
  readNotes(preparation: PublishJob['preparation']): Notes;
  /** Does the work that can be repeated; see {@link commentOnce}. */
  prepareComment?(comment: FirstComment<Client, Notes>): Promise<'ready' | 'posted'>;
  postComment(comment: FirstComment<Client, Notes>): Promise<unknown>;
  isCommentPosted(comment: FirstComment<Client, Notes>): Promise<boolean>;
}

/** The time before the call at which a list begins. More than the tolerance of `findListed`. */
const listMarginMs = 2 * clockSlackMs;

/**
 * Returns true if two permalinks end with the same code. People copy them with other parameters, and from another of the platform's
 * domains.
 */
function isSamePost(listed: string | undefined, given: string): boolean {
  const codeOf = (address = '') =>
    URL.parse(address)
      ?.pathname.split('/')
      .findLast((part) => part !== '');
  const code = codeOf(listed);
  return code !== undefined && code === codeOf(given);
}

/** Makes the adapter of a platform with containers. A container does not reveal its post's id, so `findPost` searches for it. */
export function containerAdapter<
  Client extends ContainerClient,
  Post extends Listed,
  Notes extends { isCommentSent: boolean },
>(platform: ContainerAdapter<Client, Post, Notes>): PlatformAdapter {
  const { name, open, isMissing } = platform;
  const containersOf = (client: Client): ContainerPlatform => ({ ...platform, ...client });

  /** @param permalink the address of the post, if a person has given it */
  const findPost = async (
    client: Client,
    job: IntendedJob,
    permalink: string | null = null,
  ): Promise<LivePost | undefined> => {
    const { call } = job;
    const createdMs = ({ timestamp = '' }: Post) => Date.parse(timestamp);
    // Without a text, any post of this kind would match. So only one that was made during the call counts.
    const lastMs = platform.hasText(job) ? Number.POSITIVE_INFINITY : call.endedMs + clockSlackMs;
    const pages = platform.listPosts(client, job, call.sinceMs - listMarginMs);
    const recognition: Recognition<Post> = {
      idOf: ({ id }) => id,
      createdMs,
      likeness: (post) => {
        if (permalink !== null && isSamePost(post.permalink, permalink)) return 'media';
        return platform.matches(post, job) && createdMs(post) <= lastMs ? 'text' : undefined;
      },
    };
    const found = await ifReadable(() => findListed(pages, call, recognition));
    return (
      found && { platformPostId: found.id, permalink: found.permalink ?? null, publishedMs: createdMs(found) }
    );
  };

  /**
   * Makes a handler that retries a read of a missing post. A new post reads as missing for a short time, although it
   * exists and the token is valid.
   */
  const retryIfMissing = (problem: string) => (error: unknown) => {
    throw isMissing(error) ? new PlatformError('retry', `${name} ${problem}`) : error;
  };

  return {
    prepare: async (job, tools) =>
      prepareContainers(job, platform.plan(job), containersOf(open(job, tools)), tools.now()),

    lastCallUrl: (job, tools) => platform.lastCallUrl(job, tools),
    tokenOf: containerToken,

    absenceRule: (job) => platform.absenceRule(job),

    async goLive(job, tools) {
      const client = open(job, tools);
      return publishContainer(job, containersOf(client), client.publish);
    },

    async lookUp(job, tools) {
      const client = open(job, tools);
      const find = () => findPost(client, job);
      return lookUpContainer(job, containersOf(client), find, platform.hasText(job));
    },

    finishesByReading: (job) =>
      visibleText(platform.firstComment(job)) === undefined && !platform.adjusts?.(job),

    finish(job, tools) {
      const client = open(job, tools);
      const notes = platform.readNotes(job.preparation);

      const withId = async (post: LivePost) => {
        if (post.platformPostId !== null) return post;
        const found = await findPost(client, job, post.permalink);
        if (found) return found;
        throw new PlatformError('retry', `The post is live, but ${name} does not list it yet.`);
      };
      const adjusted = async (post: LivePost) => {
        if (!platform.adjusts?.(job)) return post;
        if (post.platformPostId === null) {
          const message = 'The comments could not be turned off, because the id of the post is not known.';
          throw new PlatformError('rejected', message);
        }
        await platform
          .adjust?.(client, post.platformPostId)
          .catch(retryIfMissing('does not show the post yet, so its comments are still on.'));
        return post;
      };
      const withPermalink = async (post: LivePost) => {
        if (post.platformPostId === null || post.permalink !== null) return post;
        const permalink = await client
          .permalink(post.platformPostId)
          .catch(retryIfMissing('returned no permalink for the post.'));
        return { ...post, permalink };
      };
      const withFirstComment = async (post: LivePost) => {
        const text = visibleText(platform.firstComment(job));
        if (!text) return post;
        const { platformPostId } = post;
        if (platformPostId === null) {
          const message = 'The first comment could not be posted, because the id of the post is not known.';
          throw new PlatformError('rejected', message);
        }
        const comment = { post: { platformPostId, text }, client, notes, job };
        const steps = {
          name,
          prepare: async () => (await platform.prepareComment?.(comment)) ?? 'ready',
          post: () => platform.postComment(comment),
          isPosted: () =>
            ifReadable(() =>
              platform.isCommentPosted(comment).catch((error: unknown) => {
                if (isMissing(error)) return false;
                throw error;
              }),
            ),
        };
        await commentOnce(notes, steps, () => job.note({ ...job.preparation, ...notes })).catch(
          retryIfMissing('did not accept the first comment yet.'),
        );
        return post;
      };
      return finishInSteps(job, [withId, adjusted, withPermalink, withFirstComment], () => ({ ...notes }));
    },
  };
}
