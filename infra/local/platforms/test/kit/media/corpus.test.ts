import { describe, expect, it } from 'vitest';
import { measureMedia } from '../../../kit/media/media-intake.ts';
import { contentTypeOf, readMedia } from '../../support/media.ts';

type Fact = string | number | boolean;
interface CorpusFile {
  readonly facts?: Readonly<Record<string, Fact>>;
  readonly refused?: string;
}

const { files } = JSON.parse((await readMedia('media-corpus/corpus.json')).toString()) as {
  files: Readonly<Record<string, CorpusFile>>;
};
const named = (pattern: RegExp) => Object.entries(files).filter(([name]) => pattern.test(name));
const whole = (pattern: RegExp) => named(pattern).filter(([, { facts }]) => facts !== undefined);

async function measure(name: string) {
  const bytes = await readMedia(`media-corpus/${name}`);
  return measureMedia(
    (async function* () {
      for (let at = 0; at < bytes.length; at += 7_000) yield bytes.subarray(at, at + 7_000);
    })(),
    contentTypeOf(name),
  );
}

/** The names of codecs in MP4, by their usual ones. */
const entryTypes: Readonly<Record<string, RegExp>> = {
  h264: /^avc1$/,
  hevc: /^hvc1$/,
  vp9: /^vp09$/,
  av1: /^av01$/,
  mpeg4: /^mp4v$/,
  prores: /^ap/,
  aac: /^mp4a$/,
  mp3: /^mp4a\.6b$/,
  ac3: /^ac-3$/,
  opus: /^Opus$/,
  'pcm-s16': /^sowt$/,
};

const near = (value: number | undefined, expected: Fact | undefined, tolerance: number) =>
  expect(Math.abs((value ?? 0) - Number(expected))).toBeLessThan(tolerance);

describe('of an ordinary file, a simulator measures what other programs measure', () => {
  it.each(whole(/\.(mp4|mov)$/))('%s', async (name, { facts = {} }) => {
    const { mp4 } = await measure(name);
    const { width, height, videoCodec, chroma, scan, audioCodec, audioChannels } = facts;
    expect(mp4?.video).toMatchObject({
      width,
      height,
      codec: expect.stringMatching(entryTypes[`${videoCodec}`] ?? ''),
    });
    near(mp4?.durationSeconds, facts['durationSeconds'], 0.11);
    near(mp4?.video?.framesPerSecond, facts['frameRate'], 0.3);
    if (videoCodec === 'h264' || videoCodec === 'hevc')
      expect(mp4?.video).toMatchObject({ chroma, isInterlaced: scan === 'interlaced' });
    expect(mp4?.audio === undefined).toBe(facts['hasSound'] === false);
    if (audioCodec === undefined) return;
    expect(mp4?.audio).toMatchObject({
      codec: expect.stringMatching(entryTypes[`${audioCodec}`] ?? ''),
      channels: audioChannels,
    });
    if (audioCodec === 'aac') expect(mp4?.audio?.sampleRate).toBe(facts['audioSampleRate']);
  });

  it.each(whole(/\.webm$/))('%s', async (name, { facts = {} }) => {
    const { webm } = await measure(name);
    const { width, height, videoCodec, audioCodec, audioChannels } = facts;
    expect(webm?.video).toMatchObject({ width, height, codec: `V_${videoCodec}`.toUpperCase() });
    near(webm?.durationSeconds, facts['durationSeconds'], 0.11);
    if (audioCodec !== undefined)
      expect(webm?.audio).toEqual({ codec: `A_${audioCodec}`.toUpperCase(), channels: audioChannels });
  });

  it.each(whole(/\.jpg$/))('%s', async (name, { facts = {} }) => {
    const { width, height, isMultiPicture } = facts;
    expect((await measure(name)).jpeg).toEqual({ width, height, multiPicture: isMultiPicture });
  });
});

it.each(named(/^cut/).filter(([name]) => !name.endsWith('.gif')))(
  '%s is seen to be cut off',
  async (name) => {
    const { jpeg, mp4, webm, isCutImage } = await measure(name);
    expect([jpeg, mp4, webm]).toEqual([undefined, undefined, undefined]);
    expect(isCutImage).toBe(/\.(png|webp)$/.test(name) ? true : undefined);
  },
);
