import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../../lib/access/actor.ts';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { editPost } from '../../../../lib/posts/edit.ts';
import { listPosts } from '../../../../lib/posts/list/list-posts.ts';
import type { PostFilters } from '../../../../lib/posts/list/plan.ts';
import { removePost } from '../../../../lib/posts/remove.ts';
import { EditPostBody } from '../../../../lib/posts/request/schemas.ts';
import { indexPosts, postToIndex } from '../../../../lib/posts/search/index-changes.ts';
import { indexPost } from '../../../../lib/posts/search/index-post.ts';
import type { Post } from '../../../../lib/posts/stored/schemas.ts';
import { findPost } from '../../../../lib/posts/stored/store.ts';
import { seesPost } from '../../../../lib/posts/stored/visible.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { deleteItem, getItem, putItem } from '../../../../lib/table/items.ts';
import { postKey, searchedPostKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { PostStatus } from '../../../../lib/targets/state.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { itemsOf } from '../../../support/workspace-items.ts';
import { openFixture } from '../fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

async function readAll(context: Context, filters: PostFilters, limit = 50): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPosts(context, { ...filters, limit, cursor });
    expect(page.posts.length).toBeLessThanOrEqual(limit);
    ids.push(...page.posts.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

/** The rows of the index that a workspace has. */
async function indexRows(workspaceId: string): Promise<Record<string, unknown>[]> {
  const items = (await itemsOf(table, workspaceId)) as Record<string, unknown>[];
  return items.filter(({ kind }) => kind === 'searchedPost' || kind === 'postWord');
}

const vocabulary = [
  'sun',
  'sunny',
  'sunset',
  'summer',
  'sum',
  'launch',
  'a',
  '新',
  '新作',
  'カメラ',
  'iş',
  'x',
];
const accounts = [newId(1), newId(2), newId(3)];

describe('a search', () => {
  it('finds what a plain look at all texts finds, in order, in pages of any length, with every other filter', async () => {
    const { context } = await openWorkspace(table);
    const { workspaceId } = context;
    const texts: string[] = [];
    const posts: Post[] = [];
    for (let index = 0; index < 60; index += 1) {
      const words = vocabulary.filter((_, place) => (index * 7 + place * place) % 5 < 2);
      const content = words.join(' ');
      const accountIds = accounts.filter((_, place) => (index >> place) % 2 === 0);
      const targets = accountIds.map((accountId) => ({
        accountId,
        status: index % 3 === 0 ? ('draft' as const) : ('scheduled' as const),
        scheduledFor: toTimestamp(startMs + (index % 11) * 3_600_000),
      }));
      const { post } = await storePost(table, workspaceId, targets, {
        id: newId(startMs + index),
        content,
        status: index % 3 === 0 ? 'draft' : 'scheduled',
        scheduledFor: toTimestamp(startMs + (index % 11) * 3_600_000),
      });
      await indexPost(table, { workspaceId, postId: post.id });
      texts.push(content);
      posts.push(post);
    }
    const options = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
    const asked = fc.record({
      words: fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }),
      cut: fc.nat(4),
      limit: fc.integer({ min: 1, max: 70 }),
      status: options(fc.constantFrom<PostStatus[]>(['draft'], ['scheduled'])),
      accountId: options(fc.subarray(accounts, { minLength: 1 })),
      isByTime: fc.boolean(),
      visible: options(fc.subarray(accounts, { minLength: 1 })),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ words, cut, limit, status, accountId, isByTime, visible }) => {
        const last = words.at(-1) ?? '';
        const prefix = [...last].slice(0, Math.max(1, [...last].length - cut)).join('');
        const search = [...words.slice(0, -1), prefix].join(' ');
        const actor: Actor = { kind: 'key', id: context.actor.id, ...(visible && { accountIds: visible }) };
        const isFound = (content: string) => {
          const own = content.split(' ');
          return (
            words.slice(0, -1).every((word) => own.includes(word)) &&
            own.some((word) => word.startsWith(prefix))
          );
        };
        const expected = posts
          .filter((post, index) => {
            const has = (ids: readonly string[]) =>
              post.targets.some((target) => ids.includes(target.accountId));
            return (
              isFound(texts[index] ?? '') &&
              (!status || status.includes(post.status)) &&
              (!accountId || has(accountId)) &&
              seesPost(actor, post)
            );
          })
          .toSorted((one, other) => {
            const key = isByTime ? `${one.scheduledFor}${one.id}` : other.id;
            const otherKey = isByTime ? `${other.scheduledFor}${other.id}` : one.id;
            return key < otherKey ? -1 : 1;
          })
          .map(({ id }) => id);
        const filters = { search, status, accountId, ...(isByTime && { sort: 'scheduledFor' as const }) };
        expect(await readAll({ ...context, actor }, filters, limit)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('finds posts of a customer, of one or several accounts, and of no other', async () => {
    const { context } = await openWorkspace(table);
    const { workspaceId } = context;
    const [one, other, foreign] = await Promise.all([
      storeAccount(table, workspaceId, { platformAccountId: 'a', externalId: 'customer-1' }),
      storeAccount(table, workspaceId, { platformAccountId: 'b', externalId: 'customer-1' }),
      storeAccount(table, workspaceId, { platformAccountId: 'c', externalId: 'customer-2' }),
    ]);
    const ids: string[] = [];
    for (const [index, account] of [one, other, foreign, one].entries()) {
      const id = newId(startMs + index);
      ids.unshift(id);
      await storePost(table, workspaceId, [{ accountId: account.id }], { id, content: 'Our launch' });
      await indexPost(table, { workspaceId, postId: id });
    }
    const [last, , second, first] = ids;
    const ofCustomer = { accountExternalId: 'customer-1' };
    expect(await readAll(context, ofCustomer)).toEqual([last, second, first]);
    expect(await readAll(context, { ...ofCustomer, search: 'launch' }, 1)).toEqual([last, second, first]);
    expect(await readAll(context, { ...ofCustomer, accountId: [other.id, foreign.id] })).toEqual([second]);
    expect(await readAll(context, { accountExternalId: 'nobody' })).toEqual([]);
    const actor: Actor = { kind: 'key', id: context.actor.id, accountIds: [other.id] };
    expect(await readAll({ ...context, actor }, ofCustomer)).toEqual([second]);
  });

  it('does not tell a limited key by a cursor that other posts have the word', async () => {
    const { context } = await openWorkspace(table);
    const { workspaceId } = context;
    for (let index = 0; index < 150; index += 1) {
      const id = newId(startMs + index);
      await storePost(table, workspaceId, [{ accountId: accounts[0] ?? '' }], { id, content: 'secret' });
      await indexPost(table, { workspaceId, postId: id });
    }
    const actor: Actor = { kind: 'key', id: context.actor.id, accountIds: [accounts[1] ?? ''] };
    const page = await listPosts({ ...context, actor }, { search: 'secret', limit: 10 });
    expect(page).toMatchObject({ posts: [], nextCursor: null });
    expect(await readAll(context, { search: 'secret' }, 40)).toHaveLength(150);
  });
});

describe('the index', () => {
  let fixture: Awaited<ReturnType<typeof openFixture>>;
  beforeEach(async () => {
    fixture = await openFixture(table);
  });
  const name = (postId: string) => ({ workspaceId: fixture.context.workspaceId, postId });
  const find = async (search: string) => (await readAll(fixture.context, { search })).length;

  it('has the texts of destinations, titles and chains', async () => {
    const { youtube, instagram, video, create } = fixture;
    const { post } = await create({
      content: 'Common words',
      mediaItems: [{ type: 'video', url: `https://media.example.com/${video.objectKey}` }],
      platforms: [
        {
          accountId: youtube.id,
          platformSpecificData: { title: 'Titled film', firstComment: 'Commented early' },
        },
        { accountId: instagram.id, customContent: 'Differently said' },
      ],
      chain: [{ kind: 'followUp', accountIds: [instagram.id], afterMinutes: 5, content: 'Continued later' }],
      isDraft: true,
    });
    await indexPost(table, name(post.id));
    for (const word of ['common', 'titled', 'commented', 'differently', 'continued'])
      expect(await find(word)).toBe(1);
  });

  it('follows edits and deletions, and leaves no row', async () => {
    const { context, create } = fixture;
    const { post } = await create({ content: 'Our spring menu', isDraft: true });
    await indexPost(table, name(post.id));
    expect([await find('spring'), await find('autumn')]).toEqual([1, 0]);
    await editPost(context, post.id, EditPostBody.parse({ content: 'Our autumn menu' }));
    await indexPost(table, name(post.id));
    expect([await find('spring'), await find('autumn'), await find('our menu')]).toEqual([0, 1, 1]);
    expect((await indexRows(context.workspaceId)).length).toBe(1 + 3);
    await removePost(context, post.id);
    await indexPost(table, name(post.id));
    expect(await indexRows(context.workspaceId)).toEqual([]);
  });

  it('follows a change of accounts, so that limited keys find what they may see', async () => {
    const { context, create, instagram, second } = fixture;
    const { post } = await create({ content: 'Our spring menu', isDraft: true });
    await indexPost(table, name(post.id));
    const platforms = [{ accountId: second.id }];
    await editPost(context, post.id, EditPostBody.parse({ platforms }));
    await indexPost(table, name(post.id));
    const as = (accountId: string): Context => ({
      ...context,
      actor: { kind: 'key', id: context.actor.id, accountIds: [accountId] },
    });
    expect(await readAll(as(second.id), { search: 'spring' })).toEqual([post.id]);
    expect(await readAll(as(instagram.id), { search: 'spring' })).toEqual([]);
  });

  it('writes nothing for a record that is delivered again', async () => {
    const { context, create } = fixture;
    const { post } = await create({ content: 'Our spring menu' });
    await indexPost(table, name(post.id));
    const before = await indexRows(context.workspaceId);
    await indexPost(table, name(post.id));
    expect(await indexRows(context.workspaceId)).toEqual(before);
    const revision = (row: Record<string, unknown>) => row['revision'];
    expect(before.find(revision)?.['revision']).toBe(1);
  });

  it('writes only if texts or accounts change', async () => {
    const { context, create } = fixture;
    const { post } = await create({ content: 'Our spring menu', isDraft: true });
    const stored = async () => (await getItem(table, postKey(context.workspaceId, post.id))) ?? {};
    const before = await stored();
    const change = { atMs: startMs, sequenceNumber: '1' };
    expect(postToIndex({ ...change, before: undefined, after: before })).toEqual(name(post.id));
    expect(
      postToIndex({ ...change, before, after: { ...before, status: 'published', version: 2 } }),
    ).toBeUndefined();
    expect(postToIndex({ ...change, before, after: undefined })).toEqual(name(post.id));
    await editPost(context, post.id, EditPostBody.parse({ metadata: { a: 'b' } }));
    expect(postToIndex({ ...change, before, after: await stored() })).toBeUndefined();
    await editPost(context, post.id, EditPostBody.parse({ content: 'Else' }));
    expect(postToIndex({ ...change, before, after: await stored() })).toEqual(name(post.id));
    const { searchDigest: _digest, ...ofEarlierRelease } = before;
    expect(postToIndex({ ...change, before: ofEarlierRelease, after: ofEarlierRelease })).toEqual(
      name(post.id),
    );
    expect(postToIndex({ ...change, before: undefined, after: { kind: 'target' } })).toBeUndefined();
  });

  it('leaves a post that fails to the sweep, and goes on with the others', async () => {
    const { context, create } = fixture;
    const [one, other] = [await create({ content: 'one spring' }), await create({ content: 'other spring' })];
    const damaged = searchedPostKey(context.workspaceId, one.post.id);
    await putItem(table, { ...damaged, kind: 'searchedPost' }, unconditionally);
    const reported: string[] = [];
    const ports = {
      table,
      now: () => startMs,
      report: ({ postId }: { postId: string }) => reported.push(postId),
    };
    const names = [one, other, one].map(({ post }) => name(post.id));
    const outcomes = await indexPosts(ports, names);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(reported).toEqual([one.post.id]);
    expect(await find('spring')).toBe(1);
    await deleteItem(table, damaged, unconditionally);
  });
});

/** A table whose writes stop, as in a crash, after a number of requests. */
function stoppingAfter(requests: number): Table {
  let left = requests;
  const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
  const client = {
    send: async (command: unknown) => {
      left -= 1;
      if (left < 0) throw new Error('crash');
      return send(command);
    },
  };
  return { ...table, client: client as never };
}

describe('a run of the index that stops', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'after %i requests is made up for by the next one, also if the post has changed',
    async (requests) => {
      const { context, create } = await openFixture(table);
      const { workspaceId } = context;
      const { post } = await create({ content: 'one two three four', isDraft: true });
      const name = { workspaceId, postId: post.id };
      await indexPost(table, name);
      await editPost(context, post.id, EditPostBody.parse({ content: 'three four five six' }));
      await indexPost(stoppingAfter(requests), name).catch(() => undefined);
      await editPost(context, post.id, EditPostBody.parse({ content: 'six seven' }));
      await indexPost(table, name);
      const words = (await indexRows(workspaceId)).flatMap(({ kind, words }) =>
        kind === 'postWord' ? [words] : [],
      );
      expect(words.sort()).toEqual(['seven', 'six']);
      expect((await indexRows(workspaceId)).find(({ kind }) => kind === 'searchedPost')).not.toHaveProperty(
        'stems',
      );
    },
  );
});

describe('runs of the index at the same time', () => {
  /** Runs the index with a table in which something else happens before the first write. */
  async function indexWhile(name: { workspaceId: string; postId: string }, happens: () => Promise<unknown>) {
    const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
    let hasHappened = false;
    const client = {
      send: async (command: unknown) => {
        if (!hasHappened && !/^(Get|Query)/.test((command as object).constructor.name)) {
          hasHappened = true;
          await happens();
        }
        return send(command);
      },
    };
    await indexPost({ ...table, backOff: async () => {}, client: client as never }, name);
    expect(hasHappened).toBe(true);
  }
  const wordsOf = async (workspaceId: string) =>
    (await indexRows(workspaceId)).flatMap(({ kind, words }) => (kind === 'postWord' ? [words] : [])).sort();

  it('leave no row of a post that is deleted while its first rows are about to be written', async () => {
    const { context, create } = await openFixture(table);
    const { post } = await create({ content: 'one two', isDraft: true });
    const name = { workspaceId: context.workspaceId, postId: post.id };
    await indexWhile(name, async () => {
      await removePost(context, post.id);
      await indexPost(table, name);
    });
    expect(await indexRows(context.workspaceId)).toEqual([]);
  });

  it.each(['two', '!'])(
    'have the words of a post that is edited to "%s" and back meanwhile',
    async (content) => {
      const { context, create } = await openFixture(table);
      const { post } = await create({ content: 'one', isDraft: true });
      const name = { workspaceId: context.workspaceId, postId: post.id };
      const edit = (text: string) => editPost(context, post.id, EditPostBody.parse({ content: text }));
      await indexPost(table, name);
      await edit(content);
      await indexWhile(name, async () => {
        await edit('one');
        await indexPost(table, name);
      });
      expect(await wordsOf(context.workspaceId)).toEqual(['one']);
    },
  );

  it('leave the rows of the latest post, whatever the order of their requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.constantFrom('edit', 'delete'), async (scheduler, change) => {
        const { context, create } = await openFixture(table);
        const { workspaceId } = context;
        const { post } = await create({ content: 'one two three', isDraft: true });
        const name = { workspaceId, postId: post.id };
        const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
        const slow: Table = {
          ...table,
          backOff: async () => {},
          client: {
            send: (command: unknown) => scheduler.schedule(Promise.resolve()).then(() => send(command)),
          } as never,
        };
        const first = indexPost(slow, name);
        const changed = scheduler.schedule(Promise.resolve()).then(async () => {
          if (change === 'delete') await removePost(context, post.id);
          else await editPost(context, post.id, EditPostBody.parse({ content: 'three four' }));
          await Promise.all([indexPost(slow, name), indexPost(slow, name)]);
        });
        await scheduler.waitFor(Promise.all([first, changed]));
        const rows = (await indexRows(workspaceId)).filter(({ kind }) => kind === 'postWord');
        const words = rows.map((row) => row['words']).sort();
        expect(words).toEqual(change === 'delete' ? [] : ['four', 'three']);
        const codes = new Set(rows.map((row) => row['codes']));
        expect(codes.size).toBe(change === 'delete' ? 0 : 1);
        expect((await findPost(table, workspaceId, post.id)) === undefined).toBe(change === 'delete');
      }),
      { numRuns: 40 },
    );
  });
});
