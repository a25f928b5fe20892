import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { selectFields, textField } from '../meta/parameters.ts';
import { type Containers, dayMilliseconds } from './containers.ts';
import { refuse, refuseParameter } from './errors.ts';
import type { GraphOperation } from './graph.ts';
import type { Session } from './sessions.ts';
import { type Container, type Media, nextId, type State, shortcodeOf } from './state.ts';

/** Creates containers, publishes them, and reads the account's quota. */
export function publishingOperations(
  graph: GraphOperation,
  workbench: Workbench,
  state: State,
  containers: Containers,
): Operation[] {
  const { ledger } = workbench;

  function publish(call: Call, { user }: Session): Answer {
    const creationId = textField(call.fields, 'creation_id');
    if (creationId === undefined) refuseParameter('The parameter creation_id is required.');
    const container = state.containers.get(creationId);
    if (container === undefined || container.igId !== user.igId || container.isLost) refuse('24/2207008');
    const isAgain = container.published !== undefined;
    // A published container counts as not found here. Only its status shows that it was published.
    if (isAgain && workbench.setting('publishesAgain') !== true) refuse('24/2207008');
    if (container.isCarouselItem) refuseParameter('A carousel item cannot be published on its own.');
    const { code } = containers.status(container, call.at);
    if (code === 'EXPIRED') refuse('24/2207008');
    if (code !== 'FINISHED' && !isAgain) refuse('9007/2207027');
    if (publishedLastDay(user.igId, call.at) >= workbench.limit('posts')) refuse('9/2207042');
    return json({ id: ledger.transaction(() => goLive(container, user.username, call.at)) });
  }

  function publishedLastDay(igId: string, now: number): number {
    return state.media.count({ owner: igId, since: now - dayMilliseconds + 1 });
  }

  function goLive(container: Container, username: string, at: number): string {
    const media = mediaOf(container, nextId(ledger, 'media'), username, at);
    const { id, igId, permalink, caption, productType, shareToFeed, altText } = media;
    state.media.put(id, media);
    state.containers.put(container.id, { ...container, published: { mediaId: id, at } });
    ledger.posts.put(id, {
      id,
      accountId: igId,
      permalink,
      content: caption,
      media: filesOf(container),
      ...(container.cover !== undefined && { cover: container.cover }),
      details: {
        media_product_type: productType,
        share_to_feed: shareToFeed,
        ...(altText && { alt_text: altText }),
        ...(container.userTags && { user_tags: container.userTags }),
        ...(container.locationId && { location_id: container.locationId }),
        ...describedChildren(container),
      },
      publishedAt: at,
    });
    return id;
  }

  /** Returns the alternative texts and tags of a carousel's items, if any has one. */
  function describedChildren({ children }: Container): { readonly children?: readonly object[] } {
    const described = children.map((id) => {
      const { altText, userTags } = state.containers.get(id) ?? {};
      return { ...(altText && { alt_text: altText }), ...(userTags && { user_tags: userTags }) };
    });
    return described.some((child) => Object.keys(child).length > 0) ? { children: described } : {};
  }

  function filesOf({ media, children }: Container): LiveMedia[] {
    if (media !== undefined) return [media];
    return children.flatMap((child) => state.containers.get(child)?.media ?? []);
  }

  function quota(call: Call, { user }: Session): Answer {
    const known = {
      id: undefined,
      quota_usage: publishedLastDay(user.igId, call.at),
      config: { quota_total: workbench.limit('posts'), quota_duration: dayMilliseconds / 1000 },
    };
    const asked = { fields: call.fields['fields'] ?? 'quota_usage' };
    return json({ data: [selectFields(asked, known, 'IGContentPublishingLimit')] });
  }

  const scope = 'instagram_business_content_publish';
  return [
    graph('media', 'POST', ':igId/media', scope, containers.create),
    graph('media_publish', 'POST', ':igId/media_publish', scope, publish),
    graph('content_publishing_limit', 'GET', ':igId/content_publishing_limit', scope, quota),
  ];
}

function mediaOf(container: Container, id: string, username: string, publishedAt: number): Media {
  const { kind, igId, caption, altText, shareToFeed, videoUrl } = container;
  const shortcode = shortcodeOf(id);
  const story = `https://www.instagram.com/stories/${username}/${id}`;
  const post = `https://www.instagram.com/${kind === 'REELS' ? 'reel' : 'p'}/${shortcode}/`;
  return {
    id,
    igId,
    containerId: container.id,
    shortcode,
    permalink: kind === 'STORIES' ? story : post,
    mediaType: kind === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : videoUrl === undefined ? 'IMAGE' : 'VIDEO',
    productType: kind === 'STORIES' ? 'STORY' : kind === 'REELS' ? 'REELS' : 'FEED',
    caption,
    shareToFeed,
    publishedAt,
    ...(altText !== undefined && { altText }),
  };
}
