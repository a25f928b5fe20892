import { systemClock } from '../../lib/kernel/clock.ts';
import { announceChanges, newsOf } from '../../lib/webhooks/announce.ts';
import type { EventDraft } from '../../lib/webhooks/events/store.ts';
import { streamHandler } from '../middleware/stream.ts';
import { table, webhookQueue } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';
import { mediaBaseUrl } from '../wire/settings.ts';
import { stageFeatures } from '../wire/stage-features.ts';

/** Creates webhook events from committed changes. */
export const build = streamHandler(
  { table, webhookQueue, mediaBaseUrl, stageFeatures },
  {
    read: (settings, change) => newsOf(change, settings),
    work: ({ table, webhookQueue: { sendAll } }, news) =>
      announceChanges({ table, now: systemClock, sendAll, report }, news),
  },
);

function report({ id, workspaceId, type }: EventDraft, error: unknown): void {
  logger.error('an event was not announced', {
    error: error as Error,
    workspaceId,
    webhookEventId: id,
    type,
  });
}
