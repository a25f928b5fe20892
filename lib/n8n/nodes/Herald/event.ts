import type { INodeProperties } from 'n8n-workflow';
import { accountChoice, eventTypes, joined } from './fields.ts';
import { limits, route } from './requests.ts';

export const eventProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['event'] } },
    options: [
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many events',
        description: 'Read the event feed, oldest first, such as what a trigger may have missed',
        routing: route({ method: 'GET', url: '/v1/events', list: { noun: 'events', cursor: 'after' } }),
      },
    ],
    default: 'getAll',
  },
  ...limits('event', ['getAll']),
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: { show: { resource: ['event'], operation: ['getAll'] } },
    options: [
      { ...accountChoice, routing: { send: { type: 'query', property: 'accountId' } } },
      {
        displayName: 'After',
        name: 'after',
        type: 'string',
        default: '',
        description:
          'The <code>nextCursor</code> of the last event that was read before. Without it, the list begins with the oldest event that is kept.',
        routing: { send: { type: 'query', property: 'after' } },
      },
      {
        displayName: 'Types',
        name: 'types',
        type: 'multiOptions',
        options: eventTypes,
        default: [],
        routing: { send: { type: 'query', property: 'types', value: joined } },
      },
    ],
  },
];
