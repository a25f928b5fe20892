import type { MediaType, Platform } from '../../platforms/contract/names.ts';

/** A file of a draft, once its bytes are with the service. A draft that is kept in the browser holds these and nothing else of a file. */
export interface DraftMedia {
  /** The address that requests name: `mediaItems[].url`. */
  readonly url: string;
  readonly type: MediaType;
  /** A document, for LinkedIn: its `type` is `image`, and requests may say `document`. */
  readonly isDocument?: true;
  /** Of an uploaded or imported file; absent for one that a post imports by its address. */
  readonly mediaId?: string;
  /** As it was called on the person's disk. */
  readonly fileName?: string;
  readonly sizeBytes?: number;
  readonly widthPixels?: number;
  readonly heightPixels?: number;
  readonly durationMs?: number;
  readonly altText?: string;
}

/** How a video looks before it plays. An image wins over a frame where a platform takes both. */
export interface CoverChoice {
  /** The frame, in milliseconds from the beginning. `coverOptions` says it in each platform's own option. */
  readonly frameMs?: number;
  /** `coverUrl` of the post. */
  readonly image?: DraftMedia;
}

/** What the editor of media is given. */
export interface MediaEditorProps {
  readonly value: readonly DraftMedia[];
  readonly onChange: (value: readonly DraftMedia[]) => void;
  /**
   * Removes the file at a place, and returns what brings it back. If absent, only the file itself is brought back, without what the
   * rest of the post says about it.
   */
  readonly onRemove?: (place: number) => () => void;
  /** How many files are still on their way: the draft can be saved, but not be scheduled. */
  readonly onPendingChange: (pending: number) => void;
  readonly mostItems: number;
  /** The service's problems by the place of the file; `-1` for all. */
  readonly problems?: ReadonlyMap<number, readonly string[]>;
  readonly isDisabled?: boolean;
  /**
   * Names the draft, and the account if these are its own files. Uploads of a key go on while its editor is not shown, such as behind
   * another tab; after a reload, those that were lost are named. If absent, uploads end with the editor.
   */
  readonly draftKey?: string;
  /** The destinations' platforms: only they say what is asked for, such as a cover. */
  readonly platforms?: readonly Platform[];
  readonly cover?: CoverChoice;
  /** If absent, no cover is asked for. */
  readonly onCoverChange?: (cover: CoverChoice) => void;
}
