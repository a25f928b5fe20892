import * as z from 'zod';
import { Id } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { ById, pageQuery, pageReply } from '../api-contract/shapes.ts';
import { Platform } from '../platforms/contract/names.ts';
import { TagsInQuery } from '../tags/schemas.ts';
import { maxPeriodDays, toBound } from './period.ts';
import { AccountMetricsView, ListedMetrics, PostMetricsView } from './schemas.ts';

const bound = (description: string) =>
  z
    .string()
    .transform((text, { addIssue }) => {
      const epochMs = toBound(text);
      if (epochMs !== undefined) return epochMs;
      addIssue('must be a date, or a date and time with an offset, such as 2026-03-01T09:00:00Z');
      return z.NEVER;
    })
    .optional()
    .meta({
      type: 'string',
      description: `${description}. A date and time with an offset, or a date, which begins at midnight in UTC. At most ${maxPeriodDays} days; without both bounds, the last 28 days`,
    });

const period = {
  from: bound('The beginning of the period'),
  to: bound('The end of the period, which is not part of it'),
};

export const readPostMetricsOperation = operation({
  id: 'getPostMetrics',
  handler: 'posts/metrics',
  verb: 'metrics.read',
  method: 'GET',
  path: '/v1/posts/{id}/metrics',
  summary: 'Read how a post did',
  description:
    'The numbers of each destination, as its platform counts them: the latest ones, and those that were taken an hour, one day, 7 and 28 days after it went live. A number that the platform does not have is null with the reason, never 0. Accounts need the feature `insights`; those that were connected without it say so. The event `post.metrics` is sent with each snapshot.',
  pathParameters: ById,
  query: z.object({
    fresh: z
      .literal('true', 'must be true, or left out')
      .transform(() => true as const)
      .optional()
      .meta({
        type: 'boolean',
        const: true,
        enum: [true],
        description:
          'Asks the platforms first, for the destinations whose numbers are older than 15 minutes, at most 200 times a day for an account. A platform that does not answer within some seconds leaves the numbers as they are',
      }),
  }),
  replies: { 200: { description: 'The numbers', body: z.object({ metrics: PostMetricsView }) } },
  refusals: { 404: 'No such post in this workspace that the key may see' },
  rights: {
    reads: {
      Query: ['POST#'],
      BatchGetItem: ['NUMBERS#', 'WORKSPACE#'],
      GetItem: ['POST#', 'NUMBERS#', 'WORKSPACE#'],
      ConditionCheckItem: ['WORKSPACE#'],
    },
    // A token that has ended is refreshed, as for other questions to platforms.
    writes: { UpdateItem: ['NUMBERS#', 'ACCOUNT-NUMBERS#', 'POST#', 'WORKSPACE#'] },
    tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
    platformSecrets: true,
  },
  settings: ['PLATFORM_FEATURES'],
  timeoutSeconds: 29,
});

export const readAccountMetricsOperation = operation({
  id: 'getAccountMetrics',
  handler: 'accounts/metrics',
  verb: 'metrics.read',
  method: 'GET',
  path: '/v1/accounts/{id}/metrics',
  summary: 'Read the numbers of an account, day by day',
  description:
    'The platform’s own insights into the account, which are read once a day. Platforms report up to two days late, so the last days are read again. A number that the platform does not have is null with the reason. Days from before the account was connected with the feature `insights` are not read.',
  pathParameters: ById,
  query: z.object(period),
  replies: { 200: { description: 'The numbers', body: z.object({ metrics: AccountMetricsView }) } },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: { reads: { GetItem: ['WORKSPACE#'], Query: ['ACCOUNT-NUMBERS#'] } },
  settings: ['PLATFORM_FEATURES'],
});

export const ListMetricsQuery = pageQuery({
  ...period,
  platform: Platform.optional().meta({ description: 'Only posts on this platform' }),
  accountId: Id.optional().meta({ format: 'uuid', description: 'Only posts of this account' }),
  tags: TagsInQuery.optional(),
  format: z.enum(['json', 'csv']).optional().meta({
    description:
      '`csv`: the page as a table of comma-separated values, which `Accept: text/csv` asks for too. The response’s `X-Next-Cursor` is then the cursor of the next page; without it, the page is the last',
  }),
});
export type ListMetricsQuery = z.output<typeof ListMetricsQuery>;

const pageOfMetrics = pageReply('posts', ListedMetrics, 'A page of posts with their numbers');

export const listMetricsOperation = operation({
  id: 'listMetrics',
  handler: 'metrics/list',
  verb: 'metrics.read',
  method: 'GET',
  path: '/v1/metrics',
  summary: 'List the posts that went live in a period, with their numbers',
  description:
    'One entry for each destination, in order of the time at which it went live, earliest first, with its latest numbers. A page may be shorter than `limit`, or empty; `nextCursor` says whether there are more. Posts that went live before the operator enabled `insights` on their platform are missing.',
  query: ListMetricsQuery,
  replies: {
    200: {
      ...pageOfMetrics[200],
      otherTypes: {
        'text/csv':
          'The same as comma-separated values (RFC 4180), with a line of headings. A value that a spreadsheet would take for a formula has an apostrophe in front',
      },
    },
  },
  rights: { reads: { GetItem: ['WORKSPACE#'], Query: ['NUMBERS#'], BatchGetItem: ['POST#'] } },
});

export const listBestPostsOperation = operation({
  id: 'listBestPosts',
  handler: 'metrics/best',
  verb: 'metrics.read',
  method: 'GET',
  path: '/v1/metrics/best',
  summary: 'List the best posts of a month',
  description:
    'The destinations that went live in the month, at most 100, with the most interactions: likes, comments, shares and saves together, as far as the platform has them. Of a month with more posts, those are chosen whose numbers were the highest whenever they were taken.',
  query: z.object({
    month: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, such as 2026-03')
      .optional()
      .meta({ description: 'The month in UTC, such as `2026-03`; by default the current one' }),
    platform: Platform.optional().meta({ description: 'Only posts on this platform' }),
  }),
  replies: {
    200: {
      description: 'The best first',
      body: z.object({ month: z.string(), posts: z.array(ListedMetrics) }),
    },
  },
  rights: { reads: { GetItem: ['WORKSPACE#'], BatchGetItem: ['NUMBERS#', 'POST#'] } },
});
