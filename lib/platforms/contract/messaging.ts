import { PlatformError } from './errors.ts';
import type { CommentEvent } from './inbound.ts';
import type { AbsenceRule, Finding, LastCall } from './last-call.ts';
import type { PlatformTools } from './tools.ts';

/**
 * A platform on which comments can be answered in public and in private. The methods do not know automations or tables.
 * They throw {@link PlatformError}: `unknown` means that a reply or message may have been sent, so call the matching
 * `find…` before anything else. A refusal that automations handle specially is a {@link MessageRefused}.
 */
export interface CommentPlatform {
  readonly limits: MessagingLimits;

  /** The rule for each kind of call: how long to look for a call that leaves no trace, and whether to make it again then. */
  readonly absenceRules: Readonly<Record<MessagingCall, AbsenceRule>>;

  /** Returns true if the id names a live post of the account; false for any other object. */
  postExists(
    request: AccountCall & { readonly platformPostId: string },
    tools: PlatformTools,
  ): Promise<boolean>;

  /**
   * Lists the account's posts, newest first, also those that were made elsewhere. Stories are left out.
   *
   * @param request.sinceMs epoch milliseconds; the platform may also return the posts of the second before it
   * @param request.after the platform's cursor of the page before
   */
  listPosts(
    request: AccountCall & {
      readonly sinceMs?: number | undefined;
      readonly after?: string | undefined;
      readonly limit: number;
    },
    tools: PlatformTools,
  ): Promise<AccountPostPage>;

  /** Returns a post of the account; undefined if the id names none. */
  readPost(
    request: AccountCall & { readonly platformPostId: string },
    tools: PlatformTools,
  ): Promise<AccountPost | undefined>;

  /** Lists the comments on a post of the account, newest first, page by page. Comments without a known author are left out. */
  listComments(
    request: AccountCall & { readonly platformPostId: string },
    tools: PlatformTools,
  ): AsyncGenerator<readonly ListedComment[]>;

  /** Replies to a comment in public. @throws MessageRefused `comment` if the comment is gone */
  replyPublicly(request: PublicReply, tools: PlatformTools): Promise<{ readonly replyId: string }>;

  /** Looks for the reply that a call of `replyPublicly` posted. */
  findReply(
    request: PublicReply & Search,
    tools: PlatformTools,
  ): Promise<MessagingFinding<{ readonly replyId: string }>>;

  /**
   * Sends the one private reply that a comment allows.
   *
   * @throws MessageRefused `comment` if the comment already has its private reply, is too old or is gone; `buttons` if
   *   the platform refuses them here
   */
  sendPrivateReply(request: PrivateReply, tools: PlatformTools): Promise<SentMessage>;

  /** Sends another message, within the window that the person's last message or tap opened. @throws MessageRefused */
  sendMessage(request: DirectMessage, tools: PlatformTools): Promise<SentMessage>;

  /** Looks for the message that a call of `sendPrivateReply` or `sendMessage` sent. */
  findMessage(request: DirectMessage & Search, tools: PlatformTools): Promise<MessagingFinding<SentMessage>>;

  /** Returns whether the person follows the account. Platforms reveal it at most for people who have written or tapped. */
  followState(
    request: AccountCall & { readonly personId: string },
    tools: PlatformTools,
  ): Promise<FollowState>;
}

/** The calls that must not happen twice. A `message` is sent in an open conversation. */
export type MessagingCall = 'public reply' | 'private reply' | 'message';

/** The platform's evidence about such a call: its result, or no trace, which proves nothing. */
export type MessagingFinding<Result> =
  | { readonly state: 'live'; readonly post: Result }
  | Extract<Finding, { state: 'unseen' }>;

/** The account that makes a call. */
export interface AccountCall {
  readonly account: { readonly platformAccountId: string; readonly username: string | null };
  readonly accessToken: string;
}

/** A post of an account, as its platform lists it. */
export interface AccountPost {
  readonly platformPostId: string;
  readonly text: string | null;
  readonly permalink: string | null;
  /** The address of a picture for people to recognize the post by. It may stop working after some time. */
  readonly pictureUrl: string | null;
  readonly kind: 'image' | 'video' | 'carousel' | 'other';
  /** Epoch milliseconds; undefined if the platform does not say. */
  readonly publishedMs: number | undefined;
}

export interface AccountPostPage {
  readonly posts: readonly AccountPost[];
  /** The platform's cursor of the next page; undefined at the end. */
  readonly after: string | undefined;
}

/** A comment that was read instead of being notified. */
export type ListedComment = Omit<CommentEvent, 'kind' | 'accountPlatformId'>;

/** A comment, with `parentId` if it replies to another comment. */
export interface CommentReference {
  readonly commentId: string;
  readonly parentId?: string | undefined;
}

export interface PublicReply extends AccountCall {
  readonly comment: CommentReference;
  readonly text: string;
}

export interface PrivateReply extends AccountCall {
  readonly comment: CommentReference;
  readonly content: MessageContent;
}

export interface DirectMessage extends AccountCall {
  /** The person's id for this account, as in comments and messages. */
  readonly personId: string;
  readonly content: MessageContent;
}

/** The data that distinguish the reply or message from others with the same text. */
export interface Search {
  readonly call: Pick<LastCall, 'sinceMs' | 'isTaken'>;
  /** The time of the answer that the message responds to, in epoch milliseconds of the platform's clock. */
  readonly answeredMs?: number | undefined;
}

export interface SentMessage {
  readonly messageId: string;
  /** The person's id for this account, if the platform returns it. */
  readonly personId?: string | undefined;
  /** True if a lookup has found it without its text, so that another call to the same person may have sent it. */
  readonly isGuess?: boolean;
}

export type FollowState = 'follows' | 'does not follow' | 'not known';

/** A text, with or without buttons below it. An empty list of buttons is the same as none. */
export interface MessageContent {
  readonly text: string;
  readonly buttons?: readonly MessageButton[];
}

/** A button that opens a URL, or one that sends its payload back as a tap. */
export type MessageButton =
  | { readonly type: 'url'; readonly title: string; readonly url: string }
  | { readonly type: 'postback'; readonly title: string; readonly payload: string };

/** A platform's limits. Characters are code points. */
export interface MessagingLimits {
  readonly publicReplyCharacters: number;
  /** The limit for the text of a message without buttons, in UTF-8. */
  readonly textBytes: number;
  /** The limit for the text of a message with buttons. */
  readonly textWithButtonsCharacters: number;
  readonly buttons: number;
  readonly buttonTitleCharacters: number;
  readonly buttonPayloadCharacters: number;
  /** The age up to which a comment can get a private reply. */
  readonly privateReplyDays: number;
  /** The limit per account. */
  readonly privateRepliesPerHour: number;
  /** The time after a person's last message or tap during which another message is accepted. */
  readonly windowHours: number;
}

/**
 * The reason why a platform permanently refused a reply or a message:
 * - `buttons`: it accepts no buttons here; nothing was sent, so the caller may send the same content as text;
 * - `window`: the person has not written or tapped for too long;
 * - `comment`: the comment is gone, is too old, or already has its private reply.
 */
export type RefusedFor = 'buttons' | 'window' | 'comment';

/** A refusal that automations handle by its reason. Its remedy is `rejected`. */
export class MessageRefused extends PlatformError {
  readonly refusedFor: RefusedFor;

  constructor(refusedFor: RefusedFor, refusal: PlatformError) {
    const { message, status, platformCode } = refusal;
    super('rejected', message, { status, platformCode, cause: refusal });
    this.refusedFor = refusedFor;
  }
}
