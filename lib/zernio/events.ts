import { createHmac } from 'node:crypto';
import type { EventForm } from '../webhooks/deliveries/deliver.ts';
import type { EventContext } from '../webhooks/schemas.ts';
import { eventNames, isFields, postNames, targetNames, toTheirs } from './names.ts';

/*
 * Events in Zernio's envelope, `{ id, event, …, timestamp }`, as the types `WebhookPayload…` of `@zernio/node` 0.2.881 (2026-11)
 * describe them. Pure.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Returns Zernio's name of an event's type. A type that Zernio does not have keeps its name. */
export const theirEvent = (type: string): string => eventNames.find(([, ours]) => ours === type)?.[0] ?? type;

/** An event's body at Herald. */
interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly data: Fields;
}

export function toZernioEvent(
  { id, type, createdAt, data }: EventBody,
  context: EventContext = {},
): Record<string, unknown> {
  return { id, event: theirEvent(type), ...contentOf(type, data, context), timestamp: createdAt };
}

/** Returns the fields of the event that depend on its type. */
function contentOf(type: string, data: Fields, context: EventContext): Fields {
  if (type === 'webhook.test') return { message: 'This is a test of Herald' };
  const { post, target, account } = data;
  if (isFields(target)) return ofTarget(type, data, target, context);
  if (isFields(post)) return { post: toPostOfEvent(post) };
  if (isFields(account)) return { account: toAccountOfEvent(type, account) };
  if (type === 'comment.received') return ofComment(data, context);
  if (type === 'dm.received') return ofMessage(data, context);
  return { data };
}

const postFields = postNames.filter(([theirs]) =>
  ['content', 'status', 'scheduledFor', 'metadata'].includes(theirs),
);

function toPostOfEvent(post: Fields) {
  const targets = Array.isArray(post['platforms']) ? post['platforms'].filter(isFields) : [];
  const lived = targets.map(({ publishedAt }) => publishedAt).filter((at) => typeof at === 'string');
  return {
    id: post['id'],
    scheduledFor: '',
    ...toTheirs(postFields, post),
    ...(lived.length > 0 && { publishedAt: lived.toSorted()[0] }),
    platforms: targets.map(toTargetOfEvent),
  };
}

const targetFields = targetNames.filter(([theirs]) =>
  ['platform', 'status', 'accountId', 'platformPostId'].includes(theirs),
);

function toTargetOfEvent(target: Fields) {
  const { permalink, error } = target;
  return {
    ...toTheirs(targetFields, target),
    ...(typeof permalink === 'string' && { publishedUrl: permalink }),
    ...(typeof error === 'string' && { error }),
  };
}

const endings: Readonly<Record<string, string>> = {
  'post.target.published': 'published',
  'post.target.failed': 'failed',
  'post.target.removed': 'deleted',
};

/** Zernio's names of an account of which Herald's event has only the id. They are empty if nobody has stored them. */
function namesOf({ account }: EventContext) {
  const { username = null, displayName = null } = account ?? {};
  return { username: username ?? '', ...(displayName !== null && { displayName }) };
}

/** Herald's event of one destination has not the whole post. An event that was stored without it shows this destination only. */
function ofTarget(type: string, { postId, metadata }: Fields, target: Fields, context: EventContext): Fields {
  const { platform, accountId, status, scheduledFor, publishedAt, removedAt } = target;
  const { publishedUrl, error, platformPostId } = toTargetOfEvent(target) as Fields;
  return {
    post: context.post
      ? toPostOfEvent(context.post)
      : {
          id: postId,
          content: '',
          status,
          scheduledFor: scheduledFor ?? '',
          ...(typeof publishedAt === 'string' && { publishedAt }),
          platforms: [toTargetOfEvent(target)],
          ...(isFields(metadata) && { metadata }),
        },
    platform: {
      name: platform,
      status: endings[type] ?? status,
      ...(platformPostId !== undefined && { platformPostId }),
      ...(publishedUrl !== undefined && { publishedUrl }),
      ...(error !== undefined && { error }),
      ...(typeof removedAt === 'string' && { deletedAt: removedAt }),
    },
    account: { accountId, platform, ...namesOf(context) },
  };
}

function toAccountOfEvent(
  type: string,
  { id, platform, username, displayName, profileId, ...account }: Fields,
) {
  const reason = account['statusMessage'];
  return {
    accountId: id,
    ...(isFields(profileId) && { profileId: profileId['_id'] }),
    platform,
    username: username ?? '',
    ...(typeof displayName === 'string' && { displayName }),
    ...(theirEvent(type) === 'account.disconnected' && {
      disconnectionType: type === 'account.expired' ? 'unintentional' : 'intentional',
      reason: typeof reason === 'string' ? reason : 'The account was disconnected',
    }),
  };
}

/** Comments and messages come from Instagram only. Herald's events lack some of what Zernio's have: that is null or empty. */
const platform = 'instagram';

function ofComment(
  { accountId, platformPostId, commentId, text, username, at }: Fields,
  context: EventContext,
): Fields {
  const author = { id: context.personId ?? '', ...(typeof username === 'string' && { username }) };
  const comment = { id: commentId, postId: null, platformPostId, platform, text, author, createdAt: at };
  return {
    comment: { ...comment, isReply: false, parentCommentId: null },
    post: { id: null, platformPostId, content: null, imageUrl: null, permalink: null },
    account: { id: accountId, accountId, platform, username: namesOf(context).username },
  };
}

function ofMessage({ accountId, senderId, text, at }: Fields, context: EventContext): Fields {
  const { messageId = '' } = context;
  const conversationId = `${accountId}-${senderId}`;
  const message = {
    id: messageId,
    conversationId,
    platform,
    platformMessageId: messageId,
    direction: 'incoming',
    text,
  };
  return {
    message: { ...message, attachments: [], sender: { id: senderId }, sentAt: at, isRead: false },
    conversation: {
      id: conversationId,
      platformConversationId: '',
      participantId: senderId,
      status: 'active',
    },
    account: { id: accountId, accountId, platform, ...namesOf(context) },
  };
}

/**
 * Events in Zernio's form. The signature is the HMAC-SHA256 of the raw body in lower-case hexadecimal digits, without a time, and has
 * room for one secret. https://docs.zernio.com/webhooks
 */
export const zernioForm: EventForm = {
  toBody: (body, context) =>
    Buffer.from(JSON.stringify(toZernioEvent(JSON.parse(Buffer.from(body).toString('utf8')), context))),
  headersOf: ({ body, eventId, secrets: [secret = ''] }) => ({
    'x-zernio-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'x-zernio-event-id': eventId,
  }),
};
