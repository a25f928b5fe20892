import type { INodeProperties } from 'n8n-workflow';
import { collection, idOf, operationsOf, platforms } from './fields.ts';
import { limits, only, route } from './requests.ts';

const onAccount = "=/v1/accounts/{{ encodeURIComponent($parameter['accountId']) }}";

export const accountProperties: INodeProperties[] = [
  operationsOf('account', 'getAll', [
    {
      name: 'Get',
      value: 'get',
      action: 'Get an account',
      description: 'Get a connected account, with its status and features',
      routing: route({ method: 'GET', url: onAccount, after: only('account') }),
    },
    {
      name: 'Get Boards',
      value: 'getBoards',
      action: 'Get boards of an account',
      description: 'Get the boards of a Pinterest account',
      routing: route({ method: 'GET', url: `${onAccount}/boards`, after: only('boards') }),
    },
    {
      name: 'Get Many',
      value: 'getAll',
      action: 'Get many accounts',
      description: 'Get many connected accounts',
      routing: route({ method: 'GET', url: '/v1/accounts', list: { noun: 'accounts', cursor: 'cursor' } }),
    },
  ]),
  idOf('account', 'Account ID', ['get', 'getBoards']),
  ...limits('account', ['getAll']),
  collection('filters', { show: { resource: ['account'], operation: ['getAll'] } }, [
    {
      displayName: 'External ID',
      name: 'externalId',
      type: 'string',
      default: '',
      description: 'Your own ID of a customer, as given when the account was connected',
    },
    {
      displayName: 'Platform',
      name: 'platform',
      type: 'options',
      options: platforms,
      default: 'instagram',
    },
  ]),
];
