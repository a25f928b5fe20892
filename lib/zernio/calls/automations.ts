import type { ReplyOf } from '../../api-contract/operation-request.ts';
import {
  createAutomationOperation,
  editAutomationOperation,
  listAutomationsOperation,
  listConversationsOperation,
  readAutomationOperation,
  removeAutomationOperation,
} from '../../automations/operations.ts';
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
import { automationNames, toOurs, toTheirs } from '../names.ts';

const ofAutomation = ({ path }: ZernioRequest) => ({ id: path['automationId'] ?? '' });

type Detail = ReplyOf<typeof readAutomationOperation>['automation'];
type Listed = ReplyOf<typeof listAutomationsOperation>['automations'][number];
type Conversation = ReplyOf<typeof listConversationsOperation>['conversations'][number];

const toAutomation = (automation: Listed | Detail): Record<string, unknown> => ({
  ...toTheirs(automationNames, automation),
  platform: 'instagram',
  trigger: 'comment',
});

/** What an automation has done, under all names that Zernio has for it. */
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
  ...['alsoMatchInDms', 'audience', 'clickTag', 'commentReplyDelaySeconds', 'commentReplyVariations'],
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
  const { profileId: _, postTitle: _title, trigger, ...fields } = body;
  if (trigger !== undefined && trigger !== 'comment')
    throw notInHerald(`${call} with another trigger than comment`);
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
    const body = toBody('createCommentAutomation', fields);
    const both = body['platformPostId'] !== undefined && body['postId'] !== undefined;
    // Zernio takes both names of one post. The platform's id is the one that Herald needs.
    const { postId: _, ...named } = body;
    const { automation } = await ports.call(createAutomationOperation, { body: both ? named : body });
    return ok({ success: true, automation: { ...toAutomation(automation), stats: noStats } });
  },
};

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
      logs: conversations.map(toLog),
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

/** A reply or a message in Zernio's form. */
function toLog(conversation: Conversation) {
  const { kind, commentId, personId, username, text, commentedAt, state, reason } = conversation;
  const replyStatus = state === 'done' ? 'sent' : 'failed';
  const isReply = kind === 'public_reply';
  return {
    id: `${kind}-${commentId}`,
    commentId,
    ...(personId !== null && { commenterId: personId }),
    ...(username !== null && { commenterName: username }),
    ...(text !== null && { commentText: text }),
    source: 'comment',
    status: states[state],
    ...(reason && { error: reason.message }),
    ...(isReply && state !== 'waiting' && { commentReplyStatus: replyStatus }),
    createdAt: commentedAt,
  };
}

const listLogs: ZernioCall = {
  name: 'listCommentAutomationLogs',
  route: 'GET /v1/comment-automations/{automationId}/logs',
  operations: [listConversationsOperation],
  run: async ({ call }, request) => {
    refuseParameters('listCommentAutomationLogs', request, ['status']);
    const limit = wholeNumber(request, 'limit', { least: 1, most: 50, fallback: 50 });
    const skip = wholeNumber(request, 'skip', { least: 0, most: 50, fallback: 0 });
    const { conversations, nextCursor } = await call(listConversationsOperation, {
      path: ofAutomation(request),
      query: { limit: String(Math.min(100, skip + limit)) },
    });
    const logs = conversations.slice(skip, skip + limit).map(toLog);
    const hasMore = nextCursor !== null;
    const total = hasMore ? skip + limit + 1 : conversations.length;
    return ok({ success: true, logs, pagination: { total, limit, skip, hasMore } });
  },
};

const editAutomation: ZernioCall = {
  name: 'updateCommentAutomation',
  route: 'PATCH /v1/comment-automations/{automationId}',
  operations: [editAutomationOperation],
  run: async ({ call }, request) => {
    const body = toBody('updateCommentAutomation', fieldsOf(request));
    const { automation } = await call(editAutomationOperation, { path: ofAutomation(request), body });
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
