import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Fields, type Fixture, openFixture } from './fixture.ts';

let instagram: Fixture;
let account: Account;
beforeAll(async () => {
  instagram = await openFixture();
  account = await instagram.connect();
});
afterAll(() => instagram.close());

const file = (name: string) => instagram.media.url(name);
const image = (name = 'image.jpg'): Fields => ({ image_url: file(name) });
const reel = (name = 'video.mp4'): Fields => ({ media_type: 'REELS', video_url: file(name) });
const story = (name: string): Fields =>
  name.endsWith('.mp4')
    ? { media_type: 'STORIES', video_url: file(name) }
    : { media_type: 'STORIES', image_url: file(name) };
const child = (fields: Fields): Fields => ({ ...fields, is_carousel_item: 'true' });
const childVideo = () => child({ media_type: 'VIDEO', video_url: file('video.mp4') });
const words = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ');

describe('a container is created from', () => {
  it.each<[string, () => Fields]>([
    ['a 4:5 JPEG', () => image()],
    ['a square JPEG with alt text', () => ({ ...image('square.jpg'), alt_text: 'x'.repeat(1000) })],
    ['a caption of 2,200 characters, emoji counted once', () => ({ ...image(), caption: '🌊'.repeat(2200) })],
    ['30 hashtags and 20 mentions', () => ({ ...image(), caption: `${words(30, '#t')} ${words(20, '@m')}` })],
    [
      'an email address, which is not a mention',
      () => ({ ...image(), caption: words(21, 'me@example.org').trim() }),
    ],
    ['user tags', () => ({ ...image(), user_tags: JSON.stringify([{ username: 'a', x: 0.5, y: 0.5 }]) })],
    ['a location', () => ({ ...image(), location_id: '110843418940484' })],
    ['three collaborators', () => ({ ...image(), collaborators: '["a","b.c","d_e"]' })],
    ['a video', () => reel()],
    ['a video with a cover', () => ({ ...reel(), cover_url: file('image.jpg'), share_to_feed: 'false' })],
    ['a video with a thumbnail offset', () => ({ ...reel(), thumb_offset: '6000' })],
    ['a trial reel', () => ({ ...reel(), trial_params: '{"graduation_strategy":"MANUAL"}' })],
    ['an image story with any ratio', () => story('tall.jpg')],
    ['a video story', () => ({ ...story('video.mp4'), caption: 'x'.repeat(3000) })],
    ['an image in a carousel', () => child(image())],
    ['a video in a carousel', () => childVideo()],
  ])('%s', async (_, fields) => {
    const { status, body } = await instagram.create(account, fields());
    expect([status, body]).toEqual([200, { id: expect.stringMatching(/^17889\d{12}$/) }]);
    expect(await instagram.processed(account, body.id)).toEqual({
      status_code: 'FINISHED',
      status: 'Finished: Media has been uploaded and it is ready to be published.',
      id: body.id,
    });
  });

  it('JSON as well as a form, with a bearer token and `me` instead of the id', async () => {
    const response = await fetch(instagram.url('graph.instagram.com/v26.0/me/media'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${account.token}` },
      body: JSON.stringify({ ...reel(), share_to_feed: false, collaborators: ['a'] }),
    });
    expect(response.status).toBe(200);
  });
});

describe('the call is refused for', () => {
  const tag = '[{"username":"a"}]';
  const video = () => ({ media_type: 'VIDEO', video_url: file('video.mp4') });

  it.each<[string, () => Fields, number, number | undefined]>([
    ['nothing to post', () => ({}), 100, undefined],
    ['a video without a media type', () => ({ video_url: file('video.mp4') }), 100, undefined],
    ['a single VIDEO', () => ({ media_type: 'VIDEO', video_url: file('video.mp4') }), 100, 2207023],
    ['an unknown media type', () => ({ ...image(), media_type: 'PHOTO' }), 100, 2207023],
    ['a reel without a video', () => ({ media_type: 'REELS', image_url: file('image.jpg') }), 100, undefined],
    ['a reel in a carousel', () => child(reel()), 100, undefined],
    [
      'a story with an image and a video',
      () => ({ ...story('image.jpg'), video_url: file('video.mp4') }),
      100,
      undefined,
    ],
    ['a story in a carousel', () => child(story('image.jpg')), 100, undefined],
    ['a caption of 2,201 characters', () => ({ ...image(), caption: 'x'.repeat(2201) }), 36004, 2207010],
    ['31 hashtags', () => ({ ...image(), caption: words(31, '#t') }), 36004, 2207010],
    ['21 mentions', () => ({ ...image(), caption: words(21, '@m') }), 100, 2207040],
    ['long alt text', () => ({ ...image(), alt_text: 'x'.repeat(1001) }), 100, undefined],
    ['alt text on a video', () => ({ ...reel(), alt_text: 'x' }), 100, undefined],
    ['a cover on an image', () => ({ ...image(), cover_url: file('image.jpg') }), 100, undefined],
    ['share_to_feed that is not a boolean', () => ({ ...reel(), share_to_feed: 'yes' }), 100, undefined],
    ['share_to_feed on an image', () => ({ ...image(), share_to_feed: 'true' }), 100, undefined],
    ['a negative thumbnail offset', () => ({ ...reel(), thumb_offset: '-1' }), 1, 2207057],
    ['a broken thumbnail offset', () => ({ ...reel(), thumb_offset: '1.5' }), 100, undefined],
    ['a caption on a child', () => ({ ...child(image()), caption: 'x' }), 100, undefined],
    ['collaborators on a child', () => ({ ...child(image()), collaborators: '["a"]' }), 100, undefined],
    ['a collaborator with an @', () => ({ ...image(), collaborators: '["@a"]' }), 110, 2207018],
    ['four collaborators', () => ({ ...image(), collaborators: 'a,b,c,d' }), 110, 2207018],
    ['user tags that are not JSON', () => ({ ...image(), user_tags: '[{' }), 100, undefined],
    [
      'a user tag outside the image',
      () => ({ ...image(), user_tags: '[{"username":"a","x":2,"y":0}]' }),
      100,
      undefined,
    ],
    ['a user tag of an image without a position', () => ({ ...image(), user_tags: tag }), 100, undefined],
    ['user tags on a video in a carousel', () => ({ ...child(video()), user_tags: tag }), 100, undefined],
    [
      'user tags on a carousel',
      () => ({ media_type: 'CAROUSEL', children: '1,2', user_tags: tag }),
      100,
      undefined,
    ],
    ['the label for AI on a child', () => ({ ...child(image()), is_ai_generated: 'true' }), 100, undefined],
    ['a paid partnership', () => ({ ...image(), is_paid_partnership: 'true' }), 100, undefined],
    ['sponsors', () => ({ ...image(), branded_content_sponsor_ids: '[1]' }), 100, undefined],
    ['a location that is not an id', () => ({ ...image(), location_id: 'Kyiv' }), 100, undefined],
    ['a location of a story', () => ({ ...story('video.mp4'), location_id: '1' }), 100, undefined],
    ['a resumable upload', () => ({ ...reel(), upload_type: 'resumable' }), 100, undefined],
    [
      'an unknown graduation strategy',
      () => ({ ...reel(), trial_params: '{"graduation_strategy":"X"}' }),
      100,
      undefined,
    ],
    ['one child', () => ({ media_type: 'CAROUSEL', children: '17889000000000005' }), 100, 2207028],
    [
      'eleven children',
      () => ({ media_type: 'CAROUSEL', children: words(11, '').replaceAll(' ', ',') }),
      100,
      2207028,
    ],
    ['children that do not exist', () => ({ media_type: 'CAROUSEL', children: '1,2' }), 24, 2207008],
    ['a PNG', () => image('image.png'), 36001, 2207005],
    ['a JPEG that ends in its header', () => image('broken.jpg'), 36001, 2207005],
    ['a JPEG of more than 8 MiB', () => image('large.jpg'), 36000, 2207004],
    ['an image that is too tall', () => image('tall.jpg'), 36003, 2207009],
    ['a missing image', () => image('none.jpg'), 9004, 2207052],
    ['an image behind a redirect', () => image('moved.jpg'), 9004, 2207052],
    ['an image that must not be read', () => image('forbidden.jpg'), 9004, 2207052],
    ['an image without a content type', () => image('untyped.jpg'), 9004, 2207052],
    ['a page instead of an image', () => image('page.jpg'), 9004, 2207052],
    ['a video instead of an image', () => ({ image_url: file('video.mp4') }), 9004, 2207052],
    ['an address without https', () => ({ image_url: 'http://example.com/a.jpg' }), 9004, 2207052],
  ])('%s', async (_, fields, code, subcode) => {
    const before = (await instagram.posts()).length;
    const { status, body } = await instagram.create(account, fields());
    expect([status, body.error.code, body.error.error_subcode]).toEqual([400, code, subcode]);
    expect(body.error).toMatchObject({ is_transient: false, fbtrace_id: expect.stringMatching(/^A/) });
    expect(await instagram.posts()).toHaveLength(before);
  });

  it('an account other than the token’s', async () => {
    const other = await instagram.connect('northlight');
    const { body } = await instagram.create({ id: other.id, token: account.token }, image());
    expect(body.error).toMatchObject({ code: 100, error_subcode: 33 });
  });

  it('a token without the permission to publish', async () => {
    const limited = await instagram.connect('northlight', { declined: 'instagram_business_content_publish' });
    expect((await instagram.create(limited, image())).body.error.code).toBe(10);
  });
});

describe('processing fails, with the number in the status, for', () => {
  it.each<[string, () => Fields, number]>([
    ['a video of two seconds', () => reel('two-seconds.mp4'), 2207026],
    ['a JPEG instead of a video', () => reel('image.jpg'), 2207052],
    ['a missing video', () => reel('none.mp4'), 2207052],
    ['a missing cover', () => ({ ...reel(), cover_url: file('none.jpg') }), 2207052],
    ['a PNG as the cover', () => ({ ...reel(), cover_url: file('image.png') }), 2207005],
    ['a thumbnail offset after the end', () => ({ ...reel(), thumb_offset: '7000' }), 2207057],
  ])('%s', async (_, fields, number) => {
    const { body } = await instagram.create(account, fields());
    expect(await instagram.processed(account, body.id)).toMatchObject({
      status_code: 'ERROR',
      status: `Error: Media upload has failed with error code ${number}`,
    });
    expect((await instagram.publish(account, body.id)).body.error).toMatchObject({ error_subcode: 2207027 });
  });

  it.each(['moov-last.mp4', 'edit-list.mp4'])('%s, only if Instagram insists on its advice', async (name) => {
    const accepted = await instagram.create(account, reel(name));
    expect((await instagram.processed(account, accepted.body.id)).status_code).toBe('FINISHED');
    await instagram.set({ refusesUnadvisedVideos: true });
    const refused = await instagram.create(account, reel(name));
    expect((await instagram.processed(account, refused.body.id)).status).toMatch(/ 2207026$/);
    await instagram.set({ refusesUnadvisedVideos: false });
  });

  it.each([
    'mp3-sound.mp4',
    'ac3-sound.mp4',
    'surround.mp4',
    '96-khz.mp4',
    'chroma-422.mp4',
    'chroma-444.mp4',
    'interlaced.mp4',
    'slow.mp4',
    'fast.mp4',
    'screen-4k.mp4',
    'prores.mov',
    'cut-advised.mp4',
    'cut-fragmented.mp4',
  ])('the ordinary file %s, which does not meet the specification', async (name) => {
    const { body } = await instagram.create(account, reel(`media-corpus/${name}`));
    expect((await instagram.processed(account, body.id)).status).toMatch(/ 2207026$/);
  });

  it('a planned fault', async () => {
    await instagram.fault('container_processing', 'error:2207082');
    const { body } = await instagram.create(account, image());
    expect(await instagram.status(account, body.id)).toMatchObject({ status_code: 'IN_PROGRESS' });
    expect((await instagram.processed(account, body.id)).status).toMatch(/ 2207082$/);
  });
});

describe('the life of a container', () => {
  it('is in progress for the time in the settings', async () => {
    await instagram.set({ imageProcessingSeconds: 30 });
    const { body } = await instagram.create(account, image());
    instagram.advance(29);
    expect(await instagram.status(account, body.id)).toMatchObject({
      status_code: 'IN_PROGRESS',
      status: 'In Progress: Media is still being processed.',
    });
    instagram.advance(1);
    expect(await instagram.status(account, body.id)).toMatchObject({ status_code: 'FINISHED' });
    await instagram.set({ imageProcessingSeconds: 1 });
  });

  it('is in progress until its video has been fetched, with Meta’s user agent', async () => {
    const { body } = await instagram.create(account, reel('held.mp4'));
    instagram.advance(60);
    expect(await instagram.status(account, body.id)).toMatchObject({ status_code: 'IN_PROGRESS' });
    await expect.poll(() => instagram.media.held.length).toBe(1);
    instagram.media.held.pop()?.();
    expect(await instagram.processed(account, body.id)).toMatchObject({ status_code: 'FINISHED' });
    expect(instagram.media.agents.at(-1)).toMatch(/^facebookexternalhit\//);
  });

  it('never ends with a planned timeout', async () => {
    await instagram.fault('container_processing', 'timeout');
    const { body } = await instagram.create(account, image());
    instagram.advance(86_399);
    expect(await instagram.status(account, body.id)).toMatchObject({ status_code: 'IN_PROGRESS' });
  });

  it('expires a day after its creation', async () => {
    const id = await instagram.ready(account, image());
    instagram.advance(86_400 - 10);
    expect(await instagram.status(account, id)).toMatchObject({ status_code: 'EXPIRED' });
    expect((await instagram.publish(account, id)).body.error).toMatchObject({
      code: 24,
      error_subcode: 2207008,
    });
  });

  it('can begin with a read that finds nothing', async () => {
    await instagram.set({ firstReadMissing: true });
    const { body } = await instagram.create(account, image());
    const read = async () => (await instagram.get(`v25.0/${body.id}`, { access_token: account.token })).body;
    expect((await read()).error).toMatchObject({ code: 100, error_subcode: 33 });
    expect(await read()).toEqual({ id: body.id });
    await instagram.set({ firstReadMissing: false });
  });

  it('belongs to one account, and has only the fields of a container', async () => {
    const other = await instagram.connect('northlight');
    const { body } = await instagram.create(account, image());
    expect((await instagram.get(`v25.0/${body.id}`, { access_token: other.token })).body.error.code).toBe(
      100,
    );
    const fields = { fields: 'status_code,media_id', access_token: account.token };
    expect((await instagram.get(`v25.0/${body.id}`, fields)).body.error.message).toContain('(media_id)');
  });
});

describe('a carousel', () => {
  const carousel = (children: readonly string[]): Fields => ({
    media_type: 'CAROUSEL',
    children: children.join(','),
    caption: 'Both',
  });

  it('is ready when its children are', async () => {
    const first = await instagram.ready(account, child(image()));
    const second = (await instagram.create(account, childVideo())).body.id;
    const { body } = await instagram.create(account, carousel([first, second]));
    expect(await instagram.status(account, body.id)).toMatchObject({ status_code: 'IN_PROGRESS' });
    expect(await instagram.processed(account, body.id)).toMatchObject({ status_code: 'FINISHED' });
  });

  it('fails with its children', async () => {
    const video = { media_type: 'VIDEO', video_url: file('two-seconds.mp4') };
    const first = await instagram.ready(account, child(image()));
    const second = (await instagram.create(account, child(video))).body.id;
    const { body } = await instagram.create(account, carousel([first, second]));
    expect((await instagram.processed(account, body.id)).status).toMatch(/2207026$/);
  });

  it('accepts only carousel items that have not expired', async () => {
    const [first, plain] = [
      await instagram.ready(account, child(image())),
      await instagram.ready(account, image()),
    ];
    expect((await instagram.create(account, carousel([first, plain]))).body.error.code).toBe(100);
    const second = await instagram.ready(account, child(image()));
    instagram.advance(86_400);
    expect((await instagram.create(account, carousel([first, second]))).body.error).toMatchObject({
      code: 24,
    });
  });
});

describe('a reel of an ordinary file', () => {
  it.each([
    'plain.mp4',
    'advised.mov',
    'fragmented.mp4',
    'fragmented-by-time.mp4',
    'dash.mp4',
    'hdr-pq.mp4',
    'phone-rotated.mov',
    'silent.mp4',
    'mono.mp4',
    'film-rate.mp4',
  ])('%s is published', async (name) => {
    const { body } = await instagram.create(account, reel(`media-corpus/${name}`));
    expect(await instagram.processed(account, body.id)).toMatchObject({ status_code: 'FINISHED' });
  });
});
