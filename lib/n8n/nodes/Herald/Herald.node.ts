import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';
import { accountProperties } from './account.ts';
import { automationProperties } from './automation.ts';
import { baseUrl } from './base-url.ts';
import { eventProperties } from './event.ts';
import { mediaProperties } from './media.ts';
import { postProperties } from './post.ts';
import { getAccounts } from './requests.ts';

export class Herald implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Herald',
    name: 'herald',
    icon: { light: 'file:../../icons/herald.svg', dark: 'file:../../icons/herald.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Schedule posts to social accounts',
    defaults: { name: 'Herald' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'heraldApi', required: true }],
    requestDefaults: {
      baseURL: baseUrl,
      headers: { Accept: 'application/json' },
      ignoreHttpStatusErrors: true,
      // n8n would send the key along, and a POST as a GET.
      disableFollowRedirect: true,
    },
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Account', value: 'account' },
          { name: 'Comment Automation', value: 'automation' },
          { name: 'Event', value: 'event' },
          { name: 'Media', value: 'media' },
          { name: 'Post', value: 'post' },
        ],
        default: 'post',
      },
      ...accountProperties,
      ...automationProperties,
      ...eventProperties,
      ...mediaProperties,
      ...postProperties,
    ],
  };

  methods = { loadOptions: { getAccounts } };
}
