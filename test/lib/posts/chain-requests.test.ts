import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import type { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { toListedPostView, toPostView } from '../../../lib/posts/view/to-view.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { anotherCrossPost, crossPost, type Fixture, followUp } from './chain-fixture.ts';
import { inOneHour, mediaBaseUrl, mediaItem, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Fixture;
let foreign: Fixture;
let disconnected: string;
beforeAll(async () => {
  table = await createTestTable();
  [fixture, foreign] = await Promise.all([openFixture(table), openFixture(table)]);
  const gone = { disconnectedAt: toTimestamp(startMs) };
  disconnected = (await storeAccount(table, fixture.context.workspaceId, gone)).id;
});

const noUpload = 'is not the publicUrl of an upload of this workspace';
const notPublic = (why: string) => `${noUpload}, nor a public address: it ${why}`;

const twice = 'would get the same text twice; use a followUp for another text';

/** Chains that a client may send, and all problems that are reported. */
const cases: readonly (readonly [string, (fixture: Fixture) => object[], (fixture: Fixture) => string[]])[] =
  [
    [
      'an account of another workspace',
      (given) => [{ ...crossPost(given), accountIds: [given.second.id, foreign.instagram.id] }],
      () => ['chain[0].accountIds[1]: no such account'],
    ],
    [
      'a disconnected account, in the second step',
      (given) => [crossPost(given), { ...crossPost(given), accountIds: [disconnected] }],
      () => ['chain[1].accountIds[0]: no such account'],
    ],
    [
      'the same account twice',
      (given) => [{ ...crossPost(given), accountIds: [given.second.id, given.second.id] }],
      () => ['chain[0].accountIds[1]: is named twice'],
    ],
    [
      'a crossPost to a destination of the post',
      (given) => [
        followUp(given),
        { ...crossPost(given), accountIds: [given.second.id, given.instagram.id] },
      ],
      () => [`chain[1].accountIds[1]: is a destination of the post already, and ${twice}`],
    ],
    [
      'two crossPosts to one account',
      (given) => [crossPost(given), followUp(given), anotherCrossPost(given), crossPost(given)],
      () => [`chain[3].accountIds[0]: is an account of chain[0] already, and ${twice}`],
    ],
    [
      'an empty followUp',
      (given) => [{ ...followUp(given), content: '', mediaItems: [] }],
      () => ['chain[0].content: a followUp needs content or media'],
    ],
    [
      'a crossPost with its own content and files',
      (given) => [{ ...followUp(given), ...crossPost(given) }],
      () => [
        "chain[0].content: a crossPost uses the post's own; leave it out",
        "chain[0].mediaItems: a crossPost uses the post's own; leave it out",
      ],
    ],
    [
      'a file in a private network',
      (given) => [{ ...followUp(given), mediaItems: [{ type: 'image', url: 'https://192.168.0.1/a.jpg' }] }],
      () => [`chain[0].mediaItems[0].url: ${notPublic('must be at a public address')}`],
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
      'options for an account that is not one of its own',
      (given) => [{ ...crossPost(given), options: { [given.youtube.id]: {} } }],
      ({ youtube }) => [`chain[0].options.${youtube.id}: is not one of the step's accounts`],
    ],
    [
      'a followUp that breaks a rule of the platform',
      (given) => [{ ...followUp(given), content: 'x'.repeat(2_201) }],
      () => ['chain[0].content: Instagram allows at most 2200 characters; the content has 2201'],
    ],
    [
      'a followUp without the file that the platform needs',
      (given) => [{ ...followUp(given), mediaItems: undefined }],
      () => ['chain[0].mediaItems: Instagram needs at least one image or video'],
    ],
    [
      'options that break a rule of the platform',
      (given) => [{ ...crossPost(given), options: { [given.second.id]: { thumbOffset: 3 } } }],
      ({ second }) => [`chain[0].options.${second.id}.thumbOffset: is for reels only`],
    ],
  ];

describe('a chain is refused with', () => {
  it.each(cases)('%s', async (_what, chain, refusals) => {
    const attempt = fixture.create({ scheduledFor: inOneHour, chain: chain(fixture) });
    expect(await refusalsOf(attempt)).toEqual(refusals(fixture));
  });

  it('too many steps, a wrong delay, no account, or an unknown kind', () => {
    const step = crossPost(fixture);
    expect(() => fixture.body({ chain: Array(6).fill(step) })).toThrow('chain');
    expect(() => fixture.body({ chain: [{ ...step, afterMinutes: 1_441 }] })).toThrow('afterMinutes');
    expect(() => fixture.body({ chain: [{ ...step, afterMinutes: -1 }] })).toThrow('afterMinutes');
    expect(() => fixture.body({ chain: [{ ...step, accountIds: [] }] })).toThrow('accountIds');
    expect(() => fixture.body({ chain: [{ ...step, kind: 'thread' }] })).toThrow('kind');
  });
});

describe('a valid chain', () => {
  it('is stored with its post, and shown as waiting', async () => {
    const options = { [fixture.second.id]: { firstComment: 'Hi' } };
    const { post, targets } = await fixture.create({
      scheduledFor: inOneHour,
      chain: [
        { ...followUp(fixture), afterMinutes: 1_440 },
        { ...crossPost(fixture), options },
      ],
    });
    const waiting = { status: 'waiting', postId: null, error: null };
    const shown = [
      { kind: 'followUp', afterMinutes: 1_440, ...waiting },
      { kind: 'crossPost', options, ...waiting },
    ];
    expect(toPostView(post, mediaBaseUrl, targets)).toMatchObject({ chain: shown, parentPostId: null });
    const stored = await readPost(fixture.context, post.id);
    const indexed = targets.map((target) => ({
      ...target,
      dueAt: expect.any(String),
      dueShard: expect.any(String),
    }));
    expect(stored).toEqual({ post, targets: indexed });
    expect(toListedPostView(stored.post, mediaBaseUrl).chain).toMatchObject(shown);
  });

  it('is read in the same request as everything else', async () => {
    let reads = 0;
    const send = (command: Parameters<Table['client']['send']>[0]) => {
      if (command.constructor.name === 'BatchGetCommand') reads += 1;
      return table.client.send(command);
    };
    const counted = { ...table, client: { send } as unknown as Table['client'] };
    const chain = [followUp(fixture), { ...crossPost(fixture), accountIds: [fixture.youtube.id] }];
    await validatePost({ ...fixture.context, table: counted }, fixture.body({ chain }));
    expect(reads).toBe(1);
  });

  it('may break platform rules in a draft, but not once the draft is scheduled', async () => {
    const toYouTube = { ...crossPost(fixture), accountIds: [fixture.youtube.id] };
    const { post } = await fixture.create({ chain: [toYouTube] });
    expect(post.chain).toHaveLength(1);
    const refusals = await refusalsOf(editPost(fixture.context, post.id, { scheduledFor: inOneHour }));
    expect(refusals.every((refusal) => refusal.startsWith('chain[0].'))).toBe(true);
    expect(refusals.some((refusal) => refusal.includes('video'))).toBe(true);
  });
});

it('validating a post reports the problems of its chain, by field', async () => {
  const { instagram } = fixture;
  const { problems } = await validatePost(
    fixture.context,
    fixture.body({ chain: [{ ...followUp(fixture), mediaItems: undefined }] }),
  );
  const message = 'Instagram needs at least one image or video';
  const concerned = { accountId: instagram.id, platform: 'instagram' };
  expect(problems).toEqual([{ field: 'chain[0].mediaItems', code: 'media_required', message, ...concerned }]);
});

it('a problem with a file of the post is not repeated for a crossPost', async () => {
  const attempt = fixture.create({
    mediaItems: [{ ...mediaItem(fixture.image), type: 'video' }],
    chain: [crossPost(fixture), anotherCrossPost(fixture)],
  });
  expect(await refusalsOf(attempt)).toEqual(['mediaItems[0].type: the file is image/jpeg']);
});

describe('an edit', () => {
  const edit = async (patch: (given: Fixture) => EditPostBody) => {
    const { post } = await fixture.create({
      scheduledFor: inOneHour,
      chain: [
        {
          ...followUp(fixture),
          afterMinutes: 3,
          options: { [fixture.instagram.id]: { firstComment: 'Hi' } },
        },
      ],
    });
    await editPost(fixture.context, post.id, patch(fixture));
    return { before: post, after: await readPost(fixture.context, post.id) };
  };

  it('of another field leaves the chain unchanged', async () => {
    const { before, after } = await edit(() => ({ content: 'Changed' }));
    expect(after.post.chain).toEqual(before.chain);
    expect(after.targets.every(({ startsChain }) => startsChain)).toBe(true);
  });

  it('replaces the chain', async () => {
    const { after } = await edit((given) => ({
      chain: [crossPost(given), anotherCrossPost(given)].map(asStep),
    }));
    expect(after.post.chain?.map(({ kind }) => kind)).toEqual(['crossPost', 'crossPost']);
  });

  it('removes the chain', async () => {
    const { after } = await edit(() => ({ chain: [] }));
    expect(after.post).not.toHaveProperty('chain');
    expect(after.post).not.toHaveProperty('chainWakeAt');
    expect(after.targets.some(({ startsChain }) => startsChain)).toBe(false);
  });

  it('is refused for the same reasons as a new post', async () => {
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    const chain = [asStep({ kind: 'crossPost', accountIds: [foreign.instagram.id] })];
    expect(await refusalsOf(editPost(fixture.context, post.id, { chain }))).toEqual([
      'chain[0].accountIds[0]: no such account',
    ]);
  });
});

const asStep = (step: { kind: string; accountIds: string[] }) => ({ ...step, kind: 'crossPost' as const });
