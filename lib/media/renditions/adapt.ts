import type { ContentLimits, FileLimits, Range } from '../../platforms/contract/file-limits.ts';
import {
  type DescribedMedia,
  optionField,
  type PlatformRules,
  type PublishableContent,
} from '../../platforms/contract/rules.ts';
import { mp4Codecs } from '../../platforms/shared/ffmpeg.ts';
import { fileProblems, ratioOf } from '../../platforms/shared/media-rules.ts';
import { isDocumentType, largestImageBytes } from '../types.ts';
import {
  type Fit,
  type FocalPoint,
  type ImageRecipe,
  maxHeicPixels,
  maxPixels,
  type Recipe,
} from './recipe.ts';

/** The change of shape that an author asks for. Nothing else about a picture needs their word. */
export interface AskedShape {
  readonly fit?: Fit | undefined;
  readonly padColor?: string | undefined;
  readonly focalPoint?: FocalPoint | undefined;
}

/** The asked shapes of a destination's files. */
export interface AskedShapes {
  readonly media: readonly AskedShape[];
  /** Those of each part of a thread after the first. */
  readonly thread?: readonly (readonly AskedShape[])[];
  readonly cover: AskedShape;
}

/**
 * Returns the asked shapes of a destination's files: what an item of its own media asks for, then what the destination asks for,
 * then what an item of the post's media asks for. The files of a thread's further parts count as the destination's own. Its cover is the post's, so only the destination says how to shape it.
 *
 * @param destination `mediaItems` is present if the destination has media of its own
 * @param references the files that the destination publishes
 */
export function askedShapes(
  destination: AskedShape & {
    readonly mediaItems?: unknown;
    readonly thread?: readonly { readonly mediaItems: readonly AskedShape[] }[] | undefined;
  },
  references: readonly AskedShape[],
): AskedShapes {
  const cover = shapeOf(destination);
  const media = references.map((reference) =>
    destination.mediaItems === undefined
      ? { ...shapeOf(reference), ...cover }
      : { ...cover, ...shapeOf(reference) },
  );
  const thread = destination.thread?.map(({ mediaItems }) =>
    mediaItems.map((reference) => ({ ...cover, ...shapeOf(reference) })),
  );
  return { media, ...(thread && { thread }), cover };
}

/** Returns the name of a file of a thread inside the destination. @param part counted from 0, after the first one */
export const threadFileField = (part: number, file: number): string =>
  optionField(['thread', part, 'mediaItems', file]);

/** Returns the fields that say how to change a file's shape, if present. */
export const shapeOf = ({ fit, padColor, focalPoint }: AskedShape) => ({
  ...(fit !== undefined && { fit }),
  ...(padColor !== undefined && { padColor }),
  ...(focalPoint !== undefined && { focalPoint }),
});

/** The parts of a file that an adaptation changes. */
export const adaptationChanges = [
  'format',
  'colors',
  'shape',
  'pixels',
  'bytes',
  'container',
  'index',
] as const;
export type AdaptationChange = (typeof adaptationChanges)[number];

/** A file that a destination gets in another form. */
export interface Adaptation {
  /** `mediaItems[0]`, `platformSpecificData.thread[0].mediaItems[0]` or `coverUrl`: a field inside the destination, as rules name it. */
  readonly field: string;
  readonly changes: readonly AdaptationChange[];
  /** A sentence for people, such as `converted to JPEG and scaled to 1080 × 1350 pixels`. */
  readonly message: string;
  readonly recipe: Recipe;
  /** Its size afterwards; absent if a video's is unknown. */
  readonly widthPixels?: number;
  readonly heightPixels?: number;
  /** True if the platform takes the original too, although it advises against it. The original can go if this cannot be made. */
  readonly isOptional: boolean;
}

/** A content with its files as a platform takes them. */
export interface AdaptedContent {
  readonly content: PublishableContent;
  readonly adaptations: readonly Adaptation[];
}

/**
 * Returns the content as it will be after the files were made to fit the platform, as far as that changes nothing that people see
 * or hear, and the recipes for that. Rules are checked against this content. A file of which too little is known stays as it is.
 *
 * @param asked the asked shapes of the media, in their order, and of the cover
 */
export function adaptContent(
  rules: Pick<PlatformRules, 'fileLimits'>,
  content: PublishableContent,
  asked: Omit<AskedShapes, 'cover'> & { readonly cover?: AskedShape | undefined },
): AdaptedContent {
  const limits = rules.fileLimits?.(content);
  if (!limits) return { content, adaptations: [] };
  const media = adaptMedia(content.media, limits, asked.media);
  const thread = (content.thread ?? []).map((part, index) =>
    adaptMedia(part.media, { media: limits.thread?.[index] ?? [] }, asked.thread?.[index] ?? []),
  );
  const cover = content.cover && limits.cover && adaptFile(content.cover, limits.cover, asked.cover ?? {});
  return {
    content: {
      ...content,
      media: content.media.map((file, index) => media[index]?.file ?? file),
      ...(content.thread && {
        thread: content.thread.map((part, index) => ({
          ...part,
          media: part.media.map((file, place) => thread[index]?.[place]?.file ?? file),
        })),
      }),
      ...(cover && { cover: cover.file }),
    },
    adaptations: [
      ...media.flatMap((adapted, index) =>
        adapted?.made ? [{ field: `mediaItems[${index}]`, ...adapted.made }] : [],
      ),
      ...thread.flatMap((files, index) =>
        files.flatMap((adapted, place) =>
          adapted?.made ? [{ field: threadFileField(index, place), ...adapted.made }] : [],
        ),
      ),
      ...(cover?.made ? [{ field: 'coverUrl', ...cover.made }] : []),
    ],
  };
}

/** A file afterwards. */
interface AdaptedFile {
  readonly file: DescribedMedia;
  /** Absent if the file has not arrived, and can be made to fit once it has. */
  readonly made?: Omit<Adaptation, 'field'>;
}

function adaptMedia(
  files: readonly DescribedMedia[],
  { media, isSameSize }: ContentLimits,
  asked: readonly AskedShape[],
): (AdaptedFile | undefined)[] {
  const plans = files.map((file, index) => planPicture(file, media[index], asked[index] ?? {}));
  const sized = isSameSize ? toSameSize(plans) : plans;
  return files.map((file, index) => {
    const plan = sized[index];
    if (plan) return adaptPicture(plan);
    const limits = media[index];
    return limits && adaptUnplanned(file, limits);
  });
}

function adaptFile(file: DescribedMedia, limits: FileLimits, asked: AskedShape): AdaptedFile | undefined {
  const plan = planPicture(file, limits, asked);
  return plan ? adaptPicture(plan) : adaptUnplanned(file, limits);
}

function adaptUnplanned(file: DescribedMedia, limits: FileLimits): AdaptedFile | undefined {
  return file.type === 'video' ? adaptVideo(file, limits) : awaitedPicture(file, limits);
}

const isTaken = ({ contentType = '' }: DescribedMedia, { contentTypes }: FileLimits): boolean =>
  contentTypes?.includes(contentType.toLowerCase()) ?? true;

/** True for a picture with one frame. Of a GIF that was not inspected, that is not known. */
function isStill({ contentType = '', isAnimated }: DescribedMedia): boolean {
  return contentType === 'image/gif' ? isAnimated === false : !isAnimated;
}

/** True for a picture that a rendition can be made of. */
function isRenderable(file: DescribedMedia): boolean {
  const { type, contentType, widthPixels = 0, heightPixels = 0 } = file;
  if (type !== 'image' || contentType === undefined || isDocumentType(contentType)) return false;
  const isHeic = contentType === 'image/heic' || contentType === 'image/heif';
  return widthPixels * heightPixels <= (isHeic ? maxHeicPixels : maxPixels) && isStill(file);
}

/** Returns a picture that has not arrived, of a type that will be converted once it has. */
function awaitedPicture(file: DescribedMedia, limits: FileLimits): AdaptedFile | undefined {
  if (!file.isAwaited || !isRenderable(file) || isTaken(file, limits)) return undefined;
  return { file: { ...file, contentType: 'image/jpeg' } };
}

/** The form that a picture gets. */
interface PicturePlan {
  readonly file: DescribedMedia;
  readonly limits: FileLimits;
  readonly asked: AskedShape;
  readonly width: number;
  readonly height: number;
  /** Present if its shape changes. */
  readonly fit?: Fit;
  /** True if another picture determines its size. */
  readonly isSameSize?: true;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Plans the size and shape of a picture; `undefined` for any other file, and if too little is known. Pure. */
function planPicture(
  file: DescribedMedia,
  limits: FileLimits | undefined,
  asked: AskedShape,
): PicturePlan | undefined {
  const { widthPixels: width, heightPixels: height } = file;
  if (!limits || !width || !height || !isRenderable(file)) return undefined;
  const { ratio } = limits;
  const isOutside = ratio !== undefined && ratioOf(width, height, ratio) === 'outside';
  const fit = isOutside ? asked.fit : undefined;
  const canvas = fit && ratio ? shaped({ width, height }, ratio, fit) : { width, height };
  const scaled = scaledDown(canvas, limits, largestArea(file, limits, fit));
  const keepsShape = isOutside && !fit;
  const size = ratio && !keepsShape ? strictly(scaled, ratio) : scaled;
  // A picture of very few pixels has no such size.
  if (ratio && !keepsShape && ratioOf(size.width, size.height, ratio) !== 'within') return undefined;
  return { file, limits, asked, ...size, ...(fit && { fit }) };
}

/** Returns the smallest canvas around a picture, or the largest part of it, with the nearest ratio that is allowed. */
function shaped({ width, height }: Size, { min, max }: Range, fit: Fit): Size {
  const isTall = width / height < min;
  if (fit === 'pad')
    return isTall ? { width: Math.ceil(height * min), height } : { width, height: Math.ceil(width / max) };
  return isTall ? { width, height: Math.floor(width / min) } : { width: Math.floor(height * max), height };
}

/**
 * The fewest bytes per pixel of a JPEG that looks as the original does. Our judgement: photos take 0.1 to 0.3 at the usual quality.
 * A picture that must have fewer bytes has fewer pixels, too.
 */
const leastBytesPerPixel = 0.15;

/**
 * Returns the number of pixels from which a picture would need too few bytes for each. A picture that stays as it is has no limit. One
 * that gets bars may have many times its own pixels.
 */
function largestArea(file: DescribedMedia, limits: FileLimits, fit: Fit | undefined): number {
  const isEncoded = fit !== undefined || !isTaken(file, limits) || hasTooManyBytes(file, limits);
  return isEncoded ? bytesOf(limits) / leastBytesPerPixel : Number.POSITIVE_INFINITY;
}

/** Returns the most bytes that a picture may have. A rendition is never larger than an upload. */
const bytesOf = ({ bytes, advice }: FileLimits): number =>
  Math.min(bytes, advice?.bytes ?? bytes, largestImageBytes);

/** Facebook's advice, which is the lowest limit of all platforms. */
const leastLimitBytes = 4 * 1_048_576;

/**
 * Returns more bytes than a JPEG of this many pixels has at the best quality that is tried. Platforms whose limits are above that
 * share a rendition.
 */
const ampleBytes = (pixels: number): number => Math.max(leastLimitBytes, pixels);

const hasTooManyBytes = ({ sizeBytes = 0 }: DescribedMedia, { bytes, advice }: FileLimits): boolean =>
  sizeBytes > Math.min(bytes, advice?.bytes ?? bytes);

/** Scales a picture down to the limits in pixels. Nothing is scaled up: that adds bytes, and nothing to see. */
function scaledDown({ width, height }: Size, limits: FileLimits, area: number): Size {
  const { shorterPixels, longerPixels, widthPixels, pixelsBelow = Number.POSITIVE_INFINITY } = limits;
  const most = ({ max }: Range = { min: 0, max: Number.POSITIVE_INFINITY }) => max;
  const factor = Math.min(
    1,
    most(shorterPixels) / Math.min(width, height),
    most(longerPixels) / Math.max(width, height),
    most(widthPixels) / width,
    Math.sqrt((pixelsBelow - 1) / (width * height)),
    Math.sqrt(area / (width * height)),
  );
  if (factor === 1) return { width, height };
  const round = Number.isFinite(pixelsBelow) ? Math.floor : Math.round;
  const side = (pixels: number) => Math.max(1, round(pixels * factor));
  return { width: side(width), height: side(height) };
}

/** Returns a size of which the ratio is within the limits exactly: rounding to whole pixels may have moved it just outside. */
function strictly({ width, height }: Size, { min, max }: Range): Size {
  let [across, down] = [width, height];
  if (across / down < min) down = Math.max(1, Math.floor(across / min));
  while (across / down < min && down > 1) down -= 1;
  if (across / down > max) across = Math.max(1, Math.floor(down * max));
  while (across / down > max && across > 1) across -= 1;
  return { width: across, height: down };
}

/** The least pixels on the shorter side of pictures that are made smaller because another one is. Our judgement. */
const leastCommonPixels = 600;

/**
 * Makes pictures equal in size: that of the first, or smaller, so that none is scaled up. Those of another shape are changed only
 * as their author asks. If that would make pictures tiny, all stay as they are.
 */
function toSameSize(plans: readonly (PicturePlan | undefined)[]): readonly (PicturePlan | undefined)[] {
  const first = plans.find((plan) => plan !== undefined);
  if (!first) return plans;
  const fitOf = (plan: PicturePlan) => (hasSameShape(plan, first) ? undefined : plan.asked.fit);
  const isFree = (plan: PicturePlan) => hasSameShape(plan, first) || plan.asked.fit !== undefined;
  const factors = plans.flatMap((plan) => {
    if (!plan || !isFree(plan)) return [];
    const [across, down] = [plan.width / first.width, plan.height / first.height];
    return fitOf(plan) === 'pad' ? Math.max(across, down) : Math.min(across, down);
  });
  const factor = Math.min(1, ...factors);
  // Rounding must not lose a pixel of a size that is exact.
  const side = (pixels: number) => Math.max(1, Math.floor(pixels * factor + 1e-6));
  const size = { width: side(first.width), height: side(first.height) };
  if (factor < 1 && Math.min(size.width, size.height) < leastCommonPixels) return plans;
  return plans.map((plan) => {
    if (!plan || !isFree(plan)) return plan;
    const fit = fitOf(plan);
    return { ...plan, ...size, ...(fit && { fit }), isSameSize: true as const };
  });
}

/** True if the shapes of two pictures differ by no more than rounding to whole pixels explains. */
function hasSameShape(one: Size, other: Size): boolean {
  const [a, b] = [one.width / one.height, other.width / other.height];
  const isOf = (size: Size, ratio: number) =>
    ratioOf(size.width, size.height, { min: ratio, max: ratio }) !== 'outside';
  return isOf(one, b) || isOf(other, a);
}

function adaptPicture(plan: PicturePlan): AdaptedFile | undefined {
  const { file, limits, asked, width, height, fit, isSameSize } = plan;
  const { advice = {} } = limits;
  const isOfWrongType = !isTaken(file, limits);
  const hasOtherPictures = advice.isSinglePicture === true && file.isMultiPicture === true;
  const hasOtherColors =
    file.colorModel !== undefined && advice.colorModels?.includes(file.colorModel) === false;
  const isTooLarge = hasTooManyBytes(file, limits);
  const isResized = fit === undefined && (width !== file.widthPixels || height !== file.heightPixels);
  const reasons: Record<AdaptationChange, boolean> = {
    format: isOfWrongType || hasOtherPictures,
    colors: hasOtherColors,
    shape: fit !== undefined,
    pixels: isResized,
    bytes: isTooLarge,
    container: false,
    index: false,
  };
  const changes = adaptationChanges.filter((change) => reasons[change]);
  if (changes.length === 0) return undefined;
  const maxBytes = isTooLarge ? bytesOf(limits) : Math.min(bytesOf(limits), ampleBytes(width * height));
  const showsBackground = fit === 'pad' || file.hasAlpha === true;
  const recipe: ImageRecipe = {
    kind: 'image',
    contentType: 'image/jpeg',
    widthPixels: width,
    heightPixels: height,
    maxBytes,
    ...(fit && { fit }),
    background: (showsBackground ? (asked.padColor ?? defaultColor) : defaultColor).toLowerCase(),
    ...(fit === 'crop' && asked.focalPoint && { focalPoint: asked.focalPoint }),
  };
  const { type, altText } = file;
  const isRequired =
    isOfWrongType ||
    fit !== undefined ||
    (file.sizeBytes ?? 0) > limits.bytes ||
    (isResized && (isSameSize || !meetsPixels(file, limits)));
  return {
    file: {
      type,
      ...(altText !== undefined && { altText }),
      contentType: recipe.contentType,
      widthPixels: width,
      heightPixels: height,
      isAnimated: false,
      hasAlpha: false,
    },
    made: {
      changes,
      message: pictureMessage(file, recipe, changes, showsBackground),
      recipe,
      widthPixels: width,
      heightPixels: height,
      isOptional: !isRequired,
    },
  };
}

const defaultColor = '#ffffff';

/** True if a picture meets the limits in pixels as it is. */
function meetsPixels(
  { widthPixels: width = 0, heightPixels: height = 0 }: DescribedMedia,
  limits: FileLimits,
) {
  const size = scaledDown({ width, height }, limits, Number.POSITIVE_INFINITY);
  return size.width === width && size.height === height;
}

const inWords = new Intl.ListFormat('en', { type: 'conjunction', style: 'long' });

function pictureMessage(
  file: DescribedMedia,
  { contentType, widthPixels, heightPixels, maxBytes, fit, background }: ImageRecipe,
  changes: readonly AdaptationChange[],
  showsBackground: boolean,
): string {
  const size = `${widthPixels} × ${heightPixels} pixels`;
  const isConverted = changes.includes('format') || contentType !== file.contentType;
  const behind = showsBackground && fit !== 'pad' ? `, with ${background} behind transparent parts` : '';
  const parts = [
    ...(isConverted ? [file.isMultiPicture ? 'saved as a JPEG with one picture' : 'converted to JPEG'] : []),
    ...(changes.includes('colors') ? ['converted to sRGB'] : []),
    ...(fit === 'pad' ? [`padded with ${background} to ${size}`] : []),
    ...(fit === 'crop' ? [`cropped to ${size}`] : []),
    ...(changes.includes('pixels') ? [`scaled to ${size}`] : []),
    ...(changes.includes('bytes') ? [`compressed to at most ${maxBytes / 1_048_576} MiB`] : []),
  ];
  return `${inWords.format(parts)}${behind}`;
}

interface Container {
  readonly contentType: 'video/mp4' | 'video/webm';
  readonly name: string;
  readonly video: readonly string[];
  readonly audio: readonly string[];
  readonly isOpaque?: true;
}

/**
 * The containers that a video can be moved to, and the codecs that players read there. The first that fits is taken. MP4 has no
 * transparent parts.
 */
const containers: readonly Container[] = [
  { contentType: 'video/mp4', name: 'MP4', ...mp4Codecs, isOpaque: true },
  {
    contentType: 'video/webm',
    name: 'WebM',
    video: ['vp8', 'vp9', 'av1'],
    audio: ['opus', 'vorbis'],
  },
];

/** The codecs of files in these containers, as far as the type tells; any codec in others. */
const codecsByType: Readonly<Record<string, readonly string[]>> = { 'video/webm': ['vp8', 'vp9', 'av1'] };

function adaptVideo(file: DescribedMedia, limits: FileLimits): AdaptedFile | undefined {
  const { contentType, videoCodec, audioCodec, unknown = [], isAwaited } = file;
  if (contentType === undefined) return undefined;
  const isOfWrongType = !isTaken(file, limits);
  const hasOtherIndex = limits.advice?.hasPlainIndex === true && !hasPlainIndex(file);
  if (!isOfWrongType && !hasOtherIndex) return undefined;
  const taken = containers.filter((container) =>
    isTaken({ ...file, contentType: container.contentType }, limits),
  );
  if (videoCodec === undefined && isAwaited) return awaitedVideo(file, limits, taken);
  if (videoCodec === undefined || unknown.includes('audioCodec')) return undefined;
  const target = taken.find(
    ({ video, audio, isOpaque }) =>
      !(isOpaque && file.hasAlpha) &&
      video.includes(videoCodec) &&
      (audioCodec === undefined || audio.includes(audioCodec)),
  );
  if (!target) return undefined;
  const changes: AdaptationChange[] = [
    ...(target.contentType === contentType ? [] : (['container'] as const)),
    ...(hasOtherIndex ? (['index'] as const) : []),
  ];
  const { widthPixels, heightPixels } = file;
  const { hasEditList: _edits, moovFirst: _order, isFragmented: _fragments, ...kept } = file;
  const repackaged: DescribedMedia = {
    ...kept,
    contentType: target.contentType,
    ...(target.contentType === 'video/mp4' && { hasEditList: false, moovFirst: true, isFragmented: false }),
  };
  // Whoever must encode it again gets a file without these faults, too.
  if (fileProblems('', repackaged, limits, '').length > 0) return undefined;
  return {
    file: repackaged,
    made: {
      changes,
      message: videoMessage(file, target, hasOtherIndex),
      recipe: {
        kind: 'video',
        contentType: target.contentType,
        maxBytes: Math.min(limits.bytes, ampleVideoBytes(file)),
      },
      ...(widthPixels !== undefined && { widthPixels }),
      ...(heightPixels !== undefined && { heightPixels }),
      isOptional: !isOfWrongType,
    },
  };
}

/** Returns more bytes than a repackaged video can have, so that platforms with higher limits share it. */
const ampleVideoBytes = ({ sizeBytes = Number.POSITIVE_INFINITY }: DescribedMedia): number => 2 * sizeBytes;

const hasPlainIndex = ({ hasEditList, moovFirst, isFragmented }: DescribedMedia): boolean =>
  !hasEditList && moovFirst !== false && !isFragmented;

/** Returns a video that has not arrived, and that may fit in another container once it has. */
function awaitedVideo(
  file: DescribedMedia,
  limits: FileLimits,
  [first]: readonly Container[],
): AdaptedFile | undefined {
  const { contentType = '' } = file;
  const codecs = limits.video?.videoCodecs;
  const possible = codecsByType[contentType];
  const mayFit = !codecs || !possible || possible.some((codec) => codecs.includes(codec));
  return first && mayFit ? { file: { ...file, contentType: first.contentType } } : undefined;
}

function videoMessage(
  { contentType, hasEditList, moovFirst, isFragmented }: DescribedMedia,
  { contentType: target, name }: Container,
  hasOtherIndex: boolean,
): string {
  const parts = [
    ...(contentType === target ? [] : [`repackaged as ${name}`]),
    ...(hasOtherIndex && moovFirst === false ? ['its index moved to the front'] : []),
    ...(hasOtherIndex && hasEditList ? ['its edit list resolved'] : []),
    ...(hasOtherIndex && isFragmented ? ['its fragments joined'] : []),
  ];
  return `${inWords.format(parts)}, without encoding it again`;
}
