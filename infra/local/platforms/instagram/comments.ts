import { json } from '../kit/answers.ts';
import type { Answer, Call, Operation, Workbench } from '../kit/types.ts';
import { page } from '../meta/paging.ts';
import { selectFields, textField } from '../meta/parameters.ts';
import { refuse, refuseParameter } from './errors.ts';
import type { GraphOperation } from './graph.ts';
import { commentFields } from './reading.ts';
import type { Session } from './sessions.ts';
import { type Comment, type Media, nextId, type State } from './state.ts';

/** Comments under an account's own media. */
export function commentOperations(graph: GraphOperation, { ledger }: Workbench, state: State): Operation[] {
  function create(call: Call, session: Session): Answer {
    const media = ownMedia(call, session);
    const text = textField(call.fields, 'message');
    if (text === undefined) refuseParameter('The parameter message is required.');
    const { igId, username } = session.user;
    const id = nextId(ledger, 'comment');
    state.comments.put(id, { id, mediaId: media.id, fromId: igId, username, text, at: call.at });
    // As at the real API: with `fields` the comment is made and the call fails all the same.
    if (call.fields['fields'] !== undefined) refuse('100/33');
    return json({ id });
  }

  function list(call: Call, session: Session): Answer {
    const comments = state.comments.list({ owner: ownMedia(call, session).id, newestFirst: true });
    const asked = { fields: call.fields['fields'] ?? 'timestamp,text' };
    const fieldsOf = (comment: Comment) => selectFields(asked, commentFields(comment), 'IGComment');
    return json(page(call, comments, fieldsOf));
  }

  function ownMedia(call: Call, { user }: Session): Media {
    const media = state.media.get(call.params['mediaId'] ?? '');
    if (media === undefined || media.igId !== user.igId || media.productType === 'STORY') refuse('100/33');
    return media;
  }

  const scope = 'instagram_business_manage_comments';
  return [
    graph('comments', 'POST', ':mediaId/comments', scope, create),
    graph('comments_list', 'GET', ':mediaId/comments', scope, list),
  ];
}
