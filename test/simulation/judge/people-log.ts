/** The actions of people on Instagram, as they really happened. The service learns of them by webhooks. */
export interface PeopleLog {
  readonly comments: {
    readonly workspaceId: string;
    readonly accountId: string;
    readonly commentId: string;
    readonly platformPostId: string;
    readonly username: string;
    readonly text: string;
    readonly atMs: number;
  }[];
  readonly messages: {
    readonly workspaceId: string;
    readonly accountId: string;
    readonly messageId: string;
    readonly personId: string;
    readonly text: string;
    readonly isStoryReply: boolean;
    readonly atMs: number;
  }[];
  /** Taps on a button of one of the account's messages. */
  readonly taps: {
    /** The id of the tap itself. */
    readonly tapId: string;
    readonly workspaceId: string;
    readonly accountId: string;
    readonly messageId: string;
    readonly personId: string;
    readonly atMs: number;
  }[];
}

export const newPeopleLog = (): PeopleLog => ({ comments: [], messages: [], taps: [] });
