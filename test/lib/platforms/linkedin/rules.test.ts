import { describe, expect, it } from 'vitest';
import type { DescribedMedia, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { linkedinRules } from '../../../../lib/platforms/linkedin/rules.ts';

const image: DescribedMedia = { type: 'image', contentType: 'image/jpeg', sizeBytes: 1_000_000 };
const video: DescribedMedia = { type: 'video', contentType: 'video/mp4', sizeBytes: 1_000_000 };
const document: DescribedMedia = { type: 'image', contentType: 'application/pdf', sizeBytes: 1_000_000 };
const link = 'https://example.com/a';
const poll = { question: 'Coffee?', options: ['Yes', 'No'] };
const longestPoll = {
  question: 'a'.repeat(140),
  options: Array(4).fill('b'.repeat(30)),
  duration: 'FOURTEEN_DAYS',
};

const check = (changes: Partial<PublishableContent>) =>
  linkedinRules
    .check({ content: 'Hello', media: [], options: {}, ...changes })
    .map(({ field, message }) => `${field}: ${message}`);

describe('LinkedIn allows', () => {
  it.each<[string, Partial<PublishableContent>]>([
    ['a text', {}],
    ['3,000 characters', { content: 'a'.repeat(3_000) }],
    ['an image without a text', { content: '', media: [image] }],
    [
      'a PNG, or an animated GIF',
      {
        media: [
          { ...image, contentType: 'image/png' },
          { ...image, contentType: 'image/GIF' },
        ],
      },
    ],
    [
      '20 images with a text for each',
      { media: Array(20).fill(image), options: { altText: Array(20).fill('a cup') } },
    ],
    ['a video with a title', { media: [video], options: { title: 'Harbour', altText: 'a harbour' } }],
    ['a video with a cover', { media: [video], cover: image }],
    ['a document with a title', { media: [document], options: { title: 'Slides' } }],
    [
      'a document with both names of its title',
      { media: [document], options: { title: 'A', documentTitle: 'A ' } },
    ],
    ['a document without a title', { media: [document] }],
    ['a poll without a text', { content: '', options: { poll } }],
    ['a poll of the longest texts', { options: { poll: longestPoll } }],
    ['a reshare without a text', { content: '', options: { reshare: 'urn:li:share:1' } }],
    ['a first comment of 1,250 characters', { options: { firstComment: 'a'.repeat(1_250) } }],
    ['a link without a text', { content: '', options: { link, title: 'A page', description: 'More' } }],
    [
      'a link with a title of 400 characters and a description of 4,086',
      { options: { link, title: 'a'.repeat(400), description: 'b'.repeat(4_086) } },
    ],
    ['a link with its preview', { media: [image], options: { link, title: 'A page' } }],
    ['unknown options', { options: { sparkle: true, title: null, visibility: 'LOGGED_IN' } }],
    ['files without known properties', { media: [{ type: 'video' }] }],
  ])('%s', (_name, content) => {
    expect(check(content)).toEqual([]);
  });
});

describe('LinkedIn refuses', () => {
  it.each<[string, Partial<PublishableContent>, string[]]>([
    [
      'an empty post',
      { content: ' ' },
      ['content: LinkedIn needs a text, media, a link, a poll or a reshare'],
    ],
    [
      'an invisible text',
      { content: '\u2060\u2800' },
      ['content: LinkedIn needs a text, media, a link, a poll or a reshare'],
    ],
    [
      '3,001 characters',
      { content: 'a'.repeat(3_001) },
      ['content: LinkedIn allows at most 3000 characters; the content has 3001'],
    ],
    [
      '2,999 characters and the escapes of two',
      { content: `(${'a'.repeat(2_997)})` },
      [
        'content: LinkedIn allows at most 3000 characters; the content has 3001, including 2 backslashes that escape special characters',
      ],
    ],
    [
      '1,501 emoji, two units each',
      { content: '👍'.repeat(1_501) },
      ['content: LinkedIn allows at most 3000 characters; the content has 3002'],
    ],
    ['21 images', { media: Array(21).fill(image) }, ['mediaItems: LinkedIn allows at most 20 images']],
    [
      'two videos',
      { media: [video, video] },
      ['mediaItems: LinkedIn allows either images, one video or one document'],
    ],
    [
      'an image with a video',
      { media: [image, video] },
      ['mediaItems: LinkedIn allows either images, one video or one document'],
    ],
    [
      'an image with a document',
      { media: [image, document] },
      ['mediaItems: LinkedIn allows either images, one video or one document'],
    ],
    [
      'a WebP',
      { media: [{ ...image, contentType: 'image/webp' }] },
      ['mediaItems[0]: an image must be image/jpeg or image/png or image/gif, not image/webp'],
    ],
    [
      'too many pixels',
      { media: [{ ...image, widthPixels: 6_014, heightPixels: 6_012 }] },
      ['mediaItems[0]: an image must have fewer than 36152320 pixels'],
    ],
    [
      'a large, short and wide QuickTime video',
      {
        media: [
          {
            type: 'video',
            contentType: 'video/quicktime',
            sizeBytes: 501 * 1_048_576,
            durationSeconds: 2,
            widthPixels: 2_500,
            heightPixels: 1_000,
          },
        ],
      },
      [
        'mediaItems[0]: a video must be video/mp4, not video/quicktime',
        'mediaItems[0]: a video must be at most 500 MiB',
        'mediaItems[0]: a video must last from 3 to 1800 seconds',
        expect.stringContaining('mediaItems[0]: a video must have a width-to-height ratio'),
      ],
    ],
    [
      'a tiny video',
      { media: [{ ...video, sizeBytes: 76_799 }] },
      ['mediaItems[0]: a video must have at least 75 KiB'],
    ],
    [
      'a large document',
      { media: [{ ...document, sizeBytes: 104_857_601 }], options: { title: 'a' } },
      ['mediaItems[0]: a document must be at most 100 MiB'],
    ],
    [
      'two titles of a document',
      { media: [document], options: { title: 'A', documentTitle: 'B' } },
      ['platformSpecificData.documentTitle: differs from title, which means the same: leave one of them out'],
    ],
    [
      'a documentTitle of a video',
      { media: [video], options: { documentTitle: 'A' } },
      ['platformSpecificData.documentTitle: is for documents only'],
    ],
    [
      'a poll with media and a link',
      { media: [image], options: { poll, link, title: 'A' } },
      [
        'platformSpecificData.poll: cannot be combined with media',
        'platformSpecificData.poll: cannot be combined with a link',
      ],
    ],
    [
      'a reshare with media and a poll',
      { media: [image], options: { poll, reshare: 'urn:li:share:1' } },
      [
        'platformSpecificData.poll: cannot be combined with media',
        'platformSpecificData.reshare: cannot be combined with media',
        'platformSpecificData.reshare: cannot be combined with a link or a poll',
      ],
    ],
    [
      'a poll with one option, a long question and another duration',
      { options: { poll: { question: 'a'.repeat(141), options: ['Yes'], duration: 'TWO_DAYS' } } },
      [
        'platformSpecificData.poll.question: must have at most 140 characters',
        'platformSpecificData.poll.options: must have from 2 to 4 entries',
        'platformSpecificData.poll.duration: must be ONE_DAY, THREE_DAYS, SEVEN_DAYS or FOURTEEN_DAYS',
      ],
    ],
    [
      'a poll with an empty and a long option',
      { options: { poll: { ...poll, options: [' ', 'a'.repeat(31)] } } },
      [
        'platformSpecificData.poll.options[0]: must not be empty',
        'platformSpecificData.poll.options[1]: must have at most 30 characters',
      ],
    ],
    [
      'a poll with keys that nobody knows',
      { options: { poll: { ...poll, settings: {}, multiple: true } } },
      ['platformSpecificData.poll: has unknown keys: settings, multiple'],
    ],
    [
      'a poll that is a text',
      { options: { poll: 'Coffee?' } },
      ['platformSpecificData.poll: must be an object with question, options and duration'],
    ],
    [
      'a reshare of no post',
      { options: { reshare: 'https://example.com/' } },
      [
        'platformSpecificData.reshare: must be the URN of a LinkedIn post (urn:li:share:… or urn:li:ugcPost:…), or a URL that contains it',
      ],
    ],
    [
      'a long first comment',
      { options: { firstComment: 'a'.repeat(1_251) } },
      ['platformSpecificData.firstComment: must have at most 1250 characters'],
    ],
    [
      'a link with a video',
      { media: [video], options: { link, title: 'A page' } },
      ['platformSpecificData.link: cannot be combined with media, except for one image as its preview'],
    ],
    [
      'long texts of a link',
      { options: { link, title: 'a'.repeat(401), description: 'b'.repeat(4_087) } },
      [
        'platformSpecificData.title: must have at most 400 characters for a link',
        'platformSpecificData.description: must have at most 4086 characters for a link',
      ],
    ],
    [
      'options that do not apply',
      { media: [image], options: { title: 'a', description: 'b', altText: ['c', 'd'] } },
      [
        'platformSpecificData.title: is for documents, videos and links',
        'platformSpecificData.description: is for links only',
        'platformSpecificData.altText: must not have more entries than the post has media items',
      ],
    ],
    [
      'an alternative text without media',
      { options: { altText: 'a' } },
      ['platformSpecificData.altText: is for images and videos'],
    ],
    ['a cover of an image', { media: [image], cover: image }, ['coverUrl: only a video can have a cover']],
    ['a cover without media', { cover: image }, ['coverUrl: only a video can have a cover']],
    [
      'a cover that is animated',
      { media: [video], cover: { ...image, contentType: 'image/gif' } },
      [expect.stringMatching(/^coverUrl: /)],
    ],
    [
      'options of the wrong type, all reported together',
      { options: { visibility: 'public', disableReshare: 'no', link: 'ftp://a', title: ' ' } },
      [
        'platformSpecificData.visibility: must be PUBLIC, CONNECTIONS or LOGGED_IN',
        'platformSpecificData.disableReshare: must be true or false',
        'platformSpecificData.title: must not be empty',
        'platformSpecificData.link: must be an http or https URL',
      ],
    ],
  ])('%s', (_name, content, problems) => {
    expect(check(content)).toEqual(problems);
  });
});

describe('the alternative text of a file', () => {
  const warnings = (changes: Partial<PublishableContent>) =>
    linkedinRules.warn?.({ content: 'Hello', media: [], options: {}, ...changes });
  const altText = 'a cup';

  it('is checked like the option', () => {
    expect(check({ media: [{ ...image, altText: 'a'.repeat(4_087) }] })).toEqual([
      'mediaItems[0].altText: LinkedIn allows at most 4086 characters; this text has 4087',
    ]);
  });

  it.each<[string, Partial<PublishableContent>, string | undefined]>([
    ['an image', { media: [{ ...image, altText }] }, undefined],
    ['a document', { media: [{ ...document, altText }] }, 'a document'],
    ['a preview', { media: [{ ...image, altText }], options: { link, title: 'A' } }, 'the preview of a link'],
  ])('gets a warning if LinkedIn takes none: %s', (_name, content, of) => {
    const message = `is left out: LinkedIn takes none for ${of}`;
    expect(warnings(content)).toEqual(
      of === undefined ? [] : [{ field: 'mediaItems[0].altText', code: 'alt_text_ignored', message }],
    );
  });
});

it.each([
  [
    'urn:li:organization:42',
    ['DE'],
    ['platformSpecificData.geoLocations[0]: must be LinkedIn’s id of a place, such as urn:li:geo:103644278'],
  ],
  ['urn:li:organization:42', ['103644278'], []],
  ['urn:li:person:abc', ['103644278'], ['platformSpecificData.geoLocations: is for organizations only']],
  ['urn:li:person:abc', [], []],
])('checks the audience of a post of %s: %j', (platformAccountId, geoLocations, problems) => {
  expect(check({ account: { platformAccountId }, options: { geoLocations } })).toEqual(problems);
});

it('warns about a link without a title, which shows its address', () => {
  const warnings = (options: PublishableContent['options']) =>
    linkedinRules.warn?.({ content: 'Hello', media: [], options }).map(({ field }) => field);
  expect(check({ options: { link } })).toEqual([]);
  expect(warnings({ link })).toEqual(['platformSpecificData.title']);
  expect(warnings({ link, title: 'A page' })).toEqual([]);
});

describe('the first comment of a member', () => {
  const warningsOf = (platformAccountId: string, scopes?: string[], firstComment = 'First') =>
    linkedinRules
      .warn?.({
        content: 'Hello',
        media: [],
        options: { firstComment },
        account: { platformAccountId, scopes },
      })
      .map(({ field }) => field);

  it.each<[string, string, string[] | undefined, string, boolean]>([
    [
      'through the app of members',
      'urn:li:person:a',
      ['openid', 'profile', 'w_member_social'],
      'First',
      true,
    ],
    ['connected by an earlier release', 'urn:li:person:a', undefined, 'First', true],
    [
      'through the app of organizations',
      'urn:li:person:a',
      ['r_basicprofile', 'w_member_social'],
      'First',
      false,
    ],
    ['that is empty', 'urn:li:person:a', undefined, ' ', false],
    ['that is of an organization', 'urn:li:organization:1', ['w_organization_social'], 'First', false],
  ])('%s: warns that LinkedIn may refuse it', (_name, id, scopes, text, warns) => {
    expect(warningsOf(id, scopes, text)).toEqual(warns ? ['platformSpecificData.firstComment'] : []);
  });
});

it('begins preparation early enough for upload and processing', () => {
  const lead = (media: DescribedMedia[]) => linkedinRules.leadSeconds({ content: '', media, options: {} });
  expect(lead([])).toBe(0);
  expect(lead([image, image])).toBe(71);
  const card = { url: link, title: 'A', imageUrl: 'https://example.com/a.jpg' };
  expect(linkedinRules.leadSeconds({ content: link, media: [], options: {}, card })).toBe(60);
  expect(lead([{ ...video, sizeBytes: 400 * 1_048_576 }])).toBe(700);
  expect(lead([document])).toBeGreaterThan(lead([image]));
});
