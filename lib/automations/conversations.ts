import * as z from 'zod';
import type { Context } from '../api-contract/context.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { batchGet } from '../table/batch-get.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import type { Item } from '../table/items.ts';
import { automationPartition, inboundCommentKey, inboundMessageKey, type Key } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import { indexes } from '../table/schema.ts';
import { actionFromItem } from './actions/item.ts';
import { isStartedByMessages } from './answered-posts.ts';
import {
  type ConversationQuery,
  type ConversationView,
  conversationDays,
  toConversationView,
} from './conversation-views.ts';
import { getAutomation } from './read.ts';
import { type Automation, type AutomationAction, InboundComment, InboundMessage } from './schemas.ts';

/** The number of pages of the index that a request reads. A filter may leave a page empty. */
const maxIndexPages = 5;
const indexPage = 100;

/**
 * Returns the replies and messages of an automation in the last 30 days, the latest comment first. A page may be shorter than
 * `limit`, if few fit the filters.
 *
 * @throws HeraldError `not_found` as `getAutomation`; `invalid` for a cursor that is not from this list
 */
export async function listConversations(
  context: Context,
  automationId: string,
  { limit, cursor, state, kind }: ConversationQuery,
): Promise<{ conversations: ConversationView[]; nextCursor: string | null }> {
  const { table, now } = context;
  const automation = await getAutomation(context, automationId);
  const scope = {
    secret: context.cursorSecret,
    listing: 'conversations',
    filters: { automationId: automation.id, state, kind },
  };
  const partition = automationPartition(automation.id);
  const found: Found[] = [];
  let after = cursor === undefined ? undefined : placeFrom(openCursor(scope, cursor), partition);
  const fits = ({ action }: Found) => {
    const view = toConversationView(action, undefined);
    return (state === undefined || view.state === state) && (kind === undefined || view.kind === kind);
  };
  const isFiltered = state !== undefined || kind !== undefined;
  for (let page = 1; page <= maxIndexPages && found.length < limit; page += 1) {
    const { items, lastKey } = await queryPage(table, {
      partition,
      index: indexes.targetsByAccount,
      sort: { atLeast: toTimestamp(now - conversationDays * dayMs) },
      descending: true,
      limit: isFiltered ? indexPage : limit,
      after,
      attributes: ['pk', 'sk', 'createdKey'],
    });
    found.push(...(await readActions(context, items)).filter(fits));
    after = lastKey;
    if (after === undefined) break;
  }
  const shown = found.slice(0, limit);
  const end = shown.length < found.length ? shown.at(-1)?.place : after && placeOf(after);
  const isByMessage = isStartedByMessages(automation);
  const causeOf = await readCauses(context, automation, shown);
  return {
    conversations: shown.map(({ action }) => toConversationView(action, causeOf(action), isByMessage)),
    nextCursor: end === undefined ? null : sealCursor(scope, end),
  };
}

interface Found {
  readonly action: AutomationAction;
  /** Its place in the list, as text. */
  readonly place: string;
}

/** Reads the actions of an index page, in its order. The index may lag: an action may be gone. */
async function readActions({ table }: Context, listed: readonly Item[]): Promise<Found[]> {
  const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });
  const items = await batchGet(table, listed.map(keyOf), { isEventual: true });
  return listed.flatMap((entry) => {
    const item = items.get(keyOf(entry));
    const [action] = item ? readableItems(table, [item], actionFromItem) : [];
    return action ? [{ action, place: placeOf(entry) }] : [];
  });
}

/** Reads the comments or messages that have triggered actions, as far as they are still kept. */
async function readCauses(
  { table }: Context,
  automation: Automation,
  found: readonly Found[],
): Promise<(action: AutomationAction) => InboundComment | InboundMessage | undefined> {
  const { workspaceId, accountId } = automation;
  const inboundKey = isStartedByMessages(automation) ? inboundMessageKey : inboundCommentKey;
  const keyOf = ({ commentId }: AutomationAction) => inboundKey(workspaceId, accountId, commentId);
  const items = await batchGet(
    table,
    found.map(({ action }) => keyOf(action)),
    { isEventual: true },
  );
  return (action) => {
    const item = items.get(keyOf(action));
    return item && readableItems(table, [item], (each) => Inbound.parse(each))[0];
  };
}

const Inbound = z.discriminatedUnion('kind', [InboundComment, InboundMessage]);

const placeOf = ({ createdKey, sk }: Item): string => JSON.stringify([createdKey, sk]);

/** Returns the whole key of a place in the index. */
function placeFrom(place: string, partition: string): Item {
  const [createdKey, sk] = JSON.parse(place) as [string, string];
  return { accountList: partition, createdKey, pk: partition, sk };
}
