import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { publicUrl } from '../../../lib/media/urls.ts';
import { dryRunEdit, editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { findMediaUsage } from '../../../lib/posts/stored/media-usage.ts';
import { filesOf } from '../../../lib/posts/stored/store.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import type { Table } from '../../../lib/table/table.ts';
import { changeTarget, startMs, storeAccount, storeMedia } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaBaseUrl, mediaItem, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
let threads: Account;
beforeAll(async () => {
  table = await createTestTable();
});
beforeEach(async () => {
  fixture = await openFixture(table);
  threads = await storeAccount(table, fixture.context.workspaceId, {
    platform: 'threads',
    platformAccountId: '24500000000000001',
  });
});

const on = (account: Account, thread: unknown, more: object = {}) => ({
  scheduledFor: inOneHour,
  mediaItems: [],
  platforms: [{ accountId: account.id, platformSpecificData: { thread, ...more } }],
});
const at = 'platforms[0].platformSpecificData.thread';

describe('a post with a thread', () => {
  it('stores the parts with their files, and shows them as they were sent', async () => {
    const picture = mediaItem(fixture.image);
    const thread = [{ content: 'Two' }, { mediaItems: [picture] }];
    const created = await fixture.create(on(threads, thread, { topicTag: 'Coffee' }));
    const [target] = created.targets;
    expect(target).toMatchObject({
      options: { topicTag: 'Coffee' },
      thread: [
        { content: 'Two', mediaItems: [] },
        { content: '', mediaItems: [{ mediaId: fixture.image.id, type: 'image' }] },
      ],
    });
    expect(target?.options).not.toHaveProperty('thread');
    expect(toPostView(created.post, mediaBaseUrl, created.targets).platforms[0]).toMatchObject({
      platformSpecificData: {
        topicTag: 'Coffee',
        thread: [
          { content: 'Two', mediaItems: [] },
          { content: '', mediaItems: [picture] },
        ],
      },
      threadParts: [],
    });
  });

  it('counts as a use of the files of its parts', async () => {
    const created = await fixture.create(on(threads, [{ mediaItems: [mediaItem(fixture.image)] }]));
    expect([...filesOf(created)]).toEqual([fixture.image.id]);
    const usage = () => findMediaUsage(table, fixture.image, startMs + 3_600_000);
    expect(await usage()).toMatchObject({ scheduledPostId: created.post.id });
  });

  it.each(['published', 'partial'] as const)(
    'that is %s keeps its files as from its last part',
    async (status) => {
      const created = await fixture.create(on(threads, [{ mediaItems: [mediaItem(fixture.image)] }]));
      const [target] = created.targets;
      if (!target) throw new Error('no target');
      const [publishedAt, later] = [toTimestamp(startMs), toTimestamp(startMs + 3_600_000)];
      const parts = [{ publishedAt }, { publishedAt: later }];
      await changeTarget(table, target, { status, publishedAt, parts, wakeAt: null });
      await rollUpPost(table, target.workspaceId, target.postId, startMs);
      expect(await findMediaUsage(table, fixture.image, startMs + 3_600_000)).toMatchObject({
        publishedAt: later,
      });
    },
  );

  it('imports the files of its parts', async () => {
    const url = 'https://photos.example.com/two.jpg';
    const created = await fixture.create(on(threads, [{ mediaItems: [{ type: 'image', url }] }]));
    const [item] = created.targets[0]?.thread?.[0]?.mediaItems ?? [];
    expect(item).toMatchObject({ sourceUrl: url });
    expect([...filesOf(created)]).toEqual([item?.mediaId]);
  });

  it('has the files of its parts adapted', async () => {
    const heic = await storeMedia(table, fixture.context.workspaceId, {
      filename: 'two.heic',
      contentType: 'image/heic',
      probe: { width: 4_032, height: 3_024 },
    });
    const url = publicUrl(mediaBaseUrl, heic.objectKey);
    const created = await fixture.create(on(threads, [{ content: 'Two' }, { mediaItems: [{ url }] }]));
    expect(created.targets[0]).toMatchObject({
      adaptations: [{ field: `${at}[1].mediaItems[0]`, mediaId: heic.id, changes: ['format'] }],
      awaitsFiles: {},
    });
  });

  it('is left alone by an edit that changes nothing of it, and planned anew by one that does', async () => {
    const created = await fixture.create(on(threads, [{ content: 'Two' }]));
    const { id } = created.post;
    const edit = (patch: object) => editPost(fixture.context, id, EditPostBody.parse(patch));
    const same = await edit({ metadata: { a: 'b' } });
    expect(same.targets[0]).toMatchObject(created.targets[0] ?? {});
    const sent = toPostView(created.post, mediaBaseUrl, created.targets).platforms.map(
      ({ accountId, platformSpecificData }) => ({ accountId, platformSpecificData }),
    );
    expect((await edit({ platforms: sent })).targets[0]).toMatchObject({ wakeNumber: 1 });
    const changed = await edit({ platforms: on(threads, [{ content: 'Three' }]).platforms });
    expect(changed.targets[0]).toMatchObject({ wakeNumber: 2, thread: [{ content: 'Three' }] });
  });

  it('may have nulls for what a part lacks, as it was read', async () => {
    const item = { ...mediaItem(fixture.image), altText: null, fit: null };
    const { targets } = await fixture.create(on(threads, [{ content: null, mediaItems: [item] }]));
    expect(targets[0]?.thread?.[0]?.mediaItems[0]).not.toHaveProperty('altText');
  });

  it('without parts is a post without a thread', async () => {
    const { targets } = await fixture.create(on(threads, []));
    expect(targets[0]).not.toHaveProperty('thread');
  });

  it('is read back with its live parts', async () => {
    const created = await fixture.create(on(threads, [{ content: 'Two' }]));
    const [target] = created.targets;
    if (!target) throw new Error('no target');
    const publishedAt = toTimestamp(startMs);
    const parts = [{ platformPostId: '1', permalink: 'https://www.threads.net/1', publishedAt }];
    await changeTarget(table, target, { status: 'publishing', publishedAt, platformPostId: '1', parts });
    const { post, targets } = await readPost(fixture.context, created.post.id);
    expect(toPostView(post, mediaBaseUrl, targets).platforms[0]?.threadParts).toEqual(
      parts.map((part) => ({ ...part, isRemoved: false })),
    );
  });

  it('is read back with the parts that were taken down', async () => {
    const created = await fixture.create(on(threads, [{ content: 'Two' }]));
    const [target] = created.targets;
    if (!target) throw new Error('no target');
    const publishedAt = toTimestamp(startMs);
    const parts = ['8', '9'].map((platformPostId) => ({ platformPostId, publishedAt }));
    const removal = { state: 'failed' as const, by: 'service' as const, gone: ['9'] };
    const live = { status: 'publishing' as const, publishedAt, platformPostId: '8', parts };
    await changeTarget(table, target, { ...live, removal });
    const { post, targets } = await readPost(fixture.context, created.post.id);
    const [shown] = toPostView(post, mediaBaseUrl, targets).platforms;
    expect(shown?.threadParts.map(({ isRemoved }) => isRemoved)).toEqual([false, true]);
  });
});

describe('a request with a thread is refused if', () => {
  const long = 'a'.repeat(501);
  it.each<[string, unknown, string]>([
    [
      'a part is too long',
      [{ content: 'Two' }, { content: 'Three' }, { content: long }],
      `${at}[2].content: Threads allows at most 500 characters (emoji count as their UTF-8 bytes); this text has 501`,
    ],
    ['a part is empty', [{ content: '' }], `${at}[0].content: Threads needs a text or media`],
    ['a text is no text', [{ content: 7 }], `${at}[0].content: must be a string`],
    ['it is no list', { content: 'Two' }, `${at}: must be a list`],
    [
      'a file is unknown',
      [{ mediaItems: [{ url: `${mediaBaseUrl}/media/none.jpg` }] }],
      `${at}[0].mediaItems[0].url: is not the publicUrl of an upload of this workspace`,
    ],
    [
      'a file is at an address that is not public',
      [{ mediaItems: [{ type: 'image', url: 'https://10.0.0.1/a.jpg' }] }],
      `${at}[0].mediaItems[0].url: `,
    ],
    [
      'a name in a part is close to that of a field',
      [{ contnt: 'Two', content: 'Two' }],
      `${at}[0].contnt: is not an option of Threads; did you mean content?`,
    ],
  ])('%s', async (_name, thread, expected) => {
    const refusals = await refusalsOf(fixture.create(on(threads, thread)));
    expect(refusals).toEqual([expect.stringContaining(expected)]);
  });

  it('it has a first comment too', async () => {
    const refused = fixture.create(on(threads, [{ content: 'Two' }], { firstComment: 'First' }));
    expect(await refusalsOf(refused)).toEqual([
      'platforms[0].platformSpecificData.firstComment: is not for a thread: make it a part of the thread',
    ]);
  });

  it('the account is on another platform', async () => {
    const body = on(fixture.youtube, [{ content: 'Two' }], { title: 'One' });
    const refused = fixture.create({ ...body, mediaItems: [mediaItem(fixture.video)] });
    expect(await refusalsOf(refused)).toEqual([
      `${at}: is not supported; use a followUp in the post's chain instead`,
    ]);
  });

  it('the account may not write replies', async () => {
    const { id } = await storeAccount(table, fixture.context.workspaceId, {
      platform: 'threads',
      platformAccountId: '24500000000000002',
      scopes: ['threads_basic', 'threads_content_publish'],
    });
    const body = on({ ...threads, id }, [{ content: 'Two' }]);
    expect(await refusalsOf(fixture.create(body))).toEqual([expect.stringContaining(`${at}: `)]);
    expect((await fixture.create(on({ ...threads, id }, []))).targets).toHaveLength(1);
  });

  it('it is for a step of a chain', async () => {
    const step = {
      kind: 'followUp',
      accountIds: [threads.id],
      content: 'Later',
      options: { [threads.id]: { thread: [{ content: 'Two' }] } },
    };
    expect(await refusalsOf(fixture.create({ scheduledFor: inOneHour, chain: [step] }))).toEqual([
      `chain[0].options.${threads.id}.thread: is not for a step of a chain: schedule a post with the thread`,
    ]);
  });
});

it('a draft with a thread keeps it, and is checked when it is scheduled', async () => {
  const { scheduledFor: _later, ...draft } = on(threads, [{ content: 'a'.repeat(501) }]);
  const { post } = await fixture.create({ ...draft, isDraft: true });
  const { problems } = await dryRunEdit(
    fixture.context,
    post.id,
    EditPostBody.parse({ scheduledFor: inOneHour, isDraft: false }),
  );
  expect(problems.map(({ field }) => field)).toEqual([`${at}[0].content`]);
});
