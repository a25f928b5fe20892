import * as z from 'zod';
import { CursorQuery, Id, limitQuery, NextCursor, PathId } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { CreateAutomationBody, EditAutomationBody } from './request-schemas.ts';
import { AutomationDetail, AutomationView } from './views.ts';

const byId = z.object({ id: PathId });
const ok = z.literal(true);
const unknown = 'No such comment automation in this workspace';
const busy = 'It is being changed by many requests at once';

export const createAutomationOperation = operation({
  id: 'comment-automations-create',
  method: 'POST',
  path: '/v1/comment-automations',
  summary: 'Answer the comments on a live Instagram post',
  description:
    'A post has one rule at most. At least one of `commentReply` and `dmMessage` is needed; `buttons` and `followGate` go with a `dmMessage`. One public reply a comment, one private message a person. A message may have 1,000 bytes, with buttons 640 characters and, its buttons written as text below it, 1,000 bytes; a title 20 characters; a public reply 2,200. Tracked links count with their short addresses.',
  access: 'key',
  body: CreateAutomationBody,
  replies: {
    201: { description: 'The new rule', body: z.object({ ok, automation: AutomationView }) },
    200: {
      description: 'The post has a rule already: this one, unchanged',
      body: z.object({ ok, existing: z.literal(true), automation: AutomationView }),
    },
  },
  refusals: {
    404: 'No such connected account in this workspace, or no such live post of it',
    409: 'The platform has to be asked for the post, and the account connected again for that',
    503: 'The platform cannot be asked for the post at the moment; `Retry-After` gives the wait in seconds',
  },
});

export const listAutomationsOperation = operation({
  id: 'comment-automations-list',
  method: 'GET',
  path: '/v1/comment-automations',
  summary: 'List the comment automations',
  access: 'key',
  query: z.object({
    accountId: Id.optional(),
    limit: limitQuery(500).default(50),
    cursor: CursorQuery,
  }),
  replies: {
    200: {
      description: 'The rules, newest first; a page may be shorter than `limit`',
      body: z.object({ automations: z.array(AutomationView), nextCursor: NextCursor }),
    },
  },
});

export const readAutomationOperation = operation({
  id: 'comment-automations-read',
  method: 'GET',
  path: '/v1/comment-automations/{id}',
  summary: 'Read one comment automation with its counts',
  description:
    '`counts` of what it has done, and each of its tracked `links` with its clicks, in all and by day.',
  access: 'key',
  pathParameters: byId,
  replies: { 200: { description: 'The rule', body: z.object({ automation: AutomationDetail }) } },
  refusals: { 404: unknown },
});

export const editAutomationOperation = operation({
  id: 'comment-automations-edit',
  method: 'PATCH',
  path: '/v1/comment-automations/{id}',
  summary: 'Change a comment automation, or turn it on or off',
  description:
    'What is left out stays as it is; `null` clears what may be null. `accountId` and `platformPostId` cannot be changed. Addresses that stay in message and buttons keep their links; the links of others go on leading.',
  access: 'key',
  pathParameters: byId,
  body: EditAutomationBody,
  replies: { 200: { description: 'The rule as it is now', body: z.object({ automation: AutomationView }) } },
  refusals: { 404: unknown, 409: busy },
});

export const removeAutomationOperation = operation({
  id: 'comment-automations-delete',
  method: 'DELETE',
  path: '/v1/comment-automations/{id}',
  summary: 'Delete a comment automation',
  description: 'Its post may have another one then. Links that were sent go on leading where they led.',
  access: 'key',
  pathParameters: byId,
  replies: { 200: { description: 'Deleted', body: z.object({ ok }) } },
  refusals: { 404: unknown, 409: busy },
});
