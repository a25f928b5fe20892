import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation } from '../kit/types.ts';
import { listField } from '../meta/parameters.ts';
import { refuse, refuseParameter } from './errors.ts';
import type { GraphOperation } from './graph.ts';
import type { Session } from './sessions.ts';
import type { State } from './state.ts';

const comments = 'instagram_business_manage_comments';
const messages = 'instagram_business_manage_messages';

/**
 * The fields, with the permission that each needs ("The app user must have granted your app appropriate permissions").
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started/webhooks-for-instagram/
 */
const scopeOfField: Readonly<Record<string, string>> = {
  comments,
  live_comments: comments,
  message_edit: messages,
  message_reactions: messages,
  messages,
  messaging_postbacks: messages,
  messaging_referral: messages,
  messaging_seen: messages,
};
const knownFields = Object.keys(scopeOfField);

/** Reads and changes the webhook fields that an account is subscribed to. */
export function subscriptionOperations(graph: GraphOperation, state: State, appId: string): Operation[] {
  function subscribe(call: Call, { user, token }: Session): Answer {
    const fields = listField(call.fields, 'subscribed_fields') ?? [];
    if (fields.length === 0) refuseParameter('The parameter subscribed_fields is required.');
    const unknown = fields.find((field) => !knownFields.includes(field));
    if (unknown !== undefined) {
      refuseParameter(`Param subscribed_fields must be one of {${knownFields.join(', ')}}`);
    }
    if (fields.some((field) => !token.scopes.includes(scopeOfField[field] ?? ''))) refuse('10');
    state.subscriptions.put(user.igId, [...new Set(fields)]);
    return json({ success: true });
  }

  function list(_: Call, { user }: Session): Answer {
    const subscribed = state.subscriptions.get(user.igId);
    return json({ data: subscribed === undefined ? [] : [{ id: appId, subscribed_fields: subscribed }] });
  }

  function unsubscribe(_: Call, { user }: Session): Answer {
    state.subscriptions.delete(user.igId);
    return json({ success: true });
  }

  const scope = 'instagram_business_basic';
  return [
    graph('subscribed_apps', 'POST', ':igId/subscribed_apps', scope, subscribe),
    graph('subscribed_apps', 'GET', ':igId/subscribed_apps', scope, list),
    graph('subscribed_apps', 'DELETE', ':igId/subscribed_apps', scope, unsubscribe),
  ];
}
