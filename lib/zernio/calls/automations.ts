import type { ReplyOf } from '../../api-contract/operation-request.ts';
import {
  createAutomationOperation,
  editAutomationOperation,
  listAutomationsOperation,
  listConversationsOperation,
  readAutomationOperation,
  removeAutomationOperation,
} from '../../automations/operations.ts';
import { invalidField } from '../../kernel/errors.ts';
import {
  fieldsOf,
  notInHerald,
  ok,
  refuseParameters,
  requireProfile,
  wholeNumber,
  type ZernioCall,
  type ZernioRequest,
} from '../call.ts';
import { inTheirFields, namedBy } from '../fields.ts';
import { automationNames, isFields, toOurs, toTheirs } from '../names.ts';

const ofAutomation = ({ path }: ZernioRequest) => ({ id: path['automationId'] ?? '' });

type Detail = ReplyOf<typeof readAutomationOperation>['automation'];
type Listed = ReplyOf<typeof listAutomationsOperation>['automations'][number];
type Conversation = ReplyOf<typeof listConversationsOperation>['conversations'][number];

/** Zernio's name of what starts an automation. It has none for messages: there, they are an addition to comments. */
function triggerOf(appliesTo: Listed['appliesTo']): 'comment' | 'story_reply' | undefined {
  if (appliesTo === 'direct_messages') return undefined;
  return appliesTo === 'story_replies' ? 'story_reply' : 'comment';
}

function toAutomation(automation: Listed | Detail): Record<string, unknown> {
  const trigger = triggerOf(automation.appliesTo);
  return {
    ...toTheirs(automationNames, automation),
    platform: 'instagram',
    ...(trigger && { trigger }),
    ...(automation.followGate && { audience: gated }),
  };
}

/** The audience of an automation with a follow gate, in Zernio's form. */
const gated = { followerStatus: 'follower', whenUnknown: 'verify' } as const;

/** True for the audience that Herald's follow gate makes, or one that excludes nobody. */
function isKnownAudience(audience: unknown, followGate: unknown): boolean {
  if (!isFields(audience)) return false;
  const { followerStatus = 'any', whenUnknown = 'send', ...others } = audience;
  if (Object.keys(others).length > 0) return false;
  if (followerStatus === 'any') return true;
  return isFields(followGate) && followerStatus === gated.followerStatus && whenUnknown === gated.whenUnknown;
}

/** The counts of an automation, under all names that Zernio has for them. */
const statsOf = ({ counts: { matched, replied, messaged, failed, clicks } }: Pick<Detail, 'counts'>) => ({
  triggered: matched,
  totalTriggered: matched,
  dmsSent: messaged,
  totalSent: messaged,
  commentRepliesSent: replied,
  dmsFailed: failed,
  totalFailed: failed,
  linkClicks: clicks,
});

/** Fields that would change what is sent, and that Herald does not have. */
const missing: readonly string[] = [
  ...['alsoMatchInDms', 'clickTag', 'commentReplyDelaySeconds', 'commentReplyVariations'],
  ...['dmDelaySeconds', 'dmMessageVariations', 'excludeKeywords', 'template'],
];

/** True for a value that asks for nothing. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** Returns the body of Herald's request. @throws HeraldError `not_in_herald` for what Herald would not do */
function toBody(call: string, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { profileId: _, postTitle: _title, trigger: _trigger, audience, ...fields } = body;
  if (!isNothing(audience) && !isKnownAudience(audience, fields['followGate']))
    throw notInHerald(`${call} with audience`);
  const absent = missing.find((name) => Object.hasOwn(fields, name) && !isNothing(fields[name]));
  if (absent !== undefined) throw notInHerald(`${call} with ${absent}`);
  const given = Object.fromEntries(Object.entries(fields).filter(([name]) => !missing.includes(name)));
  return toOurs(automationNames, given);
}

const createAutomation: ZernioCall = {
  name: 'createCommentAutomation',
  route: 'POST /v1/comment-automations',
  operations: [createAutomationOperation],
  run: async (ports, request) => {
    const fields = fieldsOf(request);
    requireProfile(ports, fields['profileId']);
    const body = { ...toBody('createCommentAutomation', fields), ...postsOf(fields) };
    const { automation } = await inTheirFields(
      ports.call(createAutomationOperation, { body }),
      namedBy([...automationNames, ['trigger', 'appliesTo', 'in']]),
    );
    return ok({ success: true, automation: { ...toAutomation(automation), stats: noStats } });
  },
};

/** Returns Herald's names of the posts that an automation answers. Without a post, it answers all of the account. */
function postsOf({ trigger = 'comment', platformPostId, postId }: Readonly<Record<string, unknown>>) {
  const isNamed = !isNothing(platformPostId) || !isNothing(postId);
  if (trigger === 'story_reply') {
    if (isNamed) throw notInHerald('createCommentAutomation for the replies to one story');
    return { appliesTo: 'story_replies', platformPostId: undefined, postId: undefined };
  }
  if (trigger !== 'comment')
    throw invalidField('trigger', 'must be comment or story_reply', 'field_unknown_value');
  if (!isNamed) return { appliesTo: 'every_post', platformPostId: undefined, postId: undefined };
  // Zernio takes both names of one post. The platform's id is the one that Herald needs.
  return { appliesTo: 'post', ...(!isNothing(platformPostId) && { postId: undefined }) };
}

const noStats = { totalTriggered: 0, totalSent: 0, totalFailed: 0 };

const listAutomations: ZernioCall = {
  name: 'listCommentAutomations',
  route: 'GET /v1/comment-automations',
  operations: [listAutomationsOperation, readAutomationOperation],
  run: async (ports, { query }) => {
    requireProfile(ports, query['profileId']);
    const { automations } = await ports.call(listAutomationsOperation, { query: { limit: '500' } });
    const shown = automations.slice(0, withStats);
    const details = await Promise.all(
      shown.map(({ id }) => ports.call(readAutomationOperation, { path: { id } })),
    );
    return ok({
      success: true,
      automations: automations.map((each, index) => {
        const detail = details[index]?.automation;
        return { ...toAutomation(each), ...(detail && { stats: statsOf(detail) }) };
      }),
    });
  },
};

/** The automations of a list that have counts: each of them is read for that. */
const withStats = 20;

const readAutomation: ZernioCall = {
  name: 'getCommentAutomation',
  route: 'GET /v1/comment-automations/{automationId}',
  operations: [readAutomationOperation, listConversationsOperation],
  run: async ({ call }, request) => {
    const path = ofAutomation(request);
    const { automation } = await call(readAutomationOperation, { path });
    const { conversations } = await call(listConversationsOperation, { path, query: { limit: '50' } });
    const stats = statsOf(automation);
    return ok({
      success: true,
      automation: { ...toAutomation(automation), stats },
      logs: conversations.map((each) => toLog(each, sourceOf(automation))),
    });
  },
};

const states = {
  waiting: 'pending',
  awaiting_answer: 'gated',
  done: 'sent',
  failed: 'failed',
  unknown: 'failed',
} as const satisfies Record<Conversation['state'], string>;

/** Zernio's name of what has started a conversation. */
const sourceOf = ({ appliesTo }: Detail) => (appliesTo === 'direct_messages' ? 'dm' : triggerOf(appliesTo));

/** A reply or a message in Zernio's form. */
function toLog(conversation: Conversation, source: ReturnType<typeof sourceOf>) {
  const { kind, commentId, messageId, personId, username, text, commentedAt, state, reason } = conversation;
  const replyStatus = state === 'done' ? 'sent' : 'failed';
  const isReply = kind === 'public_reply';
  return {
    id: `${kind}-${commentId ?? messageId}`,
    ...(commentId !== null && { commentId }),
    ...(personId !== null && { commenterId: personId }),
    ...(username !== null && { commenterName: username }),
    ...(text !== null && { commentText: text }),
    ...(source && { source }),
    status: states[state],
    ...(reason && { error: reason.message }),
    ...(isReply && state !== 'waiting' && { commentReplyStatus: replyStatus }),
    createdAt: commentedAt,
  };
}

const listLogs: ZernioCall = {
  name: 'listCommentAutomationLogs',
  route: 'GET /v1/comment-automations/{automationId}/logs',
  operations: [readAutomationOperation, listConversationsOperation],
  run: async ({ call }, request) => {
    refuseParameters('listCommentAutomationLogs', request, ['status']);
    const limit = wholeNumber(request, 'limit', { least: 1, most: 50, fallback: 50 });
    const skip = wholeNumber(request, 'skip', { least: 0, most: 50, fallback: 0 });
    const path = ofAutomation(request);
    const { automation } = await call(readAutomationOperation, { path });
    const { conversations, nextCursor } = await call(listConversationsOperation, {
      path,
      query: { limit: String(Math.min(100, skip + limit)) },
    });
    const logs = conversations.slice(skip, skip + limit).map((each) => toLog(each, sourceOf(automation)));
    const hasMore = nextCursor !== null;
    const total = hasMore ? skip + limit + 1 : conversations.length;
    return ok({ success: true, logs, pagination: { total, limit, skip, hasMore } });
  },
};

const editAutomation: ZernioCall = {
  name: 'updateCommentAutomation',
  route: 'PATCH /v1/comment-automations/{automationId}',
  operations: [readAutomationOperation, editAutomationOperation],
  run: async ({ call }, request) => {
    const fields = fieldsOf(request);
    if (fields['trigger'] !== undefined) {
      // It never changes, so a read that is not part of the change sees the right one.
      const { automation } = await call(readAutomationOperation, { path: ofAutomation(request) });
      if (fields['trigger'] !== triggerOf(automation.appliesTo))
        throw notInHerald('updateCommentAutomation with another trigger');
    }
    const body = toBody('updateCommentAutomation', fields);
    const { automation } = await inTheirFields(
      call(editAutomationOperation, { path: ofAutomation(request), body }),
      namedBy(automationNames),
    );
    return ok({ success: true, automation: toAutomation(automation) });
  },
};

const removeAutomation: ZernioCall = {
  name: 'deleteCommentAutomation',
  route: 'DELETE /v1/comment-automations/{automationId}',
  operations: [removeAutomationOperation],
  run: async ({ call }, request) => {
    await call(removeAutomationOperation, { path: ofAutomation(request) });
    return ok({ success: true });
  },
};

export const automationCalls: readonly ZernioCall[] = [
  ...[createAutomation, listAutomations, readAutomation],
  ...[listLogs, editAutomation, removeAutomation],
];
