import * as z from 'zod';
import { AccountView } from '../../accounts/schemas.ts';
import { Timestamp } from '../../api-contract/fields.ts';
import type { DescribedEvent } from '../../api-contract/openapi/events.ts';
import { PostView } from '../../posts/schemas.ts';
import type { WebhookEventType } from '../schemas.ts';

const OnAccount = { accountId: z.uuid().meta({ description: 'The connected account' }) };

/** What every event tells, for the document. */
export const eventDescriptions: Readonly<Record<WebhookEventType, DescribedEvent>> = {
  'post.published': {
    summary: 'The last destination of a post has settled, and something is live',
    description: 'Sent again, with a new `id`, where a retry changes the result.',
    data: z.object({ post: PostView }),
  },
  'post.failed': {
    summary: 'All destinations of a post have failed',
    description: 'Sent again, with a new `id`, where a retry fails once more.',
    data: z.object({ post: PostView }),
  },
  'account.expired': {
    summary: "A platform has ended an account's authorization",
    description: 'Once each time, until the account is connected again or a refresh works after all.',
    data: z.object({ account: AccountView }),
  },
  'comment.received': {
    summary: 'Someone has commented on a post',
    data: z.object({
      ...OnAccount,
      platformPostId: z.string(),
      commentId: z.string().meta({ description: "The platform's id" }),
      text: z.string(),
      username: z.string().nullable().meta({ description: 'Who wrote it' }),
      at: Timestamp,
      automationId: z.uuid().optional().meta({ description: 'The comment automation that it matches' }),
    }),
  },
  'dm.received': {
    summary: 'Someone has written to an account',
    data: z.object({
      ...OnAccount,
      senderId: z.string().meta({ description: "The platform's id of the person, for this account" }),
      text: z.string().nullable().meta({ description: 'Null where it is something else, such as a picture' }),
      at: Timestamp,
    }),
  },
  'webhook.test': {
    summary: 'You asked for it by `POST /v1/webhooks/{id}/test`',
    description: 'Sent whatever `events` of the endpoint says.',
    data: z.object({ webhookId: z.uuid() }),
  },
};
