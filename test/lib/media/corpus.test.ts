import { describe, expect, it } from 'vitest';
import { refusedTypeNameOf } from '../../../lib/media/types.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import {
  corpus,
  corpusNames,
  corpusSizes,
  inspectCorpusFile,
  verdictOf,
} from '../../support/media-corpus.ts';

const files = Object.entries(corpus.files);
const fit = files.filter(([, { refused }]) => refused === undefined);

it('the table has each file of the corpus, and no other', () => {
  expect(Object.keys(corpus.files).sort()).toEqual([...corpusNames].sort());
});

it('the files have at most 100 kB each and 6 MB together', () => {
  expect(Math.max(...corpusSizes)).toBeLessThanOrEqual(100_000);
  expect(corpusSizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(6_000_000);
});

it('each platform that refuses or warns names its source', () => {
  for (const [name, { platforms }] of files)
    for (const [platform, verdict] of Object.entries(platforms))
      for (const code of verdict.split(' ').slice(1)) {
        const sources = corpus.sources[platform as keyof typeof corpus.sources];
        expect(sources[code] ?? sources['*'], `${platform}, ${name}: ${code}`).toMatch(/^https:/);
      }
});

describe('the probe measures what other programs measure', () => {
  it.each(fit)('of %s', async (name, { facts = {} }) => {
    const found = await inspectCorpusFile(name);
    const { durationMs, frameRate, ...probe } = (found.state === 'fit' && found.probe) || {};
    const { durationSeconds, frameRate: rate, ...others } = facts;
    expect(found).toMatchObject({ state: 'fit' });
    expect(probe).toMatchObject(others);
    // Programs count the last frame and the padding of the sound differently.
    if (durationSeconds !== undefined)
      expect(Math.abs((durationMs ?? 0) / 1_000 - Number(durationSeconds))).toBeLessThan(0.11);
    if (rate !== undefined) expect(Math.abs((frameRate ?? 0) - Number(rate))).toBeLessThan(0.2);
  });

  it('and leaves nothing unmeasured, except what only a frame of ProRes or MPEG-4 Part 2 tells', async () => {
    for (const [name] of fit) {
      const found = await inspectCorpusFile(name);
      const expected = /^(prores|mpeg-4)\./.test(name) ? ['chroma', 'scan'] : undefined;
      expect(found.state === 'fit' && found.probe?.unknown, name).toEqual(expected);
    }
  });
});

describe('an upload is refused', () => {
  it.each(files.filter(([, { refused }]) => refused !== undefined))('of %s', async (name, { refused }) => {
    expect(await inspectCorpusFile(name)).toEqual({
      state: 'unfit',
      reason: expect.stringContaining(refused ?? ''),
    });
  });

  it('by name before a byte is sent, if the name says that it is of another type', () => {
    const names = corpusNames.filter((name) => /\.(avi|bmp|tiff)$/.test(name));
    expect(names.map(refusedTypeNameOf)).not.toContain(undefined);
    expect(names.length).toBe(3);
  });
});

describe.each(platformNames)('%s', (platform) => {
  it.each(fit)('%s', async (name, { platforms }) => {
    expect(await verdictOf(platform, name)).toBe(platforms[platform] ?? 'taken');
  });
});

describe('a reel of Facebook', () => {
  const videos = fit.filter(([name]) => /\.(mp4|mov|webm|mkv)$/.test(name));
  it.each(videos)('%s', async (name, { facebookReel }) => {
    expect(await verdictOf('facebook', name, { contentType: 'reel' })).toBe(facebookReel ?? 'taken');
  });
});
