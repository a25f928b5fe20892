import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MediaSource } from '../../../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import type { AccountKind } from '../../../../lib/platforms/contract/names.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { rows } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';
import { publisherOf } from '../../../support/publisher.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
afterEach(() => fixture.close());

async function open(as: AccountKind): Promise<Fixture> {
  const row = rows.find((candidate) => candidate.platform === 'linkedin' && candidate.as === as);
  if (!row) throw new Error(`no row for ${as}`);
  fixture = await openFixture(row, fixtures);
  return fixture;
}

const blockBytes = 65_536;

/** A file of this size, generated while it is read: each block of 64 KiB is filled with its number. */
function made(sizeBytes: number, head: string, contentType: string, type: MediaSource['type']) {
  const block = (at: number, last: number) => {
    const bytes = Buffer.alloc(Math.min(blockBytes, last + 1 - at), (at / blockBytes) % 251);
    if (at === 0) bytes.write(head, 'latin1');
    return bytes;
  };
  const opened: [number, number][] = [];
  function* read(first: number, last: number) {
    for (let at = first; at <= last; at += blockBytes) yield block(at, last);
  }
  const source: MediaSource = {
    type,
    contentType,
    sizeBytes,
    url: 'https://media.example/file',
    openRange: async (first, last) => {
      opened.push([first, last]);
      return Readable.from(read(first, last));
    },
  };
  const sha256 = () => {
    const hash = createHash('sha256');
    for (const bytes of read(0, sizeBytes - 1)) hash.update(bytes);
    return hash.digest('hex');
  };
  return { source, opened, sha256 };
}

const requests = async (operation: string) => {
  const all = (await fixture.control('requests')) as unknown as { operation: string; status: number }[];
  return all.filter((request) => request.operation === operation);
};

it.each([200, 201])('an upload that LinkedIn answers with %i is complete', async (uploadStatus) => {
  await open('member');
  await fixture.set({ uploadStatus });
  const publisher = await fixture.publisher({ media: ['image.jpg'], options: {} });
  await publisher.publish();
  expect(await fixture.posts()).toHaveLength(1);
  expect(await requests('images.upload')).toHaveLength(1);
});

describe('an audience', () => {
  const options = { geoLocations: ['urn:li:geo:103644278'] };

  it('limits the post of an organization', async () => {
    await open('organization');
    await (await fixture.publisher({ media: [], options })).publish();
    expect((await fixture.posts())[0]?.details).toMatchObject({ targetEntities: [options] });
  });

  it('is refused for the post of a member, which does not go live for everybody', async () => {
    await open('member');
    const publisher = await fixture.publisher({ media: [], options });
    await expect(publisher.publish()).rejects.toMatchObject({ remedy: 'rejected' });
    expect(await fixture.posts()).toEqual([]);
  });
});

describe.each<AccountKind>(['member', 'organization'])('as %s, each kind of post', (as) => {
  it.each([
    ['a text', [], {}, {}],
    ['an image', ['image.png'], { altText: 'a square' }, { content: { media: { altText: 'a square' } } }],
    [
      'several images',
      ['image.jpg', 'image.png', 'square.jpg'],
      {},
      { content: { multiImage: expect.anything() } },
    ],
    ['a video', ['video.mp4'], { title: 'Harbour' }, { content: { media: { title: 'Harbour' } } }],
    [
      'a link',
      [],
      { link: 'https://example.com/a', title: 'A page' },
      { content: { article: { source: 'https://example.com/a', title: 'A page' } } },
    ],
    [
      'a poll',
      [],
      { poll: { question: 'Coffee?', options: ['Yes', 'No'], duration: 'THREE_DAYS' } },
      {
        content: {
          poll: {
            question: 'Coffee?',
            options: [{ text: 'Yes' }, { text: 'No' }],
            settings: { duration: 'THREE_DAYS' },
          },
        },
      },
    ],
    [
      'a reshare',
      [],
      { reshare: 'https://www.linkedin.com/feed/update/urn:li:ugcPost:7045020441609936898/' },
      { reshareContext: { parent: 'urn:li:ugcPost:7045020441609936898' } },
    ],
    [
      'a link with its preview',
      ['image.jpg'],
      { link: 'https://example.com/a', title: 'A page' },
      { content: { article: { thumbnail: expect.stringMatching(/^urn:li:image:/) } } },
    ],
  ])('%s goes live with all its details', async (_name, media, options, details) => {
    await open(as);
    const publisher = await fixture.publisher({ media, options });
    const { post, warning } = await publisher.publish();
    expect(warning).toBeUndefined();
    const [live, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    expect(live).toMatchObject({ id: post.platformPostId, accountId: fixture.account.platformAccountId });
    expect(live).toMatchObject({ content: publisher.job.content, details: { ...details, isCut: false } });
  });

  it('a document without a title has the name of its file', async () => {
    await open(as);
    const { source } = made(300_000, '%PDF-1.7\n', 'application/pdf', 'image');
    const named = { ...source, url: 'https://media.example/media/1/Opening-hours.pdf' };
    await (await fixture.publisher({ media: [named], options: {} })).publish();
    expect(await fixture.posts()).toMatchObject([
      { details: { content: { media: { title: 'Opening hours' } } } },
    ]);
  });

  it('a document goes live', async () => {
    await open(as);
    const { source, sha256 } = made(300_000, '%PDF-1.7\n', 'application/pdf', 'image');
    const publisher = await fixture.publisher({ media: [source], options: { title: 'Slides' } });
    await publisher.publish();
    expect(await fixture.posts()).toMatchObject([
      {
        media: [{ type: 'application/pdf', sha256: sha256() }],
        details: { content: { media: { title: 'Slides' } } },
      },
    ]);
  });
});

describe('the upload of a video', () => {
  const partBytes = 4_194_304;

  it('sends each part to its own URL, in ranges that cover the file once', async () => {
    await open('organization');
    const { source, opened } = made(5 * partBytes + 1, '....ftypisom', 'video/mp4', 'video');
    const publisher = await fixture.publisher({ media: [source] });
    // Not a real video: this test only checks that all bytes arrive.
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('cannot be read'),
    });
    expect(opened.map(([first]) => first).sort((a, b) => a - b)).toEqual(
      [0, 1, 2, 3, 4, 5].map((part) => part * partBytes),
    );
    expect(opened.every(([first, last]) => last === Math.min(first + partBytes, source.sizeBytes) - 1)).toBe(
      true,
    );
    expect((await requests('videos.finalizeUpload')).map(({ status }) => status)).toEqual([200]);
  });

  it('continues after the parts that have arrived', async () => {
    await open('organization');
    const { source, opened } = made(6 * partBytes, '....ftypisom', 'video/mp4', 'video');
    const publisher = await fixture.publisher({ media: [source] });
    await fixture.plan('videos.upload', 'error:503', 2);
    let error: unknown;
    do error = await publisher.prepare().catch((thrown: unknown) => thrown);
    while (error instanceof PlatformError && error.remedy === 'unknown');
    expect(error).toMatchObject({ remedy: 'rejected', message: expect.stringContaining('cannot be read') });
    expect(opened.length).toBeGreaterThan(6);
    expect(await requests('videos.initializeUpload')).toHaveLength(1);
    expect((await requests('videos.finalizeUpload')).map(({ status }) => status)).toEqual([200]);
  });

  it('sends the cover before it is finished', async () => {
    await open('organization');
    const cover = await fixtures.source('square.jpg');
    await (await fixture.publisher({ cover, media: ['video.mp4'], options: {} })).publish();
    expect(await fixture.posts()).toMatchObject([{ cover: { type: 'image/jpeg', bytes: cover.sizeBytes } }]);
    const order = ((await fixture.control('requests')) as unknown as { operation: string }[]).map(
      ({ operation }) => operation,
    );
    expect(order.indexOf('videos.uploadThumbnail')).toBeLessThan(order.indexOf('videos.finalizeUpload'));
  });

  it('starts over with its cover if the URL of the cover has expired', async () => {
    await open('organization');
    await fixture.plan('videos.uploadThumbnail', 'error:EXPIRED_UPLOAD_URL');
    const cover = await fixtures.source('square.jpg');
    await (await fixture.publisher({ cover, media: ['video.mp4'], options: {} })).publish();
    expect(await requests('videos.initializeUpload')).toHaveLength(2);
    expect(await fixture.posts()).toMatchObject([{ cover: { bytes: cover.sizeBytes } }]);
  });

  it('goes on without a cover, with a remark, if LinkedIn offers no upload for it', async () => {
    await open('organization');
    await fixture.set({ takesCovers: false });
    const cover = await fixtures.source('square.jpg');
    const publisher = await fixture.publisher({ cover, media: ['video.mp4'], options: {} });
    expect(await fixture.adapter.prepare(publisher.job, fixture.tools)).toMatchObject({
      remark: expect.stringContaining('takes no cover'),
    });
    await publisher.publish();
    expect(await fixture.posts()).toMatchObject([{ media: [{ type: 'video/mp4' }] }]);
  });

  it('starts over if its URLs have expired, a bounded number of times', async () => {
    await open('organization');
    await fixture.plan('videos.upload', 'error:EXPIRED_UPLOAD_URL', 1);
    const publisher = await fixture.publisher();
    await publisher.publish();
    expect((await requests('videos.initializeUpload')).length).toBe(2);

    await fixture.plan('videos.upload', 'error:EXPIRED_UPLOAD_URL', 20);
    const hopeless = await fixture.publisher();
    await expect(hopeless.prepare()).rejects.toMatchObject({ remedy: 'rejected' });
  });

  it('is finished again if LinkedIn still waits for it', async () => {
    await open('organization');
    await fixture.plan('videos.finalizeUpload', 'empty');
    const publisher = await fixture.publisher();
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('that is never processed fails the post after half an hour', async () => {
    await open('organization');
    await fixture.plan('processing', 'timeout');
    const publisher = await fixture.publisher();
    const begun = fixture.clock.time;
    await expect(publisher.prepare()).rejects.toMatchObject({ remedy: 'rejected' });
    expect(fixture.clock.time - begun).toBeLessThan(32 * 60_000);
  });

  it('of a member waits a fixed time if the token may not read its state', async () => {
    await open('member');
    await fixture.set({ membersReadVideos: false });
    const publisher = await fixture.publisher({ media: ['video.mp4'], options: {} });
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });
});

it('an image that LinkedIn cannot process fails the post', async () => {
  await open('organization');
  const publisher = await fixture.publisher({ media: ['broken.jpg'] });
  await expect(publisher.prepare()).rejects.toMatchObject({
    remedy: 'rejected',
    message: expect.stringContaining('could not process the image'),
  });
});

it('does not read the state of images with a member’s token', async () => {
  await open('member');
  const publisher = await fixture.publisher();
  const begun = fixture.clock.time;
  await publisher.prepare();
  expect(fixture.clock.time - begun).toBe(15_000);
  expect(await requests('images.get')).toEqual([]);
});

it('waits while LinkedIn is processing the media', async () => {
  await open('member');
  await fixture.set({ imageProcessingSeconds: 60 });
  const publisher = await fixture.publisher();
  await publisher.prepare();
  await expect(publisher.goLive()).rejects.toMatchObject({
    remedy: 'retry',
    platformCode: 'MEDIA_ASSET_WAITING_UPLOAD',
  });
  await publisher.publish();
  expect(await fixture.posts()).toHaveLength(1);
  expect(await requests('images.initializeUpload')).toHaveLength(2);
});

describe('a file that LinkedIn has accepted, and still waits for', () => {
  /** The fixture's tools, whose first uploads are lost although the answer says otherwise. */
  function losing(count: number): Fixture['tools'] {
    let left = count;
    const { send: sent } = fixture.tools.http;
    const send: typeof sent = async (request) => {
      if (request.method !== 'PUT' || left === 0) return sent(request);
      left -= 1;
      return { status: 201, headers: {}, text: '', json: undefined, call: 'PUT' };
    };
    return { ...fixture.tools, http: { ...fixture.tools.http, send } };
  }

  it('is sent again', async () => {
    await open('organization');
    const { job } = await fixture.publisher({ media: ['image.jpg', 'image.png'], options: {} });
    const publisher = publisherOf(fixture.adapter, job, losing(1), fixture.clock, fixture.idle);
    await publisher.publish();
    expect(await fixture.posts()).toHaveLength(1);
  });

  it('fails its post if LinkedIn never stores it', async () => {
    await open('organization');
    const { job } = await fixture.publisher({ media: ['image.jpg'], options: {} });
    const publisher = publisherOf(fixture.adapter, job, losing(99), fixture.clock, fixture.idle);
    await expect(publisher.prepare()).rejects.toMatchObject({
      remedy: 'rejected',
      message: 'LinkedIn did not store the image, which was sent 4 times',
    });
  });
});

describe('an accepted post of an organization', () => {
  it('is finished once it is visible', async () => {
    await open('organization');
    await fixture.set({ visibilityDelaySeconds: 8 });
    const { warning } = await (await fixture.publisher()).publish();
    expect(warning).toBeUndefined();
    expect((await requests('posts.get')).length).toBeGreaterThan(1);
  });

  it('has a warning if LinkedIn could not publish it', async () => {
    await open('organization');
    await fixture.set({ publishingFails: true });
    const { warning } = await (await fixture.publisher()).publish();
    expect(warning).toContain('it is not visible');
  });
});

it('retries with advice to the operator if LinkedIn no longer serves the API version', async () => {
  await open('member');
  const publisher = await fixture.publisher();
  const outdated = fixture.adapter.prepare(publisher.job, { ...fixture.tools, apiVersion: '202511' });
  await expect(outdated).rejects.toMatchObject({
    remedy: 'retry',
    status: 426,
    message: expect.stringContaining('operator'),
  });
});

describe('the first comment', () => {
  const text = 'Which one is yours? (tell us)';
  const commented = { media: [], options: { firstComment: ` ${text} ` } };
  const comments = () => fixture.control('comments');

  it('is written by the organization, in plain text, once the post is visible', async () => {
    await open('organization');
    await fixture.set({ visibilityDelaySeconds: 8 });
    const { post, warning } = await (await fixture.publisher(commented)).publish();
    expect(warning).toBeUndefined();
    expect(await comments()).toMatchObject([
      { object: post.platformPostId, actor: fixture.account.platformAccountId, text },
    ]);
  });

  it.each(['drop-reply', 'half-json'])('is written once if its response ends in %s', async (fault) => {
    await open('organization');
    await fixture.plan('comments.create', fault);
    const { warning } = await (await fixture.publisher(commented)).publish();
    expect(warning).toBeUndefined();
    expect(await comments()).toHaveLength(1);
  });

  it.each(['drop-request', 'empty'])(
    'is not repeated if LinkedIn does not show it after %s, and leaves a warning',
    async (fault) => {
      await open('organization');
      await fixture.plan('comments.create', fault);
      const { warning } = await (await fixture.publisher(commented)).publish();
      expect(warning).toBe(
        'The first comment may be missing: LinkedIn did not confirm it, and does not show it.',
      );
      expect(await requests('comments.create')).toHaveLength(1);
    },
  );

  it('leaves a warning, and the account as it is, if the app may not comment', async () => {
    await open('member');
    const { post, warning } = await (await fixture.publisher(commented)).publish();
    expect(post.platformPostId).toBe((await fixture.posts())[0]?.id);
    expect(warning).toBe(
      'The first comment is missing: LinkedIn does not allow this app to comment as the account (ACCESS_DENIED).',
    );
  });

  it('is written by a member, if LinkedIn accepts the scope of the app', async () => {
    await open('member');
    await fixture.set({ formerCommentScopes: true });
    const { post, warning } = await (await fixture.publisher(commented)).publish();
    expect(warning).toBeUndefined();
    expect(await comments()).toMatchObject([{ object: post.platformPostId, text }]);
  });

  it('of a member may be missing if its response is lost, because nobody may read it', async () => {
    await open('member');
    await fixture.set({ formerCommentScopes: true });
    await fixture.plan('comments.create', 'drop-reply');
    const { warning } = await (await fixture.publisher(commented)).publish();
    expect(warning).toContain('does not let the app read the comments');
    expect(await requests('comments.create')).toHaveLength(1);
  });

  it('is not tried on a post that LinkedIn could not publish', async () => {
    await open('organization');
    await fixture.set({ publishingFails: true });
    const { warning } = await (await fixture.publisher(commented)).publish();
    expect(warning).toContain('it is not visible');
    expect(await requests('comments.create')).toEqual([]);
  });
});
