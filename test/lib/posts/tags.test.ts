import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPosts } from '../../../lib/posts/bulk/create-posts.ts';
import { duplicatePost } from '../../../lib/posts/duplicate.ts';
import { dryRunEdit, editPost } from '../../../lib/posts/edit.ts';
import { listPosts } from '../../../lib/posts/list/list-posts.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { CreatePostBody, DuplicatePostBody, EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { getItem } from '../../../lib/table/items.ts';
import { postKey, tagsKey, webhookEventKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { editTag, listTags, removeTag } from '../../../lib/tags/manage.ts';
import { readTagsOf, readWorkspaceTags } from '../../../lib/tags/store.ts';
import { PostStatus } from '../../../lib/targets/state.ts';
import { eventsFromChange } from '../../../lib/webhooks/events/events-from-changes.ts';
import { eventBody } from '../../../lib/webhooks/events/store.ts';
import { WebhookEvent } from '../../../lib/webhooks/schemas.ts';
import { changeTarget, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { createFixture } from '../webhooks/fixture.ts';
import { crossPost, openChain } from './chain-fixture.ts';
import { inOneHour, openFixture } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
});
const open = async () => {
  fixture = await openFixture(table);
  return fixture;
};

/** Returns the names that a reader of the post sees. */
async function shown(postId: string): Promise<string[]> {
  const { post } = await readPost(fixture.context, postId);
  return (await readTagsOf(fixture.context, [post]))(post);
}
const names = async () => (await listTags(fixture.context, {})).tags.map(({ name }) => name);
const edit = (id: string, patch: object) => editPost(fixture.context, id, EditPostBody.parse(patch));

describe('a post', () => {
  it('has the tags of its request, which come into being with it', async () => {
    const { create } = await open();
    const { post } = await create({ tags: ['Summer', 'Launch'] });
    expect(await shown(post.id)).toEqual(['Summer', 'Launch']);
    expect(await listTags(fixture.context, {})).toEqual({
      tags: [
        { name: 'Launch', color: 'amber' },
        { name: 'Summer', color: 'blue' },
      ],
      nextCursor: null,
    });
  });

  it('without tags neither writes nor reads those of the workspace', async () => {
    const { create, context } = await open();
    const { post } = await create();
    expect(post).not.toHaveProperty('tagIds');
    expect(await getItem(table, tagsKey(context.workspaceId))).toBeUndefined();
  });

  it('that is refused creates no tag', async () => {
    const { create } = await open();
    await expect(
      create({ tags: ['New'], content: 'x'.repeat(3_000), scheduledFor: inOneHour }),
    ).rejects.toThrow();
    expect(await names()).toEqual([]);
  });

  it('is created once with its tags if the request is repeated', async () => {
    const { create } = await open();
    const key = { idempotencyKey: 'k', rawBody: '1' };
    const { post } = await create({ tags: ['New'] }, key);
    await removeTag(fixture.context, 'new');
    expect((await create({ tags: ['New'] }, key)).post.id).toBe(post.id);
    expect(await names()).toEqual([]);
  });

  it('has the same tag as another one that is created at the same time', async () => {
    const { create } = await open();
    const made = await Promise.all([
      create({ tags: ['One', 'Both'] }),
      create({ tags: ['both', 'Other'] }),
      create({ tags: ['BOTH'] }),
    ]);
    const { tags } = await readWorkspaceTags(table, fixture.context.workspaceId);
    const both = tags.filter(({ name }) => name.toLowerCase() === 'both');
    expect(both).toHaveLength(1);
    expect(tags).toHaveLength(3);
    for (const { post } of made) expect(post.tagIds).toContain(both[0]?.id);
  });

  it('of a bulk has its own tags', async () => {
    const { context, body } = await open();
    const bulk = {
      ...context,
      parse: (item: unknown) => ({ body: CreatePostBody.parse(item), warnings: [], unbuilt: [] }),
      clock: () => startMs,
      untilMs: startMs + 1,
      reportFailure: (_: number, error: unknown) => {
        throw error;
      },
    };
    const results = await createPosts(bulk, [body({ tags: ['A'] }), body({ tags: ['a', 'B'] }), body()], {});
    const ids = results.map((result) =>
      result.state === 'done' ? (result.done.post.tagIds ?? []) : undefined,
    );
    expect(await names()).toEqual(['A', 'B']);
    expect(ids.map((each) => each?.length)).toEqual([1, 2, 0]);
    expect(ids[1]).toContain(ids[0]?.[0]);
  });

  it('passes its tags to its duplicate, under their names of today', async () => {
    const { create, context } = await open();
    const { post } = await create({ tags: ['Old', 'Gone'] });
    await editTag(context, 'old', { name: 'New' });
    await removeTag(context, 'Gone');
    const copy = await duplicatePost(context, post.id, DuplicatePostBody.parse({}), { rawBody: '{}' });
    expect(await shown(copy.post.id)).toEqual(['New']);
    expect(await names()).toEqual(['New']);
  });

  it('keeps its tags in an edit that does not name them', async () => {
    const { create } = await open();
    const { post } = await create({ tags: ['A', 'B'], scheduledFor: inOneHour });
    await edit(post.id, { content: 'New' });
    expect(await shown(post.id)).toEqual(['A', 'B']);
    await edit(post.id, { content: 'Newer', tags: ['B', 'C'] });
    expect(await shown(post.id)).toEqual(['B', 'C']);
    await edit(post.id, { content: 'Newest', tags: null });
    expect(await shown(post.id)).toEqual([]);
    expect((await readPost(fixture.context, post.id)).post).not.toHaveProperty('tagIds');
  });
});

describe('a change of nothing but the tags', () => {
  it.each(PostStatus.options.filter((status) => status !== 'draft'))(
    'is possible for a post that is %s, and touches no target',
    async (status) => {
      const { create, context } = await open();
      const { post, targets } = await create({ scheduledFor: inOneHour, tags: ['Old'] });
      const [target] = targets;
      if (!target) throw new Error('no target');
      await changeTarget(table, target, { status });
      await rollUpPost(table, context.workspaceId, post.id, startMs);
      const before = await readPost(context, post.id);
      await edit(post.id, { tags: ['New'] });
      const after = await readPost(context, post.id);
      expect(await shown(post.id)).toEqual(['New']);
      expect(after.targets).toEqual(before.targets);
      const { tagIds: _old, version, updatedAt: _then, ...rest } = before.post;
      expect(after.post).toMatchObject({ ...rest, version: version + 1 });
      if (status !== 'published') return;
      await expect(edit(post.id, { tags: ['Newer'], content: 'New' })).rejects.toMatchObject({
        code: 'post_live',
      });
      await expect(edit(post.id, { tags: ['Newer'], metadata: { a: 'b' } })).rejects.toMatchObject({
        code: 'post_live',
      });
      expect(await names()).toEqual(['New', 'Old']);
    },
  );

  it('writes nothing if the tags are the same', async () => {
    const { create, context } = await open();
    const { post } = await create({ tags: ['A', 'B'] });
    await edit(post.id, { tags: ['a', 'b'] });
    expect((await readPost(context, post.id)).post.version).toBe(post.version);
  });

  it('survives a roll-up that happens at the same time', async () => {
    const { create, context } = await open();
    const { post, targets } = await create({ scheduledFor: inOneHour });
    const [target] = targets;
    if (!target) throw new Error('no target');
    await changeTarget(table, target, { status: 'published' });
    const racing = beforeWrites(
      table,
      once(() => edit(post.id, { tags: ['New'] })),
    );
    await rollUpPost(racing, context.workspaceId, post.id, startMs);
    expect(await shown(post.id)).toEqual(['New']);
    expect((await readPost(context, post.id)).post.status).toBe('published');
  });

  it('is not undone by an edit that has read the post before', async () => {
    const { create, context } = await open();
    const { post } = await create({ scheduledFor: inOneHour });
    const racing = beforeWrites(
      table,
      once(() => edit(post.id, { tags: ['New'] })),
    );
    await editPost({ ...context, table: racing }, post.id, EditPostBody.parse({ content: 'Edited' }));
    expect(await shown(post.id)).toEqual(['New']);
    expect((await readPost(context, post.id)).post.content).toBe('Edited');
  });

  it('is refused to a key that may only draft, unless the post is a draft', async () => {
    const { create, context } = await open();
    const draft = await create({ isDraft: true });
    const scheduled = await create({ scheduledFor: inOneHour });
    const { actor } = context;
    if (actor.kind !== 'key') throw new Error('no key');
    const drafting = { ...context, actor: { ...actor, permissions: ['draft' as const] } };
    const tags = EditPostBody.parse({ tags: ['New'] });
    await editPost({ ...drafting, verb: 'post.edit' }, draft.post.id, tags);
    await expect(editPost({ ...drafting, verb: 'post.edit' }, scheduled.post.id, tags)).rejects.toMatchObject(
      { code: 'permission_missing' },
    );
  });

  it('has the condition of its `ifVersion`', async () => {
    const { create } = await open();
    const { post } = await create({ isDraft: true });
    await expect(edit(post.id, { tags: ['A'], ifVersion: post.version + 1 })).rejects.toMatchObject({
      code: 'post_changed',
    });
    await edit(post.id, { tags: ['A'], ifVersion: post.version });
    expect(await shown(post.id)).toEqual(['A']);
  });

  it('only says with `dryRun` what it would do', async () => {
    const { create, context } = await open();
    const { post } = await create({ isDraft: true });
    const outcome = await dryRunEdit(context, post.id, EditPostBody.parse({ tags: ['New'] }));
    expect(outcome.tags(outcome.post)).toEqual(['New']);
    expect([await names(), await shown(post.id)]).toEqual([[], []]);
  });
});

describe('a step of a chain', () => {
  it('becomes a post with the tags of the first one', async () => {
    const {
      fixture: own,
      goLive,
      run,
      children,
    } = await openChain(
      table,
      (each) => [crossPost(each)],
      () => ({
        tags: ['A', 'B'],
      }),
    );
    fixture = own;
    await goLive();
    await run();
    const [child] = await children();
    expect(await shown(child?.id ?? '')).toEqual(['A', 'B']);
  });
});

describe('an event of a post', () => {
  it('has the names of its tags, also if a tag was renamed before it was announced', async () => {
    const { create, context } = await open();
    const { post } = await create({ tags: ['Old', 'Gone'], scheduledFor: inOneHour });
    await editTag(context, 'Old', { name: 'New' });
    await removeTag(context, 'Gone');
    const webhooks = createFixture(table);
    await webhooks.endpoint(post.workspaceId, { events: ['*'] });
    const after = await getItem(table, postKey(post.workspaceId, post.id));
    const change = { before: undefined, after, atMs: startMs, sequenceNumber: '1' };
    const drafts = eventsFromChange(change, { mediaBaseUrl: '', stageFeatures: {} });
    expect(drafts.map(({ type }) => type)).toEqual(['post.scheduled']);
    await webhooks.announce(drafts);
    const event = await getItem(table, webhookEventKey(post.workspaceId, drafts[0]?.id ?? ''));
    const { data } = JSON.parse(eventBody(WebhookEvent.parse(event)).toString());
    expect(data.post.tags).toEqual(['New']);
  });
});

describe('a validation', () => {
  it('says that the workspace has no room for a tag, and stores none', async () => {
    const { context, body, create } = await open();
    for (let from = 0; from < 500; from += 20)
      await create({ isDraft: true, tags: Array.from({ length: 20 }, (_, index) => `t${from + index}`) });
    const { problems } = await validatePost(context, body({ tags: ['one more'] }));
    expect(problems).toMatchObject([{ field: 'tags', code: 'too_many_tags' }]);
    expect((await validatePost(context, body({ tags: ['T7'] }))).problems).toEqual([]);
    await expect(create({ tags: ['one more'] })).rejects.toMatchObject({ code: 'too_many_tags' });
  });
});

describe('a list of posts', () => {
  it.each<[string, object]>([
    ['newest first', {}],
    ['by time', { sort: 'scheduledFor' }],
    ['of a status', { status: ['scheduled'] }],
    ['of an account', { accountId: [] }],
  ])('%s has those with any of the tags', async (_what, filters) => {
    const { create, context, instagram } = await open();
    const scheduled = { scheduledFor: inOneHour };
    const a = await create({ ...scheduled, tags: ['A'] });
    const both = await create({ ...scheduled, tags: ['B', 'A'] });
    const b = await create({ ...scheduled, tags: ['B'] });
    await create({ ...scheduled, tags: ['C'] });
    await create(scheduled);
    const ofAccount = 'accountId' in filters && { accountId: [instagram.id] };
    const ids = async (tags: string[]) => {
      const { posts } = await listPosts(context, { ...filters, ...ofAccount, tags, limit: 50 });
      return posts.map(({ id }) => id).sort();
    };
    expect(await ids(['a'])).toEqual([a.post.id, both.post.id].sort());
    expect(await ids(['A', 'B', 'unknown'])).toEqual([a.post.id, both.post.id, b.post.id].sort());
    expect(await ids(['unknown'])).toEqual([]);
  });

  it('continues with the same tag after it was renamed', async () => {
    const { create, context } = await open();
    for (let made = 0; made < 3; made += 1) await create({ tags: ['A'], isDraft: true }, {}, startMs + made);
    const first = await listPosts(context, { tags: ['A'], limit: 2 });
    await editTag(context, 'A', { name: 'B' });
    const second = await listPosts(context, { tags: ['B'], limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.posts, ...second.posts]).toHaveLength(3);
  });
});

/** The table, with something that happens before each write. */
function beforeWrites(real: Table, happen: () => Promise<unknown>): Table {
  const send = async (command: Parameters<Table['client']['send']>[0]) => {
    if ([TransactWriteCommand, UpdateCommand, PutCommand].some((kind) => command instanceof kind))
      await happen();
    return real.client.send(command);
  };
  return { ...real, client: { send } as unknown as Table['client'] };
}

/** Returns a function that does something at its first call only. */
function once(act: () => Promise<unknown>): () => Promise<unknown> {
  let first: Promise<unknown> | undefined;
  return () => {
    first ??= act();
    return first;
  };
}
