import { clickLost, linkUnreadable } from '../lib/links/link-table.ts';
import { outcomeMessages } from '../lib/publishing/outcome-line.ts';

/**
 * A question of operators, as a query of CloudWatch Logs Insights. `docs/runbook.md` says which alarm leads to it.
 *
 * See https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html.
 */
export interface SavedQuery {
  /** The name in the list of saved queries, as the runbook writes it. */
  readonly name: string;
  /** The functions whose logs answer it, by name. */
  readonly functions: readonly string[];
  /** One command per line. */
  readonly commands: readonly string[];
}

/** The maximum number of log groups in a query of Logs Insights. */
export const maxFunctionsPerQuery = 50;

const quoted = (texts: readonly string[]): string => `[${texts.map((text) => `"${text}"`).join(', ')}]`;

const consumers = [
  'publish-target',
  'upload-target',
  'keep-schedules',
  'run-chain',
  'complete-upload',
  'import-media',
  'render-media',
  'deliver-webhook',
  'deliver-slow-webhook',
  'ingest-delivery',
  'run-automation',
];

const periodic = [
  'sweep',
  'sweep-actions',
  'sweep-deliveries',
  'check-ahead',
  'sweep-media',
  'sweep-withdrawals',
  'refresh-tokens',
  'erase-workspaces',
];

const problemsByReason = (functions: readonly string[]): Omit<SavedQuery, 'name'> => ({
  functions,
  commands: [
    'filter level in ["WARN", "ERROR"]',
    'stats count(*) as lines, max(@timestamp) as latest by service, level, message, error.message',
    'sort lines desc',
    'limit 100',
  ],
});

/** The queries about the functions that run in the background. */
export const workerQueries: readonly SavedQuery[] = [
  {
    name: 'Failed destinations by reason',
    functions: ['relay'],
    commands: [
      'filter state in ["failed", "unknown"]',
      'stats count(*) as destinations, max(@timestamp) as latest by platform, state, code, reason',
      'sort destinations desc',
      'limit 100',
    ],
  },
  {
    name: 'Failed destinations',
    functions: ['relay'],
    commands: [
      'fields @timestamp, platform, state, code, reason, workspaceId, postId, accountId',
      'filter state in ["failed", "unknown"]',
      'sort @timestamp desc',
      'limit 1000',
    ],
  },
  {
    name: 'Destinations that were put off',
    functions: ['relay'],
    commands: [
      `filter message = "${outcomeMessages.postponed}"`,
      'stats count(*) as times, max(nextAt) as next by platform, code, reason',
      'sort times desc',
      'limit 100',
    ],
  },
  {
    name: 'Destinations that went live late',
    functions: ['relay'],
    commands: [
      'fields @timestamp, platform, lateMs, workspaceId, postId, accountId',
      'filter state = "live" and lateMs > 5000',
      'sort lateMs desc',
      'limit 1000',
    ],
  },
  {
    name: 'Punctuality by platform',
    functions: ['relay'],
    commands: [
      'filter state = "live"',
      'stats count(*) as destinations, pct(lateMs, 50) as p50Ms, pct(lateMs, 99) as p99Ms, max(lateMs) as worstMs by platform',
      'sort p99Ms desc',
    ],
  },
  {
    name: 'Outcome of a post',
    functions: ['relay', 'publish-target', 'upload-target'],
    commands: [
      'fields @timestamp, message, platform, state, code, reason, lateMs, nextAt, error.message',
      'filter postId = "<post id>"',
      'sort @timestamp asc',
      'limit 1000',
    ],
  },
  {
    name: 'Failed messages',
    functions: consumers,
    commands: [
      'fields @timestamp, service, workspaceId, postId, accountId, automationId, webhookId, messageId, error.message',
      'filter message = "a message failed"',
      'sort @timestamp desc',
      'limit 1000',
    ],
  },
  {
    name: 'Changes that were not relayed',
    functions: ['relay', 'keep-schedules', 'announce'],
    commands: [
      'fields @timestamp, service, message, kind, workspaceId, postId, accountId, effect, error.message',
      `filter message in ${quoted([
        'a change cannot be read',
        'a change was not relayed',
        'an effect failed and is left to the sweep',
        'an event was not announced',
      ])}`,
      'sort @timestamp desc',
      'limit 1000',
    ],
  },
  {
    name: 'Webhooks that were not delivered',
    functions: ['deliver-webhook', 'deliver-slow-webhook'],
    commands: [
      'filter message = "a webhook was not delivered"',
      'stats count(*) as attempts, max(@timestamp) as latest by workspaceId, webhookId, outcome',
      'sort attempts desc',
      'limit 100',
    ],
  },
  {
    name: 'Problems of publishing',
    ...problemsByReason(['publish-target', 'upload-target', 'relay', 'keep-schedules']),
  },
  { name: 'Problems of chains', ...problemsByReason(['run-chain']) },
  {
    name: 'Problems of webhooks',
    ...problemsByReason(['announce', 'deliver-webhook', 'deliver-slow-webhook']),
  },
  { name: 'Problems of comment automations', ...problemsByReason(['ingest-delivery', 'run-automation']) },
  { name: 'Problems of files', ...problemsByReason(['complete-upload', 'import-media', 'render-media']) },
  { name: 'Problems of sweeps', ...problemsByReason(periodic) },
];

/** The query about the redirect of tracked links. */
export const linkQueries: readonly SavedQuery[] = [
  {
    name: 'Problems of tracked links',
    functions: ['redirect'],
    commands: [
      `filter message in ${quoted([linkUnreadable, clickLost])}`,
      'stats count(*) as lines, max(@timestamp) as latest by message, error.message',
      'sort lines desc',
      'limit 100',
    ],
  },
];

/**
 * Returns the query about the API's functions of one stack.
 *
 * @param group absent for the API's main stack
 */
export const apiQuery = (group: string | undefined, functions: readonly string[]): SavedQuery => ({
  name: `API errors${group === undefined ? '' : ` (${group})`}`,
  functions,
  commands: [
    'filter level = "ERROR"',
    'stats count(*) as lines, max(requestId) as example by route, message, error.message',
    'sort lines desc',
    'limit 100',
  ],
});
