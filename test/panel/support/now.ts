import type * as z from 'zod';
import { listAccountsOperation } from '../../../lib/accounts/operations.ts';
import { listPostsOperation } from '../../../lib/posts/operations.ts';
import type { ListedPostView } from '../../../lib/posts/view/schemas.ts';
import { type Punctuality, readPunctualityOperation } from '../../../lib/punctuality/operations.ts';
import { listWebhooksOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import type { WebhookView } from '../../../lib/webhooks/views.ts';
import { readWorkspaceOperation, type WorkspaceView } from '../../../lib/workspaces/operations.ts';
import { some } from './accounts.ts';
import type { FakeApi } from './fake-api.ts';
import { idOf } from './ids.ts';
import { answer } from './operation-answers.ts';
import { berlin } from './panel.ts';

type Post = z.infer<typeof ListedPostView>;

export const figures: z.infer<typeof Punctuality> = {
  from: '2026-02-24T00:00:00.000Z',
  to: '2026-03-02T12:00:00.000Z',
  count: 214,
  p50Ms: 31,
  p90Ms: 84,
  p95Ms: 133,
  p99Ms: 412,
  worstMs: 1_905,
  withinOneSecond: 0.9953,
  atFirstTry: 0.9813,
  platforms: [],
};

export const noFigures: z.infer<typeof Punctuality> = {
  ...figures,
  count: 0,
  p50Ms: null,
  p90Ms: null,
  p95Ms: null,
  p99Ms: null,
  worstMs: null,
  withinOneSecond: null,
  atFirstTry: null,
};

/** An endpoint for webhooks. */
export function endpointOf(
  number: number,
  changes: Partial<z.infer<typeof WebhookView>> = {},
): z.infer<typeof WebhookView> {
  return {
    id: idOf(700 + number),
    url: `https://shop${number}.example/hooks/herald`,
    events: ['*'],
    accountIds: null,
    isActive: true,
    description: null,
    status: 'active',
    statusMessage: null,
    createdAt: '2026-01-12T09:30:00.000Z',
    ...changes,
  };
}

interface Given {
  readonly accounts?: typeof some;
  /** Posts that went wrong. */
  readonly attention?: readonly Post[];
  /** All others. */
  readonly posts?: readonly Post[];
  readonly endpoints?: readonly z.infer<typeof WebhookView>[];
  readonly punctuality?: z.infer<typeof Punctuality>;
  readonly usedBytes?: number;
  readonly incidents?: WorkspaceView['incidents'];
}

const quotaBytes = 5 * 1_024 ** 3;

/** Answers everything that the page *Home* reads, with the filters of lists of posts that it uses. */
export function serveNow(api: FakeApi, given: Given = {}): FakeApi {
  const { accounts = some, attention = [], posts = [], endpoints = [], punctuality = figures } = given;
  answer(api, listAccountsOperation, () => ({ accounts: [...accounts], nextCursor: null }));
  answer(api, listPostsOperation, ({ query }) => ({
    posts: query.has('attention') ? [...attention] : filtered([...attention, ...posts], query),
    nextCursor: null,
  }));
  answer(api, listWebhooksOperation, () => ({ webhooks: [...endpoints], nextCursor: null }));
  answer(api, readPunctualityOperation, () => ({ punctuality }));
  answer(api, readWorkspaceOperation, () => ({
    workspace: {
      id: berlin,
      name: 'Nordlicht',
      timezone: 'Europe/Berlin',
      createdAt: '2026-01-12T09:30:00.000Z',
      eventFeed: false,
      eventFeedSince: null,
      storage: { usedBytes: given.usedBytes ?? 734_003_200, quotaBytes },
      counts: { accounts: accounts.length, webhooks: endpoints.length, keys: 2 },
      incidents: [...(given.incidents ?? [])],
    },
  }));
  return api;
}

function filtered(posts: readonly Post[], query: URLSearchParams): Post[] {
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '9999';
  const statuses = query.get('status')?.split(',');
  return posts
    .filter(
      ({ scheduledFor, platforms }) =>
        !query.has('ownTimes') ||
        platforms.some((target) => (target.scheduledFor ?? scheduledFor) !== scheduledFor),
    )
    .filter(({ approval }) => !query.has('approval') || approval?.state === query.get('approval'))
    .filter(({ scheduledFor }) => !query.has('from') || scheduledFor !== null)
    .filter(({ scheduledFor }) => (scheduledFor ?? from) >= from && (scheduledFor ?? to) <= to)
    .filter(({ status }) => statuses?.includes(status) ?? true)
    .toSorted((one, other) => ((one.scheduledFor ?? '') < (other.scheduledFor ?? '') ? -1 : 1));
}
