import type { MediaType } from '../../platforms/contract/names.ts';

/** A file of a draft, once its bytes are with the service. A draft that is kept in the browser holds these and nothing else of a file. */
export interface DraftMedia {
  /** The address that requests name: `mediaItems[].url`. */
  readonly url: string;
  readonly type: MediaType;
  /** Of an uploaded file; absent for one that is imported by its address. */
  readonly mediaId?: string;
  /** As it was called on the person's disk. */
  readonly fileName?: string;
  readonly widthPixels?: number;
  readonly heightPixels?: number;
  readonly durationMs?: number;
  readonly altText?: string;
}

/** What the editor of media is given. */
export interface MediaEditorProps {
  readonly value: readonly DraftMedia[];
  readonly onChange: (value: readonly DraftMedia[]) => void;
  /** How many files are still on their way: the draft can be saved, but not be scheduled. */
  readonly onPendingChange: (pending: number) => void;
  readonly mostItems: number;
  /** The service's problems by the place of the file; `-1` for all. */
  readonly problems?: ReadonlyMap<number, readonly string[]>;
  readonly isDisabled?: boolean;
}
