import * as z from 'zod';
import { secondMs } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import { PlatformError } from '../contract/errors.ts';
import type {
  AccountCall,
  AccountPost,
  CommentPlatform,
  CommentReference,
  MessageButton,
  MessageContent,
  MessagingFinding,
  Search,
  SentMessage,
} from '../contract/messaging.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { comparableText, findListed } from '../shared/find-listed.ts';
import { readResponse } from '../shared/json.ts';
import { callGraph, GraphId } from '../shared/meta/graph.ts';
import { graphPages } from '../shared/meta/pages.ts';
import { messagingAbsence } from './absence.ts';
import { apiRoot } from './client.ts';
import { commentError, instagramMessaging, isMissingObject, messageError } from './errors.ts';
import { messagingLimits } from './limits.ts';

/** Comments and messages through the Instagram API with Instagram Login. */
export const instagramMessages: CommentPlatform = {
  limits: messagingLimits,
  absenceRules: messagingAbsence,

  async postExists(request, tools) {
    return (await readPost(request, tools)) !== undefined;
  },

  readPost,

  async listPosts({ account, sinceMs, after, limit, ...request }, tools) {
    const since = sinceMs === undefined ? undefined : String(Math.floor(sinceMs / secondMs));
    const query = { fields: postFields, limit: String(limit), since, after };
    const path = `${encodeURIComponent(account.platformAccountId)}/media`;
    const { data, paging } = readResponse(MediaPage, await get({ account, ...request }, tools, path, query));
    const next = paging?.next === undefined ? undefined : paging.cursors?.after;
    return { posts: data.map(postOf), after: next };
  },

  async *listComments({ platformPostId, ...request }, tools) {
    const path = `${encodeURIComponent(platformPostId)}/comments`;
    const query = { fields: 'id,text,username,timestamp,from', limit: '50' };
    for await (const page of graphPages(Reply, (next) => get(request, tools, path, { ...query, ...next })))
      yield page.flatMap(({ id: commentId, text: words = '', username, timestamp, from }) => {
        const at = Date.parse(timestamp ?? '');
        const name = from?.username ?? username ?? null;
        return from?.id === undefined
          ? []
          : [
              {
                commentId,
                platformPostId,
                personId: from.id,
                username: name,
                text: words,
                ...(Number.isFinite(at) && { at }),
              },
            ];
      });
  },

  async replyPublicly(request, tools) {
    const { comment, text, accessToken: token } = request;
    const url = `${apiRoot(tools)}/${threadOf(comment)}/replies`;
    const call = { method: 'POST', url, token, form: { message: text } } as const;
    return failingAs(commentError, async () => ({
      replyId: readResponse(WithId, await callGraph(tools, instagramMessaging, call)).id,
    }));
  },

  async findReply(request, tools) {
    try {
      return await findReply(request, tools);
    } catch (error) {
      // The comment is gone, or a lagging read does not show it.
      if (isMissingObject(error)) return { state: 'unseen' };
      throw error;
    }
  },

  sendPrivateReply(request, tools) {
    const comment_id = request.comment.commentId;
    return failingAs(commentError, () => send(request, { comment_id }, request.content, tools));
  },

  sendMessage: (request, tools) => send(request, { id: request.personId }, request.content, tools),

  async findMessage({ personId, content, answeredMs = 0, ...request }, tools) {
    const query = { platform: 'instagram', user_id: personId, fields: conversationFields };
    const response = await get(request, tools, 'me/conversations', query);
    const messages = readResponse(Conversations, response).data.flatMap(
      (thread) => thread.messages?.data ?? [],
    );
    const createdMs = ({ created_time }: ListedMessage) => Date.parse(created_time ?? '');
    // Instagram gives whole seconds. Both times are from its clock, unlike the time of the call.
    const later = messages.filter((message) => createdMs(message) > answeredMs - secondMs);
    const found = await findListed(onePage(later), request.call, {
      idOf: ({ id }) => id,
      createdMs,
      likeness: ({ from, message }) =>
        from?.id !== personId && hasSameText(message, content) ? 'text' : undefined,
    });
    if (!found) return { state: 'unseen' };
    const isGuess = comparableText(found.message) !== comparableText(content.text);
    return { state: 'live', post: { messageId: found.id, personId, ...(isGuess && { isGuess }) } };
  },

  async followState({ personId, ...request }, tools) {
    try {
      const path = encodeURIComponent(personId);
      const response = await get(request, tools, path, { fields: 'is_user_follow_business' });
      const follows = readResponse(Profile, response).is_user_follow_business;
      return follows === undefined ? 'not known' : follows ? 'follows' : 'does not follow';
    } catch (error) {
      // The person has not consented yet, or no longer exists.
      const isHidden = error instanceof PlatformError && /^230(\/|$)/.test(error.platformCode ?? '');
      if (isHidden || isMissingObject(error)) return 'not known';
      throw error;
    }
  },
};

/** Reads a post. Only a post has a permalink; accounts, containers, comments and people, which also have numeric ids, have none. */
async function readPost(
  request: AccountCall & { readonly platformPostId: string },
  tools: PlatformTools,
): Promise<AccountPost | undefined> {
  if (!/^\d{1,30}$/.test(request.platformPostId)) return undefined;
  try {
    const response = await get(request, tools, request.platformPostId, { fields: postFields });
    const media = readResponse(ListedPost.partial({ id: true }), response);
    return media.permalink === undefined ? undefined : postOf({ ...media, id: request.platformPostId });
  } catch (error) {
    if (error instanceof PlatformError && /^(100|230)(\/|$)/.test(error.platformCode ?? '')) return undefined;
    throw error;
  }
}

function postOf({ id, caption, permalink, timestamp, ...media }: z.infer<typeof ListedPost>): AccountPost {
  const publishedMs = Date.parse(timestamp ?? '');
  return {
    platformPostId: id,
    text: caption ?? null,
    permalink: permalink ?? null,
    // A video's own address is no picture.
    pictureUrl: media.thumbnail_url ?? (media.media_type === 'VIDEO' ? null : (media.media_url ?? null)),
    kind: postKinds[media.media_type ?? ''] ?? 'other',
    publishedMs: Number.isFinite(publishedMs) ? publishedMs : undefined,
  };
}

const postKinds: Readonly<Record<string, AccountPost['kind']>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  CAROUSEL_ALBUM: 'carousel',
};

const WithId = z.object({ id: GraphId });
const text = z.string().optional().catch(undefined);
const postFields = 'id,caption,media_type,media_url,thumbnail_url,permalink,timestamp';
const ListedPost = z.object({
  id: GraphId,
  caption: text,
  media_type: text,
  media_url: text,
  thumbnail_url: text,
  permalink: text,
  timestamp: text,
});
const MediaPage = z.object({
  data: z.array(ListedPost),
  paging: z
    .object({ next: text, cursors: z.object({ after: text }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
const Profile = z.object({ is_user_follow_business: z.boolean().optional().catch(undefined) });
const SentResponse = z.object({ recipient_id: GraphId.optional(), message_id: GraphId });

const author = z
  .object({ id: GraphId.optional().catch(undefined), username: text })
  .optional()
  .catch(undefined);
const Reply = z.object({ id: GraphId, text, username: text, timestamp: text, from: author });
type Reply = z.infer<typeof Reply>;
const ListedMessage = z.object({ id: GraphId, created_time: text, from: author, message: text });
type ListedMessage = z.infer<typeof ListedMessage>;
const Conversations = z.object({
  data: z.array(z.object({ messages: z.object({ data: z.array(ListedMessage) }).optional() })),
});
const conversationFields = 'messages{id,created_time,from,to,message}';

function get(
  { accessToken: token }: AccountCall,
  tools: PlatformTools,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
) {
  return callGraph(tools, instagramMessaging, {
    method: 'GET',
    url: `${apiRoot(tools)}/${path}`,
    token,
    query,
  });
}

/** Sends a message, as JSON: Instagram refuses a form with JSON in its fields. */
async function send(
  { account, accessToken: token }: AccountCall,
  recipient: { readonly [key: string]: Json },
  content: MessageContent,
  tools: PlatformTools,
): Promise<SentMessage> {
  const url = `${apiRoot(tools)}/${encodeURIComponent(account.platformAccountId)}/messages`;
  const call = { method: 'POST', url, token, json: { recipient, message: messageBody(content) } } as const;
  const hasButtons = (content.buttons?.length ?? 0) > 0;
  const response = await failingAs(
    (error) => messageError(error, hasButtons),
    () => callGraph(tools, instagramMessaging, call),
  );
  const sent = readResponse(SentResponse, response);
  return { messageId: sent.message_id, personId: sent.recipient_id };
}

/** Returns a text, or a button template that contains the text; a message cannot have both. */
function messageBody({ text: words, buttons = [] }: MessageContent): { [key: string]: Json } {
  if (buttons.length === 0) return { text: words };
  const payload = { template_type: 'button', text: words, buttons: buttons.map(buttonBody) };
  return { attachment: { type: 'template', payload } };
}

function buttonBody(button: MessageButton): { [key: string]: Json } {
  return button.type === 'url'
    ? { type: 'web_url', url: button.url, title: button.title }
    : { type: 'postback', title: button.title, payload: button.payload };
}

/** Returns the comment to reply to: only top-level comments accept replies, so a reply is answered under its parent. */
function threadOf({ commentId, parentId }: CommentReference): string {
  return encodeURIComponent(parentId ?? commentId);
}

/** The limit on pages: up to 4,000 replies. */
const maxReplyPages = 40;

async function findReply(
  request: AccountCall & Search & { readonly comment: CommentReference; readonly text: string },
  tools: PlatformTools,
): Promise<MessagingFinding<{ readonly replyId: string }>> {
  const createdMs = ({ timestamp }: Reply) => Date.parse(timestamp ?? '');
  // Instagram does not document the order of replies, so all are read.
  const replies = (await readReplies(request, tools)).sort((one, other) => createdMs(other) - createdMs(one));
  const found = await findListed(onePage(replies), request.call, {
    idOf: ({ id }) => id,
    createdMs,
    likeness: (reply) =>
      isByAccount(reply.from?.username ?? reply.username, request) &&
      comparableText(reply.text) === comparableText(request.text)
        ? 'text'
        : undefined,
  });
  return found ? { state: 'live', post: { replyId: found.id } } : { state: 'unseen' };
}

async function readReplies(
  request: AccountCall & { readonly comment: CommentReference },
  tools: PlatformTools,
): Promise<Reply[]> {
  const query = { fields: 'id,text,username,timestamp,from', limit: '100' };
  const path = `${threadOf(request.comment)}/replies`;
  const replies: Reply[] = [];
  let pagesRead = 0;
  for await (const page of graphPages(Reply, (next) => get(request, tools, path, { ...query, ...next }))) {
    replies.push(...page);
    pagesRead += 1;
    if (pagesRead === maxReplyPages) break;
  }
  return replies;
}

async function* onePage<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield items;
}

/** Returns true if the account may be the author. Instagram omits the author in some responses. */
function isByAccount(username: string | undefined, { account }: AccountCall): boolean {
  return username === undefined || account.username === null || username === account.username;
}

/** Returns true if the texts match. For a message with buttons, the conversation shows either its text or no text. */
function hasSameText(message: string | undefined, { text: words, buttons = [] }: MessageContent): boolean {
  if (buttons.length > 0 && (message ?? '') === '') return true;
  return comparableText(message) === comparableText(words);
}

async function failingAs<T>(translate: (error: unknown) => unknown, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw translate(error);
  }
}
