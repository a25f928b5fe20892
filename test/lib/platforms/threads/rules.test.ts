import { describe, expect, it } from 'vitest';
import type { DescribedMedia, PublishableContent } from '../../../../lib/platforms/contract/rules.ts';
import { threadsRules } from '../../../../lib/platforms/threads/rules.ts';
import { links, threadsLength } from '../../../../lib/platforms/threads/text.ts';

const image: DescribedMedia = { type: 'image', contentType: 'image/png', sizeBytes: 1_000 };
const video: DescribedMedia = { type: 'video', contentType: 'video/mp4', sizeBytes: 1_000 };
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://example.com/${index}`).join(' ');

const part = (content: string) => ({ content, media: [] });
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
    [
      'a thread with media, and with a link list of its own in each part',
      {
        content: addresses(5),
        thread: [
          { content: addresses(5), media: [] },
          { content: '', media: [image] },
        ],
      },
    ],
  ])('%s', (_name, content) => {
    expect(check(content)).toEqual([]);
  });
});

describe('Threads refuses', () => {
  it.each<[string, Partial<PublishableContent>, string]>([
    ['an empty post', { content: ' ' }, 'content: Threads needs a text or media'],
    ['an invisible text', { content: '\u200B\u2800' }, 'content: Threads needs a text or media'],
    [
      'a GIF beside an image',
      { media: [image], options: { gifId: 'abc' } },
      'platformSpecificData.gifId: is for posts without media only',
    ],
    [
      'the address of a GIF',
      { options: { gifId: 'https://giphy.com/gifs/abc' } },
      'platformSpecificData.gifId: must be the id of a GIF at GIPHY, not its URL',
    ],
    [
      'a text attachment beside a poll',
      { options: { poll: { options: ['a', 'b'] }, textAttachment: { text: 'Long' } } },
      'platformSpecificData.textAttachment: cannot be beside poll',
    ],
    [
      'a link in a text attachment beside that of the post',
      {
        options: {
          link: 'https://a.example/',
          textAttachment: { text: 'Long', link: 'https://b.example/' },
        },
      },
      'platformSpecificData.textAttachment.link: cannot be beside link',
    ],
    [
      'a sixth link in a text attachment',
      { content: addresses(5), options: { textAttachment: { text: 'Long', link: 'https://b.example/' } } },
      'content: Threads allows at most 5 links; the content has 6',
    ],
    [
      'a ghost post with a topic',
      { options: { isGhostPost: true, topicTag: 'Coffee' } },
      'platformSpecificData.topicTag: is not for a ghost post',
    ],
    [
      'an empty part of a thread',
      { thread: [part('Two'), part(' ')] },
      'platformSpecificData.thread[1].content: Threads needs a text or media',
    ],
    [
      'a part of 501 characters',
      { thread: [part('a'.repeat(501))] },
      'platformSpecificData.thread[0].content: Threads allows at most 500 characters (emoji count as their UTF-8 bytes); this text has 501',
    ],
    [
      'a file of a part in a wrong format',
      { thread: [{ content: '', media: [{ type: 'image', contentType: 'image/gif' }] }] },
      'platformSpecificData.thread[0].mediaItems[0]: an image must be image/jpeg or image/png, not image/gif',
    ],
    [
      'a first comment of a thread',
      { options: { firstComment: 'First' }, thread: [part('Two')] },
      'platformSpecificData.firstComment: is not for a thread: make it a part of the thread',
    ],
    [
      'more than 24 further parts',
      { options: { thread: Array.from({ length: 25 }, () => ({ content: 'a' })) } },
      'platformSpecificData.thread: must have at most 24 parts',
    ],
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
