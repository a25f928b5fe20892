import type * as z from 'zod';
import type { AccountView } from '../../../lib/accounts/schemas.ts';
import { ListedPostView, PostView } from '../../../lib/posts/view/schemas.ts';
import { idOf } from './ids.ts';

type Account = Pick<AccountView, 'id' | 'platform'>;
type Listed = z.input<typeof ListedPostView>;
export type ListedTarget = Listed['platforms'][number];
type Target = z.input<typeof PostView>['platforms'][number];

/** A destination of a post, scheduled unless told otherwise. */
export function targetOf(
  { id: accountId, platform }: Account,
  changes: Partial<ListedTarget> = {},
): ListedTarget {
  const scheduledFor = changes.scheduledFor ?? null;
  return {
    platform,
    accountId,
    status: 'scheduled',
    scheduledFor,
    platformPostId: null,
    permalink: null,
    error: null,
    errorDetail: null,
    risk: null,
    publishedAt: null,
    removedAt: null,
    removal: null,
    threadParts: [],
    timing: { scheduledFor, calledAt: null, liveAt: null, lateMs: null, afterRequestMs: null },
    ...changes,
  };
}

/** A post as lists have it. */
export function listedPostOf(number: number, changes: Partial<Listed> = {}) {
  const id = idOf(9_000 + number);
  return ListedPostView.parse({
    _id: id,
    id,
    content: 'Fresh beans',
    status: 'scheduled',
    atRisk: false,
    scheduledFor: null,
    timezone: 'Europe/Berlin',
    onQuota: 'wait',
    createdAt: '2026-01-12T09:30:00.000Z',
    updatedAt: '2026-01-12T09:30:00.000Z',
    mediaItems: [],
    coverUrl: null,
    platforms: [],
    chain: [],
    parentPostId: null,
    tags: [],
    metadata: {},
    externalId: null,
    externalIdUnique: false,
    approval: null,
    ...changes,
  });
}

/** The way to take a live destination down: by the service at the networks whose API can. */
function takeDownOf({ status, platform }: ListedTarget): Target['takeDown'] {
  if (status !== 'published' && status !== 'partial') return null;
  return platform === 'instagram' || platform === 'tiktok'
    ? { by: 'person', feature: null, reason: 'the platform lets no app delete posts' }
    : { by: 'service', feature: 'publish', reason: null };
}

/** The same post as it is read alone. */
export function postOf(listed: Listed, changes: Partial<z.input<typeof PostView>> = {}) {
  const platforms = listed.platforms.map((target) => ({
    ...target,
    customContent: null,
    customMedia: null,
    fit: null,
    padColor: null,
    focalPoint: null,
    adaptations: [],
    linkCard: null,
    platformSpecificData: {},
    takeDown: takeDownOf(target),
  }));
  const editable = platforms.every(({ status }) => status === 'draft' || status === 'scheduled');
  return PostView.parse({ ...listed, platforms, editable, ...changes });
}
