import type {
  IDataObject,
  IExecuteSingleFunctions,
  INodeProperties,
  INodePropertyOptions,
} from 'n8n-workflow';
import {
  accountChoice,
  accountsChoice,
  allInBody,
  collection,
  idOf,
  inBody,
  inQuery,
  operationsOf,
  platforms,
} from './fields.ts';
import { addIdempotencyKey, limits, only, postWithWarnings, route } from './requests.ts';
import { type PreSend, readBody, readField, readJson, readText, refusal } from './values.ts';

const onPost = "=/v1/posts/{{ encodeURIComponent($parameter['postId']) }}";

const show = (...operations: string[]) => ({ show: { resource: ['post'], operation: operations } });

/** The fields of the body for a choice of time. */
const plans: Readonly<Record<string, IDataObject>> = {
  draft: { isDraft: true },
  planned: { isDraft: false },
  time: {},
  auto: { scheduledFor: 'auto' },
  now: { publishNow: true },
};

/** The name of the collection with the optional fields of the operation. */
const collectionOf = (context: IExecuteSingleFunctions) =>
  context.getNodeParameter('operation') === 'update' ? 'updateFields' : 'additionalFields';

/** Adds the choice of time. A time without an offset is in the time zone of the workflow, which the user means. */
const addTime: PreSend = async function (options) {
  const collection = collectionOf(this);
  const path = collection === 'updateFields' ? 'updateFields.when' : 'when';
  const when = this.getNodeParameter(path, 'time') as string;
  const plan = plans[when];
  if (plan === undefined) {
    throw refusal(this, `There is no time "${when}": use one of ${Object.keys(plans).join(', ')}`);
  }
  const { scheduledFor: time, ...rest } = options.body as IDataObject;
  // For the API, null is no time: the post would become a draft. JSON has null for the result of a date calculation that failed.
  if (time === null || (time === '' && when === 'time')) throw refusal(this, '"scheduledFor" is not a time');
  const body: IDataObject = { ...rest, ...(time && { scheduledFor: time }), ...plan };
  if (time) body['timezone'] ??= this.getTimezone();
  return { ...options, body };
};

/** Puts media items in the place of the media URLs. n8n would merge the two. */
const addMediaItems: PreSend = async function (options) {
  const mediaItems = this.getNodeParameter(`${collectionOf(this)}.mediaItems`, '') as string;
  return mediaItems === '' ? options : { ...options, body: { ...(options.body as IDataObject), mediaItems } };
};

/** Adds what differs by destination to the chosen accounts. */
const addDestinationOptions: PreSend = async function (options) {
  const { destination: own = [] } = this.getNodeParameter(`${collectionOf(this)}.destinations`, {}) as {
    destination?: { accountId: string; customContent?: string; platformSpecificData?: unknown }[];
  };
  if (own.length === 0) return options;
  const body = { ...(options.body as IDataObject) };
  const entries = new Map<string, IDataObject>(
    ((body['platforms'] ?? []) as { accountId: string }[]).map((entry) => [entry.accountId, entry]),
  );
  for (const { accountId, customContent, platformSpecificData } of own) {
    const data = readField(this, 'Platform Options', readJson, platformSpecificData || {}) as IDataObject;
    entries.set(accountId, {
      accountId,
      ...(customContent && { customContent: readText(customContent) as string }),
      ...(Object.keys(data).length > 0 && { platformSpecificData: data }),
    });
  }
  body['platforms'] = [...entries.values()];
  return { ...options, body };
};

const completeBody = [addMediaItems, readBody, addDestinationOptions, addTime];

const operations = operationsOf('post', 'create', [
  {
    name: 'Create',
    value: 'create',
    action: 'Create a post',
    description: 'Draft, schedule or publish a post on one or several accounts',
    routing: route({
      method: 'POST',
      url: '/v1/posts',
      before: [...completeBody, addIdempotencyKey],
      after: postWithWarnings,
    }),
  },
  {
    name: 'Delete',
    value: 'delete',
    action: 'Delete a post',
    description: 'Delete a draft or a post that waits. What is live stays at the platforms.',
    routing: route({ method: 'DELETE', url: onPost }),
  },
  {
    name: 'Get',
    value: 'get',
    action: 'Get a post',
    description: 'Get a post, with what became of each destination',
    routing: route({ method: 'GET', url: onPost, after: only('post') }),
  },
  {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many posts',
    description: 'Get many posts, newest first or by time',
    routing: route({
      method: 'GET',
      url: '/v1/posts',
      list: { noun: 'posts', cursor: 'cursor' },
    }),
  },
  {
    name: 'Get Metrics',
    value: 'getMetrics',
    action: 'Get metrics of a post',
    description: 'Get views, likes and other numbers of each destination',
    routing: route({ method: 'GET', url: `${onPost}/metrics`, after: only('metrics') }),
  },
  {
    name: 'Retry',
    value: 'retry',
    action: 'Retry a post',
    description: 'Publish the failed destinations of a post again',
    routing: route({
      method: 'POST',
      url: `${onPost}/retry`,
      before: [addIdempotencyKey],
      after: postWithWarnings,
    }),
  },
  {
    name: 'Update',
    value: 'update',
    action: 'Update a post',
    description: 'Change a draft or a post that waits',
    routing: route({
      method: 'PATCH',
      url: onPost,
      before: completeBody,
      after: postWithWarnings,
    }),
  },
  {
    name: 'Validate',
    value: 'validate',
    action: 'Validate a post',
    description: 'Check a post against the rules of its platforms, without storing it',
    routing: route({
      method: 'POST',
      url: '/v1/posts/validate',
      before: completeBody,
    }),
  },
]);

const content = inBody({
  displayName: 'Content',
  name: 'content',
  type: 'string',
  typeOptions: { rows: 4 },
  default: '',
  description: 'Text of the post',
});

const accounts = inBody(accountsChoice, 'platforms');

const mediaUrls = inBody(
  {
    displayName: 'Media URLs',
    name: 'mediaUrls',
    type: 'string',
    default: '',
    placeholder: 'https://example.com/picture.jpg',
    description:
      'The <code>publicUrl</code> of files of the workspace, or public https addresses, which are imported. Several are separated by commas.',
  },
  'mediaItems',
);

const scheduledFor = inBody({
  displayName: 'Scheduled Time',
  name: 'scheduledFor',
  type: 'dateTime',
  default: '',
  description: 'Time to go live. Without an offset, it is in the time zone of the workflow.',
});

/** Fields that a new post and a change have in common. */
const furtherFields: INodeProperties[] = [
  {
    displayName: 'Destinations With Own Options',
    name: 'destinations',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    placeholder: 'Add Destination',
    default: {},
    description: 'Text and options for single accounts. An account need not be chosen above too.',
    options: [
      {
        displayName: 'Destination',
        name: 'destination',
        values: [
          accountChoice,
          {
            displayName: 'Own Content',
            name: 'customContent',
            type: 'string',
            typeOptions: { rows: 3 },
            default: '',
            description: 'Replaces the text of the post on this account',
          },
          {
            displayName: 'Platform Options',
            name: 'platformSpecificData',
            type: 'json',
            default: '{}',
            description:
              'Options of the platform as JSON, such as <code>{ "boardId": "…" }</code> for Pinterest or <code>{ "privacyLevel": "…" }</code> for TikTok',
          },
        ],
      },
    ],
  },
  {
    displayName: 'Media Items',
    name: 'mediaItems',
    type: 'json',
    default: '[{ "url": "", "altText": "" }]',
    description: 'Media with alternative texts, as in the API. Replaces the media URLs.',
  },
  ...allInBody([
    {
      displayName: 'Chain',
      name: 'chain',
      type: 'json',
      default: '[]',
      description: 'Posts that follow this one, as in the API',
    },
    {
      displayName: 'Cover URL',
      name: 'coverUrl',
      type: 'string',
      default: '',
      description: 'Image that a video begins with, on platforms that take one',
    },
    {
      displayName: 'External ID',
      name: 'externalId',
      type: 'string',
      default: '',
      description: 'Your own ID of the post',
    },
    {
      displayName: 'Metadata',
      name: 'metadata',
      type: 'json',
      default: '{}',
      description: 'Up to 20 pairs of text of your own, which reads and events show',
    },
    {
      displayName: 'On Daily Limit',
      name: 'onQuota',
      type: 'options',
      options: [
        { name: 'Fail', value: 'fail' },
        { name: 'Wait', value: 'wait' },
      ],
      default: 'wait',
      description: 'What to do if a platform refuses a destination because of a daily limit',
    },
    {
      displayName: 'Tags',
      name: 'tags',
      type: 'string',
      default: '',
      description: 'Labels for the workspace, separated by commas. No platform gets them.',
    },
    {
      displayName: 'Time Zone',
      name: 'timezone',
      type: 'string',
      default: '',
      placeholder: 'Europe/Lisbon',
      description: 'IANA time zone of the scheduled time. By default, that of the workflow.',
    },
  ]),
];

const idempotencyKey: INodeProperties = {
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  typeOptions: { password: false },
  default: '',
  description:
    'A second request with the same key within 30 days does nothing and returns the post of the first. By default, each item of an execution has its own.',
};

const inFreeSlot: INodePropertyOptions = {
  name: 'In the Next Free Slot',
  value: 'auto',
  description: 'Publish the post at the earliest time that fits the rhythms of its accounts',
};
const immediately: INodePropertyOptions = {
  name: 'Now',
  value: 'now',
  description: 'Publish the post immediately',
};

export const postProperties: INodeProperties[] = [
  operations,
  idOf('post', 'Post ID', ['delete', 'get', 'getMetrics', 'retry', 'update']),

  { ...accounts, displayOptions: show('create', 'validate') },
  { ...content, displayOptions: show('create', 'validate') },
  {
    displayName: 'When',
    name: 'when',
    type: 'options',
    noDataExpression: true,
    displayOptions: show('create', 'validate'),
    options: [
      {
        name: 'As Draft',
        value: 'draft',
        description: 'Store the post without publishing it',
      },
      {
        name: 'At a Time',
        value: 'time',
        description: 'Publish the post at the scheduled time',
      },
      inFreeSlot,
      immediately,
    ],
    default: 'draft',
    description: 'When the post goes live',
  },
  {
    ...scheduledFor,
    required: true,
    displayOptions: { show: { ...show('create', 'validate').show, when: ['time'] } },
  },
  {
    ...scheduledFor,
    displayOptions: { show: { ...show('create', 'validate').show, when: ['draft'] } },
    description:
      'Time to propose, such as to whoever approves the draft. A draft does not go live by itself.',
  },
  { ...mediaUrls, displayOptions: show('create', 'validate') },
  collection('additionalFields', show('create', 'validate'), [
    ...furtherFields,
    inBody({
      displayName: 'External ID Must Be New',
      name: 'externalIdUnique',
      type: 'boolean',
      default: true,
      description: 'Whether to refuse the post if another one has its external ID',
    }),
    idempotencyKey,
  ]),
  collection('additionalFields', show('retry'), [idempotencyKey]),
  collection('updateFields', show('update'), [
    { ...accounts, description: `Replaces all destinations. ${accountsChoice.description}` },
    content,
    ...furtherFields,
    inBody({
      displayName: 'If Version',
      name: 'ifVersion',
      type: 'number',
      default: 1,
      description:
        'Change the post only if its <code>approval.version</code> is still this. Needed to decide about a draft that waits for approval.',
    }),
    mediaUrls,
    scheduledFor,
    {
      displayName: 'When',
      name: 'when',
      type: 'options',
      noDataExpression: true,
      options: [
        {
          name: 'As Draft',
          value: 'draft',
          description: 'Make it a draft, which keeps its time',
        },
        {
          name: 'As Planned',
          value: 'planned',
          description: 'Schedule a draft for the time that it has',
        },
        inFreeSlot,
        immediately,
      ],
      default: 'planned',
    },
  ]),

  ...limits('post', ['getAll']),
  collection('filters', show('getAll'), [
    {
      displayName: 'Account External ID',
      name: 'accountExternalId',
      type: 'string',
      default: '',
      description: 'Your own ID of a customer, as given when the account was connected',
    },
    inQuery(accountsChoice, 'accountId'),
    {
      displayName: 'Approval',
      name: 'approval',
      type: 'options',
      options: [
        { name: 'Approved', value: 'approved' },
        { name: 'Declined', value: 'declined' },
        { name: 'Waiting', value: 'waiting' },
      ],
      default: 'waiting',
    },
    {
      displayName: 'At Risk',
      name: 'atRisk',
      type: 'options',
      options: [{ name: 'Only Posts at Risk', value: 'true' }],
      default: 'true',
      description: 'Waiting posts that will probably fail or be late',
    },
    {
      displayName: 'External ID',
      name: 'externalId',
      type: 'string',
      default: '',
    },
    {
      displayName: 'From',
      name: 'from',
      type: 'dateTime',
      default: '',
      description: 'Beginning of a period of at most 62 days',
    },
    {
      displayName: 'Needs Attention',
      name: 'attention',
      type: 'options',
      options: [{ name: 'Only Posts That Need Attention', value: 'true' }],
      default: 'true',
      description: 'Posts with a destination that failed or whose outcome is unknown',
    },
    {
      displayName: 'Platforms',
      name: 'platform',
      type: 'multiOptions',
      options: platforms,
      default: [],
    },
    {
      displayName: 'Search',
      name: 'search',
      type: 'string',
      default: '',
      description: 'Words of the post. The last one may be the beginning of a word.',
    },
    {
      displayName: 'Sort',
      name: 'sort',
      type: 'options',
      options: [
        { name: 'Created, Newest First', value: 'createdAt' },
        { name: 'Scheduled Time, Earliest First', value: 'scheduledFor' },
      ],
      default: 'createdAt',
    },
    {
      displayName: 'Statuses',
      name: 'status',
      type: 'multiOptions',
      options: [
        { name: 'Draft', value: 'draft' },
        { name: 'Failed', value: 'failed' },
        { name: 'Partial', value: 'partial' },
        { name: 'Published', value: 'published' },
        { name: 'Publishing', value: 'publishing' },
        { name: 'Scheduled', value: 'scheduled' },
      ],
      default: [],
    },
    {
      displayName: 'Tags',
      name: 'tags',
      type: 'string',
      default: '',
      description: 'Posts with any of these tags, separated by commas',
    },
    {
      displayName: 'To',
      name: 'to',
      type: 'dateTime',
      default: '',
      description: 'End of the period, which is not part of it',
    },
  ]),
  collection('options', show('getMetrics'), [
    {
      displayName: 'Ask the Platforms First',
      name: 'fresh',
      type: 'options',
      options: [{ name: 'If Older Than 15 Minutes', value: 'true' }],
      default: 'true',
    },
  ]),
];
