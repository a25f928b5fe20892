import { randomUUID } from 'node:crypto';
import { build as listAccounts } from '../../../functions/api/accounts/list.ts';
import { build as listAudit } from '../../../functions/api/audit/list.ts';
import { build as presignMedia } from '../../../functions/api/media/presign.ts';
import { build as createPost } from '../../../functions/api/posts/create.ts';
import { build as listPosts } from '../../../functions/api/posts/list.ts';
import { build as readPost } from '../../../functions/api/posts/read.ts';
import { build as listSlots } from '../../../functions/api/rhythm/list-slots.ts';
import { uploadSigner } from '../../../lib/aws/bucket.ts';
import { openClientUploads } from '../../../lib/aws/part-uploads.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { toMediaItem } from '../../../lib/media/urls.ts';
import { dailyLimitsOf } from '../../../lib/platforms/registry/daily-limits.ts';
import type { Table } from '../../../lib/table/table.ts';
import { accessTo } from '../../support/create-table.ts';
import type { ApiCall, Handler } from './api.ts';
import type { SeededWorkspace } from './seed.ts';

/** An API request that is measured. */
export interface MeasuredOperation {
  readonly name: string;
  readonly handler: Handler;
  /** Limit of its requests to the table, without the rate limit's write. If absent, there is no bound. */
  readonly requestBound?: number;
  call(workspace: SeededWorkspace): ApiCall;
}

const mediaBaseUrl = 'https://media.example.com';

/** @param now epoch milliseconds */
export function measuredOperations(table: Table, now: number): readonly MeasuredOperation[] {
  const signUpload = uploadSigner('bench-media', accessTo('http://127.0.0.1:1'));
  const dailyLimits = dailyLimitsOf({});
  const dependencies = {
    table,
    ratesPerMinute: { address: 1_000_000 },
    panelEdge: { originSecretDigest: '', plainHttpHosts: new Set<string>() },
    requestSessionCheck: async () => undefined,
    mediaBaseUrl,
    dailyLimits,
    signUpload,
    clientUploads: openClientUploads('bench-media', accessTo('http://127.0.0.1:1')),
    stageFeatures: {},
    plainHttpHosts: new Set<string>(),
    pageReader: () => async () => ({ problem: 'no page is read' }),
  };
  const [create, read, list, accounts, presign, audit, slots] = [
    createPost(dependencies),
    readPost(dependencies),
    listPosts(dependencies),
    listAccounts(dependencies),
    presignMedia(dependencies),
    listAudit(dependencies),
    listSlots(dependencies),
  ] as unknown as [Handler, Handler, Handler, Handler, Handler, Handler, Handler];
  const period = { from: toTimestamp(now - 31 * dayMs), to: toTimestamp(now + 31 * dayMs) };
  return [
    ...[1, 3, 50].map((targetCount) => ({
      name: `create, ${targetCount} ${targetCount === 1 ? 'target' : 'targets'}`,
      handler: create,
      ...(targetCount <= 3 && { requestBound: 2 }),
      call: ({ accountIds, image }: SeededWorkspace): ApiCall => ({
        method: 'POST',
        route: '/v1/posts',
        body: {
          content: 'A post of three hundred characters. '.repeat(9).slice(0, 300),
          mediaItems: [toMediaItem(mediaBaseUrl, image)],
          platforms: accountIds.slice(0, targetCount).map((accountId) => ({ accountId })),
          scheduledFor: toTimestamp(now + dayMs),
          idempotencyKey: randomUUID(),
        },
      }),
    })),
    {
      name: 'read',
      handler: read,
      requestBound: 1,
      call: ({ postId }) => ({ method: 'GET', route: '/v1/posts/{id}', pathParameters: { id: postId } }),
    },
    ...[
      { name: 'list, limit 50', query: () => ({ limit: '50' }) },
      { name: 'list, limit 500', query: () => ({ limit: '500' }) },
      { name: 'list, status, limit 50', query: () => ({ status: 'published', limit: '50' }) },
      { name: 'list, 62 days, limit 50', query: () => ({ ...period, limit: '50' }) },
      { name: 'list, 62 days, limit 500', query: () => ({ ...period, limit: '500' }) },
      {
        name: 'list, 62 days, account and platform, limit 50',
        query: ({ accountIds }: SeededWorkspace) => ({
          ...period,
          accountId: accountIds[0] ?? '',
          platform: 'instagram',
          limit: '50',
        }),
      },
      {
        name: 'list, 62 days, nothing matches',
        query: () => ({ ...period, attention: 'true', limit: '50' }),
      },
      { name: 'list, attention, limit 50', query: () => ({ attention: 'true', limit: '50' }) },
      {
        name: 'list, account, limit 50',
        query: ({ accountIds }: SeededWorkspace) => ({ accountId: accountIds[0] ?? '', limit: '50' }),
        requestBound: 2,
      },
    ].map(({ name, query, requestBound = 1 }) => ({
      name,
      handler: list,
      requestBound,
      call: (workspace: SeededWorkspace): ApiCall => ({
        method: 'GET',
        route: '/v1/posts',
        query: query(workspace),
      }),
    })),
    {
      name: 'slots, 50',
      handler: slots,
      requestBound: 2,
      call: ({ accountIds }) => ({
        method: 'GET',
        route: '/v1/accounts/{id}/slots',
        pathParameters: { id: accountIds[1] ?? '' },
        query: { count: '50' },
      }),
    },
    {
      name: 'accounts',
      handler: accounts,
      requestBound: 1,
      call: () => ({ method: 'GET', route: '/v1/accounts' }),
    },
    {
      name: 'presign',
      handler: presign,
      requestBound: 1,
      call: () => ({
        method: 'POST',
        route: '/v1/media/presign',
        body: { filename: 'video.mp4', contentType: 'video/mp4', size: 1_000_000 },
      }),
    },
    {
      name: 'audit, limit 50',
      handler: audit,
      requestBound: 1,
      call: () => ({ method: 'GET', route: '/v1/audit', query: { limit: '50' } }),
    },
  ];
}
