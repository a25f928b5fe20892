import type { Json } from '../../kernel/json.ts';
import type { MediaType, Platform } from './names.ts';

/** What a target would publish, as far as it is known before anything is sent. */
export interface PublishableContent {
  readonly content: string;
  readonly media: readonly DescribedMedia[];
  readonly cover?: DescribedMedia;
  readonly options: { readonly [key: string]: Json };
}

/** What is not known (yet) of a file is absent, and no rule refuses a file for it. */
export interface DescribedMedia {
  readonly type: MediaType;
  readonly contentType?: string;
  readonly sizeBytes?: number;
  readonly widthPixels?: number;
  readonly heightPixels?: number;
  readonly durationSeconds?: number;
  /** `h264`, `hevc`, `vp8`, `vp9`, `av1`, or another. */
  readonly videoCodec?: string;
  /** `aac`, `opus`, `mp3`, or another. Absent for a video without sound, too. */
  readonly audioCodec?: string;
  readonly audioSampleRate?: number;
  readonly framesPerSecond?: number;
  /** A track is not played as it is stored. */
  readonly hasEditList?: boolean;
  /** The file's index stands before its media. */
  readonly moovFirst?: boolean;
}

export interface RuleProblem {
  /** Path inside the destination: `content`, `mediaItems[0]`, `coverUrl`, `platformSpecificData.title`. */
  readonly field: string;
  readonly message: string;
}

/** A platform's limits, applied before anything is stored, when asked to validate, and again at preparation. */
export interface PlatformRules {
  /** Every problem at once; none means the platform's known rules are met. */
  check(content: PublishableContent): RuleProblem[];

  /**
   * How long before its time a target's preparation should begin, in seconds: uploads and the platform's processing
   * have to be over when it is due.
   */
  leadSeconds(content: PublishableContent): number;
}

/** A platform's rules, which may have to be loaded; undefined for a platform without them. */
export type RulesFor = (platform: Platform) => PlatformRules | Promise<PlatformRules> | undefined;
