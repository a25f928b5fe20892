import * as z from 'zod';
import { AccountView } from '../../accounts/schemas.ts';
import { Timestamp } from '../../api-contract/fields.ts';
import type { DescribedEvent } from '../../api-contract/openapi/events.ts';
import { MetricsSnapshot } from '../../insights/schemas.ts';
import { Platform } from '../../platforms/contract/names.ts';
import { ListedPostTarget, ListedPostView } from '../../posts/view/schemas.ts';
import type { WebhookEventType } from '../schemas.ts';

const { metadata, externalId, tags } = ListedPostView.shape;
const OfTarget = z
  .object({ postId: z.uuid(), externalId, metadata, tags, target: ListedPostTarget })
  .meta({ id: 'PostTargetEventData' });
const OnAccount = { accountId: z.uuid().meta({ description: 'The connected account' }) };

/** The events and their data, for the API's document. */
export const eventDescriptions: Readonly<Record<WebhookEventType, DescribedEvent>> = {
  'post.scheduled': {
    summary: 'A post waits for its time',
    description:
      'Sent when a post is created with a time or a draft gets one, and again, with a new `id`, if the time changes. Not sent if failed destinations are scheduled again at the same time.',
    data: z.object({ post: ListedPostView }),
  },
  'post.published': {
    summary: 'Every destination of a post has a result, and at least one is live',
    description: 'Sent again, with a new `id`, if a retry changes the result.',
    data: z.object({ post: ListedPostView }),
  },
  'post.partial': {
    summary: 'Every destination of a post has a result, and not all of them are live',
    description:
      '`post.published` is sent too, for endpoints that treat both in the same way. Sent again, with a new `id`, if a retry changes the result.',
    data: z.object({ post: ListedPostView }),
  },
  'post.at_risk': {
    summary: 'A post that waits will probably fail, or be late',
    description:
      'Sent when a check hours ahead, or after something has happened to an account, a file or a limit, finds a lasting reason. The `risk` of each destination says why, and who can act. Sent again, with a new `id`, when the reasons change.',
    data: z.object({ post: ListedPostView }),
  },
  'post.risk_cleared': {
    summary: 'No reason is left for which a post will probably fail',
    description:
      'Sent after `post.at_risk` when a check finds nothing any more. It may take until the next regular check to see that a platform works again. Also sent when the post no longer waits: its other events say with what result.',
    data: z.object({ post: ListedPostView }),
  },
  'post.target.published': {
    summary: 'A destination of a post is live',
    description:
      'Sent for each destination that is live: within seconds, or up to a minute later while another destination of the post is being published, so that one change of the post shows them all. `target.publishedAt` says when it went live; `target.status` is `partial` if only some parts of a thread are live: `target.threadParts`. It is sent again once all are.',
    data: OfTarget,
  },
  'post.target.failed': {
    summary: 'A destination of a post has failed',
    description: '`target.error` says why. If a retry succeeds, `post.target.published` follows.',
    data: OfTarget,
  },
  'post.target.removed': {
    summary: 'A live destination was taken down',
    description:
      'Its post is gone at the platform. `target.removal.by` says whether this service has deleted it on request, or somebody did it there; `target.removedAt` is when this service deleted it, or noticed.',
    data: OfTarget,
  },
  'post.failed': {
    summary: 'All destinations of a post have failed',
    description: 'Not sent again if a retry fails too.',
    data: z.object({ post: ListedPostView }),
  },
  'post.metrics': {
    summary: 'Numbers of a destination were taken',
    description:
      'Sent for each destination an hour, one day, 7 and 28 days after it went live, if its account has the feature `insights`. Not sent for numbers that `GET /v1/posts/{id}/metrics?fresh=true` asks for.',
    data: z.object({
      postId: z.uuid(),
      accountId: z.uuid(),
      platform: Platform,
      platformPostId: z.string(),
      publishedAt: Timestamp,
      removedAt: Timestamp.nullable().meta({
        description: 'When the post was found to be deleted at the platform; null if it was not',
      }),
      snapshot: MetricsSnapshot,
    }),
  },
  'account.expiring': {
    summary: "An account's access ends soon, unless a person connects the account again",
    description:
      'Sent seven days and one day before the `reconnectBy` of its `meta`, once each. Of two notices that are late, only the second is sent. An account that is connected with less than seven days left gets only the second, soon after connecting if less than a day is left.',
    data: z.object({ account: AccountView }),
  },
  'account.expired': {
    summary: "A platform, or the account's owner there, has ended its authorization",
    description: 'Sent once, until the account is connected again or a later token refresh succeeds.',
    data: z.object({ account: AccountView }),
  },
  'account.connected': {
    summary: 'A person has connected an account, or connected it again',
    description:
      'Also sent if the account was still connected, because the person has replaced its authorization. Not sent when the service renews tokens.',
    data: z.object({ account: AccountView }),
  },
  'account.disconnected': {
    summary: 'An account was disconnected with `DELETE /v1/accounts/{id}`',
    description: 'The account has `isActive: false`. Until it is connected again, reading it responds 404.',
    data: z.object({ account: AccountView }),
  },
  'platform.version.ending': {
    summary: 'The version of a platform’s API that is in use ends soon',
    description:
      'Sent once for each workspace and version, 60 days before the platform ends the version, if the workspace has accounts of the platform, or later once it has. Unless the operator of the service moves to another version before, nothing can be published on these accounts from that day on.',
    data: z.object({
      platform: Platform,
      version: z.string(),
      endsOn: z.iso
        .date()
        .meta({ description: 'The day from which the platform no longer serves the version' }),
      accountIds: z
        .array(z.uuid())
        .meta({ description: 'The connected accounts of the platform, at most 1,000' }),
    }),
  },
  'comment.received': {
    summary: 'Someone has commented on a post',
    data: z.object({
      ...OnAccount,
      platformPostId: z.string(),
      commentId: z.string().meta({ description: "The platform's id" }),
      text: z.string(),
      username: z.string().nullable().meta({ description: 'The author of the comment' }),
      at: Timestamp,
      automationId: z
        .uuid()
        .optional()
        .meta({ description: 'The comment automation that the comment matches' }),
    }),
  },
  'dm.received': {
    summary: 'Someone has sent a message to an account',
    data: z.object({
      ...OnAccount,
      senderId: z.string().meta({ description: "The platform's id of the person, specific to this account" }),
      text: z.string().nullable().meta({ description: 'Null if the message is not text, such as a picture' }),
      at: Timestamp,
    }),
  },
  'webhook.test': {
    summary: 'You requested it with `POST /v1/webhooks/{id}/test`',
    description: 'Sent whatever `events` the endpoint has.',
    data: z.object({ webhookId: z.uuid() }),
  },
};
