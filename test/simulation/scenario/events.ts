import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { editWebhook } from '../../../lib/webhooks/endpoints/edit.ts';
import { listWebhooks } from '../../../lib/webhooks/endpoints/read.ts';
import { listEvents } from '../../../lib/webhooks/feed/read.ts';
import { beginReplay } from '../../../lib/webhooks/replays/begin.ts';
import type { EventReaders } from '../judge/event-feed.ts';
import type { World } from '../world/world.ts';
import type { PlannedWorkspace } from './plan.ts';
import type { Request } from './requests.ts';
import type { ReadyWorkspace } from './setup.ts';

/** Enough polls for the busy minutes of a run. */
const maxPolls = 120;

export const receiversNetwork = { plainHttpHosts: new Set<string>(), lookUp: async () => ['93.184.216.34'] };

/** The systems of a customer that read the event feed, or whose endpoint is disabled for a while and then gets everything again. */
export function createEventConsumer(
  world: World,
  readers: EventReaders,
  { id: workspaceId, plan }: ReadyWorkspace,
  request: Request,
) {
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => world.clockwork.after(milliseconds, () => resolve()));

  /** Reads on at random times. A poll without a reply is repeated with the same cursor. */
  async function poll(): Promise<void> {
    let after: string | undefined;
    for (let polls = 1; polls <= maxPolls && world.now() < world.faultsEndMs + hourMs; polls += 1) {
      const limit = world.random.integer(1, 10);
      const query = { limit, ...(after !== undefined && { after }) };
      const reply = await request('read events', (context) => listEvents(context, query));
      if ('refused' in reply) world.violate(`the feed was refused: ${reply.refused.message}`);
      if ('answer' in reply) {
        readers.note(workspaceId, reply.answer);
        after = reply.answer.nextCursor;
      }
      const restMs = world.random.pick([secondMs / 10, secondMs / 3, 2 * secondMs, 5 * minuteMs]);
      await Promise.race([pause(restMs), justAfterNews()]);
    }
  }

  /** A moment at which a transaction that adds events may be visible only in part. */
  const justAfterNews = async () => {
    await readers.nextNews(workspaceId);
    await pause(world.random.between(0, secondMs / 2));
  };

  /** Repeats a request until it is answered. @returns `undefined` if it is refused for good */
  async function untilAnswered<Answer>(name: string, work: Parameters<typeof request<Answer>>[1]) {
    for (;;) {
      const reply = await request(name, work);
      if ('answer' in reply) return reply.answer;
      if ('refused' in reply && reply.refused.code !== 'replay_in_progress') return undefined;
      await pause(world.random.between(5 * secondMs, minuteMs));
    }
  }

  async function switchEndpoint(isActive: boolean): Promise<string | undefined> {
    return untilAnswered(isActive ? 'enable the endpoint' : 'disable the endpoint', async (context) => {
      const [webhook] = (await listWebhooks(context, {})).webhooks;
      if (webhook) await editWebhook({ ...context, network: receiversNetwork }, webhook.id, { isActive });
      return webhook?.id;
    });
  }

  /** Disables the endpoint, and later has everything sent to it that the feed has. */
  async function beOff({ untilMs }: NonNullable<PlannedWorkspace['endpointOff']>): Promise<void> {
    await switchEndpoint(false);
    if (world.now() < untilMs) await pause(untilMs - world.now());
    const webhookId = await switchEndpoint(true);
    const feed = await untilAnswered('read events', (context) => listEvents(context, { limit: 1 }));
    if (webhookId === undefined || feed === undefined) return;
    const { recordedSince: since } = feed;
    for (let body: { since: string } | { after: string } = { since }; ; ) {
      const begun = await untilAnswered('replay events', (context) => beginReplay(context, webhookId, body));
      if (begun === undefined) return;
      if (!begun.hasMore) break;
      body = { after: begun.nextCursor };
    }
    readers.noteReplay(webhookId);
  }

  return {
    begin(): void {
      const { readsEvents, endpointOff } = plan;
      if (readsEvents) world.start(poll);
      if (endpointOff) world.clockwork.at(endpointOff.fromMs, () => world.start(() => beOff(endpointOff)));
    },
  };
}
