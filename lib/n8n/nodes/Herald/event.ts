import type { INodeProperties } from 'n8n-workflow';
import { accountChoice, collection, eventTypes, operationsOf } from './fields.ts';
import { limits, route } from './requests.ts';

export const eventProperties: INodeProperties[] = [
  operationsOf('event', 'getAll', [
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many events',
      description: 'Read the event feed, oldest first, such as what a trigger may have missed',
      routing: route({ method: 'GET', url: '/v1/events', list: { noun: 'events', cursor: 'after' } }),
    },
  ]),
  ...limits('event', ['getAll']),
  collection('filters', { show: { resource: ['event'], operation: ['getAll'] } }, [
    accountChoice,
    {
      displayName: 'After',
      name: 'after',
      type: 'string',
      default: '',
      description:
        'The <code>nextCursor</code> of the last event that was read before. Without it, the list begins with the oldest event that is kept.',
    },
    {
      displayName: 'Types',
      name: 'types',
      type: 'multiOptions',
      options: eventTypes,
      default: [],
    },
  ]),
];
