import { describe, expect, it } from 'vitest';
import { refusedTypeNameOf } from '../../../lib/media/types.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import {
  corpus,
  corpusNames,
  corpusSizes,
  describeCorpusFile,
  inspectCorpusFile,
  outcomeOf,
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
  it.each(fit)('%s', async (name, { platforms, adapted }) => {
    const verdict = platforms[platform] ?? 'taken';
    const expected = { verdict, ...(adapted[platform] && { adapted: adapted[platform] }) };
    expect(await outcomeOf(platform, await describeCorpusFile(name))).toEqual(expected);
  });

  it('takes pictures of other shapes if their author says how, and changes no others', async () => {
    for (const [name, { adapted, fitted }] of fit.filter(([each]) => !isVideo(each)))
      for (const fit of ['pad', 'crop'] as const) {
        const outcome = await outcomeOf(platform, await describeCorpusFile(name), { fit });
        expect(outcome.adapted, `${name}, ${fit}`).toBe(fitted[platform] ?? adapted[platform]);
      }
  });
});

const isVideo = (name: string): boolean => /\.(mp4|mov|webm|mkv)$/.test(name);

describe('a reel of Facebook', () => {
  const videos = fit.filter(([name]) => isVideo(name));
  it.each(videos)('%s', async (name, { facebookReel = 'taken', adaptedFacebookReel }) => {
    const outcome = await outcomeOf('facebook', await describeCorpusFile(name), {}, { contentType: 'reel' });
    expect(outcome).toEqual({
      verdict: facebookReel,
      ...(adaptedFacebookReel && { adapted: adaptedFacebookReel }),
    });
  });
});

describe('a format that only Herald reads is made to fit every platform', () => {
  const picture = { type: 'image', sizeBytes: 40_000, widthPixels: 1_080, heightPixels: 1_350 } as const;
  const images = platformNames.filter((platform) => platform !== 'youtube');
  it.each(['image/heic', 'image/heif', 'image/avif'])('%s', async (contentType) => {
    for (const platform of images) {
      const { verdict, adapted } = await outcomeOf(platform, { ...picture, contentType });
      expect([platform, verdict, adapted]).toEqual([platform, 'refused media_type', 'format']);
    }
  });

  it('Matroska with H.264 and AAC', async () => {
    const upright = await describeCorpusFile('advised.mp4');
    const plain = { ...upright, widthPixels: 960, heightPixels: 540 };
    for (const platform of images) {
      const file = { ...plain, contentType: 'video/x-matroska', moovFirst: true };
      const { verdict, adapted } = await outcomeOf(platform, file);
      expect([platform, verdict, adapted]).toEqual([platform, 'refused media_type', 'container']);
    }
    const youtube = await outcomeOf('youtube', { ...plain, contentType: 'video/x-matroska' });
    expect(youtube).toEqual({ verdict: 'taken' });
  });
});

it('of the files and platforms, this many go live as they are, adapted, and not at all', () => {
  const pairs = fit.flatMap(([, { platforms, adapted, fitted }]) =>
    platformNames.map((platform) => ({
      before: platforms[platform] ?? 'taken',
      after: adapted[platform] ?? platforms[platform] ?? 'taken',
      asked: fitted[platform] ?? adapted[platform] ?? platforms[platform] ?? 'taken',
    })),
  );
  const count = (of: 'before' | 'after' | 'asked') => {
    const kinds = pairs.map(({ [of]: outcome }) =>
      /refused/.test(outcome) ? 'refused' : /^(taken|warned)/.test(outcome) ? 'asIs' : 'adapted',
    );
    return Object.fromEntries(
      ['asIs', 'adapted', 'refused'].map((kind) => [kind, kinds.filter((each) => each === kind).length]),
    );
  };
  expect(count('before')).toEqual({ asIs: 355, adapted: 0, refused: 212 });
  expect(count('after')).toEqual({ asIs: 331, adapted: 86, refused: 150 });
  expect(count('asked')).toEqual({ asIs: 331, adapted: 93, refused: 143 });
});
