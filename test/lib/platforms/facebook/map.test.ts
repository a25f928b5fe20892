import { describe, expect, it } from 'vitest';
import {
  absolutePermalink,
  directLink,
  feedParameters,
  type ListedPost,
  likenessOf,
  type SentPost,
  type VideoStatus,
  videoState,
} from '../../../../lib/platforms/facebook/map.ts';
import type { Likeness } from '../../../../lib/platforms/shared/find-listed.ts';

describe('a feed post', () => {
  it('omits a blank message', () => {
    expect(feedParameters(' \n', {}, ['1'])).toEqual({
      message: undefined,
      link: undefined,
      attached_media: '[{"media_fbid":"1"}]',
      published: 'true',
    });
  });

  it('that is a draft says so', () => {
    expect(feedParameters('a', { draft: true }, [])).toMatchObject({
      published: 'false',
      unpublished_content_type: 'DRAFT',
    });
  });
});

describe('a listed post', () => {
  const listed: ListedPost = { id: '1_2', message: 'a b', attached: [], links: [] };
  const link = 'https://example.com/harbour';
  const text = { message: 'a b', link: undefined, photos: [] };
  const photo = { ...text, photos: ['9'] };
  const linkOnly = { message: '', link, photos: [] };
  const withLink = { ...linkOnly, message: 'a b' };
  it.each<[string, Partial<ListedPost>, SentPost, Likeness]>([
    ['is the sent text with other whitespace', { message: ' a  b\n' }, text, 'text'],
    ['has another text', { message: 'a c' }, text, undefined],
    ['has the text and a photo', { attached: ['9'] }, text, undefined],
    ['shows our photo with another text', { message: 'x', attached: ['8', '9'] }, photo, 'media'],
    ['has our text without our photo', {}, photo, undefined],
    ['has no text, and our link', { message: undefined, links: [link] }, linkOnly, 'text'],
    ['has no text, and another link', { message: undefined, links: [`${link}/2`] }, linkOnly, undefined],
    ['has no text and no link', { message: undefined }, linkOnly, undefined],
    ['has the text and our link', { links: [`${link}/?fbclid=1`] }, withLink, 'text'],
    ['has the text, and a link that ours leads to', { links: ['https://b.example/1'] }, withLink, 'text'],
    ['has the text without a preview of our link', {}, withLink, 'text'],
    ['has the text, and another page of the same site', { links: [`${link}/2`] }, withLink, undefined],
    [
      'has the text with another page of the same site',
      { message: 'a https://b.example/2' },
      { ...text, message: 'a https://b.example/1' },
      undefined,
    ],
  ])('that %s', (_name, changes, sent, likeness) => {
    expect(likenessOf({ ...listed, ...changes }, sent)).toBe(likeness);
  });

  it('links to the site itself, without Facebook’s redirect', () => {
    expect(directLink(`https://l.facebook.com/l.php?u=${encodeURIComponent(link)}&h=AT0`)).toBe(link);
    expect(directLink(link)).toBe(link);
  });
});

describe('the state of a video', () => {
  it.each<[string, VideoStatus, boolean | undefined, string]>([
    ['the file is incomplete', { video_status: 'uploading' }, undefined, 'uploading'],
    ['the file is complete', { uploading_phase: { status: 'complete' } }, false, 'uploaded'],
    [
      'the file is there, in the guide’s word',
      { uploading_phase: { status: 'completed' } },
      false,
      'uploaded',
    ],
    [
      'the last call has arrived',
      {
        video_status: 'upload_complete',
        publishing_phase: { status: 'not_started', publish_status: 'published' },
      },
      false,
      'processing',
    ],
    ['it is in processing', { processing_phase: { status: 'in_progress' } }, false, 'processing'],
    [
      'it is published',
      { publishing_phase: { status: 'completed', publish_status: 'published' } },
      undefined,
      'live',
    ],
    ['a plain video is ready', { video_status: 'ready' }, true, 'live'],
    [
      'a draft is ready',
      { video_status: 'ready', uploading_phase: { status: 'complete' } },
      false,
      'uploaded',
    ],
    ['it has expired', { video_status: 'expired' }, undefined, 'failed'],
    [
      'its processing failed',
      {
        video_status: 'processing',
        processing_phase: { status: 'error' },
        publishing_phase: { status: 'not_started', publish_status: 'published' },
      },
      false,
      'failed',
    ],
    [
      'it is published, although a phase failed',
      {
        video_status: 'error',
        processing_phase: { status: 'error' },
        publishing_phase: { status: 'complete', publish_status: 'published' },
      },
      undefined,
      'live',
    ],
    [
      'a plain video is ready, although a phase failed',
      { video_status: 'ready', processing_phase: { status: 'error' } },
      true,
      'live',
    ],
  ])('if %s', (_name, status, isPublished, state) => {
    expect(videoState(status, isPublished).state).toBe(state);
  });

  it.each<[string, VideoStatus, boolean, string]>([
    ['it is processed', { video_status: 'ready', processing_phase: { status: 'completed' } }, false, 'live'],
    [
      'it was not processed yet',
      { video_status: 'ready', uploading_phase: { status: 'complete' } },
      false,
      'uploaded',
    ],
    ['it is in processing', { processing_phase: { status: 'in_progress' } }, false, 'processing'],
    ['somebody has published it', { video_status: 'ready' }, true, 'live'],
    [
      'its processing failed',
      { video_status: 'error', processing_phase: { status: 'error' } },
      false,
      'failed',
    ],
  ])('that becomes a draft, if %s', (_name, status, isPublished, state) => {
    expect(videoState(status, isPublished, true).state).toBe(state);
  });
});

it.each<[string, VideoStatus, boolean]>([
  ['the upload failed', { video_status: 'upload_failed' }, true],
  ['its uploading phase failed', { uploading_phase: { status: 'error' } }, true],
  [
    'its processing failed',
    { uploading_phase: { status: 'complete' }, processing_phase: { status: 'error' } },
    false,
  ],
  ['it has expired', { video_status: 'expired' }, false],
])(
  'a failed video is one that Facebook could not download only if that phase failed: %s',
  (_name, status, isDownload) => {
    expect(videoState(status, false)).toMatchObject({ state: 'failed', isDownload });
  },
);

it('adds the host to permalinks of videos', () => {
  expect(absolutePermalink('/reel/1/')).toBe('https://www.facebook.com/reel/1/');
  expect(absolutePermalink('https://fb.watch/1')).toBe('https://fb.watch/1');
});
