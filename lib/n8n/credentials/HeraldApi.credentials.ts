import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';
import { baseUrl } from '../nodes/Herald/base-url.ts';

export class HeraldApi implements ICredentialType {
  name = 'heraldApi';

  displayName = 'Herald API';

  icon: Icon = { light: 'file:../icons/herald.svg', dark: 'file:../icons/herald.dark.svg' };

  documentationUrl = 'https://example.com/herald/lib/n8n#credential';

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://api.example.com',
      description: 'Address of your Herald, without <code>/v1</code>',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      placeholder: 'yay_…',
      description:
        'Key of a workspace, from the operator of your Herald. Reading needs the permission <code>read</code>, drafts <code>draft</code>, posting <code>publish</code>, automations <code>automate</code>, the trigger and events <code>webhooks</code>.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey.trim()}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: baseUrl, url: '/v1/workspace', disableFollowRedirect: true },
    // A website answers with 200 too, but without a workspace.
    rules: [
      {
        type: 'responseSuccessBody',
        properties: { key: 'workspace', value: undefined, message: 'There is no Herald at this URL' },
      },
    ],
  };
}
