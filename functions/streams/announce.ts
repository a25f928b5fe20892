import { measurementsOfAccount } from '../../lib/accounts/store.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { announce } from '../../lib/webhooks/announce.ts';
import { eventsFromChange } from '../../lib/webhooks/events/events-from-changes.ts';
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
      const drafts = eventsFromChange(change, { mediaBaseUrl, stageFeatures });
      return drafts.length === 0 ? undefined : { drafts, measurements: measurementsOfAccount(change) };
    },
    work: async ({ table, webhookQueue: { sendAll } }, news) => {
      const outcomes = await announce(
        { table, now: systemClock, sendAll },
        news.flatMap(({ drafts }) => drafts),
      );
      let next = 0;
      return news.map(({ drafts, measurements }) => {
        const first = next;
        next += drafts.length;
        const failures = drafts.flatMap((draft, index) => {
          const outcome = outcomes[first + index];
          return outcome?.status === 'rejected' ? [{ draft, outcome }] : [];
        });
        for (const { draft, outcome } of failures) {
          logger.error('an event was not announced', {
            error: outcome.reason as Error,
            workspaceId: draft.workspaceId,
            webhookEventId: draft.id,
            type: draft.type,
          });
        }
        return failures[0]?.outcome ?? { status: 'fulfilled', value: measurements };
      });
    },
  },
);
