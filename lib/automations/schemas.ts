import * as z from 'zod';
import type { LifeCycle } from '../kernel/life-cycle.ts';
import { CallRecord } from '../platforms/contract/last-call.ts';
import { failureCodeNames, waitReasons } from './failure-codes.ts';

export const MatchMode = z.enum(['contains', 'exact', 'starts_with', 'word']).meta({
  id: 'MatchMode',
  description:
    'The place of a keyword in the comment: anywhere (`contains`), as the whole comment (`exact`), at its beginning (`starts_with`), or anywhere but not within a longer word (`word`). The comparison ignores upper and lower case, Unicode forms, skin tones, the differences between the Turkish letters İ, I, ı, i, and a leading mention of the account itself; apostrophes, quotation marks and dashes of phones equal those of ASCII. Accents, other diacritics and digits count. `exact` counts punctuation and emoji (`link!` is not `link`), `starts_with` also accepts longer words (`linkage`), and in scripts without spaces `word` matches anywhere',
});
export type MatchMode = z.infer<typeof MatchMode>;

/** A button with a link, as the client gave it. */
export const LinkButton = z.object({ type: z.literal('url'), title: z.string(), url: z.string() });
export type LinkButton = z.infer<typeof LinkButton>;

export const FollowGate = z.object({
  /** The question that asks for the tap. */
  message: z.string(),
  buttonLabel: z.string(),
  /** The answer, with the same button, to people who do not follow. */
  notFollowingMessage: z.string(),
});
export type FollowGate = z.infer<typeof FollowGate>;

/** A tracked address and the code of its link. */
const AutomationLink = z.object({ code: z.string(), url: z.string() });

/** An automation, as stored. */
export const Automation = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  accountId: z.uuid(),
  /** The posts or messages that it answers, as `nameOf` says: for a post's own automation, the post's id at the platform. */
  platformPostId: z.string(),
  /** The post of Herald to which it was attached. Absent if it was attached to none. */
  postId: z.uuid().optional(),
  name: z.string().nullable(),
  isActive: z.boolean(),
  /** The keywords; if empty, every comment matches. */
  keywords: z.array(z.string()),
  matchMode: MatchMode,
  typoTolerance: z.boolean(),
  commentReply: z.string().nullable(),
  dmMessage: z.string().nullable(),
  buttons: z.array(LinkButton),
  followGate: FollowGate.nullable(),
  trackLinks: z.boolean(),
  /** The tracked links of message and buttons. Empty if links are not tracked. */
  links: z.array(AutomationLink),
  /** Links to addresses that a change has removed, latest first: they keep working and counting. */
  formerLinks: z.array(AutomationLink).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The version, raised by every change that a client makes. */
  version: z.int(),
});
export type Automation = z.infer<typeof Automation>;

/** Returns an automation as the audit log names it. */
export const automationSubject = ({ id, name, keywords }: Pick<Automation, 'id' | 'name' | 'keywords'>) => ({
  id,
  name: name ?? (keywords.join(', ') || '*'),
});

export type AutomationState = 'active' | 'inactive' | 'deleted';

/** Returns the state of an automation; `undefined` stands for a deleted one. */
export const automationState = (automation: Automation | undefined): AutomationState =>
  automation ? (automation.isActive ? 'active' : 'inactive') : 'deleted';

export const automationLifeCycle: LifeCycle<AutomationState> = {
  active: ['inactive', 'deleted'],
  inactive: ['active', 'deleted'],
  deleted: [],
};

export const InboundComment = z.object({
  kind: z.literal('inboundComment'),
  workspaceId: z.uuid(),
  accountId: z.uuid(),
  commentId: z.string(),
  /** The top-level comment that this comment answers. */
  parentId: z.string().optional(),
  platformPostId: z.string(),
  /** The person's id for this account. */
  personId: z.string(),
  username: z.string().nullable(),
  text: z.string(),
  /** The time of the event according to the platform, otherwise the time at which Herald received it. */
  at: z.string(),
  /** The automation whose keywords it matches. */
  automationId: z.uuid().optional(),
  /** The automation that may have to answer it, while it is not known which one does. */
  heldFor: z.uuid().optional(),
  expiresAtSeconds: z.int(),
});
export type InboundComment = z.infer<typeof InboundComment>;

/** A message or a tap on a button. */
export const InboundMessage = z.object({
  kind: z.literal('inboundMessage'),
  workspaceId: z.uuid(),
  accountId: z.uuid(),
  messageId: z.string(),
  personId: z.string(),
  /** The text; null if there is none, for example for an attachment. */
  text: z.string().nullable(),
  /** The payload of Herald's own button. Webhooks do not report such a tap. */
  payload: z.string().optional(),
  at: z.string(),
  expiresAtSeconds: z.int(),
});
export type InboundMessage = z.infer<typeof InboundMessage>;

export const ActionState = z.enum(['waiting', 'intended', 'done', 'failed', 'unknown']);
export type ActionState = z.infer<typeof ActionState>;

/** The stage of a conversation with one person. `conversation-states.ts` has the table of its moves. */
export const ConversationStage = z.enum([
  // The next message is the private reply to the comment: the message itself, or the follow gate's question.
  'opening',
  // The question was sent. The person's tap (or any answer) is awaited.
  'gated',
  // The person tapped and does not follow. The next message is `notFollowingMessage`, then `gated` again.
  'asking',
  // The person may get the message, which comes next.
  'granting',
  // There is nothing left to send.
  'closed',
]);
export type ConversationStage = z.infer<typeof ConversationStage>;

/** The fields of both kinds of action. An action is one call that must happen at most once. */
const Action = z.object({
  workspaceId: z.uuid(),
  accountId: z.uuid(),
  automationId: z.uuid(),
  /** The comment that triggered it; for an automation that messages start, the message. */
  commentId: z.string(),
  /** The top-level comment that the comment answers, if any: public replies go there. */
  parentId: z.string().optional(),
  state: ActionState,
  /** Fencing token: raised whenever a worker takes the action. */
  attempt: z.int(),
  leaseUntil: z.string().optional(),
  /** The number of times the lease was taken since a worker last released it properly, and the first such time. */
  takes: z.int().optional(),
  takenSince: z.string().optional(),
  /** The number of transient failures of the current call. */
  failures: z.int(),
  /** The time of the first failure. The call is given up six hours later. */
  firstFailureAt: z.string().optional(),
  /** The time at which the action is next due; absent once it has ended. */
  wakeAt: z.string().optional(),
  /** The content of the latest call as JSON, while its outcome is not known. A lookup searches for it. */
  content: z.string().optional(),
  /** The records of calls, in order: see `keptCalls`. */
  calls: z.array(CallRecord).optional(),
  /** The reason for the failure, for people. */
  error: z.string().optional(),
  /** The reason for the failure, for programs. Absent if it has not failed, or if an earlier release stored the failure. */
  // During a deployment, a newer release may have stored a code that this one does not know.
  errorCode: z.enum(failureCodeNames).catch('other').optional(),
  /** The reason for a wait that may take longer than a moment. The automation counts such conversations. */
  waitsFor: z.enum(waitReasons).optional().catch(undefined),
  createdAt: z.string(),
  expiresAtSeconds: z.int(),
});

export const ReplyAction = Action.extend({
  kind: z.literal('automationReply'),
  replyId: z.string().optional(),
});
export type ReplyAction = z.infer<typeof ReplyAction>;

export const MessageAction = Action.extend({
  kind: z.literal('automationMessage'),
  personId: z.string(),
  stage: ConversationStage,
  /** The turn, raised with every message of the conversation; a tap names the turn that it answers. */
  turn: z.int(),
  /** The id of the last message that was sent. */
  messageId: z.string().optional(),
  /** The latest possible time at which the last message was sent. Absent if an earlier release sent it. */
  sentAt: z.string().optional(),
  /** True if the latest call sends a question. Absent if an earlier release made the call. */
  asks: z.boolean().optional(),
  /** True if the platform refused buttons, so that any answer counts as the tap. */
  withoutButtons: z.boolean().optional(),
  /** True if `waitsFor` is the hourly limit: earlier releases know only this field. */
  awaitsCap: z.boolean().optional(),
  /** The time of the person's last message or tap: messages may follow for 24 hours. */
  lastHeardAt: z.string().optional(),
});
export type MessageAction = z.infer<typeof MessageAction>;

export const AutomationAction = z.discriminatedUnion('kind', [ReplyAction, MessageAction]);
export type AutomationAction = z.infer<typeof AutomationAction>;

/**
 * The states of a public reply, a call that must happen at most once. Nothing is sent without an intent before it.
 * `conversation-states.ts` has the states of conversations.
 */
export const replyLifeCycle: LifeCycle<ActionState> = {
  waiting: ['intended', 'failed'],
  intended: ['waiting', 'done', 'failed', 'unknown'],
  // The result that a lookup found turns out to belong to another action's call.
  done: ['unknown'],
  failed: [],
  unknown: [],
};

/** A comment or a claim that must be looked at again before its account's automations can answer. */
export const Intake = z.object({
  accountId: z.uuid(),
  /** The id of the held comment; absent for a claim. */
  commentId: z.string().optional(),
  /** The name of the posts that an automation has claimed: see `nameOf`. */
  posts: z.string().optional(),
});
export type Intake = z.infer<typeof Intake>;

/** A message of the `automation` queue. */
export const AutomationMessage = z.object({
  workspaceId: z.uuid(),
  automationId: z.uuid(),
  /** Sort key of the action. */
  action: z.string(),
  /** True if a worker sent it in case it crashes, so that another takes over. Obsolete in nearly all cases. */
  isTakeover: z.boolean().optional(),
  /** Present if there is no action yet. Releases that do not know this field find no action of this name. */
  intake: Intake.optional(),
  /** The number of sends: see `ContinuedMessage`. */
  sends: z.int().optional(),
});
export type AutomationMessage = z.infer<typeof AutomationMessage>;
