import { describe, expect, it } from 'vitest';
import type { DescribedMedia, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { threadsRules } from '../../../../lib/platforms/threads/rules.ts';
import { links, threadsLength } from '../../../../lib/platforms/threads/text.ts';

const image: DescribedMedia = { type: 'image', contentType: 'image/png', sizeBytes: 1_000 };
const video: DescribedMedia = { type: 'video', contentType: 'video/mp4', sizeBytes: 1_000 };
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://example.com/${index}`).join(' ');

const spoiler = (offset: number, length: number) => ({ offset, length });

const check = (changes: Partial<PublishableContent>) =>
  threadsRules
    .check({ content: 'Hello', media: [], options: {}, ...changes })
    .map(({ field, message }) => `${field}: ${message}`);

it.each([
  ['', 0],
  ['a é 漢', 5],
  ['👍', 4],
  ['👨‍👩‍👧', 18],
  ['🇫🇷', 8],
  ['1️⃣ #1', 10],
])('counts %j as %i', (text, length) => {
  expect(threadsLength(text)).toBe(length);
});

it('counts a URL once, without the full stop after it', () => {
  expect([...links('https://a.example/b. (https://a.example/b), HTTP://c.example')]).toEqual([
    'https://a.example/b',
    'HTTP://c.example',
  ]);
});

describe('Threads may count bytes, which is a warning for', () => {
  const apostrophes = (letters: number) => `${'a'.repeat(letters)}\u2019\u2019\u2019`;

  it.each<[string, string, string[]]>([
    ['500 bytes', apostrophes(491), []],
    [
      '504 bytes, with the whitespace that is not sent',
      ` ${apostrophes(495)}\n`,
      ['content: the text has 504 bytes: Threads may refuse it, because it may count bytes and allows 500'],
    ],
    ['a text that is too long anyway', 'é'.repeat(501), []],
  ])('%s', (_name, content, expected) => {
    const warnings = threadsRules.warn?.({ content, media: [], options: {} }) ?? [];
    expect(warnings.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
  });
});

describe('Threads allows', () => {
  it.each<[string, Partial<PublishableContent>]>([
    ['a text of 500 characters', { content: 'é'.repeat(500) }],
    ['125 emoji', { content: '👍'.repeat(125) }],
    ['media without a text', { content: '', media: [video] }],
    [
      'a carousel of twenty',
      { media: Array.from({ length: 20 }, (_, index) => (index % 2 ? image : video)) },
    ],
    ['five links, one of them attached', { content: addresses(4), options: { link: 'https://b.example/' } }],
    ['a topic with its #', { options: { topicTag: `#${'a'.repeat(50)}` } }],
    ['a poll of four', { options: { poll: { options: ['👍'.repeat(25), 'b', 'c', 'd'] } } }],
    ['spoilers that touch', { options: { textSpoilers: [spoiler(0, 2), spoiler(2, 3)] } }],
    ['a quote without a text', { content: '', media: [image], options: { quotePostId: '18000' } }],
    ['unknown options, and options that are null', { options: { sparkle: 1, link: null } }],
  ])('%s', (_name, content) => {
    expect(check(content)).toEqual([]);
  });
});

describe('Threads refuses', () => {
  it.each<[string, Partial<PublishableContent>, string]>([
    ['an empty post', { content: ' ' }, 'content: Threads needs a text or media'],
    ['an invisible text', { content: '\u200B\u2800' }, 'content: Threads needs a text or media'],
    [
      '126 emoji',
      { content: '👍'.repeat(126) },
      'content: Threads allows at most 500 characters (emoji count as their UTF-8 bytes); this text has 504',
    ],
    ['six links', { content: addresses(6) }, 'content: Threads allows at most 5 links; the content has 6'],
    [
      'twenty-one items',
      { media: Array(21).fill(image) },
      'mediaItems: Threads needs 1 item, or 2 to 20 for a carousel',
    ],
    [
      'a video of 301 s',
      { media: [{ ...video, durationSeconds: 301 }] },
      'mediaItems[0]: a video must last from 0 to 300 seconds',
    ],
    [
      'a GIF',
      { media: [{ ...image, contentType: 'image/gif' }] },
      'mediaItems[0]: an image must be image/jpeg or image/png, not image/gif',
    ],
    ['a cover', { media: [video], cover: image }, 'coverUrl: Threads does not support a cover'],
    [
      'a topic with a full stop',
      { options: { topicTag: 'a.b' } },
      'platformSpecificData.topicTag: must not contain . or &',
    ],
    [
      'a link with media',
      { media: [image], options: { link: 'https://a.example/' } },
      'platformSpecificData.link: is for posts without media only',
    ],
    [
      'an alt text without media',
      { options: { altText: 'a' } },
      'platformSpecificData.altText: is for posts with media only',
    ],
    [
      'a poll with media',
      { media: [image], options: { poll: { options: ['a', 'b'] } } },
      'platformSpecificData.poll: is for posts without media only',
    ],
    [
      'a poll of one option',
      { options: { poll: { options: ['a'] } } },
      'platformSpecificData.poll.options: must have from 2 to 4 options',
    ],
    [
      'a long option of a poll',
      { options: { poll: { options: ['a', 'b'.repeat(26)] } } },
      'platformSpecificData.poll.options[1]: must have at most 25 characters',
    ],
    [
      'an empty option of a poll',
      { options: { poll: { options: [' ', 'b'] } } },
      'platformSpecificData.poll.options[0]: must not be empty',
    ],
    [
      'an invisible option of a poll',
      { options: { poll: { options: ['a', '\u200B'] } } },
      'platformSpecificData.poll.options[1]: must not be empty',
    ],
    [
      'an invisible topic',
      { options: { topicTag: '#\u2800' } },
      'platformSpecificData.topicTag: must not be empty',
    ],
    [
      'a quote by URL',
      { options: { quotePostId: 'https://www.threads.com/@a/post/b' } },
      'platformSpecificData.quotePostId: must be the id of a Threads post, in digits',
    ],
    [
      'a spoiler that reaches into the whitespace after the text',
      { content: 'Hello ', options: { textSpoilers: [spoiler(0, 5), spoiler(5, 1)] } },
      'platformSpecificData.textSpoilers[1]: must lie inside the text, without the whitespace around it',
    ],
    [
      'a spoiler in the whitespace before the text',
      { content: ' Hello', options: { textSpoilers: [spoiler(0, 2)] } },
      'platformSpecificData.textSpoilers[0]: must lie inside the text, without the whitespace around it',
    ],
    [
      'spoilers that overlap',
      { options: { textSpoilers: [spoiler(0, 3), spoiler(2, 1)] } },
      'platformSpecificData.textSpoilers[1]: must not overlap another entry',
    ],
    [
      'eleven spoilers',
      { options: { textSpoilers: Array(11).fill(spoiler(0, 1)) } },
      'platformSpecificData.textSpoilers: must have at most 10 entries',
    ],
    [
      'more alt texts than items',
      { media: [image], options: { altText: ['a', 'b'] } },
      'platformSpecificData.altText: must not have more entries than the post has media items',
    ],
    [
      'a long alternative text of a file',
      { media: [{ ...video, altText: 'a'.repeat(1_001) }] },
      'mediaItems[0].altText: Threads allows at most 1000 characters; this text has 1001',
    ],
    [
      'a long first comment',
      { options: { firstComment: 'a'.repeat(501) } },
      'platformSpecificData.firstComment: Threads allows at most 500 characters (emoji count as their UTF-8 bytes); this text has 501',
    ],
  ])('%s', (_name, content, problem) => {
    expect(check(content)).toEqual([problem]);
  });
});

it('warns if emoji in or before a hidden part may shift it', () => {
  const textSpoilers = [spoiler(0, 2), spoiler(3, 2), spoiler(6, 1)];
  const warnings = threadsRules.warn?.({ content: 'Né, 👍 ok', media: [], options: { textSpoilers } });
  expect(warnings?.map(({ field }) => field)).toEqual([
    'platformSpecificData.textSpoilers[1]',
    'platformSpecificData.textSpoilers[2]',
  ]);
});

it.each<[string, DescribedMedia[]]>([
  ['a text', []],
  ['an image', [image]],
  ['a carousel', [image, image]],
])('begins early enough for the 30 seconds that Threads advises before publishing: %s', (_name, media) => {
  const processingSeconds = 5;
  expect(threadsRules.leadSeconds({ content: '', media, options: {} })).toBeGreaterThanOrEqual(
    30 + processingSeconds * Math.max(1, media.length),
  );
});

it('begins preparation earlier if there is more to process', () => {
  const lead = (media: DescribedMedia[]) => threadsRules.leadSeconds({ content: '', media, options: {} });
  expect([lead([]), lead([image]), lead([image, video])]).toEqual([45, 60, 615]);
});
