import { seesAccount } from '../access/actor.ts';
import type { Context } from '../api-contract/context.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { invalidField } from '../kernel/errors.ts';
import { takeWhileWithin } from '../kernel/take-while.ts';
import { dayIn } from '../kernel/time-zone.ts';
import { type Clicks, type DayRange, readClicks } from '../links/clicks.ts';
import { linkAddress } from '../links/codes.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { postsNamed } from './answered-posts.ts';
import { getAutomation } from './read.ts';
import type { Automation } from './schemas.ts';
import { queryAutomations } from './store.ts';
import { type LinkClicksView, liveIdOf } from './views.ts';

/** The longest period of one request. */
export const maxLinkDays = 366;
const defaultDays = 30;

/** The maximum number of links per page, unless a single automation has more: each link takes a request to the table. */
const maxLinksPerPage = 100;

export interface LinkClicksQuery {
  readonly automationId?: string | undefined;
  /** Days as `YYYY-MM-DD`, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The zone of the days; default: UTC. */
  readonly timezone?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns the tracked links of one automation, or of all that the actor may see, newest automation first, with their clicks per
 * day. A page has the links of at most `limit` automations.
 *
 * @throws HeraldError `invalid` for a period that is empty or too long, or a cursor of another list; `not_found` for an unknown
 *   `automationId`
 */
export async function listLinkClicks(
  context: Context & { readonly linkBaseUrl: string },
  query: LinkClicksQuery,
): Promise<{ links: LinkClicksView[]; nextCursor: string | null }> {
  const { automations, days, nextCursor } = await pageOf(context, query);
  const codes = automations.flatMap((automation) => linksOf(automation).map(({ code }) => code));
  const clicksOf = await readClicks(context.table, codes, days);
  return { links: automations.flatMap((automation) => toViews(automation, clicksOf, context)), nextCursor };
}

async function pageOf(context: Context, query: LinkClicksQuery) {
  const { automationId, from, to, timezone, limit, cursor } = query;
  const scope = {
    secret: context.cursorSecret,
    listing: 'links',
    filters: { automationId, from, to, timezone },
  };
  // All pages cover the period of the first one, even if a day ends meanwhile.
  const [afterAutomationId, ...begun] = cursor === undefined ? [] : openCursor(scope, cursor).split(' ');
  const [first = '', last = ''] = begun;
  const days = cursor === undefined ? periodOf(query, context.now) : { first, last, timezone };
  if (automationId !== undefined)
    return { automations: [await getAutomation(context, automationId)], days, nextCursor: null };
  const page = await queryAutomations(context.table, context.workspaceId, { limit, afterAutomationId });
  const visible = page.automations.filter(({ accountId }) => seesAccount(context.actor, accountId));
  const automations = takeWhileWithin(visible, maxLinksPerPage, (automation) => linksOf(automation).length);
  const end = automations.length < visible.length ? automations.at(-1)?.id : page.lastAutomationId;
  const nextCursor = end === undefined ? null : sealCursor(scope, `${end} ${days.first} ${days.last}`);
  return { automations, days, nextCursor };
}

function periodOf({ from, to, timezone = 'UTC' }: LinkClicksQuery, now: number): DayRange {
  const last = to ?? (from === undefined ? dayIn(timezone, now) : dayAfter(from, defaultDays - 1));
  const first = from ?? dayAfter(last, 1 - defaultDays);
  if (last < first) throw invalidField('to', 'must not be earlier than from', 'range_empty');
  if (dayAfter(first, maxLinkDays - 1) < last)
    throw invalidField('to', `must be less than ${maxLinkDays} days after from`, 'range_too_long');
  return { first, last, timezone };
}

const dayOf = (epochMs: number): string => toTimestamp(epochMs).slice(0, 10);
const dayAfter = (day: string, days: number): string => dayOf(Date.parse(day) + days * dayMs);

const linksOf = ({ links, formerLinks = [] }: Automation) => [
  ...links.map((link) => ({ ...link, isSent: true })),
  ...formerLinks.map((link) => ({ ...link, isSent: false })),
];

function toViews(
  automation: Automation,
  clicksOf: ReadonlyMap<string, Clicks>,
  { linkBaseUrl }: { readonly linkBaseUrl: string },
): LinkClicksView[] {
  const { id: automationId, name, accountId } = automation;
  const platformPostId = liveIdOf(postsNamed(automation.platformPostId)) ?? null;
  return linksOf(automation).map(({ code, url, isSent }) => {
    const { total = 0, days = [] } = clicksOf.get(code) ?? {};
    const address = linkAddress(linkBaseUrl, code);
    const automationView = { id: automationId, name, accountId, platformPostId };
    return { url, address, isSent, automation: automationView, clicks: total, days: [...days] };
  });
}
