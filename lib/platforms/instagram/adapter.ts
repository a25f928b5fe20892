import { secondMs } from '../../kernel/clock.ts';
import type { PlatformAdapter } from '../contract/adapter.ts';
import { containerAdapter } from '../shared/meta/container-adapter.ts';
import { firstIntent } from '../shared/meta/containers.ts';
import { readOptions } from '../shared/options.ts';
import { instagramClient, publishUrl } from './client.ts';
import { containerError, instagram, isFixedByNewContainer, isMissing } from './errors.ts';
import { containerPlan, matchesJob } from './map.ts';
import { InstagramOptions } from './options.ts';

/** The Instagram API with Instagram Login. Instagram downloads media from public URLs. */
export const instagramAdapter: PlatformAdapter = containerAdapter({
  name: instagram.name,
  isMissing,
  isFixedByNewContainer,
  containerError,
  open: instagramClient,
  plan: containerPlan,
  lastCallUrl: publishUrl,

  async listLikely(client, job) {
    const { kind } = containerPlan(job);
    const since = firstIntent(job);
    const listed =
      kind === 'story' ? await client.listStories() : await client.listMedia(since - 60 * secondMs);
    return listed.filter((item) => matchesJob(item, kind, job.content, since));
  },

  firstComment: ({ options }) => readOptions(InstagramOptions, options).firstComment,
  readKept: () => ({}),
  async comment(client, _job, platformPostId, text) {
    if (await client.hasOwnComment(platformPostId, text)) return;
    await client.comment(platformPostId, text);
  },
});
