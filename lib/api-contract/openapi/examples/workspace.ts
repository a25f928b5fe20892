import { ids } from './things.ts';

const workspace = {
  id: ids.workspace,
  name: 'North Street Bakery',
  timezone: 'Europe/Berlin',
  createdAt: '2026-01-12T09:00:00.000Z',
  storage: { usedBytes: 48_120_332, quotaBytes: 10_737_418_240 },
  counts: { accounts: 2, webhooks: 1, keys: 1 },
} as const;

/** Examples of the workspace, its audit log, and the service itself. */
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
} as const;
