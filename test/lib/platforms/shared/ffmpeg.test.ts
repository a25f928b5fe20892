import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Platform, platformNames } from '../../../../lib/platforms/contract/names.ts';
import type { DescribedMedia } from '../../../../lib/platforms/contract/rules.ts';
import { rulesFor } from '../../../../lib/platforms/registry/rules.ts';

const options: Partial<Record<Platform, Readonly<Record<string, string>>>> = {
  facebook: { contentType: 'reel' },
  pinterest: { boardId: '1' },
  tiktok: { privacyLevel: 'SELF_ONLY' },
  youtube: { title: 'A title' },
};

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
  audioChannels: 2,
  framesPerSecond: 30,
  chroma: '4:2:0',
  scan: 'progressive',
  hasEditList: false,
  moovFirst: true,
};

async function problemsOf(platform: Platform, file: DescribedMedia) {
  const rules = await rulesFor(platform);
  return rules?.check({ content: 'Hello', media: [file], options: options[platform] ?? {} }) ?? [];
}

async function commandFor(platform: Platform, file: DescribedMedia): Promise<string | undefined> {
  const commands = (await problemsOf(platform, file)).flatMap(
    ({ message }) => /To convert it: (ffmpeg .+)$/.exec(message)?.[1] ?? [],
  );
  expect(commands.length).toBeLessThanOrEqual(1);
  return commands[0];
}

/** Returns a video as a command leaves it. Throws if it has an option that is not known here. */
function run(command: string, file: DescribedMedia): DescribedMedia {
  const words = command.match(/"[^"]*"|\S+/g) ?? [];
  const [program, , , ...rest] = words;
  const output = rest.pop();
  expect([program, output]).toEqual(['ffmpeg', 'output.mp4']);
  let result: DescribedMedia = { ...file, contentType: 'video/mp4', hasEditList: false };
  let bits: number | undefined;
  for (let index = 0; index < rest.length; index += 2) {
    const [name, value = ''] = [rest[index], rest[index + 1]];
    switch (name) {
      case '-c:v':
        if (value !== 'copy') result = { ...result, videoCodec: 'h264' };
        break;
      case '-pix_fmt':
        result = { ...result, chroma: '4:2:0' };
        break;
      case '-vf':
        result = filtered(value.slice(1, -1), result);
        break;
      case '-r':
        result = { ...result, framesPerSecond: Number(value) };
        break;
      case '-b:v':
        bits = Number.parseInt(value, 10) * 1_000;
        break;
      case '-c:a':
        if (value !== 'copy') result = { ...result, audioCodec: 'aac' };
        break;
      case '-ac':
        result = { ...result, audioChannels: Number(value) };
        break;
      case '-ar':
        result = { ...result, audioSampleRate: Number(value) };
        break;
      case '-movflags':
        result = { ...result, moovFirst: true, isFragmented: false };
        break;
      case '-b:a':
      case '-maxrate':
      case '-bufsize':
        break;
      default:
        throw new Error(`unknown option ${name} in ${command}`);
    }
  }
  const bytes = bits && (file.durationSeconds ?? 0) * ((bits + 128_000) / 8);
  return bytes ? { ...result, sizeBytes: Math.ceil(bytes) } : result;
}

function filtered(filters: string, file: DescribedMedia): DescribedMedia {
  let { scan = 'progressive', widthPixels: width = 0, heightPixels: height = 0 } = file;
  for (const [, name, value = ''] of filters.matchAll(
    /(bwdif|scale|pad)(?:=((?:'[^']*'|[^,'])*))?(?:,|$)/g,
  )) {
    if (name === 'bwdif') scan = 'progressive';
    else if (name === 'scale') {
      const [across = 0, down = 0] = value.split(':').map(Number);
      if (across > 0) [width, height] = [across, Math.round((height * across) / width / 2) * 2];
      else [width, height] = [Math.round((width * down) / height / 2) * 2, down];
    } else {
      const [, least, most] = /ih\*([\d.]+)\).*iw\/([\d.]+)\)/.exec(value) ?? [];
      const even = (pixels: number) => 2 * Math.ceil(pixels / 2);
      [width, height] = [
        even(Math.max(width, height * Number(least))),
        even(Math.max(height, width / Number(most))),
      ];
    }
  }
  return { ...file, scan, widthPixels: width, heightPixels: height };
}

describe('a video that must be encoded again is refused with a command that does it', () => {
  it.each<[Platform, Partial<DescribedMedia>, string]>([
    [
      'instagram',
      { videoCodec: 'prores', contentType: 'video/quicktime' },
      '-i input.mov -c:v libx264 -pix_fmt yuv420p -c:a copy',
    ],
    ['instagram', { audioCodec: 'mp3' }, '-i input.mp4 -c:v copy -c:a aac -b:a 128k -ac 2 -ar 48000'],
    ['instagram', { audioChannels: 6 }, '-c:v copy -c:a aac -b:a 128k -ac 2'],
    ['threads', { audioSampleRate: 96_000 }, '-ar 48000'],
    ['threads', { chroma: '4:2:2' }, '-pix_fmt yuv420p'],
    ['threads', { scan: 'interlaced' }, '-vf "bwdif"'],
    ['instagram', { framesPerSecond: 120 }, '-r 60'],
    ['tiktok', { framesPerSecond: 15 }, '-r 25'],
    ['facebook', { framesPerSecond: 23 }, '-r 25'],
    ['instagram', { widthPixels: 3_840, heightPixels: 2_160 }, '-vf "scale=1920:-2"'],
    ['tiktok', { widthPixels: 2_160, heightPixels: 7_680 }, '-vf "scale=-2:4096"'],
    ['linkedin', { widthPixels: 3_840, heightPixels: 1_080 }, '-vf "pad='],
    ['pinterest', { widthPixels: 480, heightPixels: 1_080 }, '-vf "pad='],
    ['instagram', { sizeBytes: 400_000_000, durationSeconds: 300 }, '-b:v 7421k -maxrate 7421k'],
    ['instagram', { sizeBytes: 200_000_000 }, '-b:v 22372k -maxrate 22372k'],
    [
      'linkedin',
      { contentType: 'video/webm', videoCodec: 'vp8', audioCodec: 'vorbis' },
      '-i input.webm -c:v libx264',
    ],
    [
      'linkedin',
      { contentType: 'video/quicktime', audioCodec: 'pcm-s16' },
      '-i input.mov -c:v copy -c:a aac',
    ],
    [
      'instagram',
      {
        videoCodec: 'vp9',
        audioCodec: 'opus',
        scan: 'interlaced',
        framesPerSecond: 10,
        widthPixels: 4_000,
        heightPixels: 300,
      },
      '-vf "bwdif,scale=1920:-2,pad=',
    ],
  ])('%s, %j: %s', async (platform, changes, part) => {
    const file = { ...video, ...changes };
    const command = await commandFor(platform, file);
    expect(command).toContain(part);
    expect(command).toMatch(/ -movflags \+faststart output\.mp4$/);
    expect(await problemsOf(platform, run(command ?? '', file))).toEqual([]);
  });

  it.each<[Platform, string, Partial<DescribedMedia>]>([
    ['instagram', 'too long', { durationSeconds: 1_000 }],
    ['linkedin', 'too small a file', { sizeBytes: 1_000 }],
    ['tiktok', 'too few pixels', { widthPixels: 200, heightPixels: 300 }],
    ['instagram', 'too many bytes for its duration', { sizeBytes: 400_000_000, durationSeconds: 100_000 }],
  ])('%s: but not if it is %s, which no command solves', async (platform, _name, changes) => {
    const file = { ...video, ...changes };
    expect(await problemsOf(platform, file)).not.toEqual([]);
    expect(await commandFor(platform, file)).toBeUndefined();
  });

  it('and not for pictures', async () => {
    const picture = { type: 'image', contentType: 'image/gif', isAnimated: true } as const;
    expect(await commandFor('instagram', picture)).toBeUndefined();
  });

  it('which solves all that such a command can solve, whatever the file has', async () => {
    const file = fc.record({
      type: fc.constant('video' as const),
      contentType: fc.constantFrom('video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska'),
      sizeBytes: fc.integer({ min: 100_000, max: 900_000_000 }),
      widthPixels: fc.integer({ min: 1_000, max: 8_000 }),
      heightPixels: fc.integer({ min: 1_000, max: 8_000 }),
      durationSeconds: fc.integer({ min: 4, max: 60 }),
      videoCodec: fc.constantFrom('h264', 'hevc', 'vp8', 'vp9', 'av1', 'prores'),
      audioCodec: fc.constantFrom('aac', 'mp3', 'opus', 'vorbis', 'pcm-s16'),
      audioSampleRate: fc.constantFrom(44_100, 96_000),
      audioChannels: fc.integer({ min: 1, max: 8 }),
      framesPerSecond: fc.integer({ min: 1, max: 240 }),
      chroma: fc.constantFrom('4:2:0', '4:2:2', '4:4:4'),
      scan: fc.constantFrom('progressive' as const, 'interlaced' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...platformNames), file, async (platform, given) => {
        const command = await commandFor(platform, given);
        const left = await problemsOf(platform, command === undefined ? given : run(command, given));
        expect(left).toEqual([]);
      }),
    );
  });
});
