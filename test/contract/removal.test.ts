import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import { removalWay } from '../../lib/platforms/registry/removals.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { type Fixture, type JobChanges, openFixture } from './fixture.ts';
import { type PlatformRow, rowOf, rows } from './rows.ts';

let fixtures: FixtureServer;
let fixture: Fixture | undefined;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});
afterAll(() => fixtures.close());

/** The simulators' names of the calls that delete. */
const deletions = {
  facebook: 'object_delete',
  linkedin: 'posts.delete',
  pinterest: 'pins.delete',
  threads: 'media_delete',
  youtube: 'videos.delete',
} as const;

type Kind = readonly [title: string, row: PlatformRow, changes: JobChanges, call: string];

const kinds: readonly Kind[] = [
  ...rows.flatMap((row): Kind[] => {
    const call: string | undefined = { ...deletions, instagram: undefined, tiktok: undefined }[row.platform];
    return call === undefined
      ? []
      : [[row.as ? `${row.platform} as ${row.as}` : row.platform, row, {}, call]];
  }),
  ['facebook, a text', rowOf('facebook'), { media: [], options: {} }, deletions.facebook],
  ['facebook, a video', rowOf('facebook'), { media: ['video.mp4'], options: {} }, deletions.facebook],
  [
    'facebook, a reel',
    rowOf('facebook'),
    { media: ['video.mp4'], options: { type: 'reel' } },
    deletions.facebook,
  ],
];

/** Publishes a post of the kind. @returns a function that removes it, and one that says if it is there */
async function publish([, row, changes]: Kind) {
  const opened = await openFixture(row, fixtures);
  fixture = opened;
  const publisher = await opened.publisher(changes);
  const { platformPostId } = (await publisher.publish()).post;
  if (platformPostId === null) throw new Error('the post has no id');
  const { account, accessToken } = publisher.job;
  const remove = () =>
    opened.adapter.removePost?.({ account, accessToken, platformPostId }, opened.tools).then(
      (deletion) => deletion,
      (error: PlatformError) => error,
    );
  const isThere = async () => (await opened.posts()).length > 0;
  expect(await isThere()).toBe(true);
  return { opened, remove, isThere };
}

describe.each(kinds)('a live post on %s', (...kind) => {
  const [, { platform }, , call] = kind;
  // LinkedIn answers a deletion of nothing as any other.
  const again = platform === 'linkedin' ? 'deleted' : 'gone';

  it('is deleted, and a repeat finds nothing', async () => {
    const { remove, isThere } = await publish(kind);
    expect(await remove()).toBe('deleted');
    expect(await isThere()).toBe(false);
    expect(await remove()).toBe(again);
  });

  it('is deleted by a call whose response was lost, as the repeat shows', async () => {
    const { opened, remove, isThere } = await publish(kind);
    await opened.plan(call, 'drop-reply');
    expect(await remove()).toMatchObject({ remedy: 'unknown' });
    expect(await isThere()).toBe(false);
    expect(await remove()).toBe(again);
  });

  it('stays after an error of the platform, which may be tried again', async () => {
    const { opened, remove, isThere } = await publish(kind);
    await opened.plan(call, 'error:500');
    const error = await remove();
    expect(error).toBeInstanceOf(PlatformError);
    expect((error as PlatformError).remedy).toMatch(/^(retry|unknown)$/);
    expect(await isThere()).toBe(true);
    expect(await remove()).toBe('deleted');
  });

  it.each(['html', 'empty', 'redirect'])('stays after an answer that confirms nothing: %s', async (fault) => {
    const { opened, remove, isThere } = await publish(kind);
    await opened.plan(call, fault);
    expect(await remove()).toBeInstanceOf(PlatformError);
    expect(await isThere()).toBe(true);
    expect(await remove()).toBe('deleted');
  });

  it('stays if the platform asks to wait', async () => {
    const { opened, remove, isThere } = await publish(kind);
    await opened.plan(call, 'rate-limit');
    expect(await remove()).toMatchObject({ remedy: 'retry' });
    expect(await isThere()).toBe(true);
  });
});

describe('a permission to delete that was not granted', () => {
  it.each([
    ['threads', rowOf('threads'), { media: [], options: {} }],
    ['youtube', rowOf('youtube'), {}],
  ] as const)('leaves the post on %s and says so', async (platform, row, changes) => {
    const { opened, isThere } = await publish([platform, row, changes, '']);
    const [account] = await opened.connect({}, ['publish']);
    if (account === undefined) throw new Error('no account');
    const [post] = await opened.posts();
    const { platformAccountId, username, meta, tokens } = account;
    const removing = opened.adapter.removePost?.(
      {
        account: { platformAccountId, username, meta, scopes: tokens.scopes },
        accessToken: tokens.accessToken,
        platformPostId: post?.id ?? '',
      },
      opened.tools,
    );
    await expect(removing).rejects.toMatchObject({ concerns: 'feature' });
    expect(await isThere()).toBe(true);
  });
});

describe('the way to delete a post', () => {
  it.each(rows.map(({ platform }) => platform))(
    'is by Herald exactly if the adapter can: %s',
    async (platform) => {
      fixture = await openFixture(rowOf(platform), fixtures);
      expect(removalWay(platform, {}).by === 'service').toBe(fixture.adapter.removePost !== undefined);
    },
  );

  it('is by a person for a story on Facebook', () => {
    expect(removalWay('facebook', { contentType: 'story' })).toMatchObject({ by: 'person' });
    expect(removalWay('facebook', { type: 'story' })).toMatchObject({ by: 'person' });
    expect(removalWay('facebook', { contentType: 'reel', type: 'story' })).toMatchObject({ by: 'service' });
  });
});
