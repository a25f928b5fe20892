import { describe, expect, it } from 'vitest';
import type { DescribedMedia, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { instagramRules } from '../../../../lib/platforms/instagram/rules.ts';

const image: DescribedMedia = { type: 'image', contentType: 'image/jpeg', sizeBytes: 1_000 };
const video: DescribedMedia = { type: 'video', contentType: 'video/mp4', sizeBytes: 1_000 };
const story = { contentType: 'story' };

const tag = (mediaIndex: number) => ({ username: 'a', x: 0.5, y: 0.5, mediaIndex });
const check = (changes: Partial<PublishableContent>) =>
  instagramRules
    .check({ content: 'Hello', media: [image], options: {}, ...changes })
    .map(({ field, message }) => `${field}: ${message}`);
const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');

describe('Instagram allows', () => {
  it.each<[string, Partial<PublishableContent>]>([
    ['an image', {}],
    ['a reel with a cover', { media: [video], cover: image, options: { shareToFeed: false } }],
    ['a carousel of ten', { media: Array.from({ length: 10 }, (_, index) => (index % 2 ? image : video)) }],
    ['a video story', { media: [video], options: { type: 'story' } }],
    ['2,200 characters, emoji counted once', { content: '👍'.repeat(2_200) }],
    ['30 hashtags and 20 mentions', { content: `${times(30, '#a')} ${times(20, '@b')}` }],
    ['a caption of any length in a story, which shows none', { content: 'a'.repeat(3_000), options: story }],
    [
      'a tall image in a story',
      { media: [{ ...image, widthPixels: 1080, heightPixels: 1920 }], options: story },
    ],
    ['a file without known properties', { media: [{ type: 'image' }] }],
    ['the ratios at the edge', { media: [{ ...image, widthPixels: 1080, heightPixels: 1350 }] }],
    ['unknown options', { options: { sparkle: { level: 11 } } }],
    ['options that are null', { options: { firstComment: null, collaborators: null } }],
    ['shareToFeed where it has no effect', { options: { shareToFeed: true } }],
    ['a location', { options: { locationId: '110843418940484' } }],
    ['collaborators with or without @', { options: { collaborators: ['@one', 'two.three'] } }],
    ['one alt text for each item', { media: [image, image], options: { altText: ['a cup', 'a pot'] } }],
  ])('%s', (_name, content) => {
    expect(check(content)).toEqual([]);
  });
});

it.each<[string, Partial<PublishableContent>, string[]]>([
  ['5 hashtags and 3 mentions', { content: `${times(5, '#a')} ${times(3, '@b')}` }, []],
  [
    '6 hashtags',
    { content: times(6, '#a') },
    ['content: Instagram may refuse or drop a caption with more than 5 hashtags; the content has 6'],
  ],
  [
    '4 mentions',
    { content: times(4, '@b') },
    ['content: Instagram may refuse or drop a caption with more than 3 mentions; the content has 4'],
  ],
  ['31 hashtags, which are refused', { content: times(31, '#a') }, []],
  ['a story, which shows no caption', { content: times(6, '#a'), options: story }, []],
])('warns about a caption with %s', (_name, content, expected) => {
  const warnings = instagramRules.warn?.({ content: 'Hello', media: [image], options: {}, ...content }) ?? [];
  expect(warnings.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
});

it.each<[string, PublishableContent['options'], object, string[]]>([
  [
    'a story of a creator account',
    story,
    { accountType: 'media_creator' },
    ['platformSpecificData.contentType'],
  ],
  ['a story of a business account', story, { accountType: 'business' }, []],
  ['a story of an account of an unknown kind', story, {}, []],
  ['an image of a creator account', {}, { accountType: 'media_creator' }, []],
])('warns about %s or not', (_name, options, meta, fields) => {
  const account = { platformAccountId: '1', meta: { ...meta } };
  const warnings = instagramRules.warn?.({ content: 'Hello', media: [image], options, account }) ?? [];
  expect(warnings.map(({ field }) => field)).toEqual(fields);
});

describe('Instagram warns, but does not refuse', () => {
  const found = (changes: Partial<DescribedMedia>) => {
    const content = { content: 'Hello', media: [{ ...video, ...changes }], options: {} };
    expect(instagramRules.check(content)).toEqual([]);
    return instagramRules.warn?.(content).map(({ field, message }) => `${field}: ${message}`);
  };

  it.each<[string, Partial<DescribedMedia>, string]>([
    [
      'a video with an edit list',
      { hasEditList: true, moovFirst: true },
      'the video has an edit list, which',
    ],
    [
      'a video with its index at the end',
      { moovFirst: false },
      'the video has its index (moov) after its media,',
    ],
    [
      'a video with both',
      { hasEditList: true, moovFirst: false },
      'has an edit list and has its index (moov)',
    ],
  ])('%s', (_name, changes, message) => {
    expect(found(changes)).toEqual([expect.stringContaining(message)]);
    expect(found(changes)?.[0]).toMatch(/^mediaItems\[0\]: .*ffmpeg: -use_editlist 0 -movflags \+faststart/);
  });

  it.each<Partial<DescribedMedia>>([{}, { hasEditList: false, moovFirst: true }])(
    'not a video with %o',
    (changes) => {
      expect(found(changes)).toEqual([]);
    },
  );
});

it.each<[string, readonly DescribedMedia[], PublishableContent['options'], string[]]>([
  ['an image', [{ ...image, altText: 'a' }], {}, []],
  ['a reel', [{ ...video, altText: 'a' }], {}, ['mediaItems[0].altText']],
  ['a story', [{ ...image, altText: 'a' }], story, ['mediaItems[0].altText']],
  [
    'a carousel',
    [{ ...image, altText: 'a' }, video, { ...video, altText: 'a' }],
    {},
    ['mediaItems[2].altText'],
  ],
])('warns if the alternative text of a file is left out: %s', (_name, media, options, fields) => {
  const warnings = instagramRules.warn?.({ content: '', media, options }) ?? [];
  expect(warnings.map(({ field }) => field)).toEqual(fields);
});

describe('Instagram refuses', () => {
  it.each<[string, Partial<PublishableContent>, string]>([
    ['no media', { media: [] }, 'mediaItems: Instagram needs at least one image or video'],
    [
      'eleven items',
      { media: Array(11).fill(image) },
      'mediaItems: Instagram needs 1 item, or 2 to 10 for a carousel',
    ],
    [
      'two items in a story',
      { media: [image, image], options: story },
      'mediaItems: a story needs exactly one image or video',
    ],
    [
      'a long caption',
      { content: 'a'.repeat(2_201) },
      'content: Instagram allows at most 2200 characters; the content has 2201',
    ],
    [
      '31 hashtags',
      { content: times(31, '#a') },
      'content: Instagram allows at most 30 hashtags; the content has 31',
    ],
    [
      '21 mentions',
      { content: times(21, '@a') },
      'content: Instagram allows at most 20 mentions; the content has 21',
    ],
    [
      'a PNG',
      { media: [{ ...image, contentType: 'image/png' }] },
      'mediaItems[0]: an image must be image/jpeg, not image/png',
    ],
    [
      'a large image',
      { media: [{ ...image, sizeBytes: 8_388_609 }] },
      'mediaItems[0]: an image must be at most 8 MiB',
    ],
    [
      'a tall image',
      { media: [{ ...image, widthPixels: 9, heightPixels: 16 }] },
      'mediaItems[0]: an image must have a width-to-height ratio from 0.8 to 1.91; set fit to pad or crop',
    ],
    [
      'a wide image among others',
      { media: [image, { ...image, widthPixels: 30, heightPixels: 10 }] },
      'mediaItems[1]: an image must have a width-to-height ratio from 0.8 to 1.91; set fit to pad or crop',
    ],
    [
      'a video of 2 s',
      { media: [{ ...video, durationSeconds: 2 }] },
      'mediaItems[0]: a video must last from 3 to 900 seconds',
    ],
    [
      'a story of 61 s',
      { media: [{ ...video, durationSeconds: 61 }], options: story },
      'mediaItems[0]: a video story must last from 3 to 60 seconds',
    ],
    [
      'a video of 301 MiB',
      { media: [{ ...video, sizeBytes: 301 * 1_048_576 }] },
      'mediaItems[0]: a video must be at most 300 MiB',
    ],
    ['a cover of an image', { cover: image }, 'coverUrl: only a reel (a single video) can have a cover'],
    [
      'a PNG as cover',
      { media: [video], cover: { ...image, contentType: 'image/png' } },
      'coverUrl: a cover must be image/jpeg, not image/png',
    ],
    [
      'an image as a reel',
      { options: { contentType: 'reel' } },
      'platformSpecificData.contentType: a reel needs exactly one video',
    ],
    [
      'an unknown kind',
      { options: { type: 'poem' } },
      'platformSpecificData.type: must be feed, reel or story',
    ],
    [
      'shareToFeed that is not a boolean',
      { media: [video], options: { shareToFeed: 'yes' } },
      'platformSpecificData.shareToFeed: must be true or false',
    ],
    [
      'a long first comment',
      { options: { firstComment: 'a'.repeat(2_201) } },
      'platformSpecificData.firstComment: must have at most 2200 characters',
    ],
    [
      'a first comment under a story',
      { options: { ...story, firstComment: 'a' } },
      'platformSpecificData.firstComment: is not available for stories',
    ],
    [
      'a location by name',
      { options: { locationId: 'Kyiv' } },
      'platformSpecificData.locationId: must be the id of a Facebook Page with an address, in digits',
    ],
    [
      'a location of a story',
      { options: { ...story, locationId: '1' } },
      'platformSpecificData.locationId: is not available for stories',
    ],
    [
      'comments turned off for a story',
      { options: { ...story, commentsEnabled: false } },
      'platformSpecificData.commentsEnabled: is not available for stories',
    ],
    [
      'a first comment where comments are turned off',
      { options: { firstComment: 'a', commentsEnabled: false } },
      'platformSpecificData.firstComment: cannot be combined with commentsEnabled: false, which hides all comments',
    ],
    [
      'four collaborators',
      { options: { collaborators: ['a', 'b', 'c', 'd'] } },
      'platformSpecificData.collaborators: must have at most 3 usernames',
    ],
    [
      'a collaborator that is not a username',
      { options: { collaborators: ['a b'] } },
      'platformSpecificData.collaborators[0]: must be an Instagram username',
    ],
    [
      'an alt text of a reel',
      { media: [video], options: { altText: 'a' } },
      'platformSpecificData.altText: is for images only',
    ],
    [
      'more alt texts than items',
      { options: { altText: ['a', 'b'] } },
      'platformSpecificData.altText: must not have more entries than the post has media items',
    ],
    [
      'a tag without a position',
      { options: { userTags: [{ username: 'a' }] } },
      'platformSpecificData.userTags[0]: must have x and y for an image',
    ],
    [
      'a tag without a position in a carousel',
      { media: [video, image], options: { userTags: [{ username: 'a', mediaIndex: 1 }] } },
      'platformSpecificData.userTags[0]: must have x and y for an image',
    ],
    [
      'a tag of a video in a carousel',
      { media: [video, image], options: { userTags: [{ username: 'a' }] } },
      'platformSpecificData.userTags[0]: must not be of a video in a carousel',
    ],
    [
      'a tag of a file that the post does not have',
      { options: { userTags: [tag(0), tag(1)] } },
      'platformSpecificData.userTags[1].mediaIndex: must be at most 0',
    ],
    [
      'a long alternative text of a file',
      { media: [image, { ...image, altText: 'a'.repeat(1_001) }] },
      'mediaItems[1].altText: Instagram allows at most 1000 characters; this text has 1001',
    ],
    [
      'a thumbnail of an image',
      { options: { thumbOffset: 5 } },
      'platformSpecificData.thumbOffset: is for reels only',
    ],
  ])('%s', (_name, content, problem) => {
    expect(check(content)).toEqual([problem]);
  });

  it('several problems, all reported together', () => {
    expect(
      check({ content: times(31, '#a'), media: [], options: { shareToFeed: 1, thumbOffset: -1 } }),
    ).toHaveLength(4);
  });
});

it('begins preparation earlier if a video must be processed', () => {
  const lead = (media: DescribedMedia[]) => instagramRules.leadSeconds({ content: '', media, options: {} });
  expect([lead([image]), lead([video]), lead([image, video])]).toEqual([60, 600, 615]);
});
