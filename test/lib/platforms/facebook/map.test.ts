import { describe, expect, it } from 'vitest';
import {
  absolutePermalink,
  feedParameters,
  isSamePost,
  type VideoStatus,
  videoState,
} from '../../../../lib/platforms/facebook/map.ts';

describe('a feed post', () => {
  it('omits a blank message', () => {
    expect(feedParameters(' \n', {}, ['1'])).toEqual({
      message: undefined,
      link: undefined,
      attached_media: '[{"media_fbid":"1"}]',
      published: 'true',
    });
  });

  const at = Date.parse('2026-11-20T20:00:00Z');
  const listed = { id: '1_2', created_time: '2026-11-20T20:00:01+0000', message: 'a b', attached: [] };
  it.each([
    ['the same text with other whitespace', { ...listed, message: ' a  b\n' }, [], true],
    ['another text', { ...listed, message: 'a c' }, [], false],
    [
      'the same text from an hour earlier',
      { ...listed, created_time: '2026-11-20T19:00:00+0000' },
      [],
      false,
    ],
    ['the same text with a photo', { ...listed, attached: ['9'] }, [], false],
    ['another text with our photo', { ...listed, message: 'x', attached: ['8', '9'] }, ['9'], true],
    ['our text without our photo', listed, ['9'], false],
    ['a post without a time', { ...listed, created_time: undefined }, [], false],
  ])('is compared with %s', (_name, post, photos, isSame) => {
    expect(isSamePost(post, 'a b', photos, at)).toBe(isSame);
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
    ['a phase failed', { video_status: 'ready', processing_phase: { status: 'error' } }, true, 'failed'],
  ])('if %s', (_name, status, isPublished, state) => {
    expect(videoState(status, isPublished).state).toBe(state);
  });
});

it('adds the host to permalinks of videos', () => {
  expect(absolutePermalink('/reel/1/')).toBe('https://www.facebook.com/reel/1/');
  expect(absolutePermalink('https://fb.watch/1')).toBe('https://fb.watch/1');
});
