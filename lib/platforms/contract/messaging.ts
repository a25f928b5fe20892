import { PlatformError } from './errors.ts';
import type { PlatformTools } from './tools.ts';

/**
 * A platform on which comments can be answered in public and in private. Every verb takes what a call needs and
 * nothing of rules or tables, and throws {@link PlatformError}: `unknown` means that a reply or message may have gone
 * out, so the matching `find…` is asked before anything is sent again. What an engine has to tell apart beyond the
 * remedy comes as {@link MessageRefused}.
 */
export interface CommentPlatform {
  readonly limits: MessagingLimits;

  /** Whether the account has such a live post; `false` for whatever else the id names. */
  postExists(
    request: AccountCall & { readonly platformPostId: string },
    tools: PlatformTools,
  ): Promise<boolean>;

  /** Answers a comment in public, beneath it. @throws MessageRefused `comment` where it is gone */
  replyPublicly(request: PublicReply, tools: PlatformTools): Promise<{ readonly replyId: string }>;

  /** The account's own reply as a call of `replyPublicly` has left it; undefined where none is to be seen (yet). */
  findReply(
    request: PublicReply & Search,
    tools: PlatformTools,
  ): Promise<{ readonly replyId: string } | undefined>;

  /**
   * Sends the one private message that a comment allows.
   *
   * @throws MessageRefused `comment` where it was answered already, is too old or gone; `buttons`
   */
  sendPrivateReply(request: PrivateReply, tools: PlatformTools): Promise<SentMessage>;

  /** Sends a further message, within the window that the person's last message or tap opened. @throws MessageRefused */
  sendMessage(request: DirectMessage, tools: PlatformTools): Promise<SentMessage>;

  /** The message as a call of `sendPrivateReply` or `sendMessage` has left it; undefined where none is to be seen (yet). */
  findMessage(request: DirectMessage & Search, tools: PlatformTools): Promise<SentMessage | undefined>;

  /** Whether the person follows the account. Platforms tell it of people who have written or tapped, at most. */
  followState(
    request: AccountCall & { readonly personId: string },
    tools: PlatformTools,
  ): Promise<FollowState>;
}

/** In whose name a call is made. */
export interface AccountCall {
  readonly account: { readonly platformAccountId: string; readonly username: string | null };
  readonly accessToken: string;
}

/** A comment; `parentId` where it is itself an answer to another. */
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
  /** The person's id for this account, as comments and messages carry it. */
  readonly personId: string;
  readonly content: MessageContent;
}

/** What tells a reply or message that is looked for from others with the same words. */
export interface Search {
  /** When it was about to be sent first, in epoch milliseconds. */
  readonly since: number;
  /** Ids of those that are known to be others. */
  readonly except: readonly string[];
}

export interface SentMessage {
  readonly messageId: string;
  /** The person's id for this account, where the platform tells it. */
  readonly personId?: string | undefined;
}

export type FollowState = 'follows' | 'does not follow' | 'not known';

/** A text, or a text with buttons beneath it. An empty list of buttons is the same as none. */
export interface MessageContent {
  readonly text: string;
  readonly buttons?: readonly MessageButton[];
}

/** A button that leads to an address, or one whose payload comes back as a tap. */
export type MessageButton =
  | { readonly type: 'url'; readonly title: string; readonly url: string }
  | { readonly type: 'postback'; readonly title: string; readonly payload: string };

/** What a platform takes; characters are code points. */
export interface MessagingLimits {
  readonly publicReplyCharacters: number;
  /** UTF-8, of a message without buttons. */
  readonly textBytes: number;
  /** Of the text above buttons. */
  readonly textWithButtonsCharacters: number;
  readonly buttons: number;
  readonly buttonTitleCharacters: number;
  readonly buttonPayloadCharacters: number;
  /** How long after the comment a private reply is taken. */
  readonly privateReplyDays: number;
  /** Private replies an hour of one account. */
  readonly privateRepliesPerHour: number;
  /** How long after a person's last message or tap further messages are taken. */
  readonly windowHours: number;
}

/**
 * Why a platform refused a reply or a message for good:
 * - `buttons`: it takes no buttons here; the same as text may be sent, nothing has gone out;
 * - `window`: the person has not written or tapped for too long;
 * - `comment`: the comment is gone, too old, or has had its private reply.
 */
export type RefusedFor = 'buttons' | 'window' | 'comment';

/** A refusal that an automation answers in a way of its own. Its remedy is `rejected`. */
export class MessageRefused extends PlatformError {
  readonly refusedFor: RefusedFor;

  constructor(refusedFor: RefusedFor, refusal: PlatformError) {
    const { message, status, platformCode } = refusal;
    super('rejected', message, { status, platformCode, cause: refusal });
    this.refusedFor = refusedFor;
  }
}
