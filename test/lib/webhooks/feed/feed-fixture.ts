import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { dayMs } from '../../../../lib/kernel/clock.ts';
import { feedPlaceKey, webhookEventKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { announce } from '../../../../lib/webhooks/announce.ts';
import type { EventDraft } from '../../../../lib/webhooks/events/store.ts';
import type { FeedEvent, ListEventsQuery } from '../../../../lib/webhooks/feed/operations.ts';
import { listEvents } from '../../../../lib/webhooks/feed/read.ts';
import { editWorkspace } from '../../../../lib/workspaces/edit.ts';
import { openWorkspace, startMs } from '../../../support/builders.ts';
import { anEventDraft } from '../fixture.ts';

export const keptMs = 30 * dayMs;

/** Opens a workspace whose event feed is on. */
export async function openFeed(table: Table) {
  const { context, apiKey } = await openWorkspace(table);
  await list(context);
  const { workspaceId } = context;
  return {
    context,
    apiKey,
    workspaceId,
    drafts: (count: number, changes: Partial<EventDraft> = {}) =>
      Array.from({ length: count }, () => anEventDraft(workspaceId, changes)),
    /** Announces events as the stream's reader does. */
    announce: (drafts: readonly EventDraft[], at: { now?: number; table?: Table } = {}) =>
      announceAt(at.table ?? table, drafts, at.now),
    list: (query: Partial<ListEventsQuery> = {}, now = startMs) => list({ ...context, now }, query),
    read: (query: Partial<ListEventsQuery> = {}, now = startMs) => readAll({ ...context, now }, query),
    turn: (isOn: boolean, now = startMs) =>
      editWorkspace({ ...context, now, verb: 'workspace.edit' }, { eventFeed: isOn }),
  };
}

export type FeedFixture = Awaited<ReturnType<typeof openFeed>>;

export const announceAt = (table: Table, drafts: readonly EventDraft[], now = startMs) =>
  announce({ table, now: () => now, sendAll: async () => new Set() }, drafts);

export const list = (context: Context, query: Partial<ListEventsQuery> = {}) =>
  listEvents(context, { limit: 50, ...query });

/** Reads page by page until nothing follows. */
export async function readAll(context: Context, query: Partial<ListEventsQuery> = {}) {
  const events: FeedEvent[] = [];
  let { after } = query;
  for (;;) {
    const page = await list(context, { ...query, ...(after !== undefined && { after }) });
    events.push(...page.events);
    after = page.nextCursor;
    if (!page.hasMore) return { ...page, events };
  }
}

export const idsOf = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id);

/** Removes the places of the feed, and the events, that a time to live may have removed. */
export async function removePlaces(table: Table, workspaceId: string, events: readonly FeedEvent[]) {
  for (const { id, sequence } of events) {
    for (const { pk, sk } of [feedPlaceKey(workspaceId, sequence), webhookEventKey(workspaceId, id)])
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
  }
}
