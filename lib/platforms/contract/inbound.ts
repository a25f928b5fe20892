/** An event that a platform sends to Herald's webhook. All ids are the platform's. */
export type InboundEvent = CommentEvent | MessageEvent | TapEvent;

interface Inbound {
  /** The account it happened to. */
  readonly accountPlatformId: string;
  /** The person who did it, by the id that the person has for this account. */
  readonly personId: string;
  /** The time at which it happened or was sent, in epoch milliseconds; absent if the platform does not say. */
  readonly at?: number;
}

export interface CommentEvent extends Inbound {
  readonly kind: 'comment';
  readonly commentId: string;
  /** The comment to which this one replies. */
  readonly parentId?: string;
  /** The commented post. For an advertisement, the post that it was made from, if the platform names it. */
  readonly platformPostId: string;
  readonly username: string | null;
  readonly text: string;
}

export interface MessageEvent extends Inbound {
  readonly kind: 'message';
  readonly messageId: string;
  /** The text; null for an attachment without text. */
  readonly text: string | null;
  /** The payload of the quick reply that the person tapped. */
  readonly payload?: string;
  /** True if it replies to a story of the account. */
  readonly isStoryReply?: true;
}

/** A tap on a button. */
export interface TapEvent extends Inbound {
  readonly kind: 'tap';
  /** The id of the tap itself, not of the message with the button. */
  readonly messageId: string;
  readonly payload: string;
  /** The button's label. */
  readonly title: string | null;
}

/** A parsed webhook delivery: the events to handle, and the number of entries that could not be parsed. */
export interface InboundDelivery {
  readonly events: readonly InboundEvent[];
  readonly unreadable: number;
}
