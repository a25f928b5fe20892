import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { accountItem } from '../../../lib/accounts/store.ts';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { MediaReference } from '../../../lib/media/schemas.ts';
import { postItem } from '../../../lib/posts/stored/store.ts';
import { mediaKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import { aMedia, anAccount, aPost, aTarget, openWorkspace, referenceTo } from '../../support/builders.ts';

/** A workspace with posts, each to the first account, and with accounts and an image for new posts. */
export interface SeededWorkspace {
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly accountIds: readonly string[];
  readonly image: MediaReference;
  readonly postCount: number;
  /** One of its posts, in the middle. */
  readonly postId: string;
}

const accountCount = 50;
const maxBatchItems = 25;
const batchesAtOnce = 8;

/**
 * Creates a workspace with posts. Nine of ten posts are published, the others scheduled; each has 300 characters, one
 * image and one target.
 *
 * @param now epoch milliseconds
 */
export async function seedWorkspace(table: Table, now: number, postCount: number): Promise<SeededWorkspace> {
  const { workspace, apiKey } = await openWorkspace(table, { now });
  const accounts = Array.from({ length: accountCount }, (_, index) =>
    anAccount(workspace.id, { id: newId(now), platformAccountId: `1784140000000${1_000 + index}` }),
  );
  const media = aMedia(workspace.id);
  const image = referenceTo(media);
  const accountIds = accounts.map(({ id }) => id);
  const postIds = Array.from({ length: postCount }, (_, index) =>
    newId(now - (postCount - index) * minuteMs),
  );
  const writer = openWriter(table);
  for (const account of accounts) await writer.put(accountItem(account));
  await writer.put({ ...mediaKey(workspace.id, media.id), kind: 'media', ...media });
  for (const [index, postId] of postIds.entries()) {
    const createdAt = toTimestamp(now - (postCount - index) * minuteMs);
    for (const item of postItems({
      workspaceId: workspace.id,
      postId,
      accountIds: accountIds.slice(0, 1),
      image,
      createdAt,
      isPublished: index % 10 > 0,
      dueAt: toTimestamp(now + dayMs),
    })) {
      await writer.put(item);
    }
  }
  await writer.finish();
  const workspaceId = workspace.id;
  return { workspaceId, apiKey, accountIds, image, postCount, postId: postIds[postCount >> 1] ?? '' };
}

function postItems(seed: {
  workspaceId: string;
  postId: string;
  accountIds: readonly string[];
  image: MediaReference;
  createdAt: string;
  isPublished: boolean;
  dueAt: string;
}): Record<string, unknown>[] {
  const { workspaceId, postId, createdAt, isPublished } = seed;
  const status = isPublished ? 'published' : 'scheduled';
  const targets = seed.accountIds.map((accountId, position) => {
    const target = aTarget({ workspaceId, postId, accountId, position, status, scheduledFor: seed.dueAt });
    if (!isPublished) return { ...target, wakeAt: seed.dueAt };
    const { wakeAt: _wakeAt, ...settled } = target;
    return {
      ...settled,
      scheduledFor: createdAt,
      publishedAt: createdAt,
      platformPostId: '18000000000000000',
      permalink: 'https://www.instagram.com/p/C0000000000/',
    };
  });
  const post = aPost(targets, {
    id: postId,
    workspaceId,
    content: 'A post of three hundred characters. '.repeat(9).slice(0, 300),
    mediaItems: [seed.image],
    status,
    scheduledFor: isPublished ? createdAt : seed.dueAt,
    createdAt,
    updatedAt: createdAt,
  });
  return [postItem(post), ...targets.map(targetItem)];
}

/** Writes items in full batches, several concurrently. */
function openWriter(table: Table) {
  let waiting: Record<string, unknown>[] = [];
  let sending: Promise<unknown>[] = [];
  const flush = () => {
    if (waiting.length === 0) return;
    const RequestItems = { [table.name]: waiting.map((Item) => ({ PutRequest: { Item } })) };
    waiting = [];
    sending.push(table.client.send(new BatchWriteCommand({ RequestItems })).then(requireAllWritten));
  };
  return {
    async put(item: Record<string, unknown>): Promise<void> {
      waiting.push(item);
      if (waiting.length === maxBatchItems) flush();
      if (sending.length < batchesAtOnce) return;
      await Promise.all(sending);
      sending = [];
    },
    async finish(): Promise<void> {
      flush();
      await Promise.all(sending);
    },
  };
}

function requireAllWritten({ UnprocessedItems = {} }: { UnprocessedItems?: object | undefined }): void {
  if (Object.keys(UnprocessedItems).length > 0)
    throw new Error('the engine did not write all items of the batch');
}
