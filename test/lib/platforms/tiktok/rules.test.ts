import { describe, expect, it } from 'vitest';
import type { DescribedMedia, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { tiktokRules } from '../../../../lib/platforms/tiktok/rules.ts';

const video: DescribedMedia = { type: 'video', contentType: 'video/mp4', sizeBytes: 1_000_000 };
const photo: DescribedMedia = { type: 'image', contentType: 'image/jpeg', sizeBytes: 1_000_000 };
const everyone = { privacyLevel: 'PUBLIC_TO_EVERYONE' };

const check = (changes: Partial<PublishableContent>) =>
  tiktokRules
    .check({ content: 'Hello', media: [video], options: everyone, ...changes })
    .map(({ field, message }) => `${field}: ${message}`);

describe('TikTok allows', () => {
  it.each<[string, Partial<PublishableContent>]>([
    ['a video', {}],
    ['a video without a text', { content: '' }],
    ['2,200 characters with a video', { content: 'a'.repeat(2_200) }],
    ['4,000 characters with photos', { content: 'a'.repeat(4_000), media: [photo] }],
    ['35 photos', { media: Array(35).fill(photo) }],
    ['a WebP', { media: [{ ...photo, contentType: 'image/WebP' }] }],
    ['a photo of 1080 by 1920 pixels', { media: [{ ...photo, widthPixels: 1_080, heightPixels: 1_920 }] }],
    ['files without known properties', { media: [{ type: 'video' }] }],
    [
      'every option of a video',
      {
        options: {
          privacyLevel: 'SELF_ONLY',
          isAigc: true,
          disableComment: true,
          disableDuet: true,
          disableStitch: true,
          brandOrganicToggle: true,
          videoCoverTimestampMs: 1_500,
        },
      },
    ],
    [
      'every option of photos',
      {
        media: [photo, photo],
        options: {
          ...everyone,
          disableComment: true,
          brandContentToggle: true,
          autoAddMusic: true,
          photoCoverIndex: 1,
          title: 'a'.repeat(90),
        },
      },
    ],
    ['a draft of a video', { options: { draft: true } }],
    [
      'a draft of a video with a text of any length, which is not sent',
      { content: 'a'.repeat(5_000), options: { draft: true } },
    ],
    [
      'a draft of photos with its title and cover',
      { media: [photo, photo], options: { draft: true, title: 'A', photoCoverIndex: 1 } },
    ],
    ['a post that is no draft', { options: { ...everyone, draft: false } }],
    [
      'options nobody knows, and those of the other kind switched off',
      {
        media: [photo],
        options: { ...everyone, sparkle: true, title: null, isAigc: false },
      },
    ],
  ])('%s', (_name, content) => {
    expect(check(content)).toEqual([]);
  });
});

const levels = 'PUBLIC_TO_EVERYONE, MUTUAL_FOLLOW_FRIENDS, FOLLOWER_OF_CREATOR, SELF_ONLY';

describe('TikTok refuses', () => {
  it.each<[string, Partial<PublishableContent>, string[]]>([
    ['no privacy level', { options: {} }, [`platformSpecificData.privacyLevel: is required: ${levels}`]],
    [
      'no privacy level of a post that is no draft',
      { options: { draft: false } },
      [`platformSpecificData.privacyLevel: is required: ${levels}`],
    ],
    [
      'settings of a draft',
      { options: { ...everyone, draft: true, isAigc: false, disableComment: true } },
      ['privacyLevel', 'isAigc', 'disableComment'].map(
        (option) => `platformSpecificData.${option}: is chosen in the TikTok app for a draft; leave it out`,
      ),
    ],
    [
      'a title of a draft of a video',
      { options: { draft: true, title: 'A' } },
      ['platformSpecificData.title: is for photos only'],
    ],
    [
      'music of a draft of photos',
      { media: [photo], options: { draft: true, autoAddMusic: true } },
      ['platformSpecificData.autoAddMusic: is chosen in the TikTok app for a draft; leave it out'],
    ],
    [
      'a draft that is neither true nor false',
      { options: { ...everyone, draft: 'yes' } },
      ['platformSpecificData.draft: must be true or false'],
    ],
    [
      'a privacy level that is none',
      { options: { privacyLevel: 'public' } },
      [`platformSpecificData.privacyLevel: must be one of: ${levels}`],
    ],
    ['no media', { media: [] }, ['mediaItems: TikTok allows either one video or 1 to 35 photos']],
    [
      'two videos',
      { media: [video, video] },
      ['mediaItems: TikTok allows either one video or 1 to 35 photos'],
    ],
    [
      'a mixture',
      { media: [photo, video] },
      ['mediaItems: TikTok allows either one video or 1 to 35 photos'],
    ],
    [
      '36 photos',
      { media: Array(36).fill(photo) },
      ['mediaItems: TikTok allows either one video or 1 to 35 photos'],
    ],
    [
      'a PNG, at its place',
      { media: [photo, { ...photo, contentType: 'image/png' }] },
      ['mediaItems[1]: a photo must be image/jpeg or image/webp, not image/png'],
    ],
    [
      'a photo of 1081 by 1920 pixels',
      { media: [{ ...photo, widthPixels: 1_081, heightPixels: 1_920 }] },
      ['mediaItems[0]: a photo must have at most 1080 pixels on its shorter side; this file has 1081'],
    ],
    [
      'a photo of 20 MB',
      { media: [{ ...photo, sizeBytes: 20_000_001 }] },
      ['mediaItems[0]: a photo must be at most 19 MiB'],
    ],
    [
      'a video that is too small',
      { media: [{ ...video, widthPixels: 359, heightPixels: 640 }] },
      ['mediaItems[0]: a video must have at least 360 pixels on its shorter side; this file has 359'],
    ],
    [
      'a video of eleven minutes',
      { media: [{ ...video, durationSeconds: 660 }] },
      ['mediaItems[0]: a video must last from 3 to 600 seconds'],
    ],
    [
      'a video of 4 GB and more',
      { media: [{ ...video, sizeBytes: 4_000_000_001 }] },
      ['mediaItems[0]: a video must be at most 3814 MiB'],
    ],
    [
      'a video of another kind',
      { media: [{ ...video, contentType: 'video/x-msvideo' }] },
      [
        expect.stringContaining(
          'mediaItems[0]: a video must be video/mp4 or video/quicktime or video/webm, not video/x-msvideo. To convert it: ffmpeg',
        ),
      ],
    ],
    [
      '2,201 characters with a video',
      { content: 'a'.repeat(2_201) },
      ['content: TikTok allows at most 2200 characters with a video; the content has 2201'],
    ],
    [
      '1,101 emoji, two units each',
      { content: '👍'.repeat(1_101) },
      ['content: TikTok allows at most 2200 characters with a video; the content has 2202'],
    ],
    [
      '4,001 characters with photos',
      { content: 'a'.repeat(4_001), media: [photo] },
      ['content: TikTok allows at most 4000 characters with photos; the content has 4001'],
    ],
    [
      'a cover for a video',
      { cover: photo },
      ["coverUrl: TikTok's Content Posting API takes no cover file: set videoCoverTimestampMs instead"],
    ],
    [
      'a cover for photos',
      { cover: photo, media: [photo] },
      ["coverUrl: TikTok's Content Posting API takes no cover file: set photoCoverIndex instead"],
    ],
    [
      'options of photos with a video',
      { options: { ...everyone, autoAddMusic: true, photoCoverIndex: 0, title: 'A' } },
      ['autoAddMusic', 'photoCoverIndex', 'title'].map(
        (o) => `platformSpecificData.${o}: is for photos only`,
      ),
    ],
    [
      'options of a video with photos',
      {
        media: [photo],
        options: {
          ...everyone,
          isAigc: true,
          disableDuet: true,
          disableStitch: true,
          videoCoverTimestampMs: 0,
        },
      },
      ['isAigc', 'disableDuet', 'disableStitch', 'videoCoverTimestampMs'].map(
        (option) => `platformSpecificData.${option}: is for videos only`,
      ),
    ],
    [
      'a paid partnership that nobody sees',
      { options: { privacyLevel: 'SELF_ONLY', brandContentToggle: true } },
      ['platformSpecificData.brandContentToggle: a paid partnership cannot be SELF_ONLY'],
    ],
    [
      'a cover that is none of the photos',
      { media: [photo, photo], options: { ...everyone, photoCoverIndex: 2 } },
      ['platformSpecificData.photoCoverIndex: must be less than the number of photos (2)'],
    ],
    [
      'a title of 91 characters',
      { media: [photo], options: { ...everyone, title: 'a'.repeat(91) } },
      ['platformSpecificData.title: must have at most 90 characters'],
    ],
    [
      'options of other types',
      { options: { privacyLevel: 1, isAigc: 'yes', videoCoverTimestampMs: 0.5 } },
      [
        `platformSpecificData.privacyLevel: must be one of: ${levels}`,
        'platformSpecificData.isAigc: must be true or false',
        'platformSpecificData.videoCoverTimestampMs: must be a whole number of milliseconds',
      ],
    ],
  ])('%s', (_name, content, problems) => {
    expect(check(content)).toEqual(problems);
  });

  it('several problems, all reported together', () => {
    const content = { content: 'a'.repeat(2_201), media: [video, video], cover: photo, options: {} };
    expect(check(content)).toHaveLength(4);
  });
});

describe('TikTok leaves out', () => {
  const warnings = (changes: Partial<PublishableContent>) =>
    tiktokRules
      .warn?.({ content: 'Hello', media: [video], options: everyone, ...changes })
      .map(({ field, message }) => `${field}: ${message}`);

  it.each<[string, Partial<PublishableContent>, string[]]>([
    ['nothing of a post', {}, []],
    [
      'the text of a draft of a video',
      { options: { draft: true } },
      ['content: is left out: TikTok takes no text with a draft of a video'],
    ],
    ['nothing of a draft of a video without a text', { content: ' ', options: { draft: true } }, []],
    ['nothing of a draft of photos', { media: [photo], options: { draft: true } }, []],
    [
      'alternative texts',
      { media: [photo, { ...photo, altText: 'a cup' }] },
      ['mediaItems[1].altText: is left out: TikTok takes none'],
    ],
  ])('%s', (_name, content, expected) => {
    expect(warnings(content)).toEqual(expected);
  });
});

describe('the lead time of a target', () => {
  const lead = (media: readonly DescribedMedia[]) =>
    tiktokRules.leadSeconds({ content: '', media, options: everyone });

  it('is enough for the upload, and well within the hour that an upload may take', () => {
    expect(lead([video])).toBe(121);
    expect(lead([{ ...video, sizeBytes: 1_073_741_824 }])).toBe(376);
    expect(lead([{ ...video, sizeBytes: 4_000_000_000 }])).toBeLessThan(1_800);
    expect(lead([{ type: 'video' }])).toBe(245);
  });

  it('is short for photos, which cannot be prepared', () => {
    expect(lead([photo, photo])).toBe(60);
  });
});
