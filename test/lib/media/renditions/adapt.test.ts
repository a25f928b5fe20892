import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AskedShape, adaptContent, askedShapes } from '../../../../lib/media/renditions/adapt.ts';
import { maxHeicPixels, maxPixels, Recipe, renditionIdOf } from '../../../../lib/media/renditions/recipe.ts';
import { type Platform, platformNames } from '../../../../lib/platforms/contract/names.ts';
import type {
  DescribedMedia,
  PlatformRules,
  PublishableContent,
  RuleProblem,
} from '../../../../lib/platforms/contract/rules.ts';
import { rulesFor } from '../../../../lib/platforms/registry/rules.ts';

const mebibyte = 1_048_576;
const options: Partial<Record<Platform, Readonly<Record<string, string>>>> = {
  pinterest: { boardId: '1' },
  tiktok: { privacyLevel: 'SELF_ONLY' },
  youtube: { title: 'A title' },
};

const photo: DescribedMedia = {
  type: 'image',
  contentType: 'image/jpeg',
  sizeBytes: 3_000_000,
  widthPixels: 3_024,
  heightPixels: 4_032,
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
  framesPerSecond: 30,
  hasEditList: false,
  moovFirst: true,
  isFragmented: false,
};

async function rulesOf(platform: Platform): Promise<PlatformRules> {
  const rules = await rulesFor(platform);
  if (!rules) throw new Error(`${platform} has no rules`);
  return rules;
}

const contentOf = (
  platform: Platform,
  media: readonly DescribedMedia[],
  more: Partial<PublishableContent> = {},
): PublishableContent => ({ content: 'Hello', media, options: options[platform] ?? {}, ...more });

async function adapt(
  platform: Platform,
  media: readonly DescribedMedia[],
  asked: AskedShape = {},
  more: Partial<PublishableContent> = {},
) {
  const rules = await rulesOf(platform);
  const { content, adaptations } = adaptContent(rules, contentOf(platform, media, more), {
    media: media.map(() => asked),
    cover: asked,
  });
  return { content, adaptations, problems: rules.check(content), warnings: rules.warn?.(content) ?? [] };
}

const codesOf = (problems: readonly RuleProblem[]): string[] => problems.map(({ code }) => code).sort();

describe('a picture is made to fit', () => {
  it.each<[Platform, string, Partial<DescribedMedia>, AskedShape, string]>([
    ['tiktok', 'a photo of a phone', {}, {}, 'scaled to 1080 × 1440 pixels'],
    [
      'tiktok',
      'a PNG',
      { contentType: 'image/png' },
      {},
      'converted to JPEG and scaled to 1080 × 1440 pixels',
    ],
    [
      'instagram',
      'a square WebP',
      { contentType: 'image/webp', heightPixels: 3_024 },
      {},
      'converted to JPEG',
    ],
    ['facebook', 'HEIC', { contentType: 'image/heic' }, {}, 'converted to JPEG'],
    ['linkedin', 'AVIF', { contentType: 'image/avif' }, {}, 'converted to JPEG'],
    [
      'instagram',
      'a photo of a phone, padded',
      {},
      { fit: 'pad' },
      'padded with #ffffff to 3226 × 4032 pixels',
    ],
    [
      'instagram',
      'a photo of a phone, padded in another color',
      {},
      { fit: 'pad', padColor: '#1A2B3C' },
      'padded with #1a2b3c to 3226 × 4032 pixels',
    ],
    ['instagram', 'a photo of a phone, cropped', {}, { fit: 'crop' }, 'cropped to 3024 × 3780 pixels'],
    [
      'instagram',
      'a panorama, cropped',
      { heightPixels: 500 },
      { fit: 'crop' },
      'cropped to 955 × 500 pixels',
    ],
    [
      'instagram',
      'a ratio that is outside because pixels are whole numbers',
      { widthPixels: 326, heightPixels: 408 },
      {},
      'scaled to 326 × 407 pixels',
    ],
    ['threads', 'a JPEG with too many bytes', { sizeBytes: 9 * mebibyte }, {}, 'compressed to at most 8 MiB'],
    [
      'facebook',
      'a JPEG with more bytes than Facebook takes for certain',
      { sizeBytes: 6 * mebibyte },
      {},
      'compressed to at most 4 MiB',
    ],
    [
      'threads',
      'a picture that would need too few bytes for each pixel',
      { sizeBytes: 29 * mebibyte, widthPixels: 12_000, heightPixels: 9_000 },
      {},
      'scaled to 8635 × 6476 pixels and compressed to at most 8 MiB',
    ],
    [
      'linkedin',
      'more pixels than LinkedIn takes',
      { widthPixels: 8_000, heightPixels: 6_000 },
      {},
      'scaled to 6942 × 5207 pixels',
    ],
    [
      'instagram',
      'a JPEG for printers',
      { heightPixels: 3_024, colorModel: 'cmyk' },
      {},
      'converted to sRGB',
    ],
    [
      'instagram',
      'a JPEG with several pictures',
      { heightPixels: 3_024, isMultiPicture: true },
      {},
      'saved as a JPEG with one picture',
    ],
    [
      'instagram',
      'a transparent PNG',
      { contentType: 'image/png', heightPixels: 3_024, hasAlpha: true },
      {},
      'converted to JPEG, with #ffffff behind transparent parts',
    ],
    [
      'threads',
      'a transparent WebP, with another color',
      { contentType: 'image/webp', hasAlpha: true },
      { padColor: '#000000' },
      'converted to JPEG, with #000000 behind transparent parts',
    ],
  ])('%s, %s', async (platform, _name, changes, asked, message) => {
    const { adaptations, problems, warnings } = await adapt(platform, [{ ...photo, ...changes }], asked);
    expect(adaptations).toMatchObject([{ field: 'mediaItems[0]', message }]);
    expect(Recipe.parse(adaptations[0]?.recipe)).toEqual(adaptations[0]?.recipe);
    expect([...problems, ...warnings]).toEqual([]);
  });

  it('with the focal point only if it is cropped, so that equal pictures are made once', async () => {
    const focalPoint = { x: 0.2, y: 0.3 };
    const crop = await adapt('instagram', [photo], { fit: 'crop', focalPoint, padColor: '#000000' });
    expect(crop.adaptations[0]?.recipe).toEqual({
      kind: 'image',
      contentType: 'image/jpeg',
      widthPixels: 3_024,
      heightPixels: 3_780,
      maxBytes: 8 * mebibyte,
      fit: 'crop',
      background: '#ffffff',
      focalPoint,
    });
    const pad = await adapt('instagram', [photo], { fit: 'pad', focalPoint });
    expect(pad.adaptations[0]?.recipe).not.toHaveProperty('focalPoint');
  });

  it('once for all platforms that take the same size', async () => {
    const recipesOf = async (platforms: readonly Platform[], file: DescribedMedia) => {
      const found = await Promise.all(platforms.map((platform) => adapt(platform, [file])));
      return found.flatMap(({ adaptations }) => adaptations.map(({ recipe }) => renditionIdOf(recipe)));
    };
    const small = { ...photo, contentType: 'image/heic', widthPixels: 1_080, heightPixels: 1_350 };
    const images = await recipesOf(
      ['instagram', 'threads', 'facebook', 'pinterest', 'tiktok', 'linkedin'],
      small,
    );
    expect([images.length, new Set(images).size]).toEqual([6, 1]);
    const videos = await recipesOf(['instagram', 'threads', 'tiktok', 'linkedin'], {
      ...video,
      contentType: 'video/matroska',
    });
    expect([videos.length, new Set(videos).size]).toEqual([4, 1]);
  });

  it('covers too', async () => {
    const cover = { ...photo, contentType: 'image/webp' };
    const found = await adapt('pinterest', [video], {}, { cover });
    expect(found.adaptations).toMatchObject([{ field: 'coverUrl', changes: ['format'] }]);
    expect(found.problems).toEqual([]);
  });

  it('says which renditions are only advised: the original may go instead', async () => {
    const isOptional = async (platform: Platform, changes: Partial<DescribedMedia>) =>
      (await adapt(platform, [{ ...photo, ...changes }])).adaptations.map((found) => found.isOptional);
    expect(await isOptional('facebook', { sizeBytes: 6 * mebibyte })).toEqual([true]);
    expect(await isOptional('facebook', { sizeBytes: 11 * mebibyte })).toEqual([false]);
    expect(await isOptional('instagram', { widthPixels: 326, heightPixels: 408 })).toEqual([true]);
    expect(await isOptional('tiktok', { widthPixels: 1_081, heightPixels: 1_081 })).toEqual([false]);
  });
});

describe('a picture stays as it is', () => {
  it.each<[Platform, string, Partial<DescribedMedia>, AskedShape]>([
    ['instagram', 'if it fits', { heightPixels: 3_024 }, { fit: 'pad' }],
    ['linkedin', 'if it fits, whatever shape is asked for', {}, { fit: 'crop' }],
    ['tiktok', 'if it is a WebP, which TikTok takes', { contentType: 'image/webp', widthPixels: 1_080 }, {}],
  ])('%s, %s', async (platform, _name, changes, asked) => {
    const found = await adapt(platform, [{ ...photo, ...changes }], asked);
    expect(found.adaptations).toEqual([]);
    expect(found.problems).toEqual([]);
  });

  it.each<[Platform, string, Partial<DescribedMedia>, AskedShape, string[]]>([
    [
      'instagram',
      'an animated GIF',
      { contentType: 'image/gif', isAnimated: true },
      {},
      ['media_ratio', 'media_type'],
    ],
    [
      'instagram',
      'a GIF that was not inspected',
      { contentType: 'image/gif', heightPixels: 3_024 },
      {},
      ['media_type'],
    ],
    ['facebook', 'an animated WebP', { contentType: 'image/webp', isAnimated: true }, {}, ['media_type']],
    [
      'instagram',
      'a document',
      { contentType: 'application/pdf' },
      { fit: 'pad' },
      ['media_ratio', 'media_type'],
    ],
    ['instagram', 'a shape for which nothing was asked', {}, {}, ['media_ratio']],
    [
      'linkedin',
      'more pixels than Herald renders',
      { widthPixels: 11_000, heightPixels: 10_001 },
      {},
      ['media_resolution'],
    ],
    [
      'linkedin',
      'a HEIC of more pixels than Herald decodes',
      { contentType: 'image/heic', widthPixels: 8_001, heightPixels: 8_000 },
      {},
      ['media_resolution', 'media_type'],
    ],
  ])('and is refused: %s, %s', async (platform, _name, changes, asked, codes) => {
    const found = await adapt(platform, [{ ...photo, ...changes }], asked);
    expect(found.adaptations).toEqual([]);
    expect(codesOf(found.problems)).toEqual(codes);
  });

  it('and the error about its shape names fit, and nothing that will be repaired', async () => {
    const { problems, adaptations } = await adapt('instagram', [{ ...photo, contentType: 'image/heic' }]);
    expect(problems.map(({ message }) => message)).toEqual([
      'an image must have a width-to-height ratio from 0.8 to 1.91; set fit to pad or crop',
    ]);
    expect(adaptations).toMatchObject([{ message: 'converted to JPEG' }]);
  });

  it('if nothing is known about it', async () => {
    const found = await adapt('instagram', [{ type: 'image' }], { fit: 'pad' });
    expect(found).toMatchObject({ adaptations: [], problems: [], content: { media: [{ type: 'image' }] } });
  });

  it('if it was not measured, but is refused only once it has arrived', async () => {
    const unmeasured = { type: 'image', contentType: 'image/png' } as const;
    expect(codesOf((await adapt('instagram', [unmeasured])).problems)).toEqual(['media_type']);
    const awaited = await adapt('instagram', [{ ...unmeasured, isAwaited: true }]);
    expect(awaited).toMatchObject({ adaptations: [], problems: [] });
  });
});

describe('the shape that counts is the one asked for', () => {
  const [own, other] = [
    { fit: 'crop', padColor: '#111111' },
    { fit: 'pad', focalPoint: { x: 0, y: 0 } },
  ] as const;

  it('at an item of customMedia, then at the destination', () => {
    expect(askedShapes({ ...other, mediaItems: [] }, [own, {}])).toEqual({
      media: [{ ...own, focalPoint: { x: 0, y: 0 } }, other],
      cover: other,
    });
  });

  it("at the destination, then at an item of the post's media", () => {
    expect(askedShapes(other, [own])).toEqual({ media: [{ ...other, padColor: '#111111' }], cover: other });
    expect(askedShapes({}, [own])).toEqual({ media: [own], cover: {} });
  });
});

describe('pictures of a carousel of Pinterest get the same size', () => {
  const sizes = async (media: readonly (readonly [number, number])[], asked: AskedShape = {}) => {
    const files = media.map(([widthPixels, heightPixels]) => ({ ...photo, widthPixels, heightPixels }));
    const { content, problems } = await adapt('pinterest', files, asked);
    return problems.length > 0
      ? codesOf(problems)
      : content.media.map(({ widthPixels, heightPixels }) => [widthPixels, heightPixels]);
  };

  it('that of the smallest, if they have the same shape', async () => {
    expect(
      await sizes([
        [4_000, 3_000],
        [1_600, 1_200],
      ]),
    ).toEqual([
      [1_600, 1_200],
      [1_600, 1_200],
    ]);
    expect(
      await sizes([
        [1_000, 750],
        [4_001, 3_000],
      ]),
    ).toEqual([
      [1_000, 750],
      [1_000, 750],
    ]);
  });

  it('the shape of the first, if their author says how', async () => {
    const shapes = [
      [1_000, 1_500],
      [1_500, 1_000],
      [2_000, 3_000],
    ] as const;
    expect(await sizes(shapes)).toEqual(['media_resolution']);
    expect(await sizes(shapes, { fit: 'pad' })).toEqual([
      [1_000, 1_500],
      [1_000, 1_500],
      [1_000, 1_500],
    ]);
    expect(await sizes(shapes, { fit: 'crop' })).toEqual([
      [666, 1_000],
      [666, 1_000],
      [666, 1_000],
    ]);
  });

  it('but none is made tiny because another one is', async () => {
    expect(
      await sizes([
        [4_000, 3_000],
        [400, 300],
      ]),
    ).toEqual(['media_resolution']);
  });
});

describe('a video is repackaged', () => {
  it.each<[Platform, string, Partial<DescribedMedia>, string, boolean]>([
    ['linkedin', 'QuickTime', { contentType: 'video/quicktime' }, 'repackaged as MP4', false],
    [
      'linkedin',
      'WebM with VP9',
      { contentType: 'video/webm', videoCodec: 'vp9', audioCodec: 'opus' },
      'repackaged as MP4',
      false,
    ],
    ['instagram', 'Matroska with H.264', { contentType: 'video/x-matroska' }, 'repackaged as MP4', false],
    [
      'tiktok',
      'Matroska with VP8, which MP4 cannot have',
      { contentType: 'video/x-matroska', videoCodec: 'vp8', audioCodec: 'vorbis' },
      'repackaged as WebM',
      false,
    ],
    ['instagram', 'the index at the end', { moovFirst: false }, 'its index moved to the front', true],
    [
      'threads',
      'an edit list in QuickTime',
      { contentType: 'video/quicktime', hasEditList: true, moovFirst: false },
      'repackaged as MP4, its index moved to the front, and its edit list resolved',
      true,
    ],
    ['instagram', 'fragments', { isFragmented: true }, 'its fragments joined', true],
  ])('%s, %s', async (platform, _name, changes, message, isOptional) => {
    const { adaptations, problems, warnings } = await adapt(platform, [{ ...video, ...changes }]);
    expect(adaptations).toMatchObject([
      { message: `${message}, without encoding it again`, isOptional, recipe: { kind: 'video' } },
    ]);
    expect([...problems, ...warnings]).toEqual([]);
  });

  it.each<[Platform, string, Partial<DescribedMedia>, string[]]>([
    ['tiktok', 'fits', { moovFirst: false, hasEditList: true, isFragmented: true }, []],
    [
      'youtube',
      'fits: YouTube takes every container',
      { contentType: 'video/x-matroska', videoCodec: 'prores' },
      [],
    ],
    [
      'linkedin',
      'has a codec that MP4 cannot have',
      { contentType: 'video/quicktime', videoCodec: 'prores' },
      ['media_type'],
    ],
    [
      'linkedin',
      'has sound that MP4 cannot have',
      { contentType: 'video/webm', videoCodec: 'vp9', audioCodec: 'vorbis' },
      ['media_type'],
    ],
    [
      'instagram',
      'has sound that was not measured',
      { contentType: 'video/x-matroska', unknown: ['audioCodec'] },
      ['media_type'],
    ],
  ])('but not if it %s %s', async (platform, _name, changes, codes) => {
    const { adaptations, problems } = await adapt(platform, [{ ...video, ...changes }]);
    expect(adaptations).toEqual([]);
    expect(codesOf(problems)).toEqual(codes);
  });

  it('once it has arrived, if its type does not rule that out', async () => {
    const check = async (platform: Platform, contentType: string) =>
      codesOf((await adapt(platform, [{ type: 'video', contentType, isAwaited: true }])).problems);
    expect(await check('linkedin', 'video/quicktime')).toEqual([]);
    expect(await check('linkedin', 'video/webm')).toEqual([]);
    expect(await check('instagram', 'video/x-matroska')).toEqual([]);
    expect(await check('instagram', 'video/webm')).toEqual(['media_type']);
  });
});

const side = fc.oneof(fc.integer({ min: 1, max: 1_200 }), fc.integer({ min: 1, max: 20_000 }));
const anyPicture = fc.record({
  type: fc.constant('image' as const),
  contentType: fc.constantFrom(
    'image/jpeg',
    'image/png',
    'image/webp',
    'image/gif',
    'image/heic',
    'image/avif',
  ),
  sizeBytes: fc.integer({ min: 100, max: 30 * mebibyte }),
  widthPixels: side,
  heightPixels: side,
  isAnimated: fc.constant(false),
  hasAlpha: fc.boolean(),
  isMultiPicture: fc.boolean(),
});
const picture = anyPicture.filter(
  ({ contentType, widthPixels, heightPixels }) =>
    widthPixels * heightPixels <= (contentType === 'image/heic' ? maxHeicPixels : maxPixels),
);
const film = fc.record({
  type: fc.constant('video' as const),
  contentType: fc.constantFrom('video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska'),
  sizeBytes: fc.integer({ min: 100, max: 1_000 * mebibyte }),
  widthPixels: fc.integer({ min: 100, max: 5_000 }),
  heightPixels: fc.integer({ min: 100, max: 5_000 }),
  durationSeconds: fc.integer({ min: 1, max: 1_000 }),
  videoCodec: fc.constantFrom('h264', 'hevc', 'vp8', 'vp9', 'av1', 'prores'),
  audioCodec: fc.constantFrom('aac', 'mp3', 'opus', 'vorbis', 'pcm-s16'),
  framesPerSecond: fc.constantFrom(15, 25, 30, 120),
  hasEditList: fc.boolean(),
  moovFirst: fc.boolean(),
  isFragmented: fc.boolean(),
});
const shape = fc.record(
  {
    fit: fc.constantFrom('pad' as const, 'crop' as const),
    padColor: fc.constantFrom('#000000', '#FFffff'),
    focalPoint: fc.constant({ x: 0, y: 1 }),
  },
  { requiredKeys: [] },
);
const image = fc.constantFrom(...platformNames.filter((platform) => platform !== 'youtube'));

describe('for any file', () => {
  it('a picture that is planned can be made: its bars do not give it more pixels than Herald renders', async () => {
    const small = { ...photo, sizeBytes: 700_000 };
    await fc.assert(
      fc.asyncProperty(
        image,
        fc.constantFrom('pad' as const, 'crop' as const),
        fc.integer({ min: 1, max: 1_500 }),
        fc.integer({ min: 1, max: 60_000 }),
        fc.boolean(),
        async (platform, fit, short, long, isWide) => {
          const [widthPixels, heightPixels] = isWide ? [long, short] : [short, long];
          const { adaptations } = await adapt(platform, [{ ...small, widthPixels, heightPixels }], {
            fit,
          });
          for (const { widthPixels: width = 0, heightPixels: height = 0 } of adaptations)
            expect(width * height).toBeLessThanOrEqual(maxPixels);
        },
      ),
    );
  });

  it('an adapted picture meets the limits for type, pixels, bytes and, if its shape may change, ratio', async () => {
    await fc.assert(
      fc.asyncProperty(image, picture, shape, async (platform, file, asked) => {
        const { content, problems } = await adapt(platform, [file], asked);
        // A picture of some pixels can have no other shape, and none gets another one unasked.
        const isTiny = Math.min(file.widthPixels, file.heightPixels) < 20;
        const codes = codesOf(problems).filter((code) => code !== 'media_ratio' || (asked.fit && !isTiny));
        expect(
          isTiny ? codes.filter((code) => code !== 'media_type' && code !== 'media_too_large') : codes,
        ).toEqual([]);
        expect((content.media[0]?.widthPixels ?? 0) * (content.media[0]?.heightPixels ?? 0)).toBeGreaterThan(
          0,
        );
      }),
    );
  });

  it('adapting what was adapted changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...platformNames),
        fc.array(fc.oneof(picture, film), { minLength: 1, maxLength: 4 }),
        shape,
        async (platform, files, asked) => {
          const { content } = await adapt(platform, files, asked);
          const again = await adapt(platform, content.media, asked);
          expect(again).toMatchObject({ adaptations: [], content });
        },
      ),
    );
  });

  it('a file without a problem or a warning stays as it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...platformNames),
        fc.oneof(picture, film),
        shape,
        async (platform, file, asked) => {
          const rules = await rulesOf(platform);
          const content = contentOf(platform, [file]);
          const found = [...rules.check(content), ...(rules.warn?.(content) ?? [])];
          const { adaptations } = await adapt(platform, [file], asked);
          if (found.length === 0) expect(adaptations).toEqual([]);
        },
      ),
    );
  });

  it('a picture is never made larger than it is, and only bars make it wider or taller', async () => {
    await fc.assert(
      fc.asyncProperty(image, picture, shape, async (platform, file, asked) => {
        const { adaptations } = await adapt(platform, [file], asked);
        for (const { recipe } of adaptations) {
          if (recipe.kind !== 'image') throw new Error('a picture became a video');
          const [across, down] = [
            recipe.widthPixels / file.widthPixels,
            recipe.heightPixels / file.heightPixels,
          ];
          if (recipe.fit === 'pad') expect(Math.min(across, down)).toBeLessThanOrEqual(1);
          else expect(Math.max(across, down)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('a repackaged video has the container and the index that the platform wants', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...platformNames), film, async (platform, file) => {
        const { adaptations, content, problems, warnings } = await adapt(platform, [file]);
        if (adaptations.length === 0) return;
        expect(codesOf([...problems, ...warnings])).not.toContain('media_type');
        expect(codesOf(warnings)).not.toContain('media_structure');
        expect(content.media[0]).toMatchObject({ videoCodec: file.videoCodec, sizeBytes: file.sizeBytes });
      }),
    );
  });
});
