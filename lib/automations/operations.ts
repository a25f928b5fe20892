import * as z from 'zod';
import { CursorQuery, Id, limitQuery } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { ById, deletedReply, pageQuery, pageReply } from '../api-contract/shapes.ts';
import { isTimezone } from '../kernel/time-zone.ts';
import { indexes } from '../table/schema.ts';
import { AccountPostsQuery, AccountPostView } from './account-posts.ts';
import { ConversationsQuery, ConversationView } from './conversation-views.ts';
import { CreateAutomationBody, EditAutomationBody, TryAutomationBody } from './request-schemas.ts';
import { AutomationTrial } from './try.ts';
import { AutomationDetail, AutomationView, LinkClicksView, PostPicture, PostPicturePath } from './views.ts';

const ok = z.literal(true);
const unknown = 'No such comment automation in this workspace for an account that the key may use';
const busy = 'Many requests are changing it at the same time';

export const createAutomationOperation = operation({
  id: 'createCommentAutomation',
  handler: 'comment-automations/create',
  verb: 'automation.create',
  method: 'POST',
  path: '/v1/comment-automations',
  summary: 'Answer comments on Instagram posts, replies to stories, or messages',
  description:
    'For one post (`platformPostId`, or `postId` for a post of Herald that need not be live), for the next post, for every post, for replies to stories, or for messages (`appliesTo`). A post has at most one automation of its own, and an account at most one of each other sort; exactly one of them answers a comment or message. One that messages start has a `dmMessage` and no `commentReply`; it does not send `followGate.message`, because who has written need not tap first. At least one of `commentReply` and `dmMessage` is required; `buttons` and `followGate` require a `dmMessage`. Each comment gets at most one public reply, each person at most one `dmMessage` in 360 days. Limits: a message has at most 1,000 bytes; a message with buttons has at most 640 characters, and at most 1,000 bytes with its buttons written as text below it, as it is sent if the platform refuses buttons (the button of a follow gate becomes `Reply: <buttonLabel>`); a button title has at most 20 characters; a public reply has at most 2,200. Tracked links count with their short addresses.',
  body: CreateAutomationBody,
  replies: {
    201: { description: 'The new automation', body: z.object({ ok, automation: AutomationView }) },
    200: {
      description: 'These posts already have this automation, which is unchanged',
      body: z.object({ ok, existing: z.literal(true), automation: AutomationView }),
    },
  },
  refusals: {
    404: 'No such connected account in this workspace that the key may use, or the account has no such live post',
    409: 'The platform must be asked for the post, and the account must be connected again first',
    503: 'The platform gives no answer about the post at the moment; `Retry-After` gives the wait in seconds',
  },
  // If Herald did not publish the post, it asks the platform with the account's token.
  rights: {
    reads: {
      GetItem: ['WORKSPACE#', 'AUTOMATION-POST#', 'AUTOMATIONS#', 'LIVE#', 'POST#'],
      BatchGetItem: ['POST#'],
      Query: ['AUTOMATION-POST#'],
    },
    writes: {
      PutItem: ['AUTOMATION-POST#', 'AUTOMATIONS#', 'LINK#'],
      UpdateItem: ['OWNED#', 'AUTOMATIONS#'],
      DeleteItem: ['AUTOMATION-POST#'],
    },
    tokens: ['Decrypt tokens'],
    platformSecrets: 'instagram',
  },
  settings: ['PLATFORM_FEATURES', 'LINK_BASE_URL'],
  timeoutSeconds: 29,
});

export const listAccountPostsOperation = operation({
  id: 'listAccountPosts',
  handler: 'accounts/list-posts',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}/posts',
  summary: 'List the posts of an Instagram account, also those made elsewhere',
  description:
    'Asks Instagram, newest first, for its posts and reels; stories are left out. Use it to choose the post of a comment automation.',
  pathParameters: ById,
  query: AccountPostsQuery,
  replies: pageReply('posts', AccountPostView, 'The posts as they are now'),
  refusals: {
    404: 'No such account in this workspace that the key may use',
    409: 'The account must be connected again, or Instagram has restricted it',
    503: 'Instagram gives no answer; `Retry-After` gives the wait in seconds',
  },
  rights: {
    reads: { GetItem: ['WORKSPACE#'], BatchGetItem: ['LIVE#', 'AUTOMATION-POST#'] },
    tokens: ['Decrypt tokens'],
    platformSecrets: 'instagram',
  },
  timeoutSeconds: 29,
});

export const readPostPictureOperation = operation({
  id: 'getAccountPostPicture',
  handler: 'accounts/post-picture',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}/posts/{platformPostId}/picture',
  summary: 'Read a small picture of a post of an Instagram account',
  description:
    'A square cut from the middle of the picture that Instagram names for the post. It helps to tell posts apart where pictures of other hosts are not allowed.',
  pathParameters: PostPicturePath,
  replies: {
    200: {
      description: 'The picture',
      body: z.object({
        picture: PostPicture.nullable().meta({
          description:
            'Null if Instagram names none, or if the one that it names cannot be fetched or read at the moment',
        }),
      }),
    },
  },
  refusals: {
    404: 'No such account in this workspace that the key may use, or Instagram shows it no such post',
    409: 'The account must be connected again, or Instagram has restricted it',
    503: 'Instagram gives no answer; `Retry-After` gives the wait in seconds',
  },
  rights: {
    reads: { GetItem: ['WORKSPACE#'] },
    tokens: ['Decrypt tokens'],
    platformSecrets: 'instagram',
  },
  settings: ['PLAIN_HTTP_HOSTS'],
  // A hostile picture may have as many pixels as a file of a user: see `render-media`.
  memoryMegabytes: 1_769,
  timeoutSeconds: 29,
});

export const listAutomationsOperation = operation({
  id: 'listCommentAutomations',
  handler: 'comment-automations/list',
  verb: 'automation.read',
  method: 'GET',
  path: '/v1/comment-automations',
  summary: 'List the comment automations',
  description: 'The list leaves out counts and links: read one automation for those.',
  query: pageQuery({ accountId: Id.optional() }),
  replies: pageReply(
    'automations',
    AutomationView,
    'The automations, newest first; a page may be shorter than `limit`',
  ),
  rights: { reads: { Query: ['AUTOMATIONS#'], BatchGetItem: ['POST#'] } },
});

export const readAutomationOperation = operation({
  id: 'getCommentAutomation',
  handler: 'comment-automations/read',
  verb: 'automation.read',
  method: 'GET',
  path: '/v1/comment-automations/{id}',
  summary: 'Read one comment automation with its counts',
  description:
    '`counts` says what the automation has done, `failures` what it could not do and who can act, and `waiting` what waits and why. All workspaces that have connected an account share its hourly limit. `links` lists its tracked links with their clicks, in total and per day.',
  pathParameters: ById,
  replies: { 200: { description: 'The automation', body: z.object({ automation: AutomationDetail }) } },
  refusals: { 404: unknown },
  rights: {
    reads: {
      GetItem: ['AUTOMATIONS#', 'WORKSPACE#', 'PRIVATE-REPLIES#'],
      BatchGetItem: ['POST#'],
      Query: ['AUTOMATION#', 'CLICKS#'],
    },
  },
  settings: ['LINK_BASE_URL'],
});

export const listConversationsOperation = operation({
  id: 'listCommentAutomationConversations',
  handler: 'comment-automations/conversations',
  verb: 'automation.read',
  method: 'GET',
  path: '/v1/comment-automations/{id}/conversations',
  summary: "List an automation's replies and messages",
  description:
    'Those of comments and messages of the last 30 days, with the person, the comment or message, the state and the reason. Names and texts are kept for 8 days. Replies and messages of releases before this list are missing.',
  pathParameters: ById,
  query: ConversationsQuery,
  replies: pageReply(
    'conversations',
    ConversationView,
    'The replies and messages, the latest comment first; a page may be shorter than `limit`',
  ),
  refusals: { 404: unknown },
  rights: {
    reads: { GetItem: ['AUTOMATIONS#'], BatchGetItem: ['AUTOMATION#', 'INBOUND#'] },
    indexes: [indexes.targetsByAccount.indexName],
  },
});

export const editAutomationOperation = operation({
  id: 'updateCommentAutomation',
  handler: 'comment-automations/edit',
  verb: 'automation.edit',
  method: 'PATCH',
  path: '/v1/comment-automations/{id}',
  summary: 'Change a comment automation, or turn it on or off',
  description:
    'Fields that are left out stay as they are; `null` clears a field that may be null. `accountId` and `platformPostId` cannot be changed. Addresses that stay in the message and buttons keep their links. Links of removed addresses keep working, and lead to the removed address.',
  pathParameters: ById,
  body: EditAutomationBody,
  replies: { 200: { description: 'The changed automation', body: z.object({ automation: AutomationView }) } },
  refusals: { 404: unknown, 409: busy },
  rights: {
    reads: { GetItem: ['AUTOMATIONS#', 'WORKSPACE#'], BatchGetItem: ['POST#'] },
    writes: { PutItem: ['AUTOMATIONS#', 'LINK#'], UpdateItem: ['OWNED#'] },
  },
  settings: ['PLATFORM_FEATURES', 'LINK_BASE_URL'],
});

export const tryAutomationOperation = operation({
  id: 'tryCommentAutomation',
  handler: 'comment-automations/try',
  verb: 'automation.read',
  method: 'POST',
  path: '/v1/comment-automations/{id}/try',
  summary: 'Try an automation on a comment; nothing is sent',
  description:
    'Matches the text as a real comment is matched, whether or not the automation is active. `commentReply` and `dmMessage` show what would be sent to somebody who has not had a message of this automation.',
  pathParameters: ById,
  body: TryAutomationBody,
  replies: {
    200: { description: 'The actions that would follow', body: z.object({ result: AutomationTrial }) },
  },
  refusals: { 404: unknown },
  rights: { reads: { GetItem: ['AUTOMATIONS#', 'WORKSPACE#'] } },
  settings: ['LINK_BASE_URL'],
});

export const listLinksOperation = operation({
  id: 'listLinks',
  handler: 'comment-automations/links',
  verb: 'automation.read',
  method: 'GET',
  path: '/v1/links',
  summary: 'Read the clicks of tracked links, by day and automation',
  description:
    'Without `from` and `to`: the last 30 days; at most 366. A page has the links of at most `limit` automations, newest first.',
  query: z.object({
    automationId: Id.optional(),
    from: z.iso.date('must be a day, such as 2026-03-01').optional().meta({
      description: 'The first day, in `timezone`',
    }),
    to: z.iso.date('must be a day, such as 2026-03-01').optional().meta({
      description: 'The last day, in `timezone`; it is part of the period',
    }),
    timezone: z
      .string()
      .max(64)
      .refine(isTimezone, 'must be an IANA time zone, such as Europe/Istanbul')
      .optional()
      .meta({
        description:
          'The IANA time zone in which days begin and end; default UTC. Clicks that a release before 0.2.0 has counted belong to their day in UTC',
      }),
    limit: limitQuery(50).default(20),
    cursor: CursorQuery,
  }),
  replies: pageReply('links', LinkClicksView, 'The links with their clicks'),
  refusals: { 404: unknown },
  rights: { reads: { GetItem: ['AUTOMATIONS#'], Query: ['AUTOMATIONS#', 'CLICKS#'] } },
  settings: ['LINK_BASE_URL'],
});

export const removeAutomationOperation = operation({
  id: 'deleteCommentAutomation',
  handler: 'comment-automations/delete',
  verb: 'automation.delete',
  method: 'DELETE',
  path: '/v1/comment-automations/{id}',
  summary: 'Delete a comment automation',
  description:
    'Its post may then get another one. Links that were sent keep working. Conversations that it has begun end: a tap on a button that it sent has no effect, not even if the post gets another automation.',
  pathParameters: ById,
  replies: deletedReply,
  refusals: { 404: unknown, 409: busy },
  rights: {
    reads: { GetItem: ['AUTOMATIONS#'] },
    writes: { DeleteItem: ['AUTOMATIONS#', 'AUTOMATION-POST#'] },
  },
});
