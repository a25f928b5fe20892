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
    ['instagram', 'a video must have the chroma subsampling 4:2:0; this file has 4:2:2', { chroma: '4:2:2' }],
    ['instagram', 'a video must be progressive; this file is interlaced', { scan: 'interlaced' }],
    ['instagram', 'a video must have at most 2 audio channels; this file has 6', { audioChannels: 6 }],
    ['threads', 'a video must have the chroma subsampling 4:2:0; this file has 4:4:4', { chroma: '4:4:4' }],
    ['threads', 'a video must be progressive; this file is interlaced', { scan: 'interlaced' }],
    ['threads', 'a video must have at most 2 audio channels; this file has 6', { audioChannels: 6 }],
    ['facebook', 'a reel must have the chroma subsampling 4:2:0; this file has 4:2:2', { chroma: '4:2:2' }],
    ['facebook', 'a reel must be progressive; this file is interlaced', { scan: 'interlaced' }],
    ['facebook', 'a reel must have at most 2 audio channels; this file has 6', { audioChannels: 6 }],
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
    [
      'tiktok',
      'a video must have at least 360 pixels on its shorter side; this file has 200',
      { widthPixels: 200 },
    ],
    [
      'tiktok',
      'a video must have at most 4096 pixels on its longer side; this file has 4098',
      { heightPixels: 4_098 },
    ],
    ['pinterest', 'a video must use the video codec h264 or hevc, not av1', { videoCodec: 'av1' }],
    ['linkedin', 'a video must last from 3 to 1800 seconds', { durationSeconds: 1_801 }],
    ['linkedin', 'a video must have a width-to-height ratio from', { widthPixels: 100 }],
    [
      'pinterest',
      'a video must have a width-to-height ratio from',
      { widthPixels: 1_000, heightPixels: 2_003 },
    ],
    ['youtube', 'a video must last from 1 to 43200 seconds', { durationSeconds: 0.5 }],
  ])('%s refuses: %s', async (platform, message, changes) => {
    expect(await problemsOf(platform, changes)).toContainEqual(
      expect.stringContaining(`mediaItems[0]: ${message}`),
    );
  });

  it.each([23.976, 23.97, 29.97, 59.94, 60.02])(
    '%d frames per second are within 24 to 60',
    async (framesPerSecond) => {
      expect(await problemsOf('facebook', { framesPerSecond })).toEqual([]);
    },
  );

  it.each([23.9, 60.2])('%d frames per second are not within 24 to 60', async (framesPerSecond) => {
    expect(await problemsOf('facebook', { framesPerSecond })).toEqual([
      expect.stringContaining('frames per second'),
    ]);
  });

  it('instagram accepts a video without sound', async () => {
    const { audioCodec: _codec, audioSampleRate: _rate, ...silent } = video;
    const rules = await rulesFor('instagram');
    expect(rules?.check({ content: 'Hello', media: [silent], options: {} })).toEqual([]);
  });
});

const warningsOf = async (platform: Platform, file: DescribedMedia) =>
  (await rulesFor(platform))?.warn?.({ content: 'Hello', media: [file], options: options[platform] ?? {} });

describe('a photo for Instagram', () => {
  const photo = { type: 'image', contentType: 'image/jpeg', sizeBytes: 100_000 } as const;
  const check = async (widthPixels: number, heightPixels: number) => {
    const file = { ...photo, widthPixels, heightPixels };
    const problems = (await rulesFor('instagram'))?.check({ content: '', media: [file], options: {} });
    const found = problems?.length ? 'refused' : undefined;
    return found ?? ((await warningsOf('instagram', file))?.length ? 'warned' : 'taken');
  };

  it.each([
    [1_080, 1_350, 'taken'],
    [1_080, 566, 'taken'],
    [326, 408, 'warned'],
    [1_080, 565, 'warned'],
    [1_080, 1_352, 'refused'],
    [1_080, 1_360, 'refused'],
    [1_080, 563, 'refused'],
    [1_080, 1_440, 'refused'],
  ])('of %d by %d pixels is %s', async (width, height, outcome) => {
    expect(await check(width, height)).toBe(outcome);
  });
});

describe('a warning names what could not be measured', () => {
  const unmeasured: DescribedMedia = {
    type: 'video',
    contentType: 'video/mp4',
    sizeBytes: 20_000_000,
    unknown: [
      'width',
      'durationMs',
      'videoCodec',
      'frameRate',
      'chroma',
      'scan',
      'audioCodec',
      'audioSampleRate',
      'audioChannels',
    ],
  };

  it.each<[Platform, number]>([
    ['facebook', 8],
    ['instagram', 9],
    ['linkedin', 2],
    ['pinterest', 3],
    ['threads', 9],
    ['tiktok', 4],
    ['youtube', 1],
  ])('for each property that %s limits', async (platform, count) => {
    const warnings = await warningsOf(platform, unmeasured);
    expect(warnings?.map(({ code }) => code)).toEqual(
      Array.from({ length: count }, () => 'media_unmeasured'),
    );
    for (const { message } of warnings ?? []) expect(message).toMatch(/must have .+ not checked/);
  });

  it('for no property of a file that an earlier release has probed', async () => {
    for (const platform of every) expect(await warningsOf(platform, video)).toEqual([]);
  });
});
