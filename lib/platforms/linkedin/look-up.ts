import type { IntendedJob } from '../contract/adapter.ts';
import type { Finding } from '../contract/last-call.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { clockSlackMs, findListed } from '../shared/find-listed.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { type LinkedinClient, linkedinClient } from './client.ts';
import { isOrganization, likenessOf, livePostOf, type ReadPost, urnCreatedMs } from './map.ts';
import { Progress } from './prepare.ts';

/**
 * Looks up the outcome of a last call: searches the list of an organization's posts, and reads the post that LinkedIn
 * named if it refused the call as a duplicate. The posts of a member cannot be read.
 */
export async function lookUp(job: IntendedJob, tools: PlatformTools): Promise<Finding> {
  const client = linkedinClient(job, tools);
  // The records of earlier releases have the sent data only in the preparation.
  const sent = Progress.parse({ ...job.preparation, ...job.call.token });
  if (sent.duplicateUrn !== null) {
    const finding = await judgeDuplicate(job, client, sent.duplicateUrn);
    if (finding) return finding;
  }
  if (!isOrganization(job)) return { state: 'unseen' };
  const recognition = {
    idOf: ({ id }: ReadPost) => id,
    createdMs: ({ createdMs }: ReadPost) => createdMs,
    likeness: (post: ReadPost) => likenessOf(post, job, sent.assets),
  };
  const post = await ifReadable(() => findListed(client.listPosts(), job.call, recognition));
  return post ? { state: 'live', post: livePostOf(post) } : { state: 'unseen' };
}

/**
 * Judges a refusal as a duplicate. If the named post is older than the call or belongs to another target, the refused
 * call made nothing. Otherwise the call itself, or an earlier one of unknown outcome, made the post. Its text is not
 * compared: LinkedIn has compared it, and may show it with changes.
 *
 * A post that cannot be read is never taken as proof of success: LinkedIn has been observed to name new posts that do
 * not exist.
 *
 * @returns undefined if the refusal proves nothing
 */
async function judgeDuplicate(
  job: IntendedJob,
  client: LinkedinClient,
  urn: string,
): Promise<Finding | undefined> {
  const { sinceMs, isTaken } = job.call;
  const named = isOrganization(job) ? await ifReadable(() => client.readPost(urn)) : undefined;
  const isOlder = (named?.createdMs ?? urnCreatedMs(urn)) < sinceMs - clockSlackMs;
  if (isOlder || (await isTaken(named?.id ?? urn))) {
    const owner = isOlder ? 'which is older than the call' : 'which another destination published';
    return {
      state: 'absent',
      proof: `LinkedIn refused the post as a duplicate of ${urn}, ${owner}`,
      preparation: { ...Progress.parse(job.preparation), duplicateUrn: null },
    };
  }
  return named && { state: 'live', post: livePostOf(named) };
}
