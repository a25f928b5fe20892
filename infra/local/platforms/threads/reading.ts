import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { page } from '../meta/paging.ts';
import { graphTime, integerField, selectFields } from '../meta/parameters.ts';
import type { Containers } from './containers.ts';
import { refuse } from './errors.ts';
import type { Session, ThreadsOperation } from './sessions.ts';
import { idKind, type Media, type State, type User } from './state.ts';

const objectNames = { user: 'me', container: 'container_status', media: 'media_object' } as const;

/** Reads objects by id, and lists an account's posts and replies. */
export function readingOperations(
  threads: ThreadsOperation,
  workbench: Workbench,
  state: State,
  containers: Containers,
): Operation[] {
  const { reads } = workbench;

  function readObject(call: Call, { user }: Session): Answer {
    const id = call.params['id'] ?? '';
    if (id === 'me' || id === user.id)
      return json(selectFields(call.fields, userFields(user), 'ThreadsUser'));
    const container = state.containers.get(id);
    if (container?.userId === user.id) {
      const status = containers.status(container, call.at);
      const known = {
        id,
        status,
        error_message: status === 'ERROR' ? containers.failureOf(container) : undefined,
      };
      return json(selectFields(call.fields, known, 'ThreadsContainer'));
    }
    const media = state.media.get(id);
    if (media?.userId !== user.id) return refuse('24/4279009');
    return json(selectFields(call.fields, mediaFields(media, user), 'ThreadsMedia'));
  }

  const list =
    (isReplies: boolean) =>
    (request: Call, { user }: Session) =>
      reads.ofList(request, (call) => {
        const since = (integerField(call.fields, 'since', 0) ?? 0) * 1000;
        const listed = state.media
          .list({ owner: user.id, since, newestFirst: true })
          .filter(({ replyToId }) => (replyToId !== undefined) === isReplies);
        const shown = (media: Media) => mediaFields({ ...media, text: reads.text(media.text) }, user);
        // `replied_to` is documented for replies only.
        // https://developers.facebook.com/docs/threads/reply-management (and .../threads-media for posts)
        const fieldsOf = (media: Media) => {
          const { replied_to, ...ofPost } = shown(media);
          return selectFields(call.fields, isReplies ? { ...ofPost, replied_to } : ofPost, 'ThreadsMedia');
        };
        return json(page(call, [...othersOf(user), ...listed], fieldsOf));
      });

  const othersOf = ({ id: userId }: User): Media[] =>
    reads.others((number, publishedAt) => ({
      id: String(18_330_000_000_000_001n + 4n * BigInt(number)),
      userId,
      mediaType: 'TEXT_POST',
      text: `Other post ${number}`,
      shortcode: `other${number}`,
      permalink: `https://www.threads.net/post/other${number}`,
      publishedAt,
    }));

  const name = {
    names: [...Object.values(objectNames), 'object'],
    of: ({ id = '' }) => {
      const kind = id === 'me' ? 'user' : idKind(id);
      return kind === undefined ? 'object' : objectNames[kind];
    },
  };
  return [
    threads(name, 'GET', ':id', 'threads_basic', (call, session) =>
      reads.ofState(call, (seen) => readObject(seen, session)),
    ),
    threads('threads_list', 'GET', ':userId/threads', 'threads_basic', list(false)),
    threads('replies', 'GET', ':userId/replies', 'threads_read_replies', list(true)),
  ];
}

function userFields({ id, username, name }: User): Record<string, unknown> {
  return {
    id,
    username,
    name,
    threads_profile_picture_url: `https://scontent.cdninstagram.com/t/${id}.jpg`,
    threads_biography: '',
    is_verified: false,
  };
}

function mediaFields(media: Media, user: User): Record<string, unknown> {
  const { id, text, publishedAt, permalink, shortcode, mediaType, replyToId } = media;
  return {
    id,
    text: text === '' ? undefined : text,
    timestamp: graphTime(publishedAt),
    permalink,
    shortcode,
    media_type: mediaType,
    username: user.username,
    replied_to: replyToId === undefined ? undefined : { id: replyToId },
  };
}
