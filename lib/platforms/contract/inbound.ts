/** What a platform tells Herald by webhook. Ids are those of the platform, as text. */
export type InboundEvent = CommentEvent | MessageEvent | TapEvent;

interface Inbound {
  /** The account it happened to. */
  readonly accountPlatformId: string;
  /** Who did it: the person's id for this account. */
  readonly personId: string;
  /** When it happened or was told, in epoch milliseconds, where the platform says so. */
  readonly at?: number;
}

export interface CommentEvent extends Inbound {
  readonly kind: 'comment';
  readonly commentId: string;
  /** The comment that this one answers. */
  readonly parentId?: string;
  /** The post; for an advertisement the one it was made from, where that is told. */
  readonly platformPostId: string;
  readonly username: string | null;
  readonly text: string;
}

export interface MessageEvent extends Inbound {
  readonly kind: 'message';
  readonly messageId: string;
  /** Null where there is none: an attachment alone. */
  readonly text: string | null;
  /** Of a quick reply that was tapped. */
  readonly payload?: string;
}

/** A tap on a button. */
export interface TapEvent extends Inbound {
  readonly kind: 'tap';
  /** Of the tap itself, not of the message with the button. */
  readonly messageId: string;
  readonly payload: string;
  /** What stood on the button. */
  readonly title: string | null;
}

/** A delivery as it was read: what is worth handling, and how much of it could not be understood. */
export interface InboundDelivery {
  readonly events: readonly InboundEvent[];
  readonly unreadable: number;
}
