import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { page } from '../meta/paging.ts';
import { graphTime, selectFields, textField } from '../meta/parameters.ts';
import { dayMilliseconds } from './containers.ts';
import { refuse, refuseParameter } from './errors.ts';
import type { GraphOperation } from './graph.ts';
import { readMessageRequest } from './message-request.ts';
import { personNamed } from './people.ts';
import type { Session } from './sessions.ts';
import { type Message, messageId, type Person, type State, type User } from './state.ts';
import type { Webhooks } from './webhooks.ts';

const hourMilliseconds = 3_600_000;

/** Sends private replies and other messages, and reads conversations. */
export function messageOperations(
  graph: GraphOperation,
  workbench: Workbench,
  state: State,
  webhooks: Webhooks,
): Operation[] {
  const { ledger, reads } = workbench;

  function send(call: Call, { user }: Session): Answer {
    const isJson = call.headers['content-type']?.startsWith('application/json') === true;
    if (!isJson) refuseParameter('Param recipient must be a JSON object.');
    const { recipient, text, buttons } = readMessageRequest(call.fields);
    const { commentId } = recipient;
    const person = commentId === undefined ? inWindow(recipient.id, user, call.at) : undefined;
    const accepted = workbench.setting('templates');
    if (
      buttons.length > 0 &&
      (accepted === 'refused' || (accepted === 'messages only' && commentId !== undefined))
    ) {
      refuseParameter('Param message[attachment] is not supported for this recipient.');
    }
    const { id, username } = person ?? commenter(commentId ?? '', user, call.at);
    const message: Message = {
      id: messageId(ledger),
      igId: user.igId,
      personId: id,
      username,
      from: 'account',
      text,
      buttons,
      ...(commentId !== undefined && { commentId }),
      at: call.at,
    };
    ledger.transaction(() => {
      if (commentId !== undefined) state.privateReplies.put(commentId, { igId: user.igId, at: call.at });
      state.messages.put(message.id, message);
    });
    webhooks.enqueue({ field: 'messages', igId: user.igId, message });
    return json({ recipient_id: id, message_id: message.id });
  }

  /** Finds the person, if they wrote to the account in the last 24 hours. @throws Refusal */
  function inWindow(id: string, user: User, now: number): Person {
    const person = state.people.get(id);
    if (person === undefined || person.igId !== user.igId) return refuse('100/2534014');
    if (person.lastHeardAt === undefined || person.lastHeardAt + dayMilliseconds <= now) refuse('10/2534022');
    return person;
  }

  /** Finds the author of a comment. One private reply per comment is allowed, within seven days. @throws Refusal */
  function commenter(commentId: string, user: User, now: number): Person {
    const comment = state.comments.get(commentId);
    const isOwners = comment !== undefined && state.media.get(comment.mediaId)?.igId === user.igId;
    if (comment === undefined || !isOwners || comment.username === user.username)
      return refuse('100/2534025');
    if (comment.at + 7 * dayMilliseconds <= now || state.privateReplies.get(commentId) !== undefined) {
      refuse('100/2534025');
    }
    const lastHour = { owner: user.igId, since: now - hourMilliseconds + 1 };
    if (state.privateReplies.count(lastHour) >= workbench.limit('privateRepliesPerHour')) refuse('613');
    return personNamed(ledger, state, user.igId, comment.username);
  }

  function conversations(call: Call, { user }: Session): Answer {
    if (call.fields['platform'] !== 'instagram') refuseParameter('Param platform must be one of {INSTAGRAM}');
    const id = textField(call.fields, 'user_id');
    const people = state.people
      .list({ owner: user.igId })
      .filter(
        (person) => (id === undefined || person.id === id) && state.messages.count({ owner: person.id }) > 0,
      );
    const fieldsOf = (person: Person) =>
      selectFields(call.fields, conversationFields(person, user), 'UnifiedThread');
    return json(page(call, people, fieldsOf));
  }

  function conversationFields(person: Person, user: User): Record<string, unknown> {
    const messages = state.messages.list({ owner: person.id, newestFirst: true, limit: 20 });
    return {
      id: `thread-${person.id}`,
      updated_time: graphTime(messages[0]?.at ?? 0),
      participants: { data: [person, user].map(({ username }) => ({ username })) },
      messages: { data: messages.map((message) => messageFields(message, user)) },
    };
  }

  function messageFields(message: Message, user: User): Record<string, unknown> {
    const account = { id: user.igId, username: user.username };
    const person = { id: message.personId, username: message.username };
    const [from, to] = message.from === 'account' ? [account, person] : [person, account];
    const isHidden = message.buttons.length > 0 && workbench.setting('templateTextListed') !== true;
    return {
      id: message.id,
      created_time: graphTime(message.at),
      from,
      to: { data: [to] },
      message: isHidden ? '' : reads.text(message.text),
    };
  }

  const scope = 'instagram_business_manage_messages';
  return [
    graph('messages', 'POST', ':igId/messages', scope, send),
    graph('conversations', 'GET', ':igId/conversations', scope, (call, session) =>
      reads.ofList(call, (seen) => conversations(seen, session)),
    ),
  ];
}
