import type { Platform } from '../../../../platforms/contract/names.ts';
import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Options } from '../draft/draft.ts';
import type { Control } from './control.ts';

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
