import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DescribedMedia, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { defaultTitle } from '../../../../lib/platforms/youtube/map.ts';
import { youtubeRules } from '../../../../lib/platforms/youtube/rules.ts';

const video: DescribedMedia = { type: 'video', contentType: 'video/mp4', sizeBytes: 1_000 };
const image: DescribedMedia = { type: 'image', contentType: 'image/jpeg', sizeBytes: 1_000 };

const srt = '1\n00:00:01,000 --> 00:00:04,000\nThe harbour\n';

const check = (changes: Partial<PublishableContent>) =>
  youtubeRules
    .check({ content: 'Hello', media: [video], options: {}, ...changes })
    .map(({ field, message }) => `${field}: ${message}`);

it('captions of line breaks alone are refused in a moment', () => {
  const beganMs = performance.now();
  expect(check({ options: { captions: [{ language: 'en', text: '\n'.repeat(100_000) }] } })).toHaveLength(1);
  // A search that grows with the square of their number takes several seconds.
  expect(performance.now() - beganMs).toBeLessThan(1_000);
});

describe('YouTube allows', () => {
  it.each<[string, Partial<PublishableContent>]>([
    ['a video', {}],
    ['a title of 100 characters, emoji counted once', { options: { title: '👍'.repeat(100) } }],
    ['a title without a description', { content: '', options: { title: 'Harbour' } }],
    ['5,000 bytes of description', { content: 'é'.repeat(2_500) }],
    ['500 characters of tags', { options: { tags: ['a'.repeat(247), `${'b '.repeat(124)}cd`] } }],
    ['tags as one string', { options: { tags: 'coffee, early morning' } }],
    ['a thumbnail', { cover: { ...image, contentType: 'image/png' } }],
    ['a category as a number', { options: { categoryId: 22 } }],
    ['line breaks and tabs in the description', { content: 'One\r\n\ttwo\n' }],
    ['any kind of video', { media: [{ ...video, contentType: 'video/x-matroska' }] }],
    [
      'a playlist, a first comment and a paid product placement',
      {
        options: {
          playlistId: 'PLbpi6ZahtOH6Ar_3GPy3workWBHyNsVbv',
          firstComment: '👍'.repeat(10_000),
          hasPaidProductPlacement: true,
        },
      },
    ],
    [
      'captions in SRT and WebVTT',
      {
        options: {
          captions: [
            { language: 'en', text: srt },
            { language: 'en', name: 'Plain', text: srt },
            { language: 'pt-BR', text: 'WEBVTT\n\n00:01.000 --> 00:04.000\nO porto' },
          ],
        },
      },
    ],
    ['an empty first comment on a private video', { options: { privacy: 'private', firstComment: ' ' } }],
    ['unknown options', { options: { sparkle: true, title: null } }],
  ])('%s', (_name, content) => {
    expect(check(content)).toEqual([]);
  });
});

describe('YouTube refuses', () => {
  it.each<[string, Partial<PublishableContent>, string]>([
    ['no video', { media: [] }, 'mediaItems: YouTube needs exactly one video and no other media'],
    [
      'two videos',
      { media: [video, video] },
      'mediaItems: YouTube needs exactly one video and no other media',
    ],
    ['an image', { media: [image] }, 'mediaItems: YouTube needs exactly one video and no other media'],
    [
      'a file that is not a video',
      { media: [{ ...video, contentType: 'text/plain' }] },
      'mediaItems[0]: must be a video, not text/plain',
    ],
    [
      'captions that are no file of captions',
      { options: { captions: [{ language: 'en', text: 'The harbour' }] } },
      'platformSpecificData.captions[0].text: must be the text of an SRT or WebVTT file: it has no line such as 00:00:01,000 --> 00:00:04,000',
    ],
    [
      'captions of a language by its name',
      { options: { captions: [{ language: 'English, British', text: srt }] } },
      'platformSpecificData.captions[0].language: must be a language tag, such as en',
    ],
    [
      'two tracks of captions with the same language and name',
      { options: { captions: [1, 2].map(() => ({ language: 'en', text: srt })) } },
      'platformSpecificData.captions: must have each language once, or with different names',
    ],
    [
      'captions of more than 200,000 bytes',
      { options: { captions: [{ language: 'en', text: srt + 'é'.repeat(100_000) }] } },
      'platformSpecificData.captions: must have at most 200000 bytes of text in total',
    ],
    [
      '13 hours',
      { media: [{ ...video, durationSeconds: 13 * 3_600 }] },
      'mediaItems[0]: a video must last from 1 to 43200 seconds',
    ],
    [
      'neither a title nor content',
      { content: ' \n ' },
      'platformSpecificData.title: is required if the content is empty',
    ],
    [
      'content without a visible character',
      { content: '\u200B\n\u3164' },
      'platformSpecificData.title: is required if the content is empty',
    ],
    [
      'a title without a visible character',
      { options: { title: '\u200B' } },
      'platformSpecificData.title: must not be empty',
    ],
    [
      'a line break in the title',
      { options: { title: 'a\nb' } },
      'platformSpecificData.title: must not contain <, > or control characters, such as line breaks',
    ],
    [
      'a bell in a tag',
      { options: { tags: ['a\u0007b'] } },
      'platformSpecificData.tags: must not contain <, > or control characters, such as line breaks',
    ],
    [
      'a vertical tab in the description',
      { content: 'One\u000Btwo' },
      'content: YouTube allows no control characters in a description; the content has U+000B',
    ],
    [
      'a category that no video can have',
      { options: { categoryId: 21 } },
      'platformSpecificData.categoryId: is a category that YouTube keeps for itself: use one of 1, 2, 10, 15, 17, 19, 20, 22, 23, 24, 25, 26, 27, 28, 29',
    ],
    ['an empty title', { options: { title: ' ' } }, 'platformSpecificData.title: must not be empty'],
    [
      'a long title',
      { options: { title: 'a'.repeat(101) } },
      'platformSpecificData.title: must have at most 100 characters',
    ],
    [
      'angle brackets in the title',
      { options: { title: 'a > b' } },
      'platformSpecificData.title: must not contain <, > or control characters, such as line breaks',
    ],
    [
      'angle brackets in the description',
      { content: 'I <3 it' },
      'content: YouTube allows no < or > in a description',
    ],
    [
      '5,001 bytes of description',
      { content: `${'é'.repeat(2_500)}a` },
      'content: YouTube allows a description of at most 5000 bytes; the content has 5001',
    ],
    [
      '501 characters of tags',
      { options: { tags: ['a'.repeat(247), `${'b '.repeat(124)}cde`] } },
      'platformSpecificData.tags: must have at most 500 characters in total',
    ],
    [
      'an unknown privacy',
      { options: { privacy: 'secret' } },
      'platformSpecificData.privacy: must be public, unlisted or private',
    ],
    [
      'an unknown privacy in an alias',
      { options: { visibility: 'friends' } },
      'platformSpecificData.visibility: must be public, unlisted or private',
    ],
    [
      'a GIF as thumbnail',
      { cover: { ...image, contentType: 'image/gif' } },
      'coverUrl: a thumbnail must be image/jpeg or image/png, not image/gif',
    ],
    [
      'a thumbnail of 51 MiB',
      { cover: { ...image, sizeBytes: 51 * 1_048_576 } },
      'coverUrl: a thumbnail must be at most 50 MiB',
    ],
    [
      'a long first comment',
      { options: { firstComment: 'a'.repeat(10_001) } },
      'platformSpecificData.firstComment: must have at most 10000 characters',
    ],
    [
      'a first comment on a private video',
      { options: { visibility: 'private', firstComment: 'First' } },
      'platformSpecificData.firstComment: YouTube allows no comments on private videos',
    ],
    [
      'a first comment on a video made for kids',
      { options: { madeForKids: true, firstComment: 'First' } },
      'platformSpecificData.firstComment: YouTube allows no comments on videos made for kids',
    ],
    [
      'the URL of a playlist',
      { options: { playlistId: 'https://www.youtube.com/playlist?list=PLbpi6ZahtOH6' } },
      'platformSpecificData.playlistId: must be the id of a playlist',
    ],
    [
      'a paid product placement as a string',
      { options: { hasPaidProductPlacement: 'yes' } },
      'platformSpecificData.hasPaidProductPlacement: must be true or false',
    ],
    [
      'madeForKids as a string',
      { options: { madeForKids: 'no' } },
      'platformSpecificData.madeForKids: must be true or false',
    ],
  ])('%s', (_name, content, problem) => {
    expect(check(content)).toEqual([problem]);
  });
});

it.each([
  [undefined, []],
  ['22', []],
  [29, []],
  ['77', ['platformSpecificData.categoryId']],
])('warns about the category %s: %j', (categoryId, fields) => {
  const options = categoryId === undefined ? {} : { categoryId };
  const content = { content: 'Hello', media: [video], options };
  expect(check(content)).toEqual([]);
  expect(youtubeRules.warn?.(content).map(({ field }) => field)).toEqual(fields);
});

it('warns that YouTube takes no alternative text', () => {
  const content = { content: '', media: [{ ...video, altText: 'A harbour' }], options: {} };
  expect(youtubeRules.warn?.(content)).toEqual([
    { field: 'mediaItems[0].altText', code: 'alt_text_ignored', message: 'is left out: YouTube takes none' },
  ]);
});

describe('the default title', () => {
  it.each([
    ['First line\nsecond', 'First line'],
    ['\n \n  Second <b>line</b>', 'Second bline/b'],
    [`${'word '.repeat(30)}`, `${'word '.repeat(19).trim()}…`],
    ['<>', undefined],
    ['\u2060\n\u0007One\ttwo', 'One two'],
    ['', undefined],
  ])('of %j is %j', (content, title) => {
    expect(defaultTitle(content)).toBe(title);
  });

  it('is always one that YouTube allows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (content) => {
        const title = defaultTitle(content);
        if (title !== undefined) expect(check({ content: '', options: { title } })).toEqual([]);
      }),
    );
  });
});

it('begins preparation earlier for a larger file', () => {
  const lead = (sizeBytes?: number) => {
    const media = [{ type: 'video' as const, ...(sizeBytes !== undefined && { sizeBytes }) }];
    return youtubeRules.leadSeconds({ content: '', media, options: {} });
  };
  expect([lead(1), lead(500 * 1_048_576), lead()]).toEqual([1_921, 2_045, 2_045]);
});
