import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { page } from '../meta/paging.ts';
import { booleanField, selectFields, textField } from '../meta/parameters.ts';
import { refuse, refuseParameter } from './errors.ts';
import type { GraphOperation } from './graph.ts';
import { commentFields } from './reading.ts';
import type { Session } from './sessions.ts';
import { type Comment, type Media, nextId, type State } from './state.ts';
import type { Webhooks } from './webhooks.ts';

const maxCharacters = 2200;

/** Creates and lists comments on the account's media, and replies to them. */
export function commentOperations(
  graph: GraphOperation,
  workbench: Workbench,
  state: State,
  webhooks: Webhooks,
): Operation[] {
  const { ledger, reads } = workbench;

  function create(call: Call, session: Session): Answer {
    const media = ownMedia(call, session);
    if (media.isCommentEnabled === false) refuseParameter('Comments are turned off for this media.');
    const { id } = put(call, session, { mediaId: media.id });
    // As in the real API, a call with `fields` creates the comment and then fails.
    if (call.fields['fields'] !== undefined) refuse('100/33');
    return json({ id });
  }

  function list(call: Call, session: Session): Answer {
    const comments = state.comments.list({ owner: ownMedia(call, session).id, newestFirst: true });
    return listed(
      call,
      comments.filter(({ parentId }) => parentId === undefined),
    );
  }

  function reply(call: Call, session: Session): Answer {
    const { id: parentId, mediaId, parentId: above } = ownComment(call, session);
    if (above !== undefined) refuseParameter('Replies can be made to top-level comments only.');
    return json({ id: put(call, session, { mediaId, parentId }).id });
  }

  function listReplies(call: Call, session: Session): Answer {
    const { id, mediaId } = ownComment(call, session);
    return listed(
      call,
      state.comments.list({ owner: mediaId }).filter(({ parentId }) => parentId === id),
    );
  }

  /** Turns the comments of a post on or off ("IG Media", Updating). */
  function enable(call: Call, session: Session): Answer {
    const media = ownMedia(call, session);
    const isCommentEnabled = booleanField(call.fields, 'comment_enabled');
    if (isCommentEnabled === undefined) refuseParameter('The parameter comment_enabled is required.');
    const post = ledger.posts.get(media.id);
    ledger.transaction(() => {
      state.media.put(media.id, { ...media, isCommentEnabled });
      if (post)
        ledger.posts.put(media.id, {
          ...post,
          details: { ...post.details, comment_enabled: isCommentEnabled },
        });
    });
    return json({ success: true });
  }

  /** Stores a comment. The app gets a webhook for the account's own comments, too. */
  function put(
    call: Call,
    { user: { igId, username } }: Session,
    place: Pick<Comment, 'mediaId' | 'parentId'>,
  ): Comment {
    const text = textField(call.fields, 'message');
    if (text === undefined || [...text].length > maxCharacters) {
      return refuseParameter(`The parameter message is required, with at most ${maxCharacters} characters.`);
    }
    const comment = { ...place, id: nextId(ledger, 'comment'), fromId: igId, username, text, at: call.at };
    state.comments.put(comment.id, comment);
    webhooks.enqueue({ field: 'comments', igId, comment, isAd: false });
    return comment;
  }

  function listed(call: Call, comments: readonly Comment[]): Answer {
    const asked = { fields: call.fields['fields'] ?? 'timestamp,text' };
    const fieldsOf = (comment: Comment) =>
      selectFields(asked, commentFields({ ...comment, text: reads.text(comment.text) }), 'IGComment');
    return json(page(call, comments, fieldsOf));
  }

  function ownComment(call: Call, { user }: Session): Comment {
    const comment = state.comments.get(call.params['commentId'] ?? '');
    if (comment === undefined || state.media.get(comment.mediaId)?.igId !== user.igId) refuse('100/33');
    return comment;
  }

  function ownMedia(call: Call, { user }: Session): Media {
    const media = state.media.get(call.params['mediaId'] ?? '');
    if (media === undefined || media.igId !== user.igId || media.productType === 'STORY') refuse('100/33');
    return media;
  }

  const scope = 'instagram_business_manage_comments';
  return [
    graph('comment_enabled', 'POST', ':mediaId', scope, enable),
    graph('comments', 'POST', ':mediaId/comments', scope, create),
    graph('comments_list', 'GET', ':mediaId/comments', scope, (call, session) =>
      reads.ofList(call, (seen) => list(seen, session)),
    ),
    graph('replies', 'POST', ':commentId/replies', scope, reply),
    graph('replies_list', 'GET', ':commentId/replies', scope, (call, session) =>
      reads.ofList(call, (seen) => listReplies(seen, session)),
    ),
  ];
}
