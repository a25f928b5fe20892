import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { Gate } from './gate.ts';
import { requireScopes } from './reading.ts';
import { type Comment, mayPublishAs, nextPostId, type Post, personUrn, type State } from './state.ts';

/** The maximum length of a comment in LinkedIn's own apps; the API documents no number. */
const commentUnits = 1_250;

/**
 * Comments on posts ("Comments API", https://learn.microsoft.com/linkedin/marketing/community-management/shares/comments-api).
 * They have their own scopes, which end in `_feed`. Earlier versions of that page named `w_member_social` and
 * `w_organization_social`; apps that have only these report 403 for `partnerApiSocialActions.CREATE`. So they suffice only with
 * the setting `formerCommentScopes`.
 */
export function commentOperations(
  { ledger, reads, setting }: Workbench,
  state: State,
  gate: Gate,
): Operation[] {
  const { comments, posts } = state;

  function create(call: Call): Answer {
    const { token, member } = gate.checkCall(call);
    const { actor, object, message } = call.fields;
    if (typeof actor !== 'string') refuse('MISSING_FIELD', 'ERROR :: /actor :: field is required');
    const isOrganization = actor.startsWith('urn:li:organization:');
    const former = isOrganization ? 'w_organization_social' : 'w_member_social';
    requireScopes(token.scopes, [setting('formerCommentScopes') === true ? former : `${former}_feed`]);
    const may = isOrganization
      ? mayPublishAs(state, member.username, actor)
      : actor === personUrn(member, token.app);
    if (!may) refuse('ACCESS_DENIED', `Not enough permissions to comment as ${actor}`);
    const { urn } = visiblePost(call);
    if (object !== urn) refuse('INVALID_URN_ID', '/object :: must be the post of the address');
    const text = textOf(message);
    if (text === undefined) refuse('MISSING_FIELD', 'ERROR :: /message/text :: field is required');
    if (text.trim() === '') refuse('INVALID_VALUE_BLANK_FIELD', '/message/text');
    if (text.length > commentUnits) refuse('FIELD_LENGTH_TOO_LONG', '/message/text');
    const id = nextPostId(ledger, call.at);
    const comment: Comment = { id, object: urn, actor, text, createdAt: call.at };
    comments.put(id, comment);
    return { ...json(bodyOf(comment), 201), headers: { 'x-restli-id': id } };
  }

  /** Finds a visible post. A post that is not visible yet has no comments. */
  function visiblePost({ params, at }: Call): Post {
    const post = posts.get(params['urn'] ?? '');
    if (post === undefined || setting('publishingFails') === true) refuse('NOT_FOUND');
    if (at < post.publishedAt + Number(setting('visibilityDelaySeconds')) * 1000) refuse('NOT_FOUND');
    return post;
  }

  function list(call: Call): Answer {
    const { token, member } = gate.checkCall(call);
    requireScopes(token.scopes, ['r_organization_social_feed']);
    const { urn, author } = visiblePost(call);
    if (!mayPublishAs(state, member.username, author)) refuse('ACCESS_DENIED');
    const start = Number(call.query.get('start') ?? 0);
    const count = Math.min(Number(call.query.get('count') ?? 10), 100);
    return reads.ofList(call, () => {
      const all = comments.list({ owner: urn });
      const elements = all.slice(start, start + count).map(bodyOf);
      return json({ elements, paging: { start, count, total: all.length, links: [] } });
    });
  }

  const address = 'api.linkedin.com/rest/socialActions/:urn/comments';
  return [
    operation('comments.create', 'POST', address, create),
    operation('comments.list', 'GET', address, list),
  ];
}

function textOf(message: unknown): string | undefined {
  const text: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, 'text') : undefined;
  return typeof text === 'string' ? text : undefined;
}

function bodyOf({ id, object, actor, text, createdAt }: Comment) {
  const time = { actor, time: createdAt };
  return {
    id,
    $URN: `urn:li:comment:(${object},${id})`,
    actor,
    object,
    message: { attributes: [], text },
    created: time,
    lastModified: time,
  };
}
