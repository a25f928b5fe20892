export interface Setting {
  readonly baseURL: string;
  readonly apiKey: string;
  /** The id of the workspace. */
  readonly profileId: string;
  /** A connected account of Threads. */
  readonly accountId: string;
  /** An address that receives events. */
  readonly receiverUrl: string;
  /** Returns the time of the service, in epoch milliseconds: a local cloud may be days ahead. */
  readonly now: () => number;
  /** Waits until the list contains the posts: it lags behind. */
  readonly listsHave: (postIds: readonly string[]) => Promise<void>;
}
