import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import type { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { toPostView } from '../../../lib/posts/view.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaBaseUrl, mediaItem, openDesk, refusalsOf } from '../posts/fixture.ts';
import { crossPost, type Desk, followUp } from './fixture.ts';

let table: Table;
let desk: Desk;
let foreign: Desk;
let disconnected: string;
beforeAll(async () => {
  table = await createTestTable();
  [desk, foreign] = await Promise.all([openDesk(table), openDesk(table)]);
  const gone = { disconnectedAt: toTimestamp(startMs) };
  disconnected = (await storeAccount(table, desk.context.workspaceId, gone)).id;
});

const noUpload = 'is not the publicUrl of an upload of this workspace';

/** What a client sends as the chain, and everything that is said to be wrong with it. */
const cases: readonly (readonly [string, (desk: Desk) => object[], (desk: Desk) => string[]])[] = [
  [
    'an account of another workspace',
    (given) => [{ ...crossPost(given), accountIds: [given.instagram.id, foreign.instagram.id] }],
    () => ['chain[0].accountIds[1]: no such account'],
  ],
  [
    'a disconnected account, in the second step',
    (given) => [crossPost(given), { ...crossPost(given), accountIds: [disconnected] }],
    () => ['chain[1].accountIds[0]: no such account'],
  ],
  [
    'the same account twice',
    (given) => [{ ...crossPost(given), accountIds: [given.instagram.id, given.instagram.id] }],
    () => ['chain[0].accountIds[1]: is named twice'],
  ],
  [
    'a followUp of nothing',
    (given) => [{ ...followUp(given), content: '', mediaItems: [] }],
    () => ['chain[0].content: a followUp needs content or media'],
  ],
  [
    'a crossPost with content and files of its own',
    (given) => [{ ...followUp(given), kind: 'crossPost' }],
    () => [
      "chain[0].content: a crossPost takes the post's own; leave it out",
      "chain[0].mediaItems: a crossPost takes the post's own; leave it out",
    ],
  ],
  [
    'a file from elsewhere',
    (given) => [{ ...followUp(given), mediaItems: [{ type: 'image', url: 'https://evil.example/a.jpg' }] }],
    () => [`chain[0].mediaItems[0].url: ${noUpload}`],
  ],
  [
    'a file of another workspace',
    (given) => [{ ...followUp(given), mediaItems: [mediaItem(foreign.image)] }],
    () => [`chain[0].mediaItems[0].url: ${noUpload}`],
  ],
  [
    'a file that was never granted',
    (given) => [
      {
        ...followUp(given),
        mediaItems: [{ type: 'image', url: mediaItem(given.image).url.replace(given.image.id, newId(1)) }],
      },
    ],
    () => [`chain[0].mediaItems[0].url: ${noUpload}`],
  ],
  [
    'options for an account that is none of its own',
    (given) => [{ ...crossPost(given), options: { [given.youtube.id]: {} } }],
    ({ youtube }) => [`chain[0].options.${youtube.id}: is none of the step's accounts`],
  ],
  [
    'what the platform does not take in a followUp',
    (given) => [{ ...followUp(given), content: 'x'.repeat(2_201) }],
    () => ['chain[0].content: Instagram takes at most 2200 characters; this has 2201'],
  ],
  [
    'a followUp without the file that the platform needs',
    (given) => [{ ...followUp(given), mediaItems: undefined }],
    () => ['chain[0].mediaItems: Instagram needs at least one image or video'],
  ],
  [
    'options that the platform does not know so',
    (given) => [{ ...crossPost(given), options: { [given.instagram.id]: { thumbOffset: 3 } } }],
    ({ instagram }) => [`chain[0].options.${instagram.id}.thumbOffset: is for reels only`],
  ],
];

describe('a chain is refused with', () => {
  it.each(cases)('%s', async (_what, chain, refusals) => {
    const attempt = desk.create({ scheduledFor: inOneHour, chain: chain(desk) });
    expect(await refusalsOf(attempt)).toEqual(refusals(desk));
  });

  it('more than five steps, more than a day, or no account', () => {
    const step = crossPost(desk);
    expect(() => desk.body({ chain: Array(6).fill(step) })).toThrow('chain');
    expect(() => desk.body({ chain: [{ ...step, afterMinutes: 1_441 }] })).toThrow('afterMinutes');
    expect(() => desk.body({ chain: [{ ...step, afterMinutes: -1 }] })).toThrow('afterMinutes');
    expect(() => desk.body({ chain: [{ ...step, accountIds: [] }] })).toThrow('accountIds');
    expect(() => desk.body({ chain: [{ ...step, kind: 'thread' }] })).toThrow('kind');
  });
});

describe('a chain that is fit', () => {
  it('is stored with its post, and shown as waiting', async () => {
    const options = { [desk.instagram.id]: { firstComment: 'Hi' } };
    const { post, targets } = await desk.create({
      scheduledFor: inOneHour,
      chain: [
        { ...followUp(desk), afterMinutes: 1_440 },
        { ...crossPost(desk), options },
      ],
    });
    const waiting = { status: 'waiting', postId: null, error: null };
    const shown = [
      { kind: 'followUp', ...waiting },
      { kind: 'crossPost', ...waiting },
    ];
    expect(toPostView(post, mediaBaseUrl, targets)).toMatchObject({ chain: shown, parentPostId: null });
    const stored = await readPost(desk.context, post.id);
    const indexed = targets.map((target) => ({ ...target, dueAt: expect.any(String) }));
    expect(stored).toEqual({ post, targets: indexed });
    expect(toPostView(stored.post, mediaBaseUrl).chain).toEqual(shown);
  });

  it('is read in the same one request as everything else', async () => {
    let reads = 0;
    const send = (command: Parameters<Table['client']['send']>[0]) => {
      if (command.constructor.name === 'BatchGetCommand') reads += 1;
      return table.client.send(command);
    };
    const counted = { ...table, client: { send } as unknown as Table['client'] };
    const chain = [followUp(desk), { ...crossPost(desk), accountIds: [desk.youtube.id] }];
    await validatePost({ ...desk.context, table: counted }, desk.body({ chain }));
    expect(reads).toBe(1);
  });

  it('may break the rules of platforms in a draft, and no longer once that is scheduled', async () => {
    const toYouTube = { ...crossPost(desk), accountIds: [desk.youtube.id] };
    const { post } = await desk.create({ chain: [toYouTube] });
    expect(post.chain).toHaveLength(1);
    const refusals = await refusalsOf(editPost(desk.context, post.id, { scheduledFor: inOneHour }));
    expect(refusals.every((refusal) => refusal.startsWith('chain[0].'))).toBe(true);
    expect(refusals.some((refusal) => refusal.includes('video'))).toBe(true);
  });
});

it('validating a post tells what stands in the way of its chain, and where', async () => {
  const { instagram } = desk;
  const problems = await validatePost(
    desk.context,
    desk.body({ chain: [{ ...followUp(desk), mediaItems: undefined }] }),
  );
  const message = 'Instagram needs at least one image or video';
  const concerned = { accountId: instagram.id, platform: 'instagram' };
  expect(problems).toEqual([{ field: 'chain[0].mediaItems', message, ...concerned }]);
});

it('what is wrong with a file of the post is not said again of a crossPost', async () => {
  const attempt = desk.create({
    mediaItems: [{ ...mediaItem(desk.image), type: 'video' }],
    chain: [crossPost(desk), crossPost(desk)],
  });
  expect(await refusalsOf(attempt)).toEqual(['mediaItems[0].type: the file is image/jpeg']);
});

describe('an edit', () => {
  const edit = async (patch: (given: Desk) => EditPostBody) => {
    const { post } = await desk.create({
      scheduledFor: inOneHour,
      chain: [
        { ...followUp(desk), afterMinutes: 3, options: { [desk.instagram.id]: { firstComment: 'Hi' } } },
      ],
    });
    await editPost(desk.context, post.id, patch(desk));
    return { before: post, after: await readPost(desk.context, post.id) };
  };

  it('of something else leaves the chain as it was', async () => {
    const { before, after } = await edit(() => ({ content: 'Changed' }));
    expect(after.post.chain).toEqual(before.chain);
    expect(after.targets.every(({ startsChain }) => startsChain)).toBe(true);
  });

  it('puts another chain in its place', async () => {
    const { after } = await edit((given) => ({ chain: [crossPost(given), crossPost(given)].map(asStep) }));
    expect(after.post.chain?.map(({ kind }) => kind)).toEqual(['crossPost', 'crossPost']);
  });

  it('takes it away', async () => {
    const { after } = await edit(() => ({ chain: [] }));
    expect(after.post).not.toHaveProperty('chain');
    expect(after.post).not.toHaveProperty('chainWakeAt');
    expect(after.targets.some(({ startsChain }) => startsChain)).toBe(false);
  });

  it('is refused for the same reasons as a new post', async () => {
    const { post } = await desk.create({ scheduledFor: inOneHour });
    const chain = [asStep({ kind: 'crossPost', accountIds: [foreign.instagram.id] })];
    expect(await refusalsOf(editPost(desk.context, post.id, { chain }))).toEqual([
      'chain[0].accountIds[0]: no such account',
    ]);
  });
});

const asStep = (step: { kind: string; accountIds: string[] }) => ({ ...step, kind: 'crossPost' as const });
