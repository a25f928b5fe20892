import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { boardIdOf, sectionIdOf } from '@herald/platform-simulators/pinterest/state.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '../../../../lib/kernel/json.ts';
import type { MediaSource, PublishJob } from '../../../../lib/platforms/contract/adapter.ts';
import type { Feature } from '../../../../lib/platforms/contract/features.ts';
import { pinterestBoards } from '../../../../lib/platforms/pinterest/boards.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { login, redirectUri, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import { publisherOf } from '../../../support/publisher.ts';

const boardId = boardIdOf(login, 'Harbour');
const boardSectionId = sectionIdOf(boardId, 'Mornings');

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  fixture = await openFixture(rowOf('pinterest'), fixtures);
});
afterEach(() => fixture.close());

const requests = async (operation: string) => {
  const all = (await fixture.control('requests')) as unknown as { operation: string; status: number }[];
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
      'an image that discloses AI',
      ['image.png'],
      { boardId, aiDisclosures: ['AI_MODIFIED', 'SYNTHETIC_PERFORMER', 'AI_MODIFIED'] },
      {
        ai_disclosures: { values: ['AI_MODIFIED', 'SYNTHETIC_PERFORMER'] },
        media_source: { source_type: 'image_url' },
      },
    ],
    [
      'several images',
      ['square.jpg', 'square-2.jpg'],
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
      'a video with the default cover frame',
      ['video.mp4'],
      { boardId },
      { media_source: { source_type: 'video_id', cover_image_key_frame_time: 1 } },
    ],
    [
      'a video with a chosen cover frame',
      ['moov-last.mp4'],
      { boardId, coverKeyFrameSeconds: 2 },
      { media_source: { cover_image_key_frame_time: 2 } },
    ],
  ])('%s goes live with all its details', async (_name, media, options, details) => {
    const publisher = await fixture.publisher({ media, options });
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    const [live, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(live).toMatchObject({ id: post.platformPostId, permalink: post.permalink, details });
    expect(live?.media).toHaveLength(media.length);
    expect(await requests('pins.create')).toHaveLength(1);
  });

  it('of a video has the given cover, whose bytes are not mistaken for the video', async () => {
    const publisher = await fixture.publisher();
    await publisher.publish();
    const [live] = await fixture.posts();
    expect(live?.cover?.type).toBe('image/jpeg');
    expect(live?.media[0]?.type).toBe('video/mp4');
    expect(live?.cover?.sha256).not.toBe(live?.media[0]?.sha256);
  });

  it('of images needs one call, at the due time', async () => {
    const publisher = await fixture.publisher({ media: ['image.jpg'], options: { boardId } });
    await publisher.prepare();
    expect(await requests('media.create')).toEqual([]);
    expect(await fixture.posts()).toEqual([]);
  });
});

describe('the boards of an account', () => {
  const boardsOf = async () => {
    const [account] = await fixture.connect();
    return account?.meta['boards'] as { id: string; name: string }[];
  };

  it('are listed with their ids', async () => {
    expect(fixture.account).toMatchObject({
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

  it('are listed from all pages, except boards for ads', async () => {
    const boards = Array.from({ length: 560 }, (_, index) => ({ name: `Board ${index}` }));
    const more = [...boards, { name: 'Ads', isAdsOnly: true }, { name: 'Diary', privacy: 'SECRET' }];
    await fixture.control('users', 'POST', { username: login, businessName: 'Harbour Coffee', boards: more });
    const listed = await boardsOf();
    expect(listed).toHaveLength(563);
    expect(listed.map(({ name }) => name)).not.toContain('Ads');
    expect((await fixture.connect())[0]?.displayName).toBe('Harbour Coffee');
  });

  it('include the secret ones, and take Pins, if the login has asked for them', async () => {
    const secret = boardIdOf(login, 'Diary');
    const boards = [{ name: 'Diary', privacy: 'SECRET' }];
    await fixture.control('users', 'POST', { username: login, boards });
    const publishOn = async (features?: readonly Feature[]) => {
      const [account] = await fixture.connect({}, features);
      if (!account) throw new Error('no account');
      const { accessToken } = account.tokens;
      const listed = await pinterestBoards.listBoards(accessToken, fixture.tools);
      const publisher = await fixture.publisher({
        media: ['image.jpg'],
        options: { boardId: secret },
        accessToken,
      });
      const published = publisher.publish().then(
        ({ post }) => post.platformPostId,
        (error: Error) => error.message,
      );
      return { secret: listed.find(({ id }) => id === secret)?.privacy, published: await published };
    };
    expect(await publishOn(['publish', 'boards'])).toEqual({
      secret: undefined,
      published: expect.stringContaining('For a secret board, it must have been allowed the secret boards.'),
    });
    const allowed = await publishOn();
    expect(allowed).toEqual({ secret: 'SECRET', published: (await fixture.posts())[0]?.id });
    expect(allowed.published).toBeDefined();
  });

  it('fit into an item of the table, however long their names', async () => {
    const name = (index: number) => `${index} ${'🐙'.repeat(170)}`;
    const boards = Array.from({ length: 700 }, (_, index) => ({ name: name(index) }));
    await fixture.control('users', 'POST', { username: login, boards });
    const bytes = Buffer.byteLength(JSON.stringify(await boardsOf()));
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThan(300_000);
  });
});

describe('the upload of a video', () => {
  const blockBytes = 65_536;
  /** A file of this size, generated while it is read. @param gate what each read waits for */
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

  /** Makes a file that gives no byte before its gate opens. */
  function gated() {
    const [opened, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const file = made(300_000, gate.promise);
    const openRange: MediaSource['openRange'] = (first, last) => {
      opened.resolve();
      return file.openRange(first, last);
    };
    return { file: { ...file, openRange }, isOpened: opened.promise, openGate: gate.resolve };
  }

  /** Makes a step that has 1.1 seconds for an upload. They pass once it is under way. */
  async function shortStep(job: PublishJob, { isOpened }: Pick<ReturnType<typeof gated>, 'isOpened'>) {
    const step = fixture.adapter.prepare({ ...job, deadline: fixture.clock.time + 6_100 }, fixture.tools);
    await Promise.race([isOpened, step]);
    vi.advanceTimersByTime(1_100);
    return step;
  }

  it('streams every byte of a large file without holding it in memory', async () => {
    const sizeBytes = 40 * 1_048_576 + 3;
    const source = made(sizeBytes);
    await fixture.plan('media_processing', 'timeout');
    const publisher = await fixture.publisher({ media: [source], options: { boardId } });
    const { preparation } = await fixture.adapter.prepare(publisher.job, fixture.tools);
    expect(preparation).toMatchObject({ isUploaded: true, uploads: 1 });
    const hash = createHash('sha256');
    for await (const chunk of await source.openRange(0, sizeBytes - 1)) hash.update(chunk);
    const uploaded = (await fixture.control('media')) as unknown as {
      file: { sha256: string; bytes: number };
    }[];
    expect(uploaded.at(-1)?.file).toMatchObject({ bytes: sizeBytes, sha256: hash.digest('hex') });
  });

  it('continues across steps if it takes longer than one', async () => {
    const upload = gated();
    const { job } = await fixture.publisher({ media: [upload.file], options: { boardId } });
    const first = await shortStep(job, upload);
    expect(first).toMatchObject({ state: 'continue', preparation: { isUploaded: false, uploads: 1 } });
    upload.openGate();
    const second = await fixture.adapter.prepare({ ...job, preparation: first.preparation }, fixture.tools);
    expect(second).toMatchObject({ state: 'continue', preparation: { isUploaded: true, uploads: 1 } });
    expect(await requests('media.upload')).toHaveLength(1);
  });

  describe('that a worker does not live to see', () => {
    const workerFor = (ms: number) => {
      const ending = new AbortController();
      return { ending, worker: { endsMs: fixture.clock.time + ms, ended: ending.signal } };
    };

    it('is aborted, and begins again in the next one, also in the same process', async () => {
      const upload = gated();
      const { job } = await fixture.publisher({ media: [upload.file], options: { boardId } });
      const { ending, worker } = workerFor(10_000);
      const first = await shortStep({ ...job, worker }, upload);
      expect(first).toMatchObject({ preparation: { isUploaded: false, uploads: 1 } });
      ending.abort();
      const next = { ...job, ...workerFor(10_000), media: [made(300_000)], preparation: first.preparation };
      expect(await fixture.adapter.prepare(next, fixture.tools)).toMatchObject({
        state: 'continue',
        preparation: { isUploaded: true, uploads: 2 },
      });
    });

    it('is left to a worker with more time, and not counted', async () => {
      const { job } = await fixture.publisher({ media: [made(40 * 1_048_576)], options: { boardId } });
      const { worker } = workerFor(9_000);
      expect(await fixture.adapter.prepare({ ...job, worker }, fixture.tools)).toMatchObject({
        state: 'waiting',
        waitSeconds: 5,
        preparation: { uploads: 0 },
      });
      expect(await requests('media.create')).toEqual([]);
    });

    it('is left to another one if the process is busy with three others', async () => {
      const { ending, worker } = workerFor(60_000);
      const states: string[] = [];
      for (let count = 0; count < 4; count += 1) {
        const upload = gated();
        const { job } = await fixture.publisher({ media: [upload.file], options: { boardId } });
        states.push((await shortStep({ ...job, worker }, upload)).state);
      }
      ending.abort();
      expect(states).toEqual(['continue', 'continue', 'continue', 'waiting']);
    });
  });

  it('starts over in a process that did not start it, a bounded number of times', async () => {
    const lost = { mediaId: '5244130000000000001', isUploaded: false, uploads: 4 };
    const { job } = await fixture.publisher();
    const again = await fixture.adapter.prepare({ ...job, preparation: lost }, fixture.tools);
    expect(again).toMatchObject({ state: 'continue', preparation: { isUploaded: true, uploads: 5 } });
    const hopeless = { ...job, preparation: { ...lost, uploads: 5 } };
    await expect(fixture.adapter.prepare(hopeless, fixture.tools)).rejects.toMatchObject({
      remedy: 'rejected',
    });
  });

  it('does not start at the end of a step', async () => {
    const { job } = await fixture.publisher();
    const late = { ...job, deadline: fixture.clock.time + 5_500 };
    expect(await fixture.adapter.prepare(late, fixture.tools)).toMatchObject({ state: 'continue' });
    expect(await requests('media.create')).toEqual([]);
  });

  it('does not store the fields that authorize it', async () => {
    const { job } = await fixture.publisher();
    const { preparation } = await fixture.adapter.prepare(job, fixture.tools);
    expect(JSON.stringify(preparation)).not.toMatch(/policy|amz|signature/i);
  });

  it('is repeated with a new form if S3 refuses it, or Pinterest does not notice it', async () => {
    await fixture.set({ uploadSeconds: 0 });
    const publisher = await fixture.publisher();
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'retry',
      platformCode: 'AccessDenied',
    });
    await fixture.set({ uploadSeconds: 3_600 });
    await publisher.publish();
    expect(await requests('media.create')).toHaveLength(2);
    expect(await fixture.posts()).toHaveLength(1);
  });

  it.each(['drop-reply', 'timeout'])('is repeated if its response is lost (%s)', async (fault) => {
    await fixture.plan('media.upload', fault);
    await (await fixture.publisher()).publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('that Pinterest cannot process fails the post, with the accepted formats', async () => {
    const publisher = await fixture.publisher({ media: ['two-seconds.mp4'], options: { boardId } });
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('4 seconds'),
    });
  });

  it('that is never processed fails the post after half an hour', async () => {
    await fixture.plan('media_processing', 'timeout');
    const publisher = await fixture.publisher();
    const begun = fixture.clock.time;
    // One poll every 20 seconds: more than the 60 steps of one preparation.
    let error: unknown;
    do error = await publisher.prepare().catch((thrown: unknown) => thrown);
    while (String(error).includes('not ready'));
    expect(error).toMatchObject({ remedy: 'rejected', message: expect.stringContaining('30 minutes') });
    expect(fixture.clock.time - begun).toBeLessThan(31 * 60_000);
  });

  it('that Pinterest has discarded before the last call is repeated', async () => {
    const publisher = await fixture.publisher();
    await publisher.prepare();
    await fixture.plan('media.get', 'error:404/4134');
    await publisher.publish();
    expect(await requests('media.create')).toHaveLength(2);
    expect(await fixture.posts()).toHaveLength(1);
  });
});

describe('an image that Pinterest cannot use', () => {
  it.each([
    ['missing.jpg', 'retry'],
    ['broken.jpg', 'rejected'],
  ])('%s has the remedy %s', async (name, remedy) => {
    const source = await fixtures.source('image.jpg');
    const image = { ...source, url: new URL(name, source.url).href };
    const publisher = await fixture.publisher({ media: [image], options: { boardId } });
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy });
    expect(await fixture.posts()).toEqual([]);
  });
});

describe('an unknown outcome', () => {
  const imagePin = { media: ['image.jpg'], options: { boardId, title: 'Harbour' } };
  const lost = async (fault: string, pin: Parameters<Fixture['publisher']>[0] = imagePin) => {
    const publisher = await fixture.publisher(pin);
    await publisher.prepare();
    await fixture.plan('pins.create', fault);
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    return publisher;
  };
  const onePin = async () => {
    const [pin, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    return pin;
  };

  it.each([
    ['an image', imagePin],
    ['an image in a section', { media: ['image.jpg'], options: { boardId, boardSectionId } }],
    ['several images', { media: ['square.jpg', 'square-2.jpg'], options: { boardId } }],
  ])('of %s is found on its board, with the time that Pinterest shows', async (_name, pin) => {
    const publisher = await lost('drop-reply', pin);
    fixture.clock.time += 600_000;
    const outcome = await publisher.reconcile();
    const post = await onePin();
    expect(outcome).toMatchObject({
      kind: 'live',
      post: { platformPostId: post?.id, permalink: post?.permalink, publishedMs: post?.publishedAt },
    });
  });

  it.each([30, 90, 150])('is found if Pinterest’s lists lag by %i seconds', async (listLagSeconds) => {
    await fixture.set({ listLagSeconds });
    const publisher = await lost('drop-reply');
    const outcome = await publisher.reconcile();
    expect(outcome).toMatchObject({ kind: 'live', post: { platformPostId: (await onePin())?.id } });
  });

  it.each([
    ['the request was lost', () => lost('timeout')],
    ['Pinterest failed', () => lost('error:500')],
    [
      'the worker was killed before the call',
      async () => {
        const publisher = await fixture.publisher(imagePin);
        await publisher.prepare();
        await publisher.crashAtLastCall(false);
        return publisher;
      },
    ],
    [
      'the lists never show the Pin',
      async () => {
        await fixture.set({ listLagSeconds: 86_400 });
        return lost('drop-reply');
      },
    ],
  ])('is reported and never sent again if %s', async (_name, interrupt) => {
    const publisher = await interrupt();
    const [calls, pins] = [await requests('pins.create'), await fixture.posts()];
    const begun = fixture.clock.time;
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    expect(fixture.clock.time - begun).toBeGreaterThanOrEqual(240_000);
    expect(fixture.adapter.absenceRule(publisher.job).where).toBe('the board on Pinterest');
    expect([await requests('pins.create'), await fixture.posts()]).toEqual([calls, pins]);
  });

  it('is found behind later Pins, although Pinterest fills in a title and changes whitespace', async () => {
    await fixture.set({ otherPosts: 120, changesTexts: true });
    const publisher = await lost('drop-reply', {
      media: ['image.jpg'],
      options: { boardId, altText: 'Two  boats' },
    });
    const outcome = await publisher.reconcile();
    expect(outcome).toMatchObject({ kind: 'live', post: { platformPostId: (await onePin())?.id } });
  });

  it('is found in a list in another order, without its alternative text', async () => {
    const { http } = fixture.tools;
    const send: typeof http.send = async (request) => {
      const answer = await http.send(request);
      if (request.method !== 'GET' || !request.url.endsWith('pins')) return answer;
      const { items, ...rest } = JSON.parse(answer.text) as { items: Record<string, Json>[] };
      const changed = items.toReversed().map((pin) => ({ ...pin, alt_text: null }));
      return { ...answer, json: { ...rest, items: changed } };
    };
    const { job } = await fixture.publisher({ media: ['image.jpg'], options: { boardId, altText: 'Boats' } });
    const tools = { ...fixture.tools, http: { ...http, send } };
    const publisher = publisherOf(fixture.adapter, job, tools, fixture.clock, fixture.idle);
    for (let earlier = 0; earlier < 3; earlier += 1) {
      const options = { boardId, title: `Boat ${earlier}`, altText: 'Ships' };
      await (await fixture.publisher({ media: ['image.jpg'], options })).publish();
      fixture.clock.time += 60_000;
    }
    await publisher.prepare();
    await fixture.plan('pins.create', 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    const pin = (await fixture.posts()).at(-1);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId: pin?.id } });
  });

  it.each(['error:404/40', 'error:403/29'])(
    'is found among the account’s own Pins if the board’s list answers %s',
    async (fault) => {
      const publisher = await lost('drop-reply');
      await fixture.plan('boards.list_pins', fault, 10);
      const outcome = await publisher.reconcile();
      expect(outcome).toMatchObject({ kind: 'live', post: { platformPostId: (await onePin())?.id } });
    },
  );

  it('is not mistaken for an older Pin, nor for another target’s Pin', async () => {
    await (await fixture.publisher(imagePin)).publish();
    fixture.clock.time += 300_000;
    const publisher = await lost('error:500');
    const { post } = await (await fixture.publisher(imagePin)).publish();
    publisher.taken.add(post.platformPostId ?? '');
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  const link = 'https://example.com/harbour';
  it.each([
    ['another title', { title: 'Harbour' }, { title: 'Harbor' }],
    ['a link, although the job has none', { title: 'Harbour' }, { title: 'Harbour', link }],
    ['another link', { title: 'Harbour', link }, { title: 'Harbour', link: `${link}/2` }],
    ['the same link and another title', { title: 'Harbour', link }, { title: 'Harbor', link }],
    ['another alternative text', { altText: 'Boats' }, { altText: 'Ships' }],
    ['another board', { title: 'Harbour' }, { title: 'Harbour', boardId: boardIdOf(login, 'Recipes') }],
  ])('is not mistaken for a Pin with %s', async (_name, options, others) => {
    const other = await fixture.publisher({ media: ['image.jpg'], options: { boardId, ...others } });
    const publisher = await lost('error:500', { media: ['image.jpg'], options: { boardId, ...options } });
    await other.publish();
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('is not mistaken for a Pin whose description differs only in its URL', async () => {
    const pin = { media: ['image.jpg'], options: { boardId } };
    const publisher = await lost('error:500', { ...pin, content: 'New: https://example.com/1' });
    await (await fixture.publisher({ ...pin, content: 'New: https://example.com/2' })).publish();
    expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
  });

  it('is found although Pinterest changes the spelling of a link', async () => {
    const other = { media: ['image.jpg'], options: { boardId, link: 'https://example.com/' } };
    const publisher = await lost('error:500', {
      media: ['image.jpg'],
      options: { boardId, link: 'https://Example.com' },
    });
    const { post } = await (await fixture.publisher(other)).publish();
    const { platformPostId } = post;
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live', post: { platformPostId } });
  });

  it('stays open if the list cannot be read, and nothing is sent again', async () => {
    const publisher = await lost('drop-reply');
    await fixture.plan('boards.list_pins', 'error:500', 3);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
    expect(await requests('pins.create')).toHaveLength(1);
  });
});

it('a preparation that an earlier release stored is still read', async () => {
  const { job } = await fixture.publisher({ media: ['image.jpg'], options: { boardId } });
  const preparation = { mediaId: null, firstIntentAt: 1_795_000_000_000, othersPins: ['813744226420000001'] };
  const step = await fixture.adapter.prepare({ ...job, preparation }, fixture.tools);
  expect(step.state).toBe('ready');
  expect(step.preparation).not.toHaveProperty('firstIntentAt');
});

describe('a token that expires', () => {
  it.each(['media.get', 'pins.create'])(
    'at %s causes no second upload and no second Pin',
    async (operation) => {
      const publisher = await fixture.publisher();
      await fixture.plan(operation, 'expire-token');
      await expect(publisher.publish()).rejects.toMatchObject({ remedy: 'reauthorise' });
      const { tokens } = fixture.account;
      const { accessToken } = await fixture.authorization.refresh(tokens, fixture.tools);
      const { adapter, tools } = fixture;
      let job = { ...publisher.job, accessToken };
      for (;;) {
        const step = await adapter.prepare(job, tools);
        job = { ...job, preparation: step.preparation };
        if (step.state === 'ready') break;
        if (step.state === 'waiting') fixture.clock.time += step.waitSeconds * 1_000;
      }
      await adapter.goLive(job, tools);
      expect(await fixture.posts()).toHaveLength(1);
      expect(await requests('media.upload')).toHaveLength(1);
    },
  );
});

describe('a refresh', () => {
  it('returns a refresh token that lasts another 60 days', async () => {
    const { authorization, account, tools, clock } = fixture;
    const end = () => new Date(clock.time + 60 * 86_400_000).toISOString();
    expect(account.tokens.refreshExpiresAt).toBe(end());
    clock.time += 20 * 86_400_000;
    expect(await authorization.refresh(account.tokens, tools)).toMatchObject({ refreshExpiresAt: end() });
  });

  it('does not blame the account if the app’s own credentials are wrong', async () => {
    const tools = { ...fixture.tools, app: { ...fixture.tools.app, clientSecret: 'rotated' } };
    await expect(fixture.authorization.refresh(fixture.account.tokens, tools)).rejects.toMatchObject({
      remedy: 'retry',
      message: expect.stringContaining('operator'),
    });
  });

  it('asks to reauthorise once the person has removed the app', async () => {
    await fixture.control('revoke', 'POST', { username: login });
    await expect(fixture.authorization.refresh(fixture.account.tokens, fixture.tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
  });
});

it('tells the operator if the app has Trial access only', async () => {
  await fixture.set({ access: 'trial' });
  const publisher = await fixture.publisher({ media: ['image.jpg'], options: { boardId } });
  await expect(publisher.publish()).rejects.toMatchObject({
    remedy: 'rejected',
    message: expect.stringContaining('Standard access'),
  });
});

describe('the sandbox', () => {
  const sandbox = async () => {
    const tools = { ...fixture.tools, isSandbox: true as const };
    const { address } = await fixture.consent();
    const code = address.searchParams.get('code') ?? '';
    const [account] = await fixture.authorization.exchange({ code, redirectUri, scopes: [] }, tools);
    if (!account) throw new Error('not connected');
    return { tools, account, accessToken: account.tokens.accessToken };
  };

  it('lets an app with Trial access create Pins, on boards of its own', async () => {
    await fixture.set({ access: 'trial' });
    const { tools, account, accessToken } = await sandbox();
    expect(account.meta).toEqual({ boards: [] });
    const board = await pinterestBoards.createBoard(accessToken, { name: 'Demo' }, tools);
    const { job } = await fixture.publisher({ media: ['image.jpg'], options: { boardId: board.id } });
    const publisher = publisherOf(
      fixture.adapter,
      { ...job, accessToken },
      tools,
      fixture.clock,
      fixture.idle,
    );
    await publisher.publish();
    expect(await fixture.posts()).toMatchObject([{ details: { board_id: board.id } }]);
    const all = (await fixture.control('requests')) as unknown as { operation: string; path: string }[];
    expect(all.filter(({ operation }) => operation === 'pins.create')).toMatchObject([
      { path: expect.stringContaining('api-sandbox.pinterest.com') },
    ]);
  });

  it('finds a Pin whose response was lost, and refreshes its own tokens', async () => {
    const { tools, account, accessToken } = await sandbox();
    const board = await pinterestBoards.createBoard(accessToken, { name: 'Demo' }, tools);
    const options = { boardId: board.id, title: 'Harbour' };
    const { job } = await fixture.publisher({ media: ['image.jpg'], options });
    const publisher = publisherOf(
      fixture.adapter,
      { ...job, accessToken },
      tools,
      fixture.clock,
      fixture.idle,
    );
    await publisher.prepare();
    await fixture.plan('pins.create', 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
    const renewed = await fixture.authorization.refresh(account.tokens, tools);
    expect(renewed.accessToken).not.toBe(accessToken);
  });

  it('does not accept tokens of production, nor the other way round', async () => {
    const { tools, account } = await sandbox();
    const { tokens } = fixture.account;
    await expect(pinterestBoards.listBoards(tokens.accessToken, tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
    await expect(pinterestBoards.listBoards(account.tokens.accessToken, fixture.tools)).rejects.toMatchObject(
      { remedy: 'reauthorise' },
    );
  });
});
