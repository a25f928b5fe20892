import type { Feature } from '../../../../platforms/contract/features.ts';
import type { Platform } from '../../../../platforms/contract/names.ts';
import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Options } from '../draft/draft.ts';

/** The facts of a destination that decide which options it can have. */
export interface Facts {
  readonly images: number;
  readonly videos: number;
  readonly hasDocument: boolean;
  /** The kind that the person has asked for: `feed`, `reel` or `story`. */
  readonly contentType: string | undefined;
  readonly options: Options;
}

interface Common {
  readonly label: string;
  readonly help?: string;
  /** Default: always. An option that is set is shown in any case, so that it can be taken away. */
  readonly applies?: (facts: Facts) => boolean;
  /** True if it is behind *More options*. */
  readonly isRare?: true;
  /** The feature that the account must have. */
  readonly needs?: Feature;
}

/** A choice between on and off. */
export interface Flag extends Common {
  readonly kind: 'flag';
  /** The value that counts if the post says nothing. */
  readonly usual: boolean;
}

/** A choice between a few values, each with its name. */
export interface Choice<Value extends string = string> extends Common {
  readonly kind: 'choice';
  readonly choices: Readonly<Record<Value, string>>;
  /** The value that counts if the post says nothing: offered first, and chosen. */
  readonly usual?: Value;
}

export interface Text extends Common {
  readonly kind: 'text';
  /** A number of Unicode characters, unless `isCountedInUnits`. */
  readonly most?: number;
  /** True if the platform counts UTF-16 code units. */
  readonly isCountedInUnits?: true;
  readonly rows?: number;
  readonly type?: 'url';
}

/** Several words, with commas between. */
export interface List extends Common {
  readonly kind: 'list';
}

/** A control of its own; see `option-fields.tsx`. */
export interface Special extends Common {
  readonly kind: 'special';
  readonly control: SpecialName;
}

type SpecialName =
  | 'aiDisclosures'
  | 'board'
  | 'boardSection'
  | 'branded'
  | 'captions'
  | 'carouselTexts'
  | 'disclosure'
  | 'fileIndex'
  | 'firstComment'
  | 'interaction'
  | 'linkedinPoll'
  | 'madeForKids'
  | 'playlist'
  | 'privacyLevel'
  | 'spoilers'
  | 'textAttachment'
  | 'thread'
  | 'threadsPoll'
  | 'userTags';

export type Control = Flag | Choice | Text | List | Special;

/** The controls that fit an option's type. In brackets, a union is one choice, not one control for each of its values. */
type ControlFor<Value> = [Value] extends [boolean]
  ? Flag | Special
  : [Value] extends [string]
    ? string extends Value
      ? Text | Special
      : Choice<Value> | Special
    : [Value] extends [readonly string[]]
      ? List | Special
      : Special;

/**
 * A control for each option of a platform. A new option of the platform does not compile until it has one; a new value of a choice does
 * not until it has a name.
 *
 * @typeParam Excluded options without a control: aliases, and what other parts of the composer are for
 */
export type ControlsOf<Options, Excluded extends keyof Options> = {
  readonly [Name in Exclude<keyof Options, Excluded>]-?: ControlFor<NonNullable<Options[Name]>>;
};

/** Props of the options of an account. */
export interface OptionFieldsProps {
  readonly accountId: string;
  readonly platform: Platform;
  /** The text and the files that the account publishes. */
  readonly content: string;
  readonly media: readonly DraftMedia[];
  readonly options: Options;
  /** The key of an option's field. */
  readonly keyOf: (name: string) => string;
  /** `undefined` takes the option away. */
  readonly onChange: (name: string, value: unknown) => void;
  /** The names of options that have their field elsewhere. */
  readonly omitted?: readonly string[];
  /** The comment that the account has from the post; absent if it cannot have one from there. */
  readonly sharedComment?: string;
}

/** Props of the control of an option. */
export interface ControlProps<Of extends Control = Control> extends OptionFieldsProps {
  readonly name: string;
  readonly control: Of;
  /** The key of its field. */
  readonly of: string;
  /** The option as it is; `undefined` if the post does not say. */
  readonly value: unknown;
  /** `undefined` takes the option away. */
  readonly set: (value: unknown) => void;
}
