import { ids } from './things.ts';

const workspace = {
  id: ids.workspace,
  name: 'North Street Bakery',
  timezone: 'Europe/Berlin',
  createdAt: '2026-01-12T09:00:00.000Z',
  eventFeed: true,
  eventFeedSince: '2026-01-14T16:20:05.700Z',
  storage: { usedBytes: 48_120_332, quotaBytes: 10_737_418_240 },
  counts: { accounts: 2, webhooks: 1, keys: 1 },
  incidents: [
    {
      platform: 'threads',
      since: '2026-02-05T08:31:12.400Z',
      message:
        'Threads has had trouble since 08:31 UTC, so posts to it go live late. Herald keeps trying: there is nothing for you to do.',
    },
  ],
} as const;

/** Examples of the workspace, its punctuality, its audit log, and the service itself. */
export const examples = {
  getWorkspace: { responses: { 200: { workspace } } },
  updateWorkspace: {
    request: { name: workspace.name, timezone: workspace.timezone },
    responses: { 200: { workspace, warnings: [] } },
  },
  listAuditEntries: {
    responses: {
      200: {
        entries: [
          {
            id: '019c2f10-5a22-7f04-8be1-2c90d7a4f613',
            at: '2026-02-05T08:42:30.018Z',
            actor: { kind: 'key', id: ids.key },
            verb: 'post.create',
            subjectId: ids.post,
            requestId: ids.request,
            outcome: 'done',
          },
        ],
        nextCursor: null,
      },
    },
  },
  getOpenApiDocument: {
    responses: { 200: { openapi: '3.1.0', info: { title: 'Social publishing service', version: '1.0.0' } } },
  },
  checkHealth: { responses: { 200: { status: 'ok' } } },
  getPunctuality: {
    responses: {
      200: {
        punctuality: {
          from: '2026-11-16T00:00:00.000Z',
          to: '2026-11-22T15:04:05.000Z',
          count: 214,
          p50Ms: 41,
          p90Ms: 118,
          p95Ms: 201,
          p99Ms: 902,
          worstMs: 4_310,
          withinOneSecond: 0.9906542056074766,
          atFirstTry: 0.9813084112149533,
          platforms: [
            {
              platform: 'instagram',
              count: 160,
              p50Ms: 40,
              p90Ms: 112,
              p95Ms: 178,
              p99Ms: 655,
              worstMs: 902,
              withinOneSecond: 1,
              atFirstTry: 0.99375,
            },
            {
              platform: 'youtube',
              count: 54,
              p50Ms: 47,
              p90Ms: 139,
              p95Ms: 366,
              p99Ms: 4_310,
              worstMs: 4_310,
              withinOneSecond: 0.9629629629629629,
              atFirstTry: 0.9444444444444444,
            },
          ],
        },
      },
    },
  },
} as const;
