import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuseParameter } from '../meta/graph-errors.ts';
import { page as onePage } from '../meta/paging.ts';
import { graphTime, integerField, jsonField, selectFields, textField } from '../meta/parameters.ts';
import { readIsDraft } from './drafts.ts';
import { refuse } from './errors.ts';
import type { Graph } from './graph.ts';
import { ownPhoto } from './photos.ts';
import type { Publishing } from './publishing.ts';
import type { PageSession } from './sessions.ts';
import type { Page, Post, State } from './state.ts';
import { readTargeting } from './targeting.ts';

const messageCharacters = 63_206;

/** Publishes feed posts, and lists a Page's posts and stories. */
export function feedOperations(
  graph: Graph,
  workbench: Workbench,
  state: State,
  publishing: Publishing,
): Operation[] {
  const { reads } = workbench;

  function publish(call: Call, { page }: PageSession): Answer {
    const { fields } = call;
    const message = textField(fields, 'message') ?? '';
    const link = textField(fields, 'link');
    const isDraft = readIsDraft(fields);
    const targeting = readTargeting(fields);
    if ([...message].length > messageCharacters) refuseParameter('Param message is too long.');
    const photoIds = attachedPhotos(call).map((id) => ownPhoto(workbench, state, page.id, id).id);
    if (new Set(photoIds).size !== photoIds.length) refuse('100/1366051');
    if (message.trim() === '' && link === undefined && photoIds.length === 0) refuse('197');
    if (link !== undefined) checkLink(link);
    if (link !== undefined && photoIds.length > 0)
      refuseParameter('A link cannot be posted with attached_media.');
    const post = publishing.feedPost(
      page,
      { message, photoIds, isDraft, ...(link !== undefined && { link }), ...(targeting && { targeting }) },
      call.at,
    );
    return json({ id: post.id });
  }

  function listPosts(call: Call, { page }: PageSession): Answer {
    const since = (integerField(call.fields, 'since', 0) ?? 0) * 1000;
    const posts = state.posts
      .list({ owner: page.id, since, newestFirst: true })
      .filter(({ kind, isDraft }) => kind === 'feed' && isDraft !== true);
    const fieldsOf = (post: Post) => {
      const shown = { ...post, message: reads.text(post.message) };
      return selectFields(call.fields, postFields(shown), 'PagePost');
    };
    return json(onePage(call, [...othersOf(page, 'feed'), ...posts], fieldsOf));
  }

  /** Lists stories only if the Page archives them. */
  function listStories(call: Call, { page }: PageSession): Answer {
    const isKept = workbench.setting('storyArchive') === true;
    const stories = isKept
      ? state.posts.list({ owner: page.id, newestFirst: true }).filter(({ kind }) => kind === 'story')
      : [];
    const fieldsOf = ({ id, publishedAt, photoIds, videoId, permalink }: Post) => {
      const known = {
        post_id: id,
        status: 'PUBLISHED',
        creation_time: String(Math.floor(publishedAt / 1000)),
        media_type: videoId === undefined ? 'photo' : 'video',
        media_id: videoId ?? photoIds[0],
        url: permalink,
      };
      return selectFields(call.fields, known, 'PageStory');
    };
    return json(onePage(call, [...othersOf(page, 'story'), ...stories], fieldsOf));
  }

  const othersOf = ({ id: pageId }: Page, kind: Post['kind']): Post[] =>
    reads.others((number, publishedAt) => ({
      id: `${pageId}_${1_740_970_000_000_000_001n + 4n * BigInt(number)}`,
      pageId,
      kind,
      message: `Other post ${number}`,
      photoIds: [],
      permalink: `https://www.facebook.com/${pageId}/posts/other${number}`,
      publishedAt,
    }));

  const listed =
    (list: (call: Call, session: PageSession) => Answer) => (call: Call, session: PageSession) => {
      return reads.ofList(call, (seen) => list(seen, session));
    };

  return [
    graph.page('feed', 'POST', ':pageId/feed', 'pages_manage_posts', publish),
    graph.page(
      'published_posts',
      'GET',
      ':pageId/published_posts',
      'pages_read_engagement',
      listed(listPosts),
    ),
    graph.page('stories', 'GET', ':pageId/stories', 'pages_read_engagement', listed(listStories)),
  ];
}

function attachedPhotos({ fields }: Call): string[] {
  if (fields['attached_media'] === undefined) return [];
  const list = jsonField(fields, 'attached_media');
  if (!Array.isArray(list)) return refuseParameter('Param attached_media must be an array.');
  return list.map((item: unknown) => {
    const id =
      typeof item === 'object' && item !== null && 'media_fbid' in item ? item.media_fbid : undefined;
    return typeof id === 'string' ? id : refuseParameter('Param attached_media needs media_fbid.');
  });
}

function checkLink(link: string): void {
  if (!URL.canParse(link) || !/^https?:$/.test(new URL(link).protocol)) refuse('100/2061006');
  if (/(^|\.)(facebook\.com|fb\.com|fb\.me)$/.test(new URL(link).hostname)) refuse('100/1609008');
}

/** Returns the address of Facebook's own redirect to other sites, which it shows instead of the link. */
function redirectTo(link: string): string {
  return `https://l.facebook.com/l.php?${new URLSearchParams({ u: link, h: 'AT0' })}`;
}

export function postFields(post: Post): Record<string, unknown> {
  const { id, message, publishedAt, permalink, photoIds, videoId, link } = post;
  const photos = photoIds.map((photoId) => ({ media_type: 'photo', target: { id: photoId } }));
  const album = { media_type: 'album', target: { id: `${id}0` }, subattachments: { data: photos } };
  const video = videoId === undefined ? [] : [{ media_type: 'video', target: { id: videoId } }];
  const shared = link === undefined ? [] : [{ media_type: 'link', target: { url: redirectTo(link) } }];
  const attachments = [...(photos.length > 1 ? [album] : photos), ...video, ...shared];
  return {
    id,
    message: message === '' ? undefined : message,
    created_time: graphTime(publishedAt),
    permalink_url: permalink,
    attachments: attachments.length > 0 ? { data: attachments } : undefined,
  };
}
