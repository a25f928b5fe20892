import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Account } from '../../lib/accounts/schemas.ts';
import { accountItem } from '../../lib/accounts/store.ts';
import type { Context } from '../../lib/api-contract/context.ts';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import type { Media, MediaReference } from '../../lib/media/schemas.ts';
import { mediaTypeOf } from '../../lib/media/types.ts';
import { objectKeyFor } from '../../lib/media/urls.ts';
import { commitPost } from '../../lib/posts/stored/commit-post.ts';
import type { Post } from '../../lib/posts/stored/schemas.ts';
import { insertPostItems, type PostWithTargets } from '../../lib/posts/stored/store.ts';
import { mediaKey } from '../../lib/table/keys.ts';
import type { Table } from '../../lib/table/table.ts';
import { summarise, type Target } from '../../lib/targets/schemas.ts';
import { isLive, type TargetStatus } from '../../lib/targets/state.ts';
import { type TargetChanges, updateTarget } from '../../lib/targets/store.ts';
import { overdueKeys } from '../../lib/targets/wake.ts';
import { createWorkspace } from '../../lib/workspaces/manage.ts';
import { createKey } from '../../lib/workspaces/manage-keys.ts';
import type { Workspace } from '../../lib/workspaces/schemas.ts';
import { actOf, anOperator } from './acts.ts';

/** The time at which tests start by default. */
export const startMs = Date.parse('2026-03-01T12:00:00Z');

/** Stores a workspace with a key, and returns the context of a request with that key. */
export async function openWorkspace(
  table: Table,
  { now = startMs, ...options }: { now?: number; name?: string; storageQuotaBytes?: number } = {},
): Promise<{ workspace: Workspace; apiKey: string; context: Context }> {
  const workspace = await createWorkspace(anOperator(table, now, 'workspace.create'), {
    name: 'test',
    ...options,
  });
  const operator = anOperator(table, now);
  const { key, apiKey } = await createKey(operator, { workspaceId: workspace.id, name: 'test' });
  const context = {
    table,
    workspaceId: workspace.id,
    ...actOf(key.id),
    cursorSecret: workspace.cursorSecret,
    now,
  };
  return { workspace, apiKey, context };
}

export function anAccount(workspaceId: string, changes: Partial<Account> = {}): Account {
  return {
    id: newId(startMs),
    workspaceId,
    platform: 'instagram',
    platformAccountId: '17841400000000000',
    username: 'someone',
    displayName: null,
    avatarUrl: null,
    status: 'ok',
    statusMessage: null,
    meta: {},
    connectedAt: toTimestamp(startMs),
    ...changes,
  };
}

export async function storeAccount(
  table: Table,
  workspaceId: string,
  changes?: Partial<Account>,
): Promise<Account> {
  const account = anAccount(workspaceId, changes);
  await table.client.send(new PutCommand({ TableName: table.name, Item: accountItem(account) }));
  return account;
}

export function aMedia(workspaceId: string, changes: Partial<Media> = {}): Media {
  const { id = newId(startMs), filename = 'image.jpg' } = changes;
  return {
    id,
    workspaceId,
    objectKey: objectKeyFor(workspaceId, id, filename),
    filename,
    contentType: 'image/jpeg',
    status: 'ready',
    reservedBytes: 1_000,
    sizeBytes: 1_000,
    version: 1,
    createdAt: toTimestamp(startMs),
    ...changes,
  };
}

export async function storeMedia(
  table: Table,
  workspaceId: string,
  changes?: Partial<Media>,
): Promise<Media> {
  const media = aMedia(workspaceId, changes);
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: { ...mediaKey(workspaceId, media.id), kind: 'media', ...media },
    }),
  );
  return media;
}

export function referenceTo({ id, objectKey, contentType }: Media): MediaReference {
  return { type: mediaTypeOf(contentType), mediaId: id, objectKey };
}

/** A target that is scheduled for `startMs` and has its wake then. */
export function aTarget(changes: Partial<Target> = {}): Target {
  const target: Target = {
    workspaceId: newId(startMs),
    postId: newId(startMs),
    accountId: newId(startMs),
    platform: 'instagram',
    position: 0,
    status: 'scheduled',
    options: {},
    scheduledFor: toTimestamp(startMs),
    wakeAt: toTimestamp(startMs),
    wakeNumber: 1,
    attempt: 1,
    failures: 0,
    timeline: [],
    ...changes,
  };
  return { ...overdueKeys(target), ...target };
}

/** A post of these targets. Its status does not follow from theirs. */
export function aPost(targets: readonly Target[], changes: Partial<Post> = {}): Post {
  const [first = aTarget()] = targets;
  return {
    id: first.postId,
    workspaceId: first.workspaceId,
    content: 'Hello',
    mediaItems: [],
    status: 'scheduled',
    timezone: 'UTC',
    createdAt: toTimestamp(startMs),
    updatedAt: toTimestamp(startMs),
    targets: targets.map(summarise),
    version: 1,
    ...changes,
  };
}

/** Stores a post with its targets, and sets the targets' workspace and post to match. */
export async function storePost(
  table: Table,
  workspaceId: string,
  targets: readonly Partial<Target>[],
  changes: Partial<Post> = {},
): Promise<PostWithTargets> {
  const { id = newId(startMs) } = changes;
  const owned = targets.map((target, position) => aTarget({ position, ...target, workspaceId, postId: id }));
  const post = aPost(owned, { ...changes, id, workspaceId });
  const items = insertPostItems(table, { post, targets: owned });
  const outcome = await commitPost(table, startMs, { items, after: { post, targets: owned } });
  if (!outcome.committed) throw new Error(`post ${id} was not stored`);
  return { post, targets: owned };
}

/** Changes a target with {@link updateTarget}. If it becomes live, it first passes through the states before that. */
export async function changeTarget(
  table: Table,
  target: Target,
  changes: TargetChanges,
  writeId: string = newId(startMs),
): Promise<Target> {
  const path: TargetStatus[] = ['draft', 'scheduled', 'publishing'];
  const skipsStates = changes.status && isLive(changes.status) && path.includes(target.status);
  let current = target;
  for (const status of skipsStates ? path.slice(path.indexOf(target.status) + 1) : [])
    current = await updateTarget(table, current, { status }, newId(startMs));
  return updateTarget(table, current, changes, writeId);
}
