import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { deletedReply, listQuery, pageReply } from '../api-contract/shapes.ts';
import { maxTagsOfWorkspace, TagColor, TagName, TagView } from './schemas.ts';

const ByName = z.object({
  name: TagName.meta({ description: 'Name of the tag; the case of letters makes no difference' }),
});
const unknown = 'No such tag in this workspace';
const rights = {
  reads: { GetItem: ['WORKSPACE#'] },
  writes: { UpdateItem: ['WORKSPACE#'] },
} as const;

export const listTagsOperation = operation({
  id: 'listTags',
  handler: 'tags/list',
  verb: 'tag.read',
  method: 'GET',
  path: '/v1/tags',
  summary: 'List the tags of the workspace',
  description: `Posts have tags, at most ${maxTagsOfWorkspace} in a workspace: send their names in \`tags\` of a post. A name that is new becomes a tag, with a colour. All keys of a workspace see all of its tags, also a key that is limited to accounts. Returns all of them, unless \`limit\` is given.`,
  query: listQuery({}),
  replies: pageReply('tags', TagView, 'The tags, by name'),
  rights: { reads: rights.reads },
});

export const EditTagBody = z
  .object({
    name: TagName.optional().meta({ description: 'Its new name. All posts that have the tag follow' }),
    color: TagColor.optional(),
  })
  .meta({ id: 'EditTag' });
export type EditTagBody = z.infer<typeof EditTagBody>;

export const editTagOperation = operation({
  id: 'updateTag',
  handler: 'tags/edit',
  verb: 'tag.edit',
  method: 'PATCH',
  path: '/v1/tags/{name}',
  summary: 'Rename a tag, or change its colour',
  description: 'A key that is limited to accounts may not: the posts of all accounts have the tag.',
  pathParameters: ByName,
  body: EditTagBody,
  replies: { 200: { description: 'The tag after the change', body: z.object({ tag: TagView }) } },
  refusals: { 404: unknown, 409: 'Another tag of this workspace has the name' },
  rights,
});

export const removeTagOperation = operation({
  id: 'deleteTag',
  handler: 'tags/delete',
  verb: 'tag.delete',
  method: 'DELETE',
  path: '/v1/tags/{name}',
  summary: 'Delete a tag',
  description:
    'All posts lose it. A post that is sent later with the same name gets a new tag. A key that is limited to accounts may not.',
  pathParameters: ByName,
  replies: deletedReply,
  refusals: { 404: unknown },
  rights,
});
