import * as z from 'zod';
import type { LifeCycle } from '../kernel/life-cycle.ts';

export const MatchMode = z.enum(['contains', 'exact', 'starts_with', 'word']);
export type MatchMode = z.infer<typeof MatchMode>;

/** A button with a link, as the client gave it. */
export const LinkButton = z.object({ type: z.literal('url'), title: z.string(), url: z.string() });
export type LinkButton = z.infer<typeof LinkButton>;

export const FollowGate = z.object({
  /** What asks for the tap. */
  message: z.string(),
  buttonLabel: z.string(),
  /** To those who do not follow, with the same button again. */
  notFollowingMessage: z.string(),
});
export type FollowGate = z.infer<typeof FollowGate>;

/** An address as links write it, and the code it goes by. */
const AutomationLink = z.object({ code: z.string(), url: z.string() });

/** An automation as the table keeps it. */
export const Automation = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  accountId: z.uuid(),
  /** The post's id at the platform. */
  platformPostId: z.string(),
  name: z.string().nullable(),
  isActive: z.boolean(),
  /** None: every comment. */
  keywords: z.array(z.string()),
  matchMode: MatchMode,
  typoTolerance: z.boolean(),
  commentReply: z.string().nullable(),
  dmMessage: z.string().nullable(),
  buttons: z.array(LinkButton),
  followGate: FollowGate.nullable(),
  trackLinks: z.boolean(),
  /** Each tracked address of message and buttons, and the code it goes by. Empty where links are not tracked. */
  links: z.array(AutomationLink),
  /** Those that were tracked before a change, the latest first: they go on leading, and counting. */
  formerLinks: z.array(AutomationLink).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Raised by every write a client makes. */
  version: z.int(),
});
export type Automation = z.infer<typeof Automation>;

export type AutomationState = 'active' | 'inactive' | 'deleted';

/** @param automation as the table has it: none once it was deleted */
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
  /** The top-level comment that it answers. */
  parentId: z.string().optional(),
  platformPostId: z.string(),
  /** The person's id for this account. */
  personId: z.string(),
  username: z.string().nullable(),
  text: z.string(),
  /** When it was told. */
  at: z.string(),
  /** The automation that it matches. */
  automationId: z.uuid().optional(),
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
  /** Null where there is none: a tap, an attachment. */
  text: z.string().nullable(),
  /** What Herald's own button carried: such a tap is no news for webhooks. */
  payload: z.string().optional(),
  at: z.string(),
  expiresAtSeconds: z.int(),
});
export type InboundMessage = z.infer<typeof InboundMessage>;

export const ActionState = z.enum(['waiting', 'intended', 'done', 'failed', 'unknown']);
export type ActionState = z.infer<typeof ActionState>;

/** Where a conversation with one person stands. */
export const ConversationStage = z.enum([
  // The one private reply to the comment: the message itself, or the follow gate's question.
  'opening',
  // The gate was sent; the person's tap (or any answer) is awaited.
  'gated',
  // They tapped and do not follow: `notFollowingMessage` goes out, then `gated` again.
  'asking',
  // They may have the link: the message goes out.
  'granting',
  // Nothing is left to be sent.
  'closed',
]);
export type ConversationStage = z.infer<typeof ConversationStage>;

export const conversationLifeCycle: LifeCycle<ConversationStage> = {
  opening: ['gated', 'closed'],
  gated: ['asking', 'granting', 'closed'],
  asking: ['gated', 'closed'],
  granting: ['closed'],
  closed: [],
};

/** What is common to both kinds of action: one call that must happen at most once. */
const Action = z.object({
  workspaceId: z.uuid(),
  accountId: z.uuid(),
  automationId: z.uuid(),
  commentId: z.string(),
  /** The top-level comment above it, where it is an answer itself: public replies go there. */
  parentId: z.string().optional(),
  state: ActionState,
  /** Fencing token: raised whenever a worker takes the action. */
  attempt: z.int(),
  leaseUntil: z.string().optional(),
  intentAt: z.string().optional(),
  /** Of what is sent now: how often it failed in passing. */
  failures: z.int(),
  /** Since when; for the end of trying. */
  firstFailureAt: z.string().optional(),
  /** How often the platform was asked in vain what became of the call. */
  questions: z.int().optional(),
  /** When it is to be taken up; while it is not at its end. */
  wakeAt: z.string().optional(),
  /** What the call says, as JSON, from the intent on: what is looked for where its outcome is not known. */
  content: z.string().optional(),
  /** The platform's refusal, where it is one that is known to lie. */
  refusal: z.string().optional(),
  /** Why it failed, for people. */
  error: z.string().optional(),
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
  /** Raised with every message of the conversation; a tap names the one it answers. */
  turn: z.int(),
  /** The last message that went out. */
  messageId: z.string().optional(),
  /** Whether the platform refused buttons here, so that any answer counts as the tap. */
  withoutButtons: z.boolean().optional(),
  /** When the person last wrote or tapped: messages may follow for 24 hours. */
  lastHeardAt: z.string().optional(),
});
export type MessageAction = z.infer<typeof MessageAction>;

export const AutomationAction = z.discriminatedUnion('kind', [ReplyAction, MessageAction]);
export type AutomationAction = z.infer<typeof AutomationAction>;

/** The states of a call that must happen at most once. Nothing is sent without an intent before it. */
const callLifeCycle: LifeCycle<ActionState> = {
  waiting: ['intended', 'failed'],
  intended: ['waiting', 'done', 'failed', 'unknown'],
  done: [],
  failed: [],
  unknown: [],
};

export const actionLifeCycles: Readonly<Record<AutomationAction['kind'], LifeCycle<ActionState>>> = {
  automationReply: callLifeCycle,
  // An answer moves the conversation on to its next call, and proves that the last one has arrived.
  automationMessage: { ...callLifeCycle, done: ['waiting'], unknown: ['waiting'] },
};

/** What the queue carries. */
export const AutomationMessage = z.object({
  workspaceId: z.uuid(),
  automationId: z.uuid(),
  /** Sort key of the action. */
  action: z.string(),
});
export type AutomationMessage = z.infer<typeof AutomationMessage>;

/** Bounds of Herald's own; what messages may hold is the platform's to say. */
export const automationLimits = {
  nameCharacters: 200,
  platformPostIdCharacters: 200,
  keywords: 100,
  keywordCharacters: 60,
  /** Of a text as it is given: what is sent is shorter where its links are tracked. */
  textCharacters: 10_000,
  /** The latest of them, for their clicks. */
  formerLinks: 50,
} as const;
