import type { INodeProperties } from 'n8n-workflow';
import { accountChoice, allInBody, collection, idOf, inBody, operationsOf } from './fields.ts';
import { limits, only, route } from './requests.ts';
import { readBody } from './values.ts';

const show = (...operations: string[]) => ({ show: { resource: ['automation'], operation: operations } });

const answers = allInBody([
  {
    displayName: 'Comment Reply',
    name: 'commentReply',
    type: 'string',
    default: '',
    description: 'The public reply to the comment',
  },
  {
    displayName: 'Direct Message',
    name: 'dmMessage',
    type: 'string',
    typeOptions: { rows: 3 },
    default: '',
    description: 'The private message to the person. Links in it are tracked.',
  },
  {
    displayName: 'Keywords',
    name: 'keywords',
    type: 'string',
    default: '',
    description: 'Words in a comment, separated by commas. Without any, every comment is answered.',
  },
  {
    displayName: 'Match Mode',
    name: 'matchMode',
    type: 'options',
    options: [
      { name: 'At the Beginning', value: 'starts_with' },
      { name: 'Contained', value: 'contains' },
      { name: 'The Whole Comment', value: 'exact' },
      { name: 'Whole Word', value: 'word' },
    ],
    default: 'contains',
    description: 'The place of a keyword in the comment',
  },
  {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    default: '',
  },
]);

const active = inBody({
  displayName: 'Active',
  name: 'isActive',
  type: 'boolean',
  default: true,
  description: 'Whether comments are answered',
});

export const automationProperties: INodeProperties[] = [
  operationsOf('automation', 'getAll', [
    {
      name: 'Create',
      value: 'create',
      action: 'Create a comment automation',
      description: 'Answer comments on Instagram with a reply, a message or both',
      routing: route({
        method: 'POST',
        url: '/v1/comment-automations',
        before: [readBody],
        after: only('automation'),
      }),
    },
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many comment automations',
      description: 'Get many automations, with how often they have answered',
      routing: route({
        method: 'GET',
        url: '/v1/comment-automations',
        list: { noun: 'automations', cursor: 'cursor' },
      }),
    },
    {
      name: 'Update',
      value: 'update',
      action: 'Update a comment automation',
      description: 'Change an automation, or turn it off and on',
      routing: route({
        method: 'PATCH',
        url: "=/v1/comment-automations/{{ encodeURIComponent($parameter['automationId']) }}",
        before: [readBody],
        after: only('automation'),
      }),
    },
  ]),
  idOf('automation', 'Automation ID', ['update']),
  ...allInBody([
    {
      ...accountChoice,
      required: true,
      displayOptions: show('create'),
    },
    {
      displayName: 'Applies To',
      name: 'appliesTo',
      type: 'options',
      displayOptions: show('create'),
      options: [
        { name: 'A Live Post', value: 'post' },
        { name: 'Direct Messages', value: 'direct_messages' },
        { name: 'Every Post', value: 'every_post' },
        { name: 'Replies to Stories', value: 'story_replies' },
        { name: 'The Next Post', value: 'next_post' },
      ],
      default: 'every_post',
    },
    {
      displayName: 'Platform Post ID',
      name: 'platformPostId',
      type: 'string',
      required: true,
      displayOptions: { show: { resource: ['automation'], operation: ['create'], appliesTo: ['post'] } },
      default: '',
      description: 'ID of the live post at the platform',
    },
  ]),
  collection('additionalFields', show('create'), answers),
  collection('updateFields', show('update'), [active, ...answers]),
  ...limits('automation', ['getAll']),
  collection('filters', show('getAll'), [accountChoice]),
];
