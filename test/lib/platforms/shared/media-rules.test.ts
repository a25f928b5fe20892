import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../../lib/platforms/contract/names.ts';
import type { DescribedMedia } from '../../../../lib/platforms/contract/rules.ts';
import { rulesFor } from '../../../../lib/platforms/registry/rules.ts';

/** A video that every platform accepts. */
const video: DescribedMedia = {
  type: 'video',
  contentType: 'video/mp4',
  sizeBytes: 20_000_000,
  widthPixels: 1_080,
  heightPixels: 1_920,
  durationSeconds: 30,
  videoCodec: 'h264',
  audioCodec: 'aac',
  audioSampleRate: 48_000,
  framesPerSecond: 30,
  hasEditList: false,
  moovFirst: true,
};

const options: Partial<Record<Platform, { [key: string]: string }>> = {
  facebook: { contentType: 'reel' },
  pinterest: { boardId: '1' },
  tiktok: { privacyLevel: 'SELF_ONLY' },
  youtube: { title: 'A title' },
};

const problemsOf = async (platform: Platform, changes: Partial<DescribedMedia>): Promise<string[]> =>
  (
    (await rulesFor(platform))?.check({
      content: 'Hello',
      media: [{ ...video, ...changes }],
      options: options[platform] ?? {},
    }) ?? [{ field: '', message: 'no rules' }]
  ).map(({ field, message }) => `${field}: ${message}`);

const every: readonly Platform[] = [
  'facebook',
  'instagram',
  'linkedin',
  'pinterest',
  'threads',
  'tiktok',
  'youtube',
];

describe('the rules for a probed video', () => {
  it.each(every)('%s accepts a video within its limits', async (platform) => {
    expect(await problemsOf(platform, {})).toEqual([]);
  });

  it.each(every)('%s accepts a video without known properties', async (platform) => {
    const rules = await rulesFor(platform);
    const media = [{ type: 'video', contentType: 'video/mp4' }] as const;
    expect(rules?.check({ content: 'Hello', media, options: options[platform] ?? {} })).toEqual([]);
  });

  it.each<[Platform, string, Partial<DescribedMedia>]>([
    ['instagram', 'a video must use the video codec h264 or hevc, not vp9', { videoCodec: 'vp9' }],
    ['instagram', 'a video must use the audio codec aac, not mp3', { audioCodec: 'mp3' }],
    [
      'instagram',
      'a video must have an audio sample rate of at most 48000 Hz; this file has 96000',
      { audioSampleRate: 96_000 },
    ],
    [
      'instagram',
      'a video must have from 23 to 60 frames per second; this file has 15',
      { framesPerSecond: 15 },
    ],
    ['instagram', 'a video must have a bit rate of at most 25 Mbit/s', { sizeBytes: 200_000_000 }],
    [
      'instagram',
      'a video must have from 1 to 1920 pixels in width; this file has 3840',
      { widthPixels: 3_840, heightPixels: 2_160 },
    ],
    ['instagram', 'a video must last from 3 to 900 seconds', { durationSeconds: 2.9 }],
    ['threads', 'a video must have its index (moov) before its media: encode it', { moovFirst: false }],
    ['threads', 'a video must last from 0 to 300 seconds', { durationSeconds: 301 }],
    [
      'facebook',
      'a reel must use the video codec h264 or hevc or vp9 or av1, not prores',
      { videoCodec: 'prores' },
    ],
    [
      'facebook',
      'a reel must have at least 540 pixels on its shorter side; this file has 360',
      { widthPixels: 360, heightPixels: 640 },
    ],
    [
      'tiktok',
      'a video must have from 23 to 60 frames per second; this file has 120',
      { framesPerSecond: 120 },
    ],
    ['tiktok', 'a video must have from 360 to 4096 pixels on both sides', { widthPixels: 200 }],
    ['pinterest', 'a video must use the video codec h264 or hevc, not av1', { videoCodec: 'av1' }],
    ['linkedin', 'a video must last from 3 to 1800 seconds', { durationSeconds: 1_801 }],
    ['linkedin', 'a video must have a width-to-height ratio from', { widthPixels: 100 }],
    ['youtube', 'a video must last from 1 to 43200 seconds', { durationSeconds: 0.5 }],
  ])('%s refuses: %s', async (platform, message, changes) => {
    expect(await problemsOf(platform, changes)).toContainEqual(
      expect.stringContaining(`mediaItems[0]: ${message}`),
    );
  });

  it.each([23.976, 29.97, 59.94, 60.2])(
    '%d frames per second are within 24 to 60',
    async (framesPerSecond) => {
      expect(await problemsOf('facebook', { framesPerSecond })).toEqual([]);
    },
  );

  it('instagram accepts a video without sound', async () => {
    const { audioCodec: _codec, audioSampleRate: _rate, ...silent } = video;
    const rules = await rulesFor('instagram');
    expect(rules?.check({ content: 'Hello', media: [silent], options: {} })).toEqual([]);
  });
});
