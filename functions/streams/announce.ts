import { measurementsOfAccount } from '../../lib/accounts/store.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { announce } from '../../lib/webhooks/announce.ts';
import { eventFromChange } from '../../lib/webhooks/events/events-from-changes.ts';
import { streamHandler } from '../middleware/stream.ts';
import { table, webhookQueue } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';
import { mediaBaseUrl } from '../wire/settings.ts';
import { stageFeatures } from '../wire/stage-features.ts';

/** Creates webhook events from committed changes. */
export const build = streamHandler(
  { table, webhookQueue, mediaBaseUrl, stageFeatures },
  {
    read: ({ mediaBaseUrl, stageFeatures }, change) => {
      const draft = eventFromChange(change, { mediaBaseUrl, stageFeatures });
      return draft && { draft, measurements: measurementsOfAccount(change) };
    },
    work: async ({ table, webhookQueue: { sendAll } }, news) => {
      const drafts = news.map(({ draft }) => draft);
      const outcomes = await announce({ table, now: systemClock, sendAll }, drafts);
      return outcomes.map((outcome, index) => {
        const { draft, measurements = [] } = news[index] ?? {};
        if (outcome.status === 'fulfilled') return { status: 'fulfilled', value: measurements };
        logger.error('an event was not announced', {
          error: outcome.reason as Error,
          workspaceId: draft?.workspaceId,
          webhookEventId: draft?.id,
          type: draft?.type,
        });
        return outcome;
      });
    },
  },
);
