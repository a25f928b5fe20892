import type * as z from 'zod';
import type { BroughtNames } from '../../kernel/brought-names.ts';
import type { InvalidCode } from '../../kernel/error-codes.ts';
import type { Json } from '../../kernel/json.ts';
import type { Feature } from './features.ts';
import type { ContentLimits } from './file-limits.ts';
import type { LinkCard } from './link-card.ts';
import type { MeasuredProperty, MediaType, Platform } from './names.ts';

/** A target's content, as far as it is known before anything is sent. */
export interface PublishableContent {
  readonly content: string;
  readonly media: readonly DescribedMedia[];
  readonly cover?: DescribedMedia;
  readonly options: { readonly [key: string]: Json };
  /** The card of the first link in the text, if the platform takes one with such a post and its page could be read. */
  readonly card?: LinkCard;
  /** The parts of a thread after the first, which is the content itself. Absent: there are none. */
  readonly thread?: readonly ThreadContent[];
  /** The account on which it is published. Absent if no account is known. */
  readonly account?: {
    readonly platformAccountId: string;
    /** The account's own facts, as the platform reported them when it was last connected. */
    readonly meta?: { readonly [key: string]: Json };
    /** The scopes that the platform has granted; absent if an earlier release connected the account. */
    readonly scopes?: readonly string[] | undefined;
  };
}

/** One part of a thread: a post that replies to the part before it. */
export interface ThreadContent {
  readonly content: string;
  readonly media: readonly DescribedMedia[];
}

/**
 * The known properties of a file. Unknown properties are absent, and no rule refuses a file for an absent one. If a rule
 * cannot be checked because a property could not be measured, a warning says so.
 */
export interface DescribedMedia {
  readonly type: MediaType;
  /** Alternative text, for people who cannot see the file. */
  readonly altText?: string;
  readonly contentType?: string;
  readonly sizeBytes?: number;
  readonly widthPixels?: number;
  readonly heightPixels?: number;
  readonly durationSeconds?: number;
  /** The video codec, such as `h264`, `hevc`, `vp8`, `vp9` or `av1`. */
  readonly videoCodec?: string;
  /** The audio codec, such as `aac`, `opus` or `mp3`. Also absent for a video without sound. */
  readonly audioCodec?: string;
  readonly audioSampleRate?: number;
  readonly audioChannels?: number;
  readonly framesPerSecond?: number;
  /** The chroma subsampling, such as `4:2:0`. */
  readonly chroma?: string;
  readonly scan?: 'progressive' | 'interlaced';
  /** True if an edit list changes how a track is played. */
  readonly hasEditList?: boolean;
  /** True if the file's index comes before its media data. */
  readonly moovFirst?: boolean;
  /** True if the index lists the samples in fragments along the file. */
  readonly isFragmented?: boolean;
  /** True for a JPEG that contains further pictures (MPO). */
  readonly isMultiPicture?: boolean;
  /** The colors of a JPEG. */
  readonly colorModel?: 'gray' | 'rgb' | 'cmyk';
  /** True if parts of the picture may be transparent. */
  readonly hasAlpha?: boolean;
  /** True if the image has several frames. */
  readonly isAnimated?: boolean;
  /** True if the file has not arrived yet. Then only what the client has said about it is known. */
  readonly isAwaited?: true;
  /** Properties that the file has, but that could not be measured. */
  readonly unknown?: readonly MeasuredProperty[];
}

/** The codes of the problems and warnings that platform rules report. */
export type RuleCode = Extract<
  InvalidCode,
  | `content_${string}`
  | `alt_text_${string}`
  | `cover_${string}`
  | `media_${string}`
  | `option_${string}`
  | 'feature_missing'
>;

export interface RuleProblem {
  /** The path inside the destination: `content`, `mediaItems[0]`, `coverUrl`, `platformSpecificData.title`. */
  readonly field: string;
  readonly code: RuleCode;
  readonly message: string;
}

export function ruleProblem(field: string, code: RuleCode, message: string): RuleProblem {
  return { field, code, message };
}

/** The options of a platform: the keys of `platformSpecificData`. */
export interface PlatformOptions {
  readonly schema: z.ZodType;
  /**
   * Names that people bring from the platform's own API and from other clients. A request with one of them is refused if the
   * post goes live: without it, the result would not be the post that the client asked for.
   */
  readonly brought: BroughtNames;
  /** Options that need a feature other than `publish`. Without the feature, a request with the option is refused. */
  readonly needs?: Readonly<Record<string, Feature>>;
  /** The values with which such an option changes nothing, and needs no feature. Default: false. */
  readonly usual?: Readonly<Record<string, boolean>>;
}

/** Returns an option's field in a destination, such as `platformSpecificData.userTags[0].username`. */
export function optionField(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (field, key) => (typeof key === 'number' ? `${field}[${key}]` : `${field}.${String(key)}`),
    'platformSpecificData',
  );
}

/** A platform's limit on posts of one kind, of one account and in any 24 hours. */
export interface AccountLimit {
  readonly posts: number;
  /** The platform's word for these posts, in the plural, such as `reels`. For people. */
  readonly counts: string;
  /** Returns true if a post with these options counts. */
  readonly isCounted: (options: PublishableContent['options']) => boolean;
}

/** A platform's limits. They are checked before a post is stored, by the validate operation, and before preparation. */
export interface PlatformRules {
  readonly options: PlatformOptions;

  /** Returns all problems of the content; none if it meets the platform's known rules. */
  check(content: PublishableContent): RuleProblem[];

  /**
   * Returns the limits of each file, which {@link check} applies too. Files that break them are adapted as far as that changes
   * nothing that people see or hear. Absent: no file is adapted.
   */
  fileLimits?(content: PublishableContent): ContentLimits;

  /**
   * Returns warnings: what the platform may refuse, or publish in another way than the user expects. A warning never
   * keeps a post from being published. Absent if the platform has no such rules.
   */
  warn?(content: PublishableContent): RuleProblem[];

  /**
   * Returns how long before its due time a target's preparation should begin, in seconds: uploads and the platform's
   * processing must be complete when the target is due.
   */
  leadSeconds(content: PublishableContent): number;

  /**
   * The limit that makes a post wait at its time. Planning warns of it; the platform decides. Absent if the platform documents none, or
   * none that is worth a warning.
   */
  readonly accountLimit?: AccountLimit;

  /** Returns true if the preparation of the content begins with sending a file; see the adapter's `sendsFile`. Absent: never. */
  sendsFile?(content: PublishableContent): boolean;

  /**
   * Returns true if the first link in the text of such a post is shown as a card, for which Herald must read the page. Absent: never,
   * or the platform reads it.
   */
  takesLinkCard?(content: PublishableContent): boolean;
}

/** Returns a platform's rules, loading them if necessary; undefined for a platform without rules. */
export type RulesFor = (platform: Platform) => PlatformRules | Promise<PlatformRules> | undefined;
