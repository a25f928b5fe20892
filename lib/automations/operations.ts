import * as z from 'zod';
import { Id } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { ById, deletedReply, pageQuery, pageReply } from '../api-contract/shapes.ts';
import { CreateAutomationBody, EditAutomationBody } from './request-schemas.ts';
import { AutomationDetail, AutomationView } from './views.ts';

const ok = z.literal(true);
const unknown = 'No such comment automation in this workspace';
const busy = 'It is being changed by many requests at once';

export const createAutomationOperation = operation({
  handler: 'comment-automations/create',
  method: 'POST',
  path: '/v1/comment-automations',
  summary: 'Answer the comments on a live Instagram post',
  description:
    'A post has one rule at most. At least one of `commentReply` and `dmMessage` is needed; `buttons` and `followGate` go with a `dmMessage`. One public reply a comment, one private message a person. A message may have 1,000 bytes, with buttons 640 characters and, its buttons written as text below it, 1,000 bytes; a title 20 characters; a public reply 2,200. Tracked links count with their short addresses.',
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
  // For posts that were not published here it asks the platform, with the account's token.
  rights: { table: ['PutItem'], tokens: ['Decrypt tokens'], platformSecrets: 'instagram' },
  settings: ['PUBLIC_BASE_URL'],
  timeoutSeconds: 29,
});

export const listAutomationsOperation = operation({
  handler: 'comment-automations/list',
  method: 'GET',
  path: '/v1/comment-automations',
  summary: 'List the comment automations',
  query: pageQuery({ accountId: Id.optional() }),
  replies: pageReply(
    'automations',
    AutomationView,
    'The rules, newest first; a page may be shorter than `limit`',
  ),
  rights: { table: ['Query'] },
});

export const readAutomationOperation = operation({
  handler: 'comment-automations/read',
  method: 'GET',
  path: '/v1/comment-automations/{id}',
  summary: 'Read one comment automation with its counts',
  description:
    '`counts` of what it has done, and each of its tracked `links` with its clicks, in all and by day.',
  pathParameters: ById,
  replies: { 200: { description: 'The rule', body: z.object({ automation: AutomationDetail }) } },
  refusals: { 404: unknown },
  rights: { table: ['Query'] },
  settings: ['PUBLIC_BASE_URL'],
});

export const editAutomationOperation = operation({
  handler: 'comment-automations/edit',
  method: 'PATCH',
  path: '/v1/comment-automations/{id}',
  summary: 'Change a comment automation, or turn it on or off',
  description:
    'What is left out stays as it is; `null` clears what may be null. `accountId` and `platformPostId` cannot be changed. Addresses that stay in message and buttons keep their links; the links of others go on leading.',
  pathParameters: ById,
  body: EditAutomationBody,
  replies: { 200: { description: 'The rule as it is now', body: z.object({ automation: AutomationView }) } },
  refusals: { 404: unknown, 409: busy },
  rights: { table: ['PutItem'] },
  settings: ['PUBLIC_BASE_URL'],
});

export const removeAutomationOperation = operation({
  handler: 'comment-automations/delete',
  method: 'DELETE',
  path: '/v1/comment-automations/{id}',
  summary: 'Delete a comment automation',
  description: 'Its post may have another one then. Links that were sent go on leading where they led.',
  pathParameters: ById,
  replies: deletedReply,
  refusals: { 404: unknown, 409: busy },
  rights: { table: ['DeleteItem'] },
});
