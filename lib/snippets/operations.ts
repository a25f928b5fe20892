import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { ById, deletedReply, pageQuery, pageReply } from '../api-contract/shapes.ts';
import { maxSnippets, SnippetContent, SnippetKind, SnippetName, SnippetView } from './schemas.ts';

const SnippetReply = z.object({ snippet: SnippetView });
const unknown = 'No such saved text in this workspace';
const counted = { UpdateItem: ['WORKSPACE#'] } as const;

export const CreateSnippetBody = z
  .object({ kind: SnippetKind, name: SnippetName, content: SnippetContent })
  .meta({ id: 'CreateSnippet' });
export type CreateSnippetBody = z.infer<typeof CreateSnippetBody>;

export const EditSnippetBody = z
  .object({
    kind: SnippetKind.optional(),
    name: SnippetName.optional(),
    content: SnippetContent.optional(),
  })
  .meta({ id: 'EditSnippet' });
export type EditSnippetBody = z.infer<typeof EditSnippetBody>;

export const listSnippetsOperation = operation({
  id: 'listSnippets',
  handler: 'snippets/list',
  verb: 'snippet.read',
  method: 'GET',
  path: '/v1/snippets',
  summary: 'List saved texts and sets of hashtags',
  description:
    'A page may be shorter than `limit`; `nextCursor` says whether more follow. All keys of a workspace see all of its saved texts, also a key that is limited to accounts.',
  query: pageQuery({}),
  replies: pageReply('snippets', SnippetView, 'A page of saved texts, oldest first'),
  rights: { reads: { Query: ['WORKSPACE#'] } },
});

export const createSnippetOperation = operation({
  id: 'createSnippet',
  handler: 'snippets/create',
  verb: 'snippet.create',
  method: 'POST',
  path: '/v1/snippets',
  summary: 'Save a text or a set of hashtags',
  description: `At most ${maxSnippets} per workspace. Its content may have variables, such as \`{{city}}\`: a letter, then up to 39 letters, digits, \`_\` and \`-\`. A post gets it with \`snippets\` of its request, or from the panel. \`{{account}}\` is the display name of the post’s destination if it has exactly one, and \`{{date}}\` the day in the post’s \`timezone\` for which it is scheduled, or else today, such as 2026-03-01; all others need a value in the request. A key that is limited to accounts may not: the text is for all accounts.`,
  body: CreateSnippetBody,
  replies: { 201: { description: 'The saved text', body: SnippetReply } },
  rights: { writes: { PutItem: ['WORKSPACE#'], ...counted } },
});

export const readSnippetOperation = operation({
  id: 'getSnippet',
  handler: 'snippets/read',
  verb: 'snippet.read',
  method: 'GET',
  path: '/v1/snippets/{id}',
  summary: 'Read a saved text',
  description: '`variables` says which values a post has to give.',
  pathParameters: ById,
  replies: { 200: { description: 'The saved text', body: SnippetReply } },
  refusals: { 404: unknown },
  rights: { reads: { GetItem: ['WORKSPACE#'] } },
});

export const editSnippetOperation = operation({
  id: 'updateSnippet',
  handler: 'snippets/edit',
  verb: 'snippet.edit',
  method: 'PATCH',
  path: '/v1/snippets/{id}',
  summary: 'Change a saved text',
  description: 'Posts keep the text that they were given.',
  pathParameters: ById,
  body: EditSnippetBody,
  replies: { 200: { description: 'The saved text after the change', body: SnippetReply } },
  refusals: { 404: unknown },
  rights: { reads: { GetItem: ['WORKSPACE#'] }, writes: { UpdateItem: ['WORKSPACE#'] } },
});

export const removeSnippetOperation = operation({
  id: 'deleteSnippet',
  handler: 'snippets/delete',
  verb: 'snippet.delete',
  method: 'DELETE',
  path: '/v1/snippets/{id}',
  summary: 'Delete a saved text',
  description: 'Posts keep the text that they were given.',
  pathParameters: ById,
  replies: deletedReply,
  refusals: { 404: unknown },
  rights: { reads: { GetItem: ['WORKSPACE#'] }, writes: { DeleteItem: ['WORKSPACE#'], ...counted } },
});
