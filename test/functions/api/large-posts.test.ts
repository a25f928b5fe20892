import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Call, mediaBaseUrl, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount, storeMedia } from '../../support/builders.ts';

let call: Call;
let apiKey: string;
let body: object;
let fewer: object;
let otherMedia: object;
beforeAll(async () => {
  const api = await openApi();
  call = api.call;
  const { context, apiKey: key } = await openWorkspace(api.table);
  apiKey = key;
  const { workspaceId } = context;
  const accounts = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      storeAccount(api.table, workspaceId, { platformAccountId: `${index}` }),
    ),
  );
  const [media, other] = await Promise.all([
    storeMedia(api.table, workspaceId),
    storeMedia(api.table, workspaceId),
  ]);
  const item = ({ objectKey }: { objectKey: string }) => ({
    type: 'image',
    url: `${mediaBaseUrl}/${objectKey}`,
  });
  fewer = { platforms: accounts.slice(0, 1).map(({ id }) => ({ accountId: id })) };
  otherMedia = { mediaItems: [item(other)] };
  body = {
    platforms: accounts.map(({ id }) => ({ accountId: id })),
    content: 'Hello',
    mediaItems: [item(media)],
  };
});

const idOf = (answer: Answer): string => (answer.body['post'] as { readonly id: string }).id;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Their writes do not fit into one transaction, so the functions use rights that other posts do not need. */
describe('a post to fifty accounts', () => {
  it('is validated, created, changed and deleted within the rights of the functions', async () => {
    const planned = { ...body, scheduledFor: inHours(2), idempotencyKey: 'large' };
    expect(await call('posts-validate', { apiKey, body: planned })).toMatchObject({ body: { valid: true } });
    const created = await call('posts-create', { apiKey, body: planned });
    expect(created.status).toBe(201);
    const path = { id: idOf(created) };
    const changes = [{ scheduledFor: inHours(3), ...otherMedia }, fewer];
    for (const change of changes)
      expect(await call('posts-edit', { apiKey, path, body: change })).toMatchObject({ status: 200 });
    expect(await call('posts-delete', { apiKey, path })).toMatchObject({ status: 200 });
  });

  it('gets a slot that fits all of them within the rights of the functions, and another one if it is changed', async () => {
    const planned = { ...body, scheduledFor: 'auto' };
    expect(await call('posts-validate', { apiKey, body: planned })).toMatchObject({ body: { valid: true } });
    const created = await call('posts-create', { apiKey, body: planned });
    expect(created.status).toBe(201);
    const path = { id: idOf(created) };
    const change = { scheduledFor: 'auto', ...otherMedia };
    expect(await call('posts-edit', { apiKey, path, body: change })).toMatchObject({ status: 200 });
    expect(await call('posts-delete', { apiKey, path })).toMatchObject({ status: 200 });
  });
});
