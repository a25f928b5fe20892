import type { INodeProperties } from 'n8n-workflow';
import { accountChoice, idOf } from './fields.ts';
import { limits, only, route } from './requests.ts';
import { readBody } from './values.ts';

const show = (...operations: string[]) => ({ show: { resource: ['automation'], operation: operations } });

const answers: INodeProperties[] = [
  {
    displayName: 'Comment Reply',
    name: 'commentReply',
    type: 'string',
    default: '',
    description: 'The public reply to the comment',
    routing: { send: { type: 'body', property: 'commentReply' } },
  },
  {
    displayName: 'Direct Message',
    name: 'dmMessage',
    type: 'string',
    typeOptions: { rows: 3 },
    default: '',
    description: 'The private message to the person. Links in it are tracked.',
    routing: { send: { type: 'body', property: 'dmMessage' } },
  },
  {
    displayName: 'Keywords',
    name: 'keywords',
    type: 'string',
    default: '',
    description: 'Words in a comment, separated by commas. Without any, every comment is answered.',
    routing: { send: { type: 'body', property: 'keywords' } },
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
    routing: { send: { type: 'body', property: 'matchMode' } },
  },
  {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    default: '',
    routing: { send: { type: 'body', property: 'name' } },
  },
];

const active: INodeProperties = {
  displayName: 'Active',
  name: 'isActive',
  type: 'boolean',
  default: true,
  description: 'Whether comments are answered',
  routing: { send: { type: 'body', property: 'isActive' } },
};

export const automationProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['automation'] } },
    options: [
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
    ],
    default: 'getAll',
  },
  idOf('automation', 'Automation ID', ['update']),
  {
    ...accountChoice,
    required: true,
    displayOptions: show('create'),
    routing: { send: { type: 'body', property: 'accountId' } },
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
    routing: { send: { type: 'body', property: 'appliesTo' } },
  },
  {
    displayName: 'Platform Post ID',
    name: 'platformPostId',
    type: 'string',
    required: true,
    displayOptions: { show: { resource: ['automation'], operation: ['create'], appliesTo: ['post'] } },
    default: '',
    description: 'ID of the live post at the platform',
    routing: { send: { type: 'body', property: 'platformPostId' } },
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: show('create'),
    options: answers,
  },
  {
    displayName: 'Update Fields',
    name: 'updateFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: show('update'),
    options: [active, ...answers],
  },
  ...limits('automation', ['getAll']),
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: show('getAll'),
    options: [{ ...accountChoice, routing: { send: { type: 'query', property: 'accountId' } } }],
  },
];
