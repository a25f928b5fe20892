export interface Range {
  readonly min: number;
  readonly max: number;
}

/** A platform's limits for one file. An absent property is not limited. */
export interface FileLimits {
  /** Absent: all types that Herald takes for such a file. */
  readonly contentTypes?: readonly string[];
  readonly bytes: number;
  readonly minBytes?: number;
  readonly seconds?: Range;
  /** The width divided by the height. */
  readonly ratio?: Range;
  /** The limits of the shorter side. */
  readonly shorterPixels?: Range;
  /** The limits of the longer side. */
  readonly longerPixels?: Range;
  readonly widthPixels?: Range;
  /** The number of pixels of the whole picture that it must stay below. */
  readonly pixelsBelow?: number;
  readonly video?: VideoLimits;
  readonly advice?: FileAdvice;
}

/** A platform's limits for a video's tracks. */
export interface VideoLimits {
  readonly videoCodecs?: readonly string[];
  readonly audioCodecs?: readonly string[];
  /** The highest rate in hertz. */
  readonly maxAudioSampleRate?: number;
  readonly maxAudioChannels?: number;
  readonly framesPerSecond?: Range;
  readonly maxBitsPerSecond?: number;
  /** The accepted chroma subsamplings. */
  readonly chroma?: readonly string[];
  /** True if interlaced videos are refused. */
  readonly isProgressiveOnly?: boolean;
}

/**
 * The properties that a platform advises, or that files need to be accepted for certain. Herald refuses no file for them: it
 * repairs the file if it can, and warns if it cannot.
 */
export interface FileAdvice {
  /** The most bytes. */
  readonly bytes?: number;
  /** True for videos with one index, before the media, and without an edit list. */
  readonly hasPlainIndex?: true;
  /** True for JPEGs without further pictures (MPO). */
  readonly isSinglePicture?: true;
  /** The color models of JPEGs. */
  readonly colorModels?: readonly string[];
}

/** A platform's limits for the files of a post. */
export interface ContentLimits {
  /** The limits of each file; `undefined` for a file that must stay as it is. */
  readonly media: readonly (FileLimits | undefined)[];
  /** Absent if the post has no cover, or if the platform does not take one with it. */
  readonly cover?: FileLimits;
  /** The limits of the files of each part of a thread after the first. Absent: the platform takes no threads. */
  readonly thread?: readonly (readonly FileLimits[])[];
  /** True if the pictures must have the same size. */
  readonly isSameSize?: boolean;
}

export function within(value: number, { min, max }: Range): boolean {
  return value >= min && value <= max;
}
