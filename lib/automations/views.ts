import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { toTimestamp } from '../kernel/clock.ts';
import type { Clicks } from '../links/clicks.ts';
import { linkAddress } from '../links/codes.ts';
import type { TrackedLink } from '../links/plan.ts';
import type { AutomationCounts } from './counts.ts';
import { Automation, FollowGate, LinkButton } from './schemas.ts';

/** An automation as the API shows it. */
export const AutomationView = Automation.omit({
  workspaceId: true,
  links: true,
  formerLinks: true,
  version: true,
})
  .extend({
    buttons: z.array(LinkButton.meta({ id: 'CommentAutomationButton' })),
    followGate: FollowGate.meta({ id: 'CommentAutomationFollowGate' }).nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp.meta({ description: 'When a request last changed it' }),
  })
  .meta({ id: 'CommentAutomation' });
export type AutomationView = z.infer<typeof AutomationView>;

const ClicksOfDay = z
  .object({ day: z.string().meta({ format: 'date' }), clicks: z.int() })
  .meta({ id: 'ClicksOfDay' });

const AutomationLinkView = z
  .object({
    url: z.string().meta({ description: 'The destination of the link' }),
    address: z.string().meta({ description: 'The short address that is sent instead of `url`' }),
    isSent: z.boolean().meta({
      description: '`false` if the automation no longer contains `url`; the link keeps working and counting',
    }),
    clicks: z.int(),
    days: z.array(ClicksOfDay).meta({ description: 'The latest 366 days (UTC) with clicks, oldest first' }),
  })
  .meta({ id: 'CommentAutomationLink' });

/** A link with its clicks in a period. */
export const LinkClicksView = AutomationLinkView.extend({
  automation: Automation.pick({ id: true, name: true, accountId: true, platformPostId: true }),
  clicks: z.int().meta({ description: 'Clicks in the period' }),
  days: z.array(ClicksOfDay).meta({ description: 'The days of the period (UTC) with clicks, oldest first' }),
}).meta({ id: 'TrackedLink' });
export type LinkClicksView = z.infer<typeof LinkClicksView>;

/** An automation with its counts and links. */
export const AutomationDetail = AutomationView.extend({
  counts: z
    .object({
      matched: z.int().meta({ description: 'Comments that matched' }),
      replied: z.int().meta({ description: 'Public replies' }),
      messaged: z.int().meta({ description: 'Private messages, including those of the follow gate' }),
      clicks: z.int().meta({ description: 'Clicks on all `links`' }),
    })
    .meta({ id: 'CommentAutomationCounts' }),
  waiting: z
    .object({
      count: z
        .int()
        .meta({ description: "Private messages that wait for the account's hourly limit at the platform" }),
      until: Timestamp.nullable().meta({
        description: 'About when the last of them will be sent; null if none waits',
      }),
    })
    .meta({ id: 'CommentAutomationWaiting' }),
  links: z.array(AutomationLinkView),
}).meta({ id: 'CommentAutomationDetail' });
export type AutomationDetail = z.infer<typeof AutomationDetail>;

export function toAutomationView(automation: Automation): AutomationView {
  const { workspaceId, links, formerLinks, version, ...shown } = automation;
  return shown;
}

const maxDays = 366;

/** Shows an automation with its counts and links. @param clicksOf the clicks of each link, by its code */
export function toAutomationDetail(
  automation: Automation,
  counts: AutomationCounts,
  clicksOf: ReadonlyMap<string, Clicks>,
  {
    publicBaseUrl,
    waitsUntilMs,
  }: { readonly publicBaseUrl: string; readonly waitsUntilMs: number | undefined },
): AutomationDetail {
  const toView = ({ code, url }: TrackedLink, isSent: boolean) => {
    const { total = 0, days = [] } = clicksOf.get(code) ?? {};
    return {
      url,
      address: linkAddress(publicBaseUrl, code),
      isSent,
      clicks: total,
      days: days.slice(-maxDays).map(({ day, clicks }) => ({ day, clicks })),
    };
  };
  const links = [
    ...automation.links.map((link) => toView(link, true)),
    ...(automation.formerLinks ?? []).map((link) => toView(link, false)),
  ];
  const { matches: matched, replies: replied, messages: messaged } = counts;
  const clicks = links.reduce((sum, link) => sum + link.clicks, 0);
  const waiting = {
    count: Math.max(0, counts.awaitingCap),
    until: waitsUntilMs === undefined ? null : toTimestamp(waitsUntilMs),
  };
  return { ...toAutomationView(automation), counts: { matched, replied, messaged, clicks }, waiting, links };
}
