/** The service's promises to a client about a post. */
export interface Promised {
  readonly postId: string;
  readonly workspaceId: string;
  /** The content that may go live: one text, or two while the outcome of an edit is unknown. */
  contents: ReadonlySet<string>;
  /** The texts of single destinations that may go live. */
  ownContents: ReadonlySet<string>;
  /** The accounts that it goes to; undefined while the outcome of an edit of them is unknown. */
  destinations: ReadonlySet<string> | undefined;
  /** The due time on each account, as timestamps; undefined if the service chooses, or after an edit. */
  dueAt: ReadonlyMap<string, string> | undefined;
  isDeleted: boolean;
}

/** Promises by post id. */
export type Promises = Map<string, Promised>;
