import { describe, expect, it } from 'vitest';
import type { DescribedMedia, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { pinterestRules } from '../../../../lib/platforms/pinterest/rules.ts';

const image: DescribedMedia = { type: 'image', contentType: 'image/jpeg', sizeBytes: 1_000_000 };
const video: DescribedMedia = { type: 'video', contentType: 'video/mp4', sizeBytes: 1_000_000 };
const boardId = '549755885175';
const mebibyte = 1_048_576;

const check = ({ options, ...changes }: Partial<PublishableContent>) =>
  pinterestRules
    .check({ content: 'Hello', media: [image], options: { boardId, ...options }, ...changes })
    .map(({ field, message }) => `${field}: ${message}`);

describe('Pinterest allows', () => {
  it.each<[string, Partial<PublishableContent>]>([
    ['an image', {}],
    ['an image without text', { content: '' }],
    ['800 characters, each emoji counted as one', { content: '👍'.repeat(800) }],
    [
      'an image with every option',
      {
        options: {
          boardSectionId: '12',
          title: '👍'.repeat(100),
          link: 'https://example.com/',
          altText: 'a'.repeat(500),
          aiDisclosures: [],
          dominantColor: '#6E7874',
        },
      },
    ],
    [
      'five images, each with its own texts',
      {
        media: Array(5).fill({ ...image, contentType: 'image/png' }),
        options: {
          carouselItems: [{ title: 'One', link: 'https://example.com/1' }, {}],
          carouselCoverIndex: 4,
        },
      },
    ],
    ['a video with a cover', { media: [video], cover: image }],
    ['a video with one of its frames as cover', { media: [video], options: { coverKeyFrameSeconds: 2 } }],
    [
      'the cover frame by both names if they agree',
      { media: [video], options: { coverKeyFrameSeconds: 2, coverImageKeyFrameTime: 2 } },
    ],
    [
      'a cover of its own, whatever the post’s cover is',
      {
        media: [video],
        cover: { ...image, contentType: 'image/gif' },
        options: { coverImageUrl: 'https://example.com/cover.jpg' },
      },
    ],
    ['unknown options, and nulls', { options: { sparkle: true, title: null, boardSectionId: null } }],
    ['files without known properties', { media: [{ type: 'video' }] }],
  ])('%s', (_name, content) => {
    expect(check(content)).toEqual([]);
  });
});

describe('Pinterest refuses', () => {
  it.each<[string, Partial<PublishableContent>, string[]]>([
    [
      'no board',
      { options: { boardId: null } },
      ["platformSpecificData.boardId: is required: the id of one of the account's boards"],
    ],
    [
      'a board id as a number, which cannot represent it exactly',
      { options: { boardId: 549755885175 } },
      ["platformSpecificData.boardId: must be the id of one of the account's boards, as a string"],
    ],
    [
      'ids that are names',
      { options: { boardId: 'Harbour', boardSectionId: '1a' } },
      [
        "platformSpecificData.boardId: must be the id of one of the account's boards, which has digits only",
        'platformSpecificData.boardSectionId: must be the id of a section of the board, which has digits only',
      ],
    ],
    ['no media', { media: [] }, ['mediaItems: Pinterest needs an image or a video']],
    [
      '801 characters',
      { content: 'a'.repeat(801) },
      ['content: Pinterest allows at most 800 characters; the content has 801'],
    ],
    [
      'six images',
      { media: Array(6).fill(image) },
      ['mediaItems: Pinterest needs 1 image, or 2 to 5 for a carousel'],
    ],
    [
      'an image with a video',
      { media: [image, video] },
      ['mediaItems: Pinterest allows either images or one video'],
    ],
    ['two videos', { media: [video, video] }, ['mediaItems: Pinterest allows either images or one video']],
    [
      'a large document',
      { media: [{ type: 'image', contentType: 'application/pdf', sizeBytes: 21 * mebibyte }] },
      [
        'mediaItems[0]: an image must be image/jpeg or image/png or image/webp or image/gif, not application/pdf',
        'mediaItems[0]: an image must be at most 20 MiB',
      ],
    ],
    [
      'a short, wide WebM video',
      {
        media: [
          {
            type: 'video',
            contentType: 'video/webm',
            sizeBytes: 2_049 * mebibyte,
            durationSeconds: 3,
            widthPixels: 2_000,
            heightPixels: 1_000,
          },
        ],
      },
      [
        'mediaItems[0]: a video must be video/mp4 or video/quicktime, not video/webm',
        'mediaItems[0]: a video must be at most 2048 MiB',
        'mediaItems[0]: a video must last from 4 to 900 seconds',
        'mediaItems[0]: a video must have a width-to-height ratio from 0.5 to 1.91',
      ],
    ],
    [
      'a fraction of a second as cover frame',
      { media: [video], options: { coverKeyFrameSeconds: 2.5 } },
      ['platformSpecificData.coverKeyFrameSeconds: must be a whole number of seconds'],
    ],
    [
      'two different cover frames',
      { media: [video], options: { coverKeyFrameSeconds: 2, coverImageKeyFrameTime: 3 } },
      [
        'platformSpecificData.coverImageKeyFrameTime: means the same as coverKeyFrameSeconds, and must not differ from it',
      ],
    ],
    [
      'a cover frame together with a cover of its own',
      {
        media: [video],
        options: { coverImageUrl: 'https://example.com/cover.jpg', coverImageKeyFrameTime: 3 },
      },
      ['platformSpecificData.coverImageKeyFrameTime: cannot be combined with coverImageUrl'],
    ],
    [
      'a cover that Pinterest cannot download',
      { media: [video], options: { coverImageUrl: 'http://example.com/cover.jpg' } },
      ['platformSpecificData.coverImageUrl: must be an https URL'],
    ],
    [
      'a long alternative text of a file',
      { media: [{ ...image, altText: 'a'.repeat(501) }] },
      ['mediaItems[0].altText: Pinterest allows at most 500 characters; this text has 501'],
    ],
    [
      'images of different sizes',
      {
        media: [
          image,
          { ...image, widthPixels: 1_080, heightPixels: 1_350 },
          { ...image, widthPixels: 1_080, heightPixels: 1_080 },
        ],
      },
      [
        'mediaItems[2]: Pinterest needs images of the same size: this one has 1080 by 1080 pixels, an earlier one 1080 by 1350 pixels; set fit to pad or crop',
      ],
    ],
    ['a cover of an image', { cover: image }, ['coverUrl: only a video can have a cover']],
    [
      'an animated cover',
      { media: [video], cover: { ...image, contentType: 'image/gif' } },
      ['coverUrl: a cover must be image/jpeg or image/png, not image/gif'],
    ],
    [
      'options that do not apply',
      {
        options: {
          coverKeyFrameSeconds: 1,
          coverImageKeyFrameTime: 1,
          carouselItems: [],
          carouselCoverIndex: 0,
        },
      },
      [
        'platformSpecificData.coverKeyFrameSeconds: is for videos only',
        'platformSpecificData.coverImageKeyFrameTime: is for videos only',
        'platformSpecificData.carouselItems: is for several images only',
        'platformSpecificData.carouselCoverIndex: is for several images only',
      ],
    ],
    [
      'texts for more images than there are',
      { media: [image, image], options: { carouselItems: [{}, {}, {}], carouselCoverIndex: 2 } },
      [
        'platformSpecificData.carouselItems: must not have more entries than the post has images',
        'platformSpecificData.carouselCoverIndex: must be less than the number of images (2)',
      ],
    ],
    [
      'options of the wrong type, all reported together',
      {
        media: [image, image],
        options: {
          title: 'a'.repeat(101),
          link: 'ftp://example.com/',
          altText: '👍'.repeat(501),
          aiDisclosures: ['AI_MODIFIED', 'AI'],
          dominantColor: 'red',
          carouselItems: [{ link: 'example.com' }],
          carouselCoverIndex: -1,
        },
      },
      [
        'platformSpecificData.title: must have at most 100 characters',
        'platformSpecificData.link: must be an http or https URL',
        'platformSpecificData.altText: must have at most 500 characters',
        'platformSpecificData.aiDisclosures[1]: must be AI_MODIFIED or SYNTHETIC_PERFORMER',
        'platformSpecificData.dominantColor: must be a color such as #6E7874',
        'platformSpecificData.carouselItems[0].link: must be an http or https URL',
        'platformSpecificData.carouselCoverIndex: must not be negative',
      ],
    ],
    [
      'a link of 2,049 characters',
      { options: { link: `https://example.com/${'a'.repeat(2_029)}` } },
      ['platformSpecificData.link: must have at most 2048 characters'],
    ],
  ])('%s', (_name, content, problems) => {
    expect(check(content)).toEqual(problems);
  });
});

describe('of the alternative texts of the files', () => {
  const leftOut = (options: PublishableContent['options']) => {
    const media = ['A boat', 'A pier', undefined].map((altText) => ({
      ...image,
      ...(altText !== undefined && { altText }),
    }));
    return pinterestRules
      .warn?.({ content: '', media, options: { boardId, ...options } })
      .map(({ field }) => field);
  };
  it.each([
    ['that of the first image', {}, ['mediaItems[1].altText']],
    ['that of the image that is shown first', { carouselCoverIndex: 1 }, ['mediaItems[0].altText']],
    [
      'none beside that of the destination',
      { altText: 'Gulls' },
      ['mediaItems[0].altText', 'mediaItems[1].altText'],
    ],
  ])('a Pin takes %s, with a warning for the others', (_name, options, fields) => {
    expect(leftOut(options)).toEqual(fields);
  });
});

it('does not check the length of an alternative text that is left out', () => {
  const media = [
    { ...image, altText: 'A boat' },
    { ...image, altText: 'a'.repeat(501) },
  ];
  expect(pinterestRules.check({ content: '', media, options: { boardId } })).toEqual([]);
});

it('begins the preparation of a video early enough for upload and processing, and of an image at its due time', () => {
  const lead = (media: DescribedMedia[]) => pinterestRules.leadSeconds({ content: '', media, options: {} });
  expect(lead([image, image])).toBe(0);
  expect(lead([{ ...video, sizeBytes: 400 * mebibyte }])).toBe(700);
  expect(lead([{ type: 'video' }])).toBe(675);
});
