import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { page as onePage } from '../meta/paging.ts';
import { graphTime, selectFields, textField } from '../meta/parameters.ts';
import { type ErrorCode, isKnown, messageOf, refuse } from './errors.ts';
import { postFields } from './feed.ts';
import type { Graph } from './graph.ts';
import { isProcessed, permalinkOf } from './publishing.ts';
import type { PageSession } from './sessions.ts';
import { type Comment, type IdKind, idKind, nextId, type State, type Video } from './state.ts';

/** Reads and deletes a Page's objects by id, and reads and writes the comments on its posts and videos. */
export function readingOperations(graph: Graph, workbench: Workbench, state: State): Operation[] {
  function readObject(call: Call, session: PageSession): Answer {
    const id = call.params['id'] ?? '';
    if (id === session.page.id) {
      const { username, name } = session.page;
      return json(selectFields(call.fields, { id, username, name }, 'Page'));
    }
    switch (idKind(id)) {
      case 'post':
        return readPost(call, session, id);
      case 'video':
        return readVideo(call, session, id);
      default:
        return refuse('100/33');
    }
  }

  function readPost(call: Call, { page }: PageSession, id: string): Answer {
    const post = state.posts.get(id);
    if (post === undefined || post.pageId !== page.id) return refuse('100/33');
    return json(selectFields(call.fields, postFields(post), 'PagePost'));
  }

  function readVideo(call: Call, { page }: PageSession, id: string): Answer {
    const video = state.videos.get(id);
    if (video === undefined || video.pageId !== page.id) return refuse('100/33');
    const post = state.posts.list({ owner: page.id }).find(({ videoId }) => videoId === id);
    const known = {
      id,
      status: videoStatus(video, call.at, String(workbench.setting('completeWord'))),
      published: isProcessed(video, call.at) && video.finish?.isDraft !== true,
      description: video.finish?.text,
      title: video.finish?.title,
      post_id: post && shownPostId(post.id),
      // Facebook answers with a relative permalink.
      permalink_url: permalinkOf(video).slice('https://www.facebook.com'.length),
      created_time: graphTime(video.createdAt),
    };
    return json(selectFields(call.fields, known, 'Video'));
  }

  /**
   * Returns the id as a response shows it. Live responses have had both forms: the whole id of the post, and only its part after
   * the Page's id.
   */
  function shownPostId(id: string): string | undefined {
    return workbench.setting('completePostIds') === true ? id : id.split('_').at(-1);
  }

  function comment(call: Call, session: PageSession): Answer {
    const postId = commentable(call, session);
    const text = textField(call.fields, 'message');
    if (text === undefined) refuse('100', '(#100) The parameter message is required.');
    const id = `${postId.split('_').at(-1)}_${nextId(workbench.ledger, 'comment')}`;
    state.comments.put(id, { id, postId, fromId: session.page.id, text, at: call.at });
    return json({ id });
  }

  /**
   * Requires a permission that publishing does not need, or the feature Page Public Content Access.
   * https://developers.facebook.com/docs/graph-api/reference/page-post/comments/
   */
  function listComments(call: Call, session: PageSession): Answer {
    const mayRead =
      session.token.scopes.includes('pages_read_user_content') ||
      workbench.setting('pagePublicContentAccess') === true;
    if (!mayRead) {
      refuse(
        '10',
        "(#10) This endpoint requires the 'pages_read_user_content' permission or the 'Page Public Content Access' feature.",
      );
    }
    const comments = state.comments.list({ owner: commentable(call, session), newestFirst: true });
    const fieldsOf = ({ id, fromId, text, at }: Comment) => {
      const from = { id: fromId, name: state.pages.get(fromId)?.name };
      return selectFields(call.fields, { id, message: text, from, created_time: graphTime(at) }, 'Comment');
    };
    return json(onePage(call, comments, fieldsOf));
  }

  /** Returns the id of the post to comment on. For a video's id, this is the video's post. @throws Refusal 100/33 */
  function commentable(call: Call, { page }: PageSession): string {
    const id = call.params['postId'] ?? '';
    const post = state.posts
      .list({ owner: page.id })
      .find((known) => known.kind === 'feed' && (known.id === id || known.videoId === id));
    return post?.id ?? refuse('100/33');
  }

  /** Deletes a post, a video with its post, or a photo. https://developers.facebook.com/docs/pages-api/posts#delete-a-post */
  function remove(call: Call, { page }: PageSession): Answer {
    const { id = '' } = call.params;
    const { ledger } = workbench;
    const owned = [state.posts.get(id), state.videos.get(id), state.photos.get(id)];
    if (!owned.some((found) => found?.pageId === page.id)) return refuse('100/33');
    const shown = state.posts.list({ owner: page.id }).filter(({ videoId }) => videoId === id);
    ledger.transaction(() => {
      for (const gone of [id, ...shown.map((post) => post.id)]) {
        state.posts.delete(gone);
        ledger.posts.delete(gone);
      }
      state.videos.delete(id);
      state.photos.delete(id);
    });
    return json({ success: true });
  }

  const objectNames = { post: 'post_object', video: 'video_object', page: 'page_object' };
  const names = { ...objectNames } as Partial<Record<IdKind, string>>;
  const name = {
    names: [...Object.values(objectNames), 'object'],
    of: ({ id = '' }) => names[idKind(id) ?? 'photo'] ?? 'object',
  };
  return [
    graph.page(name, 'GET', ':id', 'pages_read_engagement', (call, session) => {
      return workbench.reads.ofState(call, (seen) => readObject(seen, session));
    }),
    graph.page('object_delete', 'DELETE', ':id', 'pages_manage_posts', remove),
    graph.page('comments', 'POST', ':postId/comments', 'pages_manage_engagement', comment),
    graph.page('comments_list', 'GET', ':postId/comments', 'pages_read_engagement', (call, session) => {
      return workbench.reads.ofList(call, (seen) => listComments(seen, session));
    }),
  ];
}

/** Returns the status of a video or reel ("Reels Publishing API", step 4). */
function videoStatus(video: Video, now: number, completeWord: string): unknown {
  const { media, failure, finish, fileUrl, storedBytes, fileBytes } = video;
  const error = failure === undefined ? undefined : { message: failureMessage(failure) };
  const isFetchFailed = failure !== undefined && media === undefined;
  const isRunning = finish !== undefined && !isProcessed(video, now);
  const isFailed = failure !== undefined && finish !== undefined && now >= (finish.readyAt ?? Infinity);
  const isUploading = fileUrl !== undefined || storedBytes > 0;
  const uploading = isFetchFailed
    ? 'error'
    : media
      ? completeWord
      : isUploading
        ? 'in_progress'
        : 'not_started';
  const processing = isFailed ? 'error' : isRunning ? 'in_progress' : finish ? completeWord : 'not_started';
  const isReady = isProcessed(video, now);
  const isLive = isReady && finish?.isDraft !== true;
  return {
    video_status: videoStatusWord(),
    uploading_phase: {
      status: uploading,
      bytes_transfered: storedBytes,
      source_file_size: fileBytes ?? storedBytes,
      ...(isFetchFailed && { error }),
    },
    processing_phase: { status: processing, ...(isFailed && { error }) },
    publishing_phase: {
      status: isLive ? completeWord : 'not_started',
      publish_status: finish === undefined || finish.isDraft ? 'draft' : 'published',
      ...(isLive && { publish_time: Math.floor((finish?.readyAt ?? 0) / 1000) }),
    },
  };

  function videoStatusWord(): string {
    if (isFetchFailed) return 'upload_failed';
    if (isFailed) return 'error';
    if (isReady) return 'ready';
    if (finish !== undefined) return 'processing';
    return media === undefined ? 'uploading' : 'upload_complete';
  }
}

function failureMessage(code: string): string {
  const known: ErrorCode | undefined = isKnown(code) ? code : undefined;
  return known === undefined ? `Video processing failed (${code})` : messageOf(known);
}
