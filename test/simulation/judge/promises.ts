/** What the service has promised a client about a post. */
export interface Promised {
  readonly postId: string;
  readonly workspaceId: string;
  /** The content that may go live: one text, or two while the outcome of an edit is unknown. */
  contents: ReadonlySet<string>;
  /** The texts of single destinations that may go live. */
  ownContents: ReadonlySet<string>;
  isDeleted: boolean;
}

/** By post id. */
export type Promises = Map<string, Promised>;
