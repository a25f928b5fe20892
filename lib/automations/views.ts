import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import type { Clicks } from '../links/clicks.ts';
import { linkAddress } from '../links/codes.ts';
import type { TrackedLink } from '../links/plan.ts';
import type { AutomationCounts } from './counts.ts';
import { Automation } from './schemas.ts';

/** An automation as the API shows it. */
export const AutomationView = Automation.omit({
  workspaceId: true,
  links: true,
  formerLinks: true,
  version: true,
})
  .extend({
    createdAt: Timestamp,
    updatedAt: Timestamp.meta({ description: 'When a request last changed it' }),
  })
  .meta({ id: 'CommentAutomation' });
export type AutomationView = z.infer<typeof AutomationView>;

const AutomationLinkView = z
  .object({
    url: z.string().meta({ description: 'Where it leads' }),
    address: z.string().meta({ description: 'What is sent in its place' }),
    isSent: z.boolean().meta({
      description: '`false` where the message has changed since; the link goes on leading, and counting',
    }),
    clicks: z.int(),
    days: z
      .array(z.object({ day: z.string().meta({ format: 'date' }), clicks: z.int() }))
      .meta({ description: 'Days in UTC with clicks, oldest first, the latest 366' }),
  })
  .meta({ id: 'CommentAutomationLink' });

/** An automation with what it has done. */
export const AutomationDetail = AutomationView.extend({
  counts: z
    .object({
      matched: z.int().meta({ description: 'Comments that it matched' }),
      replied: z.int().meta({ description: 'Public replies' }),
      messaged: z.int().meta({ description: 'Private messages, those of the follow gate included' }),
      clicks: z.int().meta({ description: 'On all of `links`' }),
    })
    .meta({ id: 'CommentAutomationCounts' }),
  links: z.array(AutomationLinkView),
}).meta({ id: 'CommentAutomationDetail' });
export type AutomationDetail = z.infer<typeof AutomationDetail>;

export function toAutomationView(automation: Automation): AutomationView {
  const { workspaceId, links, formerLinks, version, ...shown } = automation;
  return shown;
}

const mostDays = 366;

/** @param clicksOf by the codes of the automation's links */
export function toAutomationDetail(
  automation: Automation,
  counts: AutomationCounts,
  clicksOf: ReadonlyMap<string, Clicks>,
  publicBaseUrl: string,
): AutomationDetail {
  const toView = ({ code, url }: TrackedLink, isSent: boolean) => {
    const { total = 0, days = [] } = clicksOf.get(code) ?? {};
    return {
      url,
      address: linkAddress(publicBaseUrl, code),
      isSent,
      clicks: total,
      days: days.slice(-mostDays).map(({ day, clicks }) => ({ day, clicks })),
    };
  };
  const links = [
    ...automation.links.map((link) => toView(link, true)),
    ...(automation.formerLinks ?? []).map((link) => toView(link, false)),
  ];
  const { matches: matched, replies: replied, messages: messaged } = counts;
  const clicks = links.reduce((sum, link) => sum + link.clicks, 0);
  return { ...toAutomationView(automation), counts: { matched, replied, messaged, clicks }, links };
}
