import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { accountItem } from '../../../lib/accounts/store.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import type { StoredChainStep } from '../../../lib/posts/stored/chain-schemas.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { mediaKey, postKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { crossPost, followUp } from './chain-fixture.ts';
import { inOneHour, mediaBaseUrl, mediaItem, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
});

const open = async () => {
  fixture = await openFixture(table);
  return fixture;
};
const edit = (postId: string, patch: object) => editPost(fixture.context, postId, EditPostBody.parse(patch));
const disconnect = (account: Account) => {
  const gone = { ...account, disconnectedAt: toTimestamp(startMs) };
  return table.client.send(new PutCommand({ TableName: table.name, Item: accountItem(gone) }));
};
const change = ({ workspaceId, id }: Media, set: object) =>
  updateItem(table, mediaKey(workspaceId, id), { set: { ...set }, if: { version: 1 } });
const remove = (media: Media) => change(media, { removedAt: toTimestamp(startMs), removal: 'asked' });
const messages = (findings: readonly { field: string; message: string }[]) =>
  findings.map(({ field, message }) => `${field}: ${message}`);

const noFile = 'is not the publicUrl of an upload of this workspace';
const noAccount = 'the account is disconnected: connect it again, or nothing is published on it';

describe('a draft whose file was deleted', () => {
  const openDraft = async (changes: (given: typeof fixture) => object = () => ({})) => {
    const given = await open();
    const { post } = await given.create(changes(given));
    await remove(given.image);
    return post.id;
  };

  it.each<[string, object]>([
    ['content', { content: 'New' }],
    ['metadata', { metadata: { campaign: 'spring' } }],
    ['its time, as a draft', { scheduledFor: inOneHour, isDraft: true }],
  ])('takes a change of %s, with a warning', async (_what, patch) => {
    const { post, warnings } = await edit(await openDraft(), patch);
    expect(messages(warnings)).toEqual([`mediaItems[0].url: ${noFile}`]);
    expect(post.mediaItems).toMatchObject([{ mediaId: fixture.image.id, type: 'image' }]);
  });

  it('takes what a read of it shows, with other content', async () => {
    const id = await openDraft();
    const found = await readPost(fixture.context, id);
    const shown = toPostView(found.post, mediaBaseUrl, found.targets);
    const { content: _, platforms, mediaItems, ...rest } = shown;
    const entries = platforms.map(({ accountId }) => ({ accountId }));
    const patch = { ...rest, scheduledFor: null, platforms: entries, mediaItems, content: 'New' };
    const { chain: _chain, coverUrl: _cover, ...body } = patch;
    const { post, warnings } = await edit(id, body);
    expect([post.content, messages(warnings)]).toEqual(['New', [`mediaItems[0].url: ${noFile}`]]);
  });

  it('has no warning once the file is replaced', async () => {
    const id = await openDraft();
    const { warnings } = await edit(id, { mediaItems: [mediaItem(fixture.video)] });
    expect(warnings).toEqual([]);
  });

  it('cannot be scheduled', async () => {
    const id = await openDraft();
    for (const patch of [{ scheduledFor: inOneHour }, { publishNow: true }, { scheduledFor: 'auto' }])
      expect(await refusalsOf(edit(id, patch))).toEqual([`mediaItems[0].url: ${noFile}`]);
  });

  it('does not take another file that was deleted', async () => {
    const id = await openDraft();
    await remove(fixture.video);
    const mediaItems = [mediaItem(fixture.image), mediaItem(fixture.video)];
    expect(await refusalsOf(edit(id, { mediaItems }))).toEqual([`mediaItems[1].url: ${noFile}`]);
  });

  it('takes other content also if the file is that of a destination, the cover or the chain', async () => {
    const id = await openDraft(({ instagram, image, video }) => ({
      mediaItems: [mediaItem(video)],
      coverUrl: mediaItem(image).url,
      platforms: [{ accountId: instagram.id, customMedia: [mediaItem(image)] }],
      chain: [followUp(fixture)],
    }));
    const { post, warnings } = await edit(id, { content: 'New' });
    expect(post.content).toBe('New');
    expect(messages(warnings)).toEqual([
      `coverUrl: ${noFile}`,
      `platforms[0].customMedia[0].url: ${noFile}`,
      `chain[0].mediaItems[0].url: ${noFile}`,
    ]);
  });
});

it('a scheduled post whose file turned out to be unusable takes other content, with a warning', async () => {
  const { create, image } = await open();
  const { post } = await create({ scheduledFor: inOneHour });
  await change(image, { status: 'invalid', statusMessage: 'it is a text' });
  const { warnings } = await edit(post.id, { content: 'New' });
  expect(messages(warnings)).toEqual(['mediaItems[0].url: the file cannot be used: it is a text']);
});

describe('a scheduled post whose account was disconnected', () => {
  it('takes other content, and keeps its destination', async () => {
    const { create, instagram, youtube, video } = await open();
    const film = { accountId: youtube.id, platformSpecificData: { title: 'A', privacyStatus: 'public' } };
    const platforms = [{ accountId: instagram.id }, film];
    const { post } = await create({ scheduledFor: inOneHour, platforms, mediaItems: [mediaItem(video)] });
    await disconnect(instagram);
    const { targets, warnings } = await edit(post.id, { content: 'New' });
    expect(messages(warnings)).toContain(`platforms[0].accountId: ${noAccount}`);
    expect(targets.map(({ accountId, status }) => [accountId, status])).toEqual([
      [instagram.id, 'scheduled'],
      [youtube.id, 'scheduled'],
    ]);
  });

  it('still refuses content that breaks a rule of the platform', async () => {
    const { create, instagram } = await open();
    const { post } = await create({ scheduledFor: inOneHour });
    await disconnect(instagram);
    expect(await refusalsOf(edit(post.id, { content: 'x'.repeat(2_201) }))).toEqual([
      'content: Instagram allows at most 2200 characters; the content has 2201',
    ]);
  });

  it('does not take another account that is disconnected', async () => {
    const { create, instagram, second } = await open();
    const { post } = await create({ scheduledFor: inOneHour });
    await disconnect(second);
    const platforms = [{ accountId: instagram.id }, { accountId: second.id }];
    expect(await refusalsOf(edit(post.id, { platforms }))).toEqual([
      'platforms[1].accountId: no such account',
    ]);
  });
});

describe('a post with a chain whose account was disconnected', () => {
  it('takes another caption, with a warning about the chain', async () => {
    const given = await open();
    const { post } = await given.create({ scheduledFor: inOneHour, chain: [crossPost(given)] });
    await disconnect(given.second);
    const { post: changed, warnings } = await edit(post.id, { content: 'New' });
    expect(messages(warnings)).toEqual([`chain[0].accountIds[0]: ${noAccount}`]);
    expect(changed.chain).toEqual(post.chain);
  });

  it('does not take the account as a destination', async () => {
    const given = await open();
    const { post } = await given.create({ scheduledFor: inOneHour, chain: [followUp(given)] });
    await edit(post.id, { platforms: [{ accountId: given.second.id }] });
    await disconnect(given.instagram);
    const platforms = [{ accountId: given.instagram.id }];
    expect(await refusalsOf(edit(post.id, { platforms }))).toEqual([
      'platforms[0].accountId: no such account',
    ]);
  });
});

it('null removes the chain of a post', async () => {
  const given = await open();
  const { post } = await given.create({ scheduledFor: inOneHour, chain: [crossPost(given)] });
  const { post: changed, targets } = await edit(post.id, { chain: null });
  expect(changed).not.toHaveProperty('chain');
  expect(targets.some(({ startsChain }) => startsChain)).toBe(false);
});

describe('a post that repeats itself on a destination, as an earlier release accepted it,', () => {
  const openRepeating = async () => {
    const given = await open();
    const { post } = await given.create({ scheduledFor: inOneHour, chain: [crossPost(given)] });
    const { chain: [step] = [] } = post;
    const chain = [{ ...step, accountIds: [given.instagram.id] } as StoredChainStep];
    await updateItem(table, postKey(post.workspaceId, post.id), { set: { chain }, if: { version: 1 } });
    return { ...given, postId: post.id, step };
  };

  it('can be read, and takes changes of its other fields and destinations', async () => {
    const { context, postId, instagram } = await openRepeating();
    const [step] = (await readPost(context, postId)).post.chain ?? [];
    expect(step?.accountIds).toEqual([instagram.id]);
    for (const patch of [
      { content: 'New' },
      { platforms: [{ accountId: instagram.id, customContent: 'Own' }] },
      { chain: [{ kind: 'crossPost', accountIds: [instagram.id], afterMinutes: 5 }] },
    ])
      expect((await edit(postId, patch)).warnings).toEqual([]);
  });

  it('does not take a further repetition', async () => {
    const { postId, instagram, second } = await openRepeating();
    const chain = [{ kind: 'crossPost', accountIds: [instagram.id, second.id] }];
    const platforms = [{ accountId: instagram.id }, { accountId: second.id }];
    expect(await refusalsOf(edit(postId, { platforms, chain }))).toEqual([
      'chain[0].accountIds[1]: is a destination of the post already, and would get the same text twice; use a followUp for another text',
    ]);
  });
});

it('a post does not take a destination to which its chain repeats it', async () => {
  const given = await open();
  const { post } = await given.create({ scheduledFor: inOneHour, chain: [crossPost(given)] });
  const platforms = [{ accountId: given.instagram.id }, { accountId: given.second.id }];
  expect(await refusalsOf(edit(post.id, { platforms }))).toEqual([
    'platforms[1].accountId: is an account of a crossPost of the chain already, and would get the same text twice',
  ]);
  await edit(post.id, { platforms, chain: [] });
});
