import type { DescribedMedia, PlatformRules, PublishableContent } from '../../platforms/contract/rules.ts';
import type { Fit, FocalPoint, ImageRecipe, Recipe } from './recipe.ts';

/** The change of shape that the author has asked for, for one file. */
export interface AskedShape {
  readonly fit?: Fit | undefined;
  readonly padColor?: string | undefined;
  readonly focalPoint?: FocalPoint | undefined;
}

/** A file that is adapted to a platform. */
export interface Adaptation {
  /** `mediaItems[0]` or `coverUrl`: a field inside the destination, as rules name it. */
  readonly field: string;
  /** The parts of the file that change, for programs. */
  readonly changes: readonly ('format' | 'pixels' | 'bytes' | 'shape' | 'container' | 'index')[];
  /** One sentence for people: `converted to JPEG and scaled to 1080 × 1350 pixels for TikTok`. */
  readonly message: string;
  readonly recipe: Recipe;
  /** True if the platform takes the original too, although it advises against it. The original can go if this cannot be made. */
  readonly isOptional: boolean;
}

/** A content with its files as a platform takes them. */
export interface AdaptedContent {
  readonly content: PublishableContent;
  readonly adaptations: readonly Adaptation[];
}

/** The shapes that are asked for in a destination. */
export interface AskedShapes {
  readonly media: readonly AskedShape[];
  readonly cover: AskedShape;
}

/** Returns the shapes that the author has asked for. A placeholder: no field asks for one yet. */
export function askedShapes(_target: object, references: readonly object[]): AskedShapes {
  return { media: references.map(() => ({})), cover: {} };
}

/**
 * Says which files of a content need a rendition, and what the content looks like with them. Pure. A placeholder, which only
 * converts pictures to JPEG if that is what the rules ask for.
 */
export function adaptContent(
  rules: PlatformRules,
  content: PublishableContent,
  _asked: AskedShapes,
): AdaptedContent {
  const problemsAt = (field: string, { media, ...rest }: PublishableContent) =>
    rules.check({ media, ...rest }).filter((problem) => problem.field.startsWith(field)).length;
  const adaptations: Adaptation[] = [];
  const media = content.media.map((file, index): DescribedMedia => {
    const field = `mediaItems[${index}]`;
    const recipe = jpegOf(file);
    if (!recipe || problemsAt(field, content) === 0) return file;
    const converted = { ...file, contentType: recipe.contentType };
    const others = content.media.map((other, place) => (place === index ? converted : other));
    if (problemsAt(field, { ...content, media: others }) > 0) return file;
    adaptations.push({ field, changes: ['format'], message: 'converted to JPEG', recipe, isOptional: false });
    return converted;
  });
  return { content: { ...content, media }, adaptations };
}

function jpegOf({ contentType = '', widthPixels, heightPixels }: DescribedMedia): ImageRecipe | undefined {
  if (!['image/png', 'image/webp'].includes(contentType)) return undefined;
  if (widthPixels === undefined || heightPixels === undefined) return undefined;
  const size = { widthPixels, heightPixels, maxBytes: 8_000_000 };
  return { kind: 'image', contentType: 'image/jpeg', ...size, background: '#ffffff' };
}
