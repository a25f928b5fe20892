import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { page } from '../meta/paging.ts';
import { graphTime, integerField, selectFields } from '../meta/parameters.ts';
import { type Containers, dayMilliseconds } from './containers.ts';
import { refuse } from './errors.ts';
import { type GraphOperation, isOwn } from './graph.ts';
import { profileFields } from './people.ts';
import { fileHost, pictureUrl } from './pictures.ts';
import type { Session } from './sessions.ts';
import { type Comment, idKind, type Media, type State, type User } from './state.ts';

const objectNames = {
  user: 'me',
  scoped: 'me',
  container: 'container_status',
  media: 'media_object',
  comment: 'comment_object',
  person: 'user_profile',
} as const;

/** Reads objects by id, and lists an account's media and stories. */
export function readingOperations(
  graph: GraphOperation,
  workbench: Workbench,
  state: State,
  containers: Containers,
): Operation[] {
  const { reads } = workbench;

  function readObject(call: Call, session: Session): Answer {
    const id = call.params['id'] ?? '';
    if (isOwn(id, session)) return json(selectFields(call.fields, userFields(session.user, state), 'IGUser'));
    const kind = idKind(id);
    if (kind === 'container') return readContainer(call, session, id);
    if (kind === 'media') return readMedia(call, session, id);
    if (kind === 'comment') return readComment(call, session, id);
    if (kind === 'person') return readPerson(call, session, id);
    return refuse('100/33');
  }

  function readContainer(call: Call, { user }: Session, id: string): Answer {
    const container = state.containers.get(id);
    if (container === undefined || container.igId !== user.igId) return refuse('100/33');
    refuseFirstRead(id);
    const { code, text } = containers.status(container, call.at);
    const status_code = workbench.setting('omitsStatusCode') === true ? undefined : code;
    return json(selectFields(call.fields, { id, status_code, status: text }, 'IGContainer'));
  }

  function readMedia(call: Call, { user }: Session, id: string): Answer {
    const media = state.media.get(id);
    if (media === undefined || media.igId !== user.igId) return refuse('100/33');
    refuseFirstRead(id);
    return json(selectFields(call.fields, mediaFields(media, user, state), 'IGMedia'));
  }

  function readComment(call: Call, { user }: Session, id: string): Answer {
    const comment = state.comments.get(id);
    const media = comment && state.media.get(comment.mediaId);
    if (comment === undefined || media?.igId !== user.igId) return refuse('100/33');
    return json(selectFields(call.fields, commentFields(comment), 'IGComment'));
  }

  /** Reads a person's profile, which is possible only after they have written or tapped. */
  function readPerson(call: Call, { user }: Session, id: string): Answer {
    const person = state.people.get(id);
    if (person === undefined || person.igId !== user.igId) return refuse('100/33');
    if (person.lastHeardAt === undefined) return refuse('230');
    return json(selectFields(call.fields, profileFields(person, state), 'User'));
  }

  /** Refuses the first read of a new object as not found, with the setting `firstReadMissing`. */
  function refuseFirstRead(id: string): void {
    if (workbench.setting('firstReadMissing') !== true || state.wereRead.get(id)) return;
    state.wereRead.put(id, true);
    refuse('100/33');
  }

  function listMedia(call: Call, { user }: Session): Answer {
    const since = (integerField(call.fields, 'since', 0) ?? 0) * 1000;
    const until = (integerField(call.fields, 'until', 0) ?? Number.MAX_SAFE_INTEGER / 1000) * 1000;
    const showsUnshared = workbench.setting('listUnsharedReels') === true;
    const listed = state.media
      .list({ owner: user.igId, since, newestFirst: true })
      .filter(({ productType }) => productType !== 'STORY')
      .filter(({ shareToFeed }) => shareToFeed || showsUnshared)
      .filter(({ publishedAt }) => publishedAt <= until);
    const fieldsOf = (media: Media) => selectFields(call.fields, listedFields(media, user), 'IGMedia');
    return json(page(call, [...othersOf(user, 'FEED'), ...listed], fieldsOf));
  }

  function listStories(call: Call, { user }: Session): Answer {
    const stories = state.media
      .list({ owner: user.igId, since: call.at - dayMilliseconds + 1, newestFirst: true })
      .filter(({ productType }) => productType === 'STORY');
    const fieldsOf = (media: Media) => selectFields(call.fields, listedFields(media, user), 'IGMedia');
    return json(page(call, [...othersOf(user, 'STORY'), ...stories], fieldsOf));
  }

  const listedFields = (media: Media, user: User) =>
    mediaFields({ ...media, caption: reads.text(media.caption) }, user, state);

  const othersOf = ({ igId }: User, productType: Media['productType']): Media[] =>
    reads.others((number, publishedAt) => ({
      id: String(18_420_000_000_000_001n + 4n * BigInt(number)),
      igId,
      containerId: '',
      shortcode: `other${number}`,
      permalink: `https://www.instagram.com/p/other${number}/`,
      mediaType: 'IMAGE',
      productType,
      caption: `Other post ${number}`,
      shareToFeed: true,
      publishedAt,
    }));

  const name = {
    names: [...new Set(Object.values(objectNames)), 'object'],
    of: ({ id = '' }) => {
      const kind = id === 'me' ? 'user' : idKind(id);
      return kind === undefined ? 'object' : objectNames[kind];
    },
  };
  const scope = 'instagram_business_basic';
  return [
    graph(name, 'GET', ':id', scope, (call, session) =>
      reads.ofState(call, (seen) => readObject(seen, session)),
    ),
    graph('media_list', 'GET', ':igId/media', scope, (call, session) =>
      reads.ofList(call, (seen) => listMedia(seen, session)),
    ),
    graph('stories', 'GET', ':igId/stories', scope, (call, session) =>
      reads.ofList(call, (seen) => listStories(seen, session)),
    ),
  ];
}

function userFields(user: User, state: State): Record<string, unknown> {
  return {
    id: user.scopedId,
    user_id: user.igId,
    username: user.username,
    name: user.name,
    account_type: user.accountType,
    profile_picture_url: `https://scontent.cdninstagram.com/v/${user.igId}.jpg`,
    followers_count: user.followers,
    follows_count: 0,
    media_count: state.media.count({ owner: user.igId }),
  };
}

function mediaFields(media: Media, user: User, state: State): Record<string, unknown> {
  return {
    id: media.id,
    permalink: media.permalink,
    shortcode: media.shortcode,
    media_type: media.mediaType,
    is_comment_enabled: media.isCommentEnabled ?? true,
    media_product_type: media.productType,
    // Videos have a thumbnail besides.
    media_url: media.mediaType === 'VIDEO' ? `https://${fileHost}/v/${media.id}.mp4` : pictureUrl(media),
    thumbnail_url: media.mediaType === 'VIDEO' ? pictureUrl(media) : undefined,
    timestamp: graphTime(media.publishedAt),
    caption: media.caption === '' ? undefined : media.caption,
    alt_text: media.altText,
    username: user.username,
    is_shared_to_feed: media.productType === 'REELS' ? media.shareToFeed : undefined,
    comments_count: state.comments.count({ owner: media.id }),
    like_count: 0,
  };
}

export function commentFields(comment: Comment): Record<string, unknown> {
  return {
    id: comment.id,
    text: comment.text,
    timestamp: graphTime(comment.at),
    username: comment.username,
    from: { id: comment.fromId, username: comment.username },
    parent_id: comment.parentId,
    media: { id: comment.mediaId },
    hidden: false,
    like_count: 0,
  };
}
