/** One happening of a simulated run, as the world reports it. `command/replay.ts` prints it. */
export interface StoryEntry {
  /** The simulated time, in epoch milliseconds. */
  readonly atMs: number;
  /** The actor, such as `publish #3`, `relay`, `client` or `platform instagram`. */
  readonly actor: string;
  /**
   * - `call`: an external call. Without an `outcome` it succeeded and may be folded with its neighbours.
   * - `fault`: something that the simulation broke.
   * - `commit`: a change of a status was committed.
   * - `live`: something went live on a platform.
   * - `client`: a client's request or its answer.
   * - `note`: anything else that helps a reader.
   * - `violation`: a check failed.
   */
  readonly kind: 'call' | 'fault' | 'commit' | 'live' | 'client' | 'note' | 'violation';
  /** The action in words: `reads the target`. Folded calls are counted by their first word. */
  readonly text: string;
  /** The outcome, if it is not what the actor hoped for: an error, a refusal, a lost response. */
  readonly outcome?: string;
  /** Ids that the entry introduces, each with a name for readers. */
  readonly names?: Readonly<Record<string, string>>;
}

/** Receives the entries of a run, in order of time. */
export type Tell = (entry: StoryEntry) => void;
