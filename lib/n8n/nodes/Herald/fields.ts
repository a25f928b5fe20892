import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Makes the value of a field the field of the body that has its name, unless another is given. */
export const inBody = (field: INodeProperties, property = field.name): INodeProperties => ({
  ...field,
  routing: { send: { type: 'body', property } },
});

/** Makes the value of a field a parameter of the query, like {@link inBody}. */
export const inQuery = (field: INodeProperties, property = field.name): INodeProperties => ({
  ...field,
  routing: { send: { type: 'query', property } },
});

export const allInBody = (fields: INodeProperties[]) => fields.map((field) => inBody(field));

/** The choice of an operation. */
export const operationsOf = (
  resource: string,
  initial: string,
  options: INodeProperties['options'] = [],
): INodeProperties => ({
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  options,
  default: initial,
});

const collections = {
  additionalFields: { displayName: 'Additional Fields', placeholder: 'Add Field' },
  filters: { displayName: 'Filters', placeholder: 'Add Filter' },
  options: { displayName: 'Options', placeholder: 'Add Option' },
  updateFields: { displayName: 'Update Fields', placeholder: 'Add Field' },
};

/** Fields that the user may add, by name. Filters and options are parameters of the query. */
export const collection = (
  name: keyof typeof collections,
  displayOptions: IDisplayOptions,
  fields: INodeProperties[],
): INodeProperties => ({
  ...collections[name],
  name,
  type: 'collection',
  default: {},
  displayOptions,
  options: (name === 'filters' || name === 'options'
    ? fields.map((field) => (field.routing ? field : inQuery(field)))
    : fields
  ).sort((one, other) => one.displayName.localeCompare(other.displayName)),
});

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
