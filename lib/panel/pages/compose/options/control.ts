import type { Feature } from '../../../../platforms/contract/features.ts';
import type { Platform } from '../../../../platforms/contract/names.ts';
import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Options } from '../draft/draft.ts';

/** What of a destination decides which options it can have. */
export interface Facts {
  readonly images: number;
  readonly videos: number;
  readonly hasDocument: boolean;
  /** What the person has asked for: `feed`, `reel` or `story`. */
  readonly contentType: string | undefined;
  readonly options: Options;
}

interface Common {
  readonly label: string;
  readonly help?: string;
  /** Default: always. An option that is set is shown in any case, so that it can be taken away. */
  readonly applies?: (facts: Facts) => boolean;
  /** Behind *More options*. */
  readonly isRare?: true;
  /** What the account must be able to do. */
  readonly needs?: Feature;
}

/** On or off. */
export interface Flag extends Common {
  readonly kind: 'flag';
  /** What the platform does if the post says nothing. */
  readonly usual: boolean;
}

/** One of a few values, each with its name. */
export interface Choice<Value extends string = string> extends Common {
  readonly kind: 'choice';
  readonly choices: Readonly<Record<Value, string>>;
  /** What the platform does if the post says nothing: offered first, and chosen. */
  readonly usual?: Value;
}

export interface Text extends Common {
  readonly kind: 'text';
  /** In Unicode characters, unless `isCountedInUnits`. */
  readonly most?: number;
  /** Whether the platform counts UTF-16 code units. */
  readonly isCountedInUnits?: true;
  readonly rows?: number;
  readonly type?: 'url';
}

/** Several words, with commas between. */
export interface List extends Common {
  readonly kind: 'list';
}

export interface NumberOption extends Common {
  readonly kind: 'number';
  readonly least?: number;
}

/** A control of its own; see `special.tsx`. */
export interface Special extends Common {
  readonly kind: 'special';
  readonly control: SpecialName;
}

type SpecialName =
  | 'board'
  | 'boardSection'
  | 'carouselTexts'
  | 'fileIndex'
  | 'firstComment'
  | 'interaction'
  | 'linkedinPoll'
  | 'madeForKids'
  | 'playlist'
  | 'privacyLevel'
  | 'spoilers'
  | 'threadsPoll'
  | 'userTags';

export type Control = Flag | Choice | Text | List | NumberOption | Special;

/** The controls that fit an option's type. In brackets, a union is one choice, not one control for each of its values. */
type ControlFor<Value> = [Value] extends [boolean]
  ? Flag | Special
  : [Value] extends [string]
    ? string extends Value
      ? Text | Special
      : Choice<Value> | Special
    : [Value] extends [number]
      ? NumberOption | Special
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

/** What the options of an account need. */
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
  /** What an account says first if it has no comment of its own; absent where it can have none from the post. */
  readonly sharedComment?: string;
}

/** What a control needs. */
export interface ControlProps<Of extends Control = Control> extends OptionFieldsProps {
  readonly name: string;
  readonly control: Of;
}
