import type { INodeProperties } from 'n8n-workflow';

/** An expression for a list that the API takes as one text. */
export const joined = "={{ Array.isArray($value) ? $value.join(',') : $value }}";

/** An expression for a time with an offset: without one, n8n means the time zone of the workflow. */
export const withOffset =
  '={{ DateTime.isDateTime($value) ? $value.toISO() : DateTime.fromISO($value).toISO() ?? $value }}';

/** A choice of one connected account. */
export const accountChoice = {
  displayName: 'Account Name or ID',
  name: 'accountId',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getAccounts' },
  default: '',
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
} satisfies INodeProperties;

/** A choice of several connected accounts. */
export const accountsChoice = {
  displayName: 'Account Names or IDs',
  name: 'accounts',
  type: 'multiOptions',
  typeOptions: { loadOptionsMethod: 'getAccounts' },
  default: [],
  description:
    'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
} satisfies INodeProperties;

/** The id of what an operation is about. */
export const idOf = (
  noun: 'post' | 'account' | 'media' | 'automation',
  displayName: string,
  operations: string[],
): INodeProperties => ({
  displayName,
  name: `${noun}Id`,
  type: 'string',
  required: true,
  displayOptions: { show: { resource: [noun], operation: operations } },
  default: '',
});

export const platforms = [
  { name: 'Facebook', value: 'facebook' },
  { name: 'Instagram', value: 'instagram' },
  { name: 'LinkedIn', value: 'linkedin' },
  { name: 'Pinterest', value: 'pinterest' },
  { name: 'Threads', value: 'threads' },
  { name: 'TikTok', value: 'tiktok' },
  { name: 'YouTube', value: 'youtube' },
];

/** The types of events, for a subscription or a filter. */
export const eventTypes = [
  { name: 'Account Connected', value: 'account.connected' },
  { name: 'Account Disconnected', value: 'account.disconnected' },
  { name: 'Account Expired', value: 'account.expired' },
  { name: 'Account Expiring', value: 'account.expiring' },
  { name: 'Comment Received', value: 'comment.received' },
  { name: 'Direct Message Received', value: 'dm.received' },
  { name: 'Platform Version Ending', value: 'platform.version.ending' },
  { name: 'Post at Risk', value: 'post.at_risk' },
  { name: 'Post Failed', value: 'post.failed' },
  { name: 'Post Metrics', value: 'post.metrics' },
  { name: 'Post Partly Published', value: 'post.partial' },
  { name: 'Post Published', value: 'post.published' },
  { name: 'Post Risk Cleared', value: 'post.risk_cleared' },
  { name: 'Post Scheduled', value: 'post.scheduled' },
  { name: 'Post Target Failed', value: 'post.target.failed' },
  { name: 'Post Target Published', value: 'post.target.published' },
  { name: 'Post Target Removed', value: 'post.target.removed' },
];
