import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { boardIdOf, sectionIdOf } from '../../../../infra/local/platforms/pinterest/state.ts';
import type { IntendedJob, MediaSource } from '../../../../lib/platforms/contract/adapter.ts';
import { type Bench, openBench } from '../../../contract/fixture.ts';
import { login, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

const boardId = boardIdOf(login, 'Harbour');
const boardSectionId = sectionIdOf(boardId, 'Mornings');

let fixtures: FixtureServer;
let bench: Bench;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  bench = await openBench(rowOf('pinterest'), fixtures, { totalSeconds: 0.3, idleSeconds: 0.3 });
});
afterEach(() => bench.close());

const requests = async (operation: string) => {
  const all = (await bench.control('requests')) as unknown as { operation: string; status: number }[];
  return all.filter((request) => request.operation === operation);
};

describe('each kind of Pin', () => {
  it.each([
    [
      'an image in a section',
      ['image.png'],
      { boardId, boardSectionId, title: 'Harbour', altText: 'Boats', dominantColor: '#102030' },
      {
        board_section_id: boardSectionId,
        title: 'Harbour',
        alt_text: 'Boats',
        dominant_color: '#102030',
        media_source: { source_type: 'image_url' },
      },
    ],
    [
      'several images',
      ['image.jpg', 'square.jpg'],
      { boardId, carouselItems: [{ title: 'One', link: 'https://example.com/1' }], carouselCoverIndex: 1 },
      {
        media_source: {
          source_type: 'multiple_image_urls',
          items: [{ title: 'One', link: 'https://example.com/1' }, {}],
          index: 1,
        },
      },
    ],
    [
      'a video with the frame that is usual',
      ['video.mp4'],
      { boardId },
      { media_source: { source_type: 'video_id', cover_image_key_frame_time: 1 } },
    ],
    [
      'a video with a frame that was chosen',
      ['moov-last.mp4'],
      { boardId, coverKeyFrameSeconds: 2.5 },
      { media_source: { cover_image_key_frame_time: 2.5 } },
    ],
  ])('%s goes live, whole', async (_name, media, options, details) => {
    const publisher = await bench.publisher({ media, options });
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    const [live, ...others] = await bench.posts();
    expect(others).toEqual([]);
    expect(live).toMatchObject({ id: post.platformPostId, permalink: post.permalink, details });
    expect(live?.media).toHaveLength(media.length);
    expect(await requests('pins.create')).toHaveLength(1);
  });

  it('of a video has the cover that was sent, and its bytes are not mistaken for the video', async () => {
    const publisher = await bench.publisher();
    await publisher.publish();
    const [live] = await bench.posts();
    expect(live?.cover?.type).toBe('image/jpeg');
    expect(live?.media[0]?.type).toBe('video/mp4');
    expect(live?.cover?.sha256).not.toBe(live?.media[0]?.sha256);
  });

  it('of images is one call, at its time', async () => {
    const publisher = await bench.publisher({ media: ['image.jpg'], options: { boardId } });
    await publisher.prepare();
    expect(await requests('media.create')).toEqual([]);
    expect(await bench.posts()).toEqual([]);
  });
});

describe('the boards of an account', () => {
  const boardsOf = async () => {
    const [account] = await bench.connect();
    return account?.meta['boards'] as { id: string; name: string }[];
  };

  it('are listed with their ids', async () => {
    expect(bench.account).toMatchObject({
      username: login,
      displayName: login,
      meta: {
        boards: expect.arrayContaining([
          { id: boardId, name: 'Harbour' },
          { id: boardIdOf(login, 'Recipes'), name: 'Recipes' },
        ]),
      },
    });
  });

  it('are all of them, however many pages they take, but for those for ads', async () => {
    const boards = Array.from({ length: 560 }, (_, index) => ({ name: `Board ${index}` }));
    const more = [...boards, { name: 'Ads', isAdsOnly: true }, { name: 'Diary', privacy: 'SECRET' }];
    await bench.control('users', 'POST', { username: login, businessName: 'Harbour Coffee', boards: more });
    const listed = await boardsOf();
    expect(listed).toHaveLength(562);
    expect(listed.map(({ name }) => name)).not.toContain('Ads');
    expect((await bench.connect())[0]?.displayName).toBe('Harbour Coffee');
  });

  it('fit into an item of the table, whatever they are called', async () => {
    const name = (index: number) => `${index} ${'🐙'.repeat(170)}`;
    const boards = Array.from({ length: 700 }, (_, index) => ({ name: name(index) }));
    await bench.control('users', 'POST', { username: login, boards });
    const bytes = Buffer.byteLength(JSON.stringify(await boardsOf()));
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThan(300_000);
  });
});

describe('the upload of a video', () => {
  const blockBytes = 65_536;
  /** A file of so many bytes, made as it is read. @param gate what each read waits for */
  function made(sizeBytes: number, gate: Promise<void> = Promise.resolve()): MediaSource {
    return {
      type: 'video',
      contentType: 'video/quicktime',
      sizeBytes,
      url: 'https://media.example/file',
      openRange: async (first, last) =>
        Readable.from(
          (async function* () {
            await gate;
            for (let at = first; at <= last; at += blockBytes) {
              yield Buffer.alloc(Math.min(blockBytes, last + 1 - at), (at / blockBytes) % 251);
            }
          })(),
        ),
    };
  }

  it('sends every byte of a large file, which nothing holds in memory', async () => {
    const sizeBytes = 40 * 1_048_576 + 3;
    const source = made(sizeBytes);
    await bench.plan('media_processing', 'timeout');
    const publisher = await bench.publisher({ media: [source], options: { boardId } });
    const { preparation } = await bench.adapter.prepare(publisher.job, bench.tools);
    expect(preparation).toMatchObject({ isUploaded: true, uploads: 1 });
    const hash = createHash('sha256');
    for await (const chunk of await source.openRange(0, sizeBytes - 1)) hash.update(chunk);
    const uploaded = (await bench.control('media')) as unknown as {
      file: { sha256: string; bytes: number };
    }[];
    expect(uploaded.at(-1)?.file).toMatchObject({ bytes: sizeBytes, sha256: hash.digest('hex') });
  });

  it('goes on from one step to the next where it takes longer', async () => {
    await bench.close();
    bench = await openBench(rowOf('pinterest'), fixtures);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { job } = await bench.publisher({ media: [made(300_000, gate)], options: { boardId } });
    const short = { ...job, deadline: bench.clock.time + 6_100 };
    const first = await bench.adapter.prepare(short, bench.tools);
    expect(first).toMatchObject({ state: 'continue', preparation: { isUploaded: false, uploads: 1 } });
    open();
    const second = await bench.adapter.prepare({ ...job, preparation: first.preparation }, bench.tools);
    expect(second).toMatchObject({ state: 'continue', preparation: { isUploaded: true, uploads: 1 } });
    expect(await requests('media.upload')).toHaveLength(1);
  });

  it('begins anew in a process that has not begun it, a bounded number of times', async () => {
    const lost = { mediaId: '5244130000000000001', isUploaded: false, uploads: 4 };
    const { job } = await bench.publisher();
    const again = await bench.adapter.prepare({ ...job, preparation: lost }, bench.tools);
    expect(again).toMatchObject({ state: 'continue', preparation: { isUploaded: true, uploads: 5 } });
    const hopeless = { ...job, preparation: { ...lost, uploads: 5 } };
    await expect(bench.adapter.prepare(hopeless, bench.tools)).rejects.toMatchObject({ remedy: 'rejected' });
  });

  it('is not begun at the end of a step', async () => {
    const { job } = await bench.publisher();
    const late = { ...job, deadline: bench.clock.time + 5_500 };
    expect(await bench.adapter.prepare(late, bench.tools)).toMatchObject({ state: 'continue' });
    expect(await requests('media.create')).toEqual([]);
  });

  it('stores nothing of the permission to upload', async () => {
    const { job } = await bench.publisher();
    const { preparation } = await bench.adapter.prepare(job, bench.tools);
    expect(JSON.stringify(preparation)).not.toMatch(/policy|amz|signature/i);
  });

  it('is made again with another permission where S3 refuses this one, or Pinterest never notices', async () => {
    await bench.set({ uploadSeconds: 0 });
    const publisher = await bench.publisher();
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'retry',
      platformCode: 'AccessDenied',
    });
    await bench.set({ uploadSeconds: 3_600 });
    await publisher.publish();
    expect(await requests('media.create')).toHaveLength(2);
    expect(await bench.posts()).toHaveLength(1);
  });

  it.each(['drop-reply', 'timeout'])('is made again where its answer never came (%s)', async (fault) => {
    await bench.plan('media.upload', fault);
    await (await bench.publisher()).publish();
    expect(await bench.posts()).toHaveLength(1);
  });

  it('that Pinterest cannot process fails the post, with what it takes', async () => {
    const publisher = await bench.publisher({ media: ['two-seconds.mp4'], options: { boardId } });
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('4 seconds'),
    });
  });

  it('that is never processed fails the post after half an hour', async () => {
    await bench.plan('media_processing', 'timeout');
    const publisher = await bench.publisher();
    const begun = bench.clock.time;
    // Looks every 20 seconds: more than the 60 steps of one preparation.
    let error: unknown;
    do error = await publisher.prepare().catch((thrown: unknown) => thrown);
    while (String(error).includes('never ends'));
    expect(error).toMatchObject({ remedy: 'rejected', message: expect.stringContaining('30 minutes') });
    expect(bench.clock.time - begun).toBeLessThan(31 * 60_000);
  });

  it('that Pinterest has dropped by the time of the last call is made again', async () => {
    const publisher = await bench.publisher();
    await publisher.prepare();
    await bench.plan('media.get', 'error:404/4134');
    await publisher.publish();
    expect(await requests('media.create')).toHaveLength(2);
    expect(await bench.posts()).toHaveLength(1);
  });
});

describe('an image that Pinterest cannot use', () => {
  it.each([
    ['missing.jpg', 'retry'],
    ['broken.jpg', 'rejected'],
  ])('%s asks for: %s', async (name, remedy) => {
    const source = await fixtures.source('image.jpg');
    const image = { ...source, url: new URL(name, source.url).href };
    const publisher = await bench.publisher({ media: [image], options: { boardId } });
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy });
    expect(await bench.posts()).toEqual([]);
  });
});

describe('an unknown outcome', () => {
  const imagePin = { media: ['image.jpg'], options: { boardId, title: 'Harbour' } };
  const lost = async (fault: string, pin: Parameters<Bench['publisher']>[0] = imagePin) => {
    const publisher = await bench.publisher(pin);
    await publisher.prepare();
    await bench.plan('pins.create', fault);
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    return publisher;
  };

  it.each([
    ['an image', imagePin],
    ['an image in a section', { media: ['image.jpg'], options: { boardId, boardSectionId } }],
    ['several images', { media: ['image.jpg', 'square.jpg'], options: { boardId } }],
  ])('of %s is found on its board', async (_name, pin) => {
    const publisher = await lost('drop-reply', pin);
    const outcome = await publisher.reconcile();
    const [post, ...others] = await bench.posts();
    expect(others).toEqual([]);
    expect(outcome).toMatchObject({
      state: 'live',
      post: { platformPostId: post?.id, permalink: post?.permalink },
    });
  });

  it('is asked about until what Pinterest lists has settled', async () => {
    await bench.set({ listingDelaySeconds: 60 });
    const publisher = await lost('drop-reply');
    expect(await publisher.reconcile()).toMatchObject({ state: 'live' });
    expect(await requests('pins.create')).toHaveLength(1);
  });

  it('is not taken for absence before the call can have ended and the lists have settled', async () => {
    const publisher = await lost('timeout');
    const begun = bench.clock.time;
    expect(await publisher.reconcile()).toMatchObject({ state: 'absent' });
    expect(bench.clock.time - begun).toBeGreaterThanOrEqual(75_000);
  });

  it('that was taken for absence too early turns out before the next call', async () => {
    await bench.set({ listingDelaySeconds: 300 });
    const publisher = await lost('drop-reply');
    expect(await publisher.reconcile()).toMatchObject({ state: 'absent' });
    bench.clock.time += 300_000;
    const live = await publisher.goLive();
    const [post, ...others] = await bench.posts();
    expect(others).toEqual([]);
    expect(live.platformPostId).toBe(post?.id);
    expect(await requests('pins.create')).toHaveLength(1);
  });

  it('is not taken for a Pin that was there before, nor for one that another post holds', async () => {
    const earlier = await bench.publisher(imagePin);
    const first = await earlier.publish();
    bench.clock.time += 300_000;
    const publisher = await lost('error:500');
    expect(await publisher.reconcile()).toMatchObject({ state: 'absent' });

    const twin = await lost('error:500');
    const other = await bench.publisher(imagePin);
    const { post } = await other.publish();
    const isTaken = async (id: string) => id === post.platformPostId;
    bench.clock.time += 100_000;
    const job: IntendedJob = { ...twin.job, intentAt: bench.clock.time - 100_000, isTaken };
    const absent = await bench.adapter.reconcile(job, bench.tools);
    expect(absent).toMatchObject({ state: 'absent', preparation: { othersPins: [post.platformPostId] } });
    if (absent.state !== 'absent') return;
    const live = await bench.adapter.goLive({ ...twin.job, preparation: absent.preparation }, bench.tools);
    expect([first.post.platformPostId, post.platformPostId]).not.toContain(live.platformPostId);
    expect(await bench.posts()).toHaveLength(3);
  });

  it.each([
    ['another title', { title: 'Harbor' }],
    ['another link', { title: 'Harbour', link: 'https://example.com/' }],
    ['another alternative text', { title: 'Harbour', altText: 'Boats' }],
  ])('is not taken for a Pin with %s', async (_name, options) => {
    const other = await bench.publisher({ media: ['image.jpg'], options: { boardId, ...options } });
    const publisher = await lost('error:500');
    await other.publish();
    expect(await publisher.reconcile()).toMatchObject({ state: 'absent' });
  });

  it('is found whatever Pinterest makes of the spelling of a link', async () => {
    const link = 'https://Example.com';
    const other = { media: ['image.jpg'], options: { boardId, link: 'https://example.com/' } };
    const publisher = await lost('error:500', { media: ['image.jpg'], options: { boardId, link } });
    const { post } = await (await bench.publisher(other)).publish();
    expect(await publisher.reconcile()).toMatchObject({ state: 'live', post });
  });

  it('stays open where the list cannot be read: nothing is sent again', async () => {
    const publisher = await lost('drop-reply');
    await bench.plan('boards.list_pins', 'error:500', 3);
    expect(await publisher.reconcile()).toMatchObject({ state: 'live' });
    expect(await requests('pins.create')).toHaveLength(1);
  });
});

describe('a token that ends', () => {
  it.each(['media.get', 'pins.create'])(
    'at %s costs no second upload and no second Pin',
    async (operation) => {
      const publisher = await bench.publisher();
      await bench.plan(operation, 'expire-token');
      await expect(publisher.publish()).rejects.toMatchObject({ remedy: 'reauthorise' });
      const { tokens } = bench.account;
      const { accessToken } = await bench.authorization.refresh(tokens, bench.tools);
      const { adapter, tools } = bench;
      let job = { ...publisher.job, accessToken };
      for (;;) {
        const step = await adapter.prepare(job, tools);
        job = { ...job, preparation: step.preparation };
        if (step.state === 'ready') break;
        if (step.state === 'waiting') bench.clock.time += step.waitSeconds * 1_000;
      }
      await adapter.goLive(job, tools);
      expect(await bench.posts()).toHaveLength(1);
      expect(await requests('media.upload')).toHaveLength(1);
    },
  );
});

describe('a refresh', () => {
  it('says nothing about the account where the app’s own credentials are wrong', async () => {
    const tools = { ...bench.tools, app: { ...bench.tools.app, clientSecret: 'rotated' } };
    await expect(bench.authorization.refresh(bench.account.tokens, tools)).rejects.toMatchObject({
      remedy: 'retry',
      message: expect.stringContaining('operator'),
    });
  });

  it('is over once the person has removed the app', async () => {
    await bench.control('revoke', 'POST', { username: login });
    await expect(bench.authorization.refresh(bench.account.tokens, bench.tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
  });
});

it('tells the operator where the app has Trial access only', async () => {
  await bench.set({ access: 'trial' });
  const publisher = await bench.publisher({ media: ['image.jpg'], options: { boardId } });
  await expect(publisher.publish()).rejects.toMatchObject({
    remedy: 'rejected',
    message: expect.stringContaining('Standard access'),
  });
});
