import { expect, it } from 'vitest';
import * as z from 'zod';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { adminOf, writeDevFile } from './support/admin.ts';
import { type Client, clientOf, until } from './support/client.ts';

let client: Client;
let admin: ReturnType<typeof adminOf>;
visitSharedCloud((cloud) => {
  writeDevFile(cloud.dataDirectory, cloud);
  client = clientOf(cloud, cloud.demo);
  admin = adminOf(cloud.dataDirectory);
});

const Page = z.object({ posts: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() });

async function find(search: string): Promise<string[]> {
  const answer = await client.expectStatus(200, 'GET', `/v1/posts?search=${encodeURIComponent(search)}`);
  return Page.parse(answer.json()).posts.map(({ id }) => id);
}

async function untilFound(search: string, ids: readonly string[]): Promise<void> {
  await until(
    () => find(search),
    (found) => found.join() === ids.join(),
  );
}

it('a search finds a post soon, also after an edit, and not once it is deleted', async () => {
  const platforms = [{ accountId: client.accountId('threads'), customContent: 'Only here: quinces' }];
  const { id } = await client.createPost({ content: 'Our marmalade season', platforms, isDraft: true });
  await untilFound('season marm', [id]);
  await untilFound('quince', [id]);
  await client.expectStatus(200, 'PATCH', `/v1/posts/${id}`, { content: 'Our damson season' });
  await untilFound('damson', [id]);
  await untilFound('marmalade', []);
  await client.expectStatus(200, 'DELETE', `/v1/posts/${id}`);
  await untilFound('damson', []);
  await untilFound('quince', []);
});

it('the search finds the same posts after a rebuild', async () => {
  const { id } = await client.createPost({ content: 'Rebuilt gooseberry jam', isDraft: true });
  await untilFound('gooseberry', [id]);
  expect(await admin('workspace', 'rebuild', client.workspace.id)).toMatchObject({ exitCode: 0 });
  expect(await find('gooseberry jam')).toEqual([id]);
});
