/** A live post, as tests and the bench read it from `GET {control}/posts`. */
export interface LivePost {
  readonly id: string;
  readonly accountId: string;
  readonly permalink: string;
  readonly content: string;
  readonly media: readonly LiveMedia[];
  /** The cover or thumbnail that was set, if any. */
  readonly cover?: LiveMedia;
  /** Further attributes, under the platform's own field names. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The arrival of the call that made it live, in epoch milliseconds. */
  readonly publishedAt: number;
  /** The time from which others can watch it, in epoch milliseconds; absent if that is `publishedAt`. */
  readonly viewableAt?: number;
}

export interface LiveMedia {
  /** The media type, such as `video/mp4`. */
  readonly type: string;
  readonly bytes: number;
  /** The SHA-256, hexadecimal. */
  readonly sha256: string;
}
