import { describe, expect, it } from 'vitest';
import type { DescribedMedia, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { facebookRules } from '../../../../lib/platforms/facebook/rules.ts';

const image: DescribedMedia = { type: 'image', contentType: 'image/jpeg', sizeBytes: 1_000 };
const video: DescribedMedia = { type: 'video', contentType: 'video/mp4', sizeBytes: 1_000 };
const story = { contentType: 'story' };
const reel = { contentType: 'reel' };
const link = { link: 'https://example.com/' };

const check = (changes: Partial<PublishableContent>) =>
  facebookRules
    .check({ content: 'Hello', media: [], options: {}, ...changes })
    .map(({ field, message }) => `${field}: ${message}`);

describe('Facebook allows', () => {
  it.each<[string, Partial<PublishableContent>]>([
    ['a text', {}],
    ['a text of 63,206 characters, emoji counted once', { content: '👍'.repeat(63_206) }],
    ['a link without text', { content: '', options: link }],
    ['photos without text', { content: '', media: [image] }],
    ['ten photos of several formats', { media: Array(10).fill({ ...image, contentType: 'image/png' }) }],
    [
      'a long video with a cover and a title',
      { media: [{ ...video, durationSeconds: 7_200 }], cover: image, options: { title: 'T' } },
    ],
    ['a reel of 90 s', { media: [{ ...video, durationSeconds: 90 }], options: reel }],
    ['a draft', { media: [video], cover: image, options: { draft: true } }],
    [
      'ten collaborators of a reel, one of them twice',
      {
        media: [video],
        options: { ...reel, collaborators: ['1', ' 1 ', ...Array.from({ length: 9 }, (_, id) => `2${id}`)] },
      },
    ],
    ['a first comment under a post that is no draft', { options: { draft: false, firstComment: 'a' } }],
    ['photos with alternative texts', { media: [image, image], options: { altText: ['a'] } }],
    ['a story without text', { content: '', media: [video], options: story }],
    ['unknown options, and options that are null', { options: { sparkle: 1, link: null } }],
  ])('%s', (_name, content) => {
    expect(check(content)).toEqual([]);
  });
});

describe('Facebook refuses', () => {
  it.each<[string, Partial<PublishableContent>, string]>([
    ['an empty post', { content: ' ' }, 'content: Facebook needs a text, a link or media'],
    ['an invisible text', { content: '\u3164' }, 'content: Facebook needs a text, a link or media'],
    [
      'a text that is too long',
      { content: 'a'.repeat(63_207) },
      'content: Facebook allows at most 63206 characters; the content has 63207',
    ],
    ['eleven photos', { media: Array(11).fill(image) }, 'mediaItems: Facebook allows at most 10 images'],
    [
      'photos beside a video',
      { media: [image, video] },
      'mediaItems: Facebook allows either one video or up to 10 images',
    ],
    [
      'a photo above 10 MiB',
      { media: [{ ...image, sizeBytes: 10_485_761 }] },
      'mediaItems[0]: an image must be at most 10 MiB',
    ],
    [
      'a reel of 91 s',
      { media: [{ ...video, durationSeconds: 91 }], options: reel },
      'mediaItems[0]: a reel must last from 3 to 90 seconds',
    ],
    [
      'a reel that is too wide',
      { media: [{ ...video, widthPixels: 2_000, heightPixels: 1_000 }], options: reel },
      expect.stringContaining(
        'mediaItems[0]: a reel must have a width-to-height ratio from 0.5625 to 1.7777777777777777. To convert it: ffmpeg',
      ),
    ],
    [
      'a video story of 61 s',
      { media: [{ ...video, durationSeconds: 61 }], options: story },
      'mediaItems[0]: a video story must last from 3 to 60 seconds',
    ],
    ['a story without media', { options: story }, 'mediaItems: a story needs exactly one image or video'],
    [
      'a reel of a photo',
      { media: [image], options: reel },
      'platformSpecificData.contentType: a reel needs exactly one video',
    ],
    [
      'a cover of a photo',
      { media: [image], cover: image },
      'coverUrl: only a video or reel can have a cover',
    ],
    [
      'a link beside a photo',
      { media: [image], options: link },
      'platformSpecificData.link: is for posts without media only',
    ],
    [
      'a link to Facebook',
      { options: { link: 'https://www.facebook.com/a' } },
      'platformSpecificData.link: must not be a URL of Facebook itself',
    ],
    [
      'a link that is none',
      { options: { link: 'javascript:alert(1)' } },
      'platformSpecificData.link: must be an http or https URL',
    ],
    [
      'a title of a text',
      { options: { title: 'T' } },
      'platformSpecificData.title: is for videos and reels only',
    ],
    [
      'a first comment under a story',
      { media: [image], options: { ...story, firstComment: 'a' } },
      'platformSpecificData.firstComment: is not available for stories',
    ],
    [
      'a first comment under a draft',
      { options: { draft: true, firstComment: 'a' } },
      'platformSpecificData.firstComment: is not available for drafts',
    ],
    [
      'a draft of a story',
      { media: [video], options: { ...story, draft: true } },
      'platformSpecificData.draft: is not available for stories',
    ],
    [
      'collaborators of a video that is no reel',
      { media: [video], options: { collaborators: ['105400000000001'] } },
      'platformSpecificData.collaborators: is for reels only',
    ],
    [
      'collaborators of a draft',
      { media: [video], options: { ...reel, draft: true, collaborators: ['105400000000001'] } },
      'platformSpecificData.collaborators: is not available for drafts',
    ],
    [
      'a collaborator by a username',
      { media: [video], options: { ...reel, collaborators: ['@harbour'] } },
      'platformSpecificData.collaborators[0]: must be the id of a Page, in digits',
    ],
    [
      'eleven collaborators',
      { media: [video], options: { ...reel, collaborators: Array.from({ length: 11 }, (_, id) => `${id}`) } },
      'platformSpecificData.collaborators: must have at most 10 Pages',
    ],
    [
      'countries of a reel',
      { media: [video], options: { type: 'reel', countries: ['DE'] } },
      'platformSpecificData.countries: is not available for reels and stories',
    ],
    [
      'a country by its name',
      { options: { countries: ['DE', 'Turkey'] } },
      'platformSpecificData.countries[1]: must be a country code of two letters, such as DE',
    ],
    [
      'an alternative text of a video',
      { media: [video], options: { altText: 'a' } },
      'platformSpecificData.altText: is for photos only',
    ],
    [
      'more alternative texts than photos',
      { media: [image], options: { altText: ['a', 'b'] } },
      'platformSpecificData.altText: must not have more entries than the post has media items',
    ],
  ])('%s', (_name, content, problem) => {
    expect(check(content)).toEqual([problem]);
  });

  it('several problems, all reported together', () => {
    const media = [image, video];
    expect(check({ content: 'a'.repeat(63_207), media, cover: image, options: link })).toHaveLength(4);
  });
});

describe('Facebook warns about', () => {
  const warnings = (media: DescribedMedia[], options: PublishableContent['options'] = {}) =>
    facebookRules.warn?.({ content: '', media, options }).map(({ field }) => field);

  it('photos above 4 MB, which it may refuse', () => {
    const large = { ...image, sizeBytes: 4_194_305 };
    expect(warnings([{ ...image, sizeBytes: 4_194_304 }, large])).toEqual(['mediaItems[1]']);
  });

  it.each<[string, Partial<DescribedMedia>, PublishableContent['options'], string[]]>([
    ['an upright one', { widthPixels: 1080, heightPixels: 1920 }, {}, ['mediaItems[0]']],
    [
      'an upright one, by its name',
      { widthPixels: 1080, heightPixels: 1920 },
      { type: 'feed' },
      ['mediaItems[0]'],
    ],
    ['a square one', { widthPixels: 1080, heightPixels: 1080 }, {}, []],
    ['one of unknown size', {}, {}, []],
    ['an upright reel', { widthPixels: 1080, heightPixels: 1920 }, { contentType: 'reel' }, []],
    ['an upright story', { widthPixels: 1080, heightPixels: 1920 }, story, []],
    ['an upright draft', { widthPixels: 1080, heightPixels: 1920 }, { draft: true }, []],
  ])('a plain video that it may keep as a draft: %s', (_name, size, options, fields) => {
    expect(warnings([{ ...video, ...size }], options)).toEqual(fields);
  });

  it.each<[string, DescribedMedia, PublishableContent['options'], string[]]>([
    ['a photo', image, {}, []],
    ['a video', video, {}, ['mediaItems[0].altText']],
    ['a photo story, whose photo has it', image, story, []],
    ['a video story', video, story, ['mediaItems[0].altText']],
  ])('an alternative text that is left out: %s', (_name, file, options, fields) => {
    expect(warnings([{ ...file, altText: 'a' }], options)).toEqual(fields);
  });
});

it('begins preparation earlier if there is more to upload', () => {
  const lead = (media: DescribedMedia[]) => facebookRules.leadSeconds({ content: '', media, options: {} });
  expect([lead([]), lead([image]), lead([image, image]), lead([video])]).toEqual([0, 60, 70, 600]);
});
