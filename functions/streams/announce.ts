import { systemClock } from '../../lib/kernel/clock.ts';
import { indexPosts, postToIndex } from '../../lib/posts/search/index-changes.ts';
import type { PostName } from '../../lib/posts/search/index-post.ts';
import { announceChanges, type News, newsOf } from '../../lib/webhooks/announce.ts';
import type { EventDraft } from '../../lib/webhooks/events/store.ts';
import { streamHandler } from '../middleware/stream.ts';
import { table, webhookQueue } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';
import { mediaBaseUrl } from '../wire/settings.ts';
import { stageFeatures } from '../wire/stage-features.ts';

/** Creates webhook events from committed changes, and has the search find posts by their words. */
export const build = streamHandler(
  { table, webhookQueue, mediaBaseUrl, stageFeatures },
  {
    read: (settings, change): Change | undefined => {
      const [news, post] = [newsOf(change, settings), postToIndex(change)];
      return news || post ? { news, post } : undefined;
    },
    work: async ({ table, webhookQueue: { sendAll } }, changes) => {
      const [announced, indexed] = await Promise.all([
        announceChanges(
          { table, now: systemClock, sendAll, report },
          changes.flatMap(({ news = [] }) => news),
        ),
        indexPosts(
          { table, now: systemClock, report: reportUnindexed },
          changes.flatMap(({ post = [] }) => post),
        ),
      ]);
      const [announcements, indexings] = [announced.values(), indexed.values()];
      return changes.map(({ news, post }) => {
        const announcement = news && announcements.next().value;
        const indexing = post && indexings.next().value;
        return (
          [announcement, indexing].find((each) => each?.status === 'rejected') ?? announcement ?? nothing
        );
      });
    },
  },
);

/** The work that a change causes: events to announce, a post whose words have changed, or both. */
interface Change {
  readonly news: News | undefined;
  readonly post: PostName | undefined;
}

const nothing = { status: 'fulfilled', value: [] } as const;

function reportUnindexed(post: PostName, error: unknown): void {
  logger.error('a post was not indexed for the search', { error: error as Error, ...post });
}

function report({ id, workspaceId, type }: EventDraft, error: unknown): void {
  logger.error('an event was not announced', {
    error: error as Error,
    workspaceId,
    webhookEventId: id,
    type,
  });
}
