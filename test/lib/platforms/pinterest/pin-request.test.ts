import { readPinRequest } from '@herald/platform-simulators/pinterest/pin-request.ts';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../lib/kernel/json.ts';
import type { MediaSource } from '../../../../lib/platforms/contract/adapter.ts';
import { pinRequest } from '../../../../lib/platforms/pinterest/map.ts';

const file = (type: 'image' | 'video', name: string, altText?: string): MediaSource => ({
  type,
  url: `https://media.example/${name}`,
  contentType: type === 'video' ? 'video/mp4' : 'image/jpeg',
  sizeBytes: 1,
  openRange: () => Promise.reject(new Error('not read')),
  ...(altText !== undefined && { altText }),
});
const cover = file('image', 'cover.jpg');
const own = 'https://example.com/own.jpg';

type Options = { readonly [key: string]: Json };

/** The request, as the simulator reads it: it refuses one that Pinterest would refuse. */
function requestOf(media: readonly MediaSource[], options: Options, more: { cover?: MediaSource } = {}) {
  const job = { content: '', media, options: { boardId: '12', ...options }, ...more };
  const { media_source: source, ...rest } = readPinRequest(
    pinRequest(job, media[0]?.type === 'video' ? '34' : null),
  );
  return { source, rest };
}

describe('the cover of a video', () => {
  const video = file('video', 'video.mp4');
  it.each<[string, Options, { cover?: MediaSource }, object]>([
    ['is the frame after a second', {}, {}, { cover_image_key_frame_time: 1 }],
    ['is the chosen frame', { coverKeyFrameSeconds: 7 }, {}, { cover_image_key_frame_time: 7 }],
    [
      'is the chosen frame by its other name',
      { coverImageKeyFrameTime: 0 },
      {},
      { cover_image_key_frame_time: 0 },
    ],
    [
      'is the post’s cover before a frame',
      { coverImageKeyFrameTime: 7 },
      { cover },
      { cover_image_url: cover.url },
    ],
    [
      'is the destination’s own before the post’s',
      { coverImageUrl: own },
      { cover },
      { cover_image_url: own },
    ],
  ])('%s', (_name, options, more, expected) => {
    const { source } = requestOf([video], options, more);
    expect(source).toEqual({ source_type: 'video_id', media_id: '34', ...expected });
  });
});

describe('the alternative text of a Pin', () => {
  const boat = file('image', '1.jpg', 'A boat');
  const pier = file('image', '2.jpg', 'A pier');
  it.each<[string, readonly MediaSource[], Options, string | undefined]>([
    ['is that of its image', [boat], {}, 'A boat'],
    ['is that of the destination before that of its image', [boat], { altText: 'Gulls' }, 'Gulls'],
    ['is that of the first image', [boat, pier], {}, 'A boat'],
    ['is that of the image that is shown first', [boat, pier], { carouselCoverIndex: 1 }, 'A pier'],
    ['is that of its video', [file('video', 'video.mp4', 'Waves')], {}, 'Waves'],
    ['is left out if there is none', [file('image', '3.jpg')], {}, undefined],
  ])('%s', (_name, media, options, text) => {
    const { source, rest } = requestOf(media, options);
    expect(rest.alt_text).toBe(text);
    // PinMediaSourceImagesURLItem has no alternative text.
    expect(JSON.stringify(source)).not.toContain('alt_text');
  });
});
