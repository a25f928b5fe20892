import type { Context, SQSEvent } from 'aws-lambda';
import { beforeAll, expect, it } from 'vitest';
import { build } from '../../../functions/consumers/run-chain.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { publicUrl } from '../../../lib/media/urls.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, mediaBaseUrl, openApi } from '../../support/api.ts';
import { changeTarget, openWorkspace, storeAccount, storeMedia } from '../../support/builders.ts';

let table: Table;
let call: Call;
let runChain: ReturnType<typeof build>;
beforeAll(async () => {
  ({ table, call } = await openApi());
  runChain = build({
    table,
    receiveAgain: async () => {},
    pageReader: () => async () => ({ problem: 'no page is read' }),
  });
});

it('creates posts that clients can read, even if other messages of the batch fail', async () => {
  const { apiKey, context } = await openWorkspace(table);
  const { workspaceId } = context;
  const [account, other, image] = await Promise.all([
    storeAccount(table, workspaceId),
    storeAccount(table, workspaceId, { platformAccountId: '17841400000000002' }),
    storeMedia(table, workspaceId),
  ]);
  const read = async (id: string) =>
    (await call('posts-read', { apiKey, path: { id } })).body['post'] as PostView;
  const deliver = (bodies: readonly string[]) =>
    runChain(
      { Records: bodies.map((body, index) => ({ messageId: `message-${index}`, body })) } as SQSEvent,
      {} as Context,
    );

  const created = await call('posts-create', {
    apiKey,
    body: {
      content: 'Hello',
      platforms: [{ accountId: account.id }],
      mediaItems: [{ type: 'image', url: publicUrl(mediaBaseUrl, image.objectKey) }],
      publishNow: true,
      chain: [{ kind: 'crossPost', accountIds: [other.id], afterMinutes: 60 }],
    },
  });
  expect(created.status).toBe(201);
  const parent = created.body['post'] as PostView;
  expect(parent).toMatchObject({
    chain: [{ kind: 'crossPost', status: 'waiting', postId: null, error: null }],
    parentPostId: null,
  });

  const message = JSON.stringify({ workspaceId, postId: parent.id });
  expect(await deliver([message])).toEqual({ batchItemFailures: [] });
  expect((await read(parent.id)).chain).toMatchObject([{ status: 'waiting' }]);

  const publishedMs = Date.now();
  for (const target of (await findPost(table, workspaceId, parent.id))?.targets ?? []) {
    const live = { status: 'published', publishedAt: toTimestamp(publishedMs), wakeAt: null } as const;
    await changeTarget(table, target, live, newId(publishedMs));
  }
  expect(await deliver([message, 'no message', message])).toEqual({
    batchItemFailures: [{ itemIdentifier: 'message-1' }],
  });
  const [step] = (await read(parent.id)).chain;
  expect(step).toMatchObject({ kind: 'crossPost', status: 'fired', error: null });
  expect(await read(step?.postId ?? '')).toMatchObject({
    content: 'Hello',
    status: 'scheduled',
    scheduledFor: toTimestamp(publishedMs + 3_600_000),
    parentPostId: parent.id,
    chain: [],
    platforms: [{ accountId: other.id, status: 'scheduled' }],
  });
});
