import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuseParameter } from '../meta/graph-errors.ts';
import { selectFields, textField } from '../meta/parameters.ts';
import { type Containers, dayMilliseconds } from './containers.ts';
import { refuse } from './errors.ts';
import type { Session, ThreadsOperation } from './sessions.ts';
import { type Container, type Media, nextId, type State } from './state.ts';

/** Creates containers, publishes them, and reads the account's quotas. */
export function publishingOperations(
  threads: ThreadsOperation,
  workbench: Workbench,
  state: State,
  containers: Containers,
): Operation[] {
  const { ledger } = workbench;

  function publish(call: Call, { user, token }: Session): Answer {
    const creationId = textField(call.fields, 'creation_id');
    if (creationId === undefined) refuseParameter('The parameter creation_id is required.');
    const container = state.containers.get(creationId);
    if (container === undefined || container.userId !== user.id || container.isLost) refuse('24/4279009');
    if (call.at < container.createdAt + Number(workbench.setting('settlingSeconds')) * 1000) {
      state.containers.put(container.id, { ...container, isLost: true });
      refuse('24/4279009');
    }
    const isAgain = container.published !== undefined;
    // A published container counts as not found here. Only its status shows that it was published.
    if (isAgain && workbench.setting('publishesAgain') !== true) refuse('24/4279009');
    if (container.isCarouselItem) refuseParameter('A carousel item cannot be published on its own.');
    if (containers.status(container, call.at) !== 'FINISHED' && !isAgain) refuse('24/4279009');
    const isReply = container.replyToId !== undefined;
    if (isReply && !token.scopes.includes('threads_manage_replies')) refuse('10');
    if (container.replyToId !== undefined) requireParent(container.replyToId, call.at);
    const [limit, used] = [
      workbench.limit(isReply ? 'replies' : 'posts'),
      usedLastDay(user.id, isReply, call.at),
    ];
    if (used >= limit) refuse('9/2207042');
    return json({ id: ledger.transaction(() => goLive(container, user.username, call.at)) });
  }

  /** Refuses a reply to a post that went live less than `replyDelaySeconds` ago. */
  function requireParent(id: string, now: number): void {
    const parent = state.media.get(id);
    const visibleFrom = (parent?.publishedAt ?? 0) + Number(workbench.setting('replyDelaySeconds')) * 1000;
    if (parent === undefined || now < visibleFrom) refuse('24/4279009');
  }

  function usedLastDay(userId: string, isReply: boolean, now: number): number {
    const published = state.media.list({ owner: userId, since: now - dayMilliseconds + 1 });
    return published.filter(({ replyToId }) => (replyToId !== undefined) === isReply).length;
  }

  function goLive(container: Container, username: string, at: number): string {
    const media = mediaOf(container, nextId(ledger, 'media'), username, at);
    const { id, userId, permalink, text, mediaType, replyToId } = media;
    state.media.put(id, media);
    state.containers.put(container.id, { ...container, published: { mediaId: id, at } });
    // `GET {control}/posts` does not list replies.
    if (replyToId !== undefined) return id;
    ledger.posts.put(id, {
      id,
      accountId: userId,
      permalink,
      content: text,
      media: filesOf(container),
      details: { media_type: mediaType, ...container.options },
      publishedAt: at,
    });
    return id;
  }

  function filesOf({ media, children }: Container): LiveMedia[] {
    if (media !== undefined) return [media];
    return children.flatMap((child) => state.containers.get(child)?.media ?? []);
  }

  function quota(call: Call, { user }: Session): Answer {
    const config = (name: string) => ({
      quota_total: workbench.limit(name),
      quota_duration: dayMilliseconds / 1000,
    });
    const known = {
      id: undefined,
      quota_usage: usedLastDay(user.id, false, call.at),
      config: config('posts'),
      reply_quota_usage: usedLastDay(user.id, true, call.at),
      reply_config: config('replies'),
    };
    return json({ data: [selectFields(call.fields, known, 'ThreadsPublishingLimit')] });
  }

  /** Deletes one of the account's posts. https://developers.facebook.com/docs/threads/posts/delete-posts */
  function remove(call: Call, { user }: Session): Answer {
    const { id = '' } = call.params;
    const media = state.media.get(id);
    if (media?.userId !== user.id) return refuse('24/4279009');
    ledger.transaction(() => {
      state.media.delete(id);
      ledger.posts.delete(id);
    });
    return json({ success: true, deleted_id: id });
  }

  const scope = 'threads_content_publish';
  return [
    threads('media_delete', 'DELETE', ':id', 'threads_delete', remove),
    threads('threads', 'POST', ':userId/threads', scope, containers.create),
    threads('threads_publish', 'POST', ':userId/threads_publish', scope, publish),
    threads('threads_publishing_limit', 'GET', ':userId/threads_publishing_limit', 'threads_basic', quota),
  ];
}

const readBack = { TEXT: 'TEXT_POST', IMAGE: 'IMAGE', VIDEO: 'VIDEO', CAROUSEL: 'CAROUSEL_ALBUM' } as const;

function mediaOf(container: Container, id: string, username: string, publishedAt: number): Media {
  const { userId, mediaType, text, replyToId } = container;
  const shortcode = `D${BigInt(id).toString(36)}`;
  return {
    id,
    userId,
    mediaType: readBack[mediaType],
    // Threads trims the text.
    text: text.trim(),
    shortcode,
    permalink: `https://www.threads.net/@${username}/post/${shortcode}`,
    publishedAt,
    ...(replyToId !== undefined && { replyToId }),
  };
}
