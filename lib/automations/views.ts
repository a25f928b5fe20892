import * as z from 'zod';
import { PathId, Timestamp } from '../api-contract/fields.ts';
import { toTimestamp } from '../kernel/clock.ts';
import type { Clicks } from '../links/clicks.ts';
import { linkAddress } from '../links/codes.ts';
import type { TrackedLink } from '../links/plan.ts';
import type { Target } from '../targets/schemas.ts';
import { type AnsweredPosts, postsNamed } from './answered-posts.ts';
import type { AutomationCounts } from './counts.ts';
import {
  actors,
  type FailureCode,
  failureCodeNames,
  failureCodes,
  type WaitReason,
  waitReasons,
} from './failure-codes.ts';
import { automationLimits } from './limits.ts';
import { AppliesTo } from './request-schemas.ts';
import { Automation, FollowGate, LinkButton } from './schemas.ts';

/** The state of an automation before it answers comments, with what it waits for. */
export const AutomationStart = z
  .object({
    state: z.enum(['started', 'awaiting_post', 'post_draft', 'post_failed', 'post_gone']).meta({
      description:
        '`started`: its posts are live. `awaiting_post`: it starts when the post goes live. `post_draft`: the post is a draft. `post_failed`: the post has failed; the automation starts if a retry publishes it. `post_gone`: the post was deleted, or no longer goes to this account. More states may be added',
    }),
    message: z.string().nullable().meta({ description: 'What to do; null if nothing is to be done' }),
  })
  .meta({ id: 'CommentAutomationStart' });
export type AutomationStart = z.infer<typeof AutomationStart>;

/** The fields of a post's destination that say whether it is live. */
export type StartOfTarget = Pick<Target, 'status'> & Partial<Pick<Target, 'platformPostId'>>;

const starts: Readonly<Record<AutomationStart['state'], string | null>> = {
  started: null,
  awaiting_post: null,
  post_draft: 'The post is a draft: schedule it.',
  post_failed: 'The post has failed: retry it, or delete the automation.',
  post_gone: 'The post was deleted, or no longer goes to this account: delete the automation.',
};

/** Returns the state of an automation by its posts. @param target the destination, for an automation of a post that is not live */
function startOf(posts: AnsweredPosts, target: StartOfTarget | undefined): AutomationStart['state'] {
  if (posts.kind === 'next post') return posts.platformPostId === undefined ? 'awaiting_post' : 'started';
  if (posts.kind !== 'herald post') return 'started';
  if (!target) return 'post_gone';
  if (target.platformPostId !== undefined) return 'started';
  if (target.status === 'draft') return 'post_draft';
  return target.status === 'failed' ? 'post_failed' : 'awaiting_post';
}

const appliesTo = {
  post: 'post',
  'herald post': 'post',
  'next post': 'next_post',
  'every post': 'every_post',
  'story replies': 'story_replies',
  'direct messages': 'direct_messages',
} as const;

/** An automation in the API's form. */
export const AutomationView = Automation.omit({
  workspaceId: true,
  links: true,
  formerLinks: true,
  version: true,
})
  .extend({
    platformPostId: z.string().nullable().meta({
      description:
        "The post's id at the platform; null while it is not known, and for an automation of every post or of messages",
    }),
    postId: z.uuid().nullable().meta({
      description: 'The post of Herald to which it was attached; null if it was attached to none',
    }),
    appliesTo: AppliesTo,
    start: AutomationStart,
    buttons: z.array(LinkButton.meta({ id: 'CommentAutomationButton' })),
    followGate: FollowGate.meta({ id: 'CommentAutomationFollowGate' }).nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp.meta({ description: 'Time of the last request that changed it' }),
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
  automation: Automation.pick({ id: true, name: true, accountId: true }).extend({
    platformPostId: z.string().nullable(),
  }),
  clicks: z.int().meta({ description: 'Clicks in the period' }),
  days: z.array(ClicksOfDay).meta({ description: 'The days of the period with clicks, oldest first' }),
}).meta({ id: 'TrackedLink' });
export type LinkClicksView = z.infer<typeof LinkClicksView>;

const quoted = (codes: readonly string[]) => codes.map((code) => `\`${code}\``).join(', ');

/** The one who can do something about a reply or message that was not sent. */
export const WhoCanAct = z.enum(actors).meta({
  id: 'CommentAutomationActor',
  description:
    '`customer`: you, or the owner of the account. `commenter`: the person, with another comment, tap or answer. `operator`: those who run the service. `nobody`: it is over',
});

const CommentAutomationFailure = z
  .object({
    code: z.string().meta({ description: `One of ${quoted(failureCodeNames)}. New codes may be added` }),
    count: z.int(),
    message: z.string().meta({ description: 'Description of the problem and its remedy' }),
    whoCanAct: WhoCanAct,
  })
  .meta({ id: 'CommentAutomationFailure' });

const CommentAutomationWaitReason = z
  .object({
    reason: z.string().meta({ description: `One of ${quoted(waitReasons)}. New reasons may be added` }),
    count: z.int(),
  })
  .meta({ id: 'CommentAutomationWaitReason' });

/** An automation with its counts and links. */
export const AutomationDetail = AutomationView.extend({
  counts: z
    .object({
      matched: z.int().meta({ description: 'Comments that matched' }),
      replied: z.int().meta({ description: 'Public replies' }),
      messaged: z.int().meta({ description: 'Private messages, including those of the follow gate' }),
      clicks: z.int().meta({ description: 'Clicks on all `links`' }),
      failed: z.int().meta({
        description:
          'Public replies and conversations that were not sent, or whose outcome is unknown: see `failures`. A conversation that a later comment, tap or answer reopens no longer counts',
      }),
    })
    .meta({ id: 'CommentAutomationCounts' }),
  failures: z
    .array(CommentAutomationFailure)
    .meta({ description: 'What `counts.failed` consists of, most frequent first' }),
  waiting: z
    .object({
      count: z.int().meta({
        description: 'Conversations whose next private message waits for longer than a moment',
      }),
      until: Timestamp.nullable().meta({
        description:
          "About when the last of those that wait for the account's hourly limit will be sent; null if none waits for it",
      }),
      reasons: z.array(CommentAutomationWaitReason).meta({ description: 'Most frequent first' }),
    })
    .meta({ id: 'CommentAutomationWaiting' }),
  links: z.array(AutomationLinkView),
}).meta({ id: 'CommentAutomationDetail' });
export type AutomationDetail = z.infer<typeof AutomationDetail>;

/** @param target the destination, for an automation of a post that is not live */
export function toAutomationView(automation: Automation, target?: StartOfTarget): AutomationView {
  const { workspaceId, links, formerLinks, version, platformPostId, postId, ...shown } = automation;
  const posts = postsNamed(platformPostId);
  const state = startOf(posts, target);
  return {
    ...shown,
    platformPostId: liveIdOf(posts) ?? target?.platformPostId ?? null,
    postId: postId ?? (posts.kind === 'herald post' ? posts.postId : null),
    appliesTo: appliesTo[posts.kind],
    start: { state, message: starts[state] },
  };
}

/** Returns the id at the platform of an automation's one post; `undefined` if it is not known, or there are several. */
export const liveIdOf = (posts: AnsweredPosts): string | undefined =>
  posts.kind === 'post' || posts.kind === 'next post' ? posts.platformPostId : undefined;

const maxDays = 366;

/** Returns an automation with its counts and links. @param clicksOf the clicks of each link, by its code */
export function toAutomationDetail(
  automation: Automation,
  counts: AutomationCounts,
  clicksOf: ReadonlyMap<string, Clicks>,
  {
    linkBaseUrl,
    waitsUntilMs,
    target,
  }: {
    readonly linkBaseUrl: string;
    readonly waitsUntilMs: number | undefined;
    readonly target: StartOfTarget | undefined;
  },
): AutomationDetail {
  const toView = ({ code, url }: TrackedLink, isSent: boolean) => {
    const { total = 0, days = [] } = clicksOf.get(code) ?? {};
    return {
      url,
      address: linkAddress(linkBaseUrl, code),
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
  const failed = Math.max(0, counts.failures);
  const failures = ordered<FailureCode>(counts.failuresByCode).map(([code, count]) => {
    const { message, whoCanAct } = failureCodes[code];
    return { code, count, message, whoCanAct };
  });
  const reasons = ordered<WaitReason>(counts.waiting).map(([reason, count]) => ({ reason, count }));
  const waiting = {
    count: reasons.reduce((sum, { count }) => sum + count, 0),
    until: waitsUntilMs === undefined ? null : toTimestamp(waitsUntilMs),
    reasons,
  };
  return {
    ...toAutomationView(automation, target),
    counts: { matched, replied, messaged, clicks, failed },
    failures,
    waiting,
    links,
  };
}

/** Returns the counts, greatest first. */
const ordered = <Name extends string>(counts: Partial<Record<Name, number>>): [Name, number][] =>
  (Object.entries(counts) as [Name, number][]).toSorted(([, one], [, other]) => other - one);

export const PostPicturePath = z.object({
  id: PathId,
  platformPostId: z.string().min(1).max(automationLimits.platformPostIdCharacters).meta({
    description: 'The id of the post at Instagram, as the list of posts has it',
  }),
});

/** The length of each side of a post's picture. The panel shows a quarter of it, and screens have up to three pixels for one. */
export const pictureSidePixels = 160;

export const PostPicture = z.object({
  contentType: z.literal('image/jpeg'),
  data: z
    .base64()
    .meta({ description: `A JPEG of ${pictureSidePixels} × ${pictureSidePixels} pixels, in base64` }),
});
export type PostPicture = z.infer<typeof PostPicture>;
