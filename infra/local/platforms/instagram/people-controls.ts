import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { refuseControl } from '../kit/control.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { userNamed } from '../kit/user-controls.ts';
import { usernames } from './controls.ts';
import { personNamed, recordContact } from './people.ts';
import {
  type Comment,
  type Media,
  messageId,
  nextId,
  type Person,
  type State,
  shortcodeOf,
} from './state.ts';
import type { Webhooks } from './webhooks.ts';

/** Returns control operations that act as people on Instagram: comment, write, tap buttons and follow. */
export function peopleControls({ clock, ledger }: Workbench, state: State, webhooks: Webhooks): Operation[] {
  /** Posts as the account's owner in the Instagram app, not by API. `GET {control}/posts` does not list the post. */
  function post({ fields }: Call): Answer {
    const { username, caption = '' } = fields;
    const owner = userNamed(state.users, username);
    if (owner === undefined || typeof caption !== 'string')
      return refuseControl('username names no known user; caption must be a string');
    const id = nextId(ledger, 'media');
    const shortcode = shortcodeOf(id);
    const media: Media = {
      id,
      igId: owner.igId,
      containerId: '',
      shortcode,
      permalink: `https://www.instagram.com/p/${shortcode}/`,
      mediaType: 'IMAGE',
      productType: 'FEED',
      caption,
      shareToFeed: true,
      publishedAt: clock.now(),
    };
    state.media.put(id, media);
    state.wereRead.put(id, true);
    return json(media, 201);
  }

  /** Comments as a person or as the account itself. With `parentId`, the comment is a reply. */
  function comment({ fields }: Call): Answer {
    const { postId, username, text, parentId, isAd = false } = fields;
    const media = typeof postId === 'string' ? state.media.get(postId) : undefined;
    if (media === undefined || media.productType === 'STORY')
      return refuseControl('postId names no known post');
    if (!isName(username)) return refuseControl(`username must be ${usernames.rule}`);
    if (typeof text !== 'string' || text === '') return refuseControl('text must be a non-empty string');
    const parent = typeof parentId === 'string' ? state.comments.get(parentId) : undefined;
    if (parentId !== undefined && parent?.mediaId !== media.id)
      return refuseControl('parentId names no comment on this post');
    const owner = state.users.get(media.igId);
    const { igId } = media;
    const fromId =
      owner?.username === username ? owner.scopedId : personNamed(ledger, state, igId, username).id;
    const made: Comment = {
      id: nextId(ledger, 'comment'),
      mediaId: media.id,
      fromId,
      username,
      text,
      at: clock.now(),
      ...(parent !== undefined && { parentId: parent.parentId ?? parent.id }),
    };
    state.comments.put(made.id, made);
    webhooks.enqueue({ field: 'comments', igId, comment: made, isAd: isAd === true });
    return json(made, 201);
  }

  /**
   * Writes to an account as a person. Without `account`, to one that they know, or else to the first account. With `storyId`, the
   * message replies to that story.
   */
  function write({ fields }: Call): Answer {
    const { username, text, account, storyId } = fields;
    if (!isName(username)) return refuseControl(`username must be ${usernames.rule}`);
    if (typeof text !== 'string' || text === '') return refuseControl('text must be a non-empty string');
    if (storyId !== undefined && (typeof storyId !== 'string' || storyId === ''))
      return refuseControl('storyId must be a non-empty string');
    const users = state.users.list();
    const known = users.find(({ igId }) => state.peopleByName.get(`${igId}/${username}`) !== undefined);
    const owner = account === undefined ? (known ?? users[0]) : userNamed(state.users, account);
    if (owner === undefined) return refuseControl('account names no known account');
    const { igId } = owner;
    const person = personNamed(ledger, state, igId, username);
    const at = clock.now();
    const message = {
      id: messageId(ledger),
      igId,
      personId: person.id,
      username,
      from: 'person',
      text,
      buttons: [],
      at,
      ...(storyId !== undefined && { storyId }),
    } as const;
    recordContact(state, person, at);
    state.messages.put(message.id, message);
    webhooks.enqueue({ field: 'messages', igId, message });
    return json(message, 201);
  }

  /** Taps a button as the person, given by its title or its index from 0. A link button sends no webhook. */
  function tap({ fields }: Call): Answer {
    const message = state.messages.get(String(fields['messageId']));
    if (message === undefined || message.from === 'person')
      return refuseControl('messageId names no message of the account');
    const { button: named = 0 } = fields;
    const button = message.buttons.find(({ title }, index) => named === index || named === title);
    if (button === undefined)
      return refuseControl('button must be the title of a button or its index from 0');
    if (button.type === 'web_url') return json({ url: button.url }, 201);
    const at = clock.now();
    const person: Person = personNamed(ledger, state, message.igId, message.username);
    recordContact(state, person, at);
    const { title, payload } = button;
    const mid = messageId(ledger);
    webhooks.enqueue({
      field: 'messaging_postbacks',
      igId: message.igId,
      person,
      tap: { mid, title, payload },
      at,
    });
    return json({ mid, payload }, 201);
  }

  /** Sets whether the person follows the account. With null, the profile omits the flag. */
  function follow({ fields }: Call): Answer {
    const { username, follows } = fields;
    if (!isName(username)) return refuseControl(`username must be ${usernames.rule}`);
    if (follows !== null && typeof follows !== 'boolean')
      return refuseControl('follows must be true, false or null');
    state.follows.put(username, follows);
    return json({ ok: true });
  }

  function replies(): Answer {
    const own = new Set(state.users.list().map(({ igId }) => igId));
    const isReply = ({ parentId, fromId }: Comment) => parentId !== undefined && own.has(fromId);
    return json(
      state.comments
        .list()
        .filter(isReply)
        .map(({ id, parentId, mediaId, text, at }) => ({
          id,
          commentId: parentId,
          postId: mediaId,
          text,
          at,
        })),
    );
  }

  return [
    operation('posts', 'POST', '_control/posts', post),
    operation('comments', 'POST', '_control/comments', comment),
    operation('messages', 'POST', '_control/messages', write),
    operation('messages', 'GET', '_control/messages', () => json(state.messages.list())),
    operation('taps', 'POST', '_control/taps', tap),
    operation('follows', 'POST', '_control/follows', follow),
    operation('replies', 'GET', '_control/replies', replies),
    operation('webhooks', 'GET', '_control/webhooks', () => json(webhooks.deliveries())),
  ];
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && usernames.pattern.test(value);
}
