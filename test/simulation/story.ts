/** One line of a run's story. */
export interface StoryEntry {
  /** Epoch milliseconds of the simulated world. */
  readonly atMs: number;
  /** Who acts, such as `publish-target #2` or `a client`. */
  readonly actor: string;
  readonly kind: 'call' | 'fault' | 'commit' | 'live' | 'client' | 'note' | 'violation';
  readonly text: string;
  /** The error with which a call ended. */
  readonly outcome?: string;
}

export type Tell = (entry: StoryEntry) => void;
