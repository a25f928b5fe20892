import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MessageContent } from '../../../../lib/platforms/contract/messaging.ts';
import { instagramMessages as messages } from '../../../../lib/platforms/instagram/messaging.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';

let instagram: SimulatedInstagram;
let postId: string;
let commentId: string;
let personId: string;
/** Each test uses a new person. */
let username: string;
let people = 0;
const as = () => ({ account: instagram.account, accessToken: instagram.account.tokens.accessToken });
const search = (taken: readonly string[] = []) => ({
  call: { sinceMs: instagram.clock.time, isTaken: async (id: string) => taken.includes(id) },
});
const unseen = { state: 'unseen' };
const live = (post: unknown) => ({ state: 'live', post });

beforeAll(async () => {
  instagram = await openInstagram();
  postId = (await instagram.act('posts', { username: instagram.account.username })).id;
});
afterAll(() => instagram.close());
beforeEach(async () => {
  people += 1;
  username = `person${people}`;
  ({ id: commentId, fromId: personId } = await instagram.act('comments', { postId, username, text: 'link' }));
  await instagram.put('settings', { templates: 'everywhere', templateTextListed: false });
});

const withButtons: MessageContent = {
  text: 'Here you are',
  buttons: [
    { type: 'url', title: 'Open', url: 'https://example.com/a' },
    { type: 'postback', title: 'Done', payload: 'gate:1' },
  ],
};

describe('a post', () => {
  it('exists if it is the account’s, whoever published it', async () => {
    expect(await messages.postExists({ ...as(), platformPostId: postId }, instagram.tools)).toBe(true);
  });

  it.each([
    ['an unknown id', () => '18120000099999997'],
    ['the account itself', () => instagram.account.platformAccountId],
    ['a comment', () => commentId],
    ['a person', () => personId],
    ['a keyword of the API', () => 'me'],
    ['a path', () => '../me'],
    ['nothing', () => ''],
  ])('does not exist if the id is %s', async (_what, id) => {
    expect(await messages.postExists({ ...as(), platformPostId: id() }, instagram.tools)).toBe(false);
  });

  it('of another account does not exist', async () => {
    const { id } = await instagram.act('posts', { username: 'northlight' });
    expect(await messages.postExists({ ...as(), platformPostId: id }, instagram.tools)).toBe(false);
  });
});

describe('a public reply', () => {
  const reply = (text: string, parentId?: string) =>
    messages.replyPublicly({ ...as(), comment: { commentId, parentId }, text }, instagram.tools);
  const ofComment = async (id: string) =>
    (await instagram.list('replies')).filter((one) => one.commentId === id);

  it('appears below the comment', async () => {
    const { replyId } = await reply('Sent ✉️');
    expect(await ofComment(commentId)).toMatchObject([{ id: replyId, text: 'Sent ✉️', postId }]);
  });

  it('to a reply appears below the top-level comment', async () => {
    const parentId = commentId;
    commentId = (await instagram.act('comments', { postId, username: 'other', text: 'me too', parentId })).id;
    await reply('Sent', parentId);
    expect(await ofComment(parentId)).toHaveLength(1);
  });

  it.each(['drop-reply', 'timeout-after', 'error-after:2', 'half-json'])(
    'is found if its response is lost (%s)',
    async (fault) => {
      const sought = { ...as(), comment: { commentId }, text: 'Sent', ...search() };
      expect(await messages.findReply(sought, instagram.tools)).toEqual(unseen);
      await instagram.plan('replies', fault);
      await expect(reply('Sent')).rejects.toMatchObject({ remedy: 'unknown' });
      const [made] = await ofComment(commentId);
      expect(await messages.findReply(sought, instagram.tools)).toEqual(live({ replyId: made?.id }));
    },
  );

  it('is distinguished from older ones, known ones and those of other people', async () => {
    const { replyId } = await reply('Sent');
    await instagram.act('comments', { postId, username: 'other', text: 'Sent', parentId: commentId });
    const sought = { ...as(), comment: { commentId }, text: 'Sent', ...search([replyId]) };
    expect(await messages.findReply(sought, instagram.tools)).toEqual(unseen);
    instagram.advance(600);
    const later = { ...sought, ...search() };
    expect(await messages.findReply(later, instagram.tools)).toEqual(unseen);
  });

  it('is found although Instagram shortens its links and collapses its whitespace', async () => {
    const text = 'Sent:\n\n  https://example.com/a?b=c';
    const sought = { ...as(), comment: { commentId }, text, ...search() };
    const { replyId } = await reply(text);
    await instagram.put('settings', { changesTexts: true });
    expect(await messages.findReply(sought, instagram.tools)).toEqual(live({ replyId }));
    await instagram.put('settings', { changesTexts: false });
  });

  it('of a comment that Instagram does not show is not found', async () => {
    const sought = { ...as(), comment: { commentId: '17990000099999997' }, text: 'Sent', ...search() };
    expect(await messages.findReply(sought, instagram.tools)).toEqual(unseen);
  });

  it('is permanently refused if the comment is gone', async () => {
    commentId = '17990000099999997';
    await expect(reply('Sent')).rejects.toMatchObject({ remedy: 'rejected', refusedFor: 'comment' });
  });
});

describe('a private reply', () => {
  const send = (content: MessageContent) =>
    messages.sendPrivateReply({ ...as(), comment: { commentId }, content }, instagram.tools);
  const find = (content: MessageContent, taken: readonly string[] = []) =>
    messages.findMessage({ ...as(), personId, content, ...search(taken) }, instagram.tools);
  const toPerson = async () =>
    (await instagram.list('messages')).filter((message) => message.personId === personId);

  it.each<[string, MessageContent]>([
    ['as text', { text: 'Here: https://example.com ✓' }],
    ['with an empty list of buttons', { text: 'Here', buttons: [] }],
    ['with buttons', withButtons],
  ])('reaches the person %s', async (_how, content) => {
    const sent = await send(content);
    expect(sent.personId).toBe(personId);
    const { text, buttons = [] } = content;
    const shown = buttons.map(({ type, ...button }) => ({
      type: type === 'url' ? 'web_url' : type,
      ...button,
    }));
    expect(await toPerson()).toMatchObject([{ id: sent.messageId, text, buttons: shown, commentId }]);
  });

  it('is permanently refused the second time', async () => {
    await send({ text: 'once' });
    await expect(send({ text: 'twice' })).rejects.toMatchObject({
      remedy: 'rejected',
      refusedFor: 'comment',
      platformCode: '100/2534025',
    });
    expect(await toPerson()).toHaveLength(1);
  });

  it.each([
    [6, undefined],
    [7, 'comment'],
  ])('after %i days is refused: %s', async (days, refusedFor) => {
    const before = instagram.clock.time;
    instagram.advance(days * 86_400);
    const outcome = await send({ text: 'late' }).catch((error: unknown) => error);
    expect(outcome).toMatchObject(refusedFor === undefined ? { personId } : { refusedFor });
    instagram.clock.time = before;
  });

  it('may be sent without buttons after those were refused', async () => {
    await instagram.put('settings', { templates: 'messages only' });
    await expect(send(withButtons)).rejects.toMatchObject({ remedy: 'rejected', refusedFor: 'buttons' });
    await send({ text: 'plain' });
    expect(await toPerson()).toMatchObject([{ text: 'plain' }]);
  });

  it.each([
    ['drop-reply', true],
    ['drop-reply', false],
    ['timeout-after', false],
    ['error-after:1', false],
  ])(
    'whose response is lost (%s) is found in the conversation (text above buttons listed: %s)',
    async (fault, templateTextListed) => {
      await instagram.put('settings', { templateTextListed });
      expect(await find(withButtons)).toEqual(unseen);
      await instagram.plan('messages', fault);
      await expect(send(withButtons)).rejects.toMatchObject({ remedy: 'unknown' });
      const [made] = await toPerson();
      const guess = templateTextListed ? {} : { isGuess: true };
      expect(await find(withButtons)).toEqual(live({ messageId: made?.id, personId, ...guess }));
      expect(await find(withButtons, [made?.id ?? ''])).toEqual(unseen);
      expect(await find({ text: 'something else' })).toEqual(unseen);
    },
  );

  it('that never arrived is not found', async () => {
    await instagram.plan('messages', 'timeout');
    await expect(send({ text: 'Here' })).rejects.toMatchObject({ remedy: 'unknown' });
    expect(await find({ text: 'Here' })).toEqual(unseen);
  });

  it('is retried later if Instagram limits the rate', async () => {
    await instagram.plan('messages', 'rate-limit');
    await expect(send({ text: 'Here' })).rejects.toMatchObject({ remedy: 'retry', retryAfterSeconds: 300 });
    await instagram.plan('messages', 'error:613');
    await expect(send({ text: 'Here' })).rejects.toMatchObject({ remedy: 'retry', retryAfterSeconds: 3_600 });
  });
});

describe('a further message', () => {
  const send = (content: MessageContent) =>
    messages.sendMessage({ ...as(), personId, content }, instagram.tools);

  it('is refused before the person has written, and more than a day after that', async () => {
    await expect(send({ text: 'hello' })).rejects.toMatchObject({ refusedFor: 'window' });
    await instagram.act('messages', { username, text: 'hi' });
    await send({ text: 'hello' });
    instagram.advance(86_399);
    await send(withButtons);
    instagram.advance(1);
    await expect(send({ text: 'hello' })).rejects.toMatchObject({ remedy: 'rejected', refusedFor: 'window' });
  });

  it('is distinguished from the same text written by the person', async () => {
    await instagram.act('messages', { username, text: 'hello' });
    const sought = { ...as(), personId, content: { text: 'hello' }, ...search() };
    expect(await messages.findMessage(sought, instagram.tools)).toEqual(unseen);
    const { messageId } = await send({ text: 'hello' });
    expect(await messages.findMessage(sought, instagram.tools)).toEqual(live({ messageId, personId }));
  });

  it('to nobody is refused', async () => {
    personId = '26512000099999997';
    await expect(send({ text: 'hello' })).rejects.toMatchObject({ platformCode: '100/2534014' });
  });
});

describe('whether a person follows', () => {
  const state = () => messages.followState({ ...as(), personId }, instagram.tools);

  it.each([
    [true, 'follows'],
    [false, 'does not follow'],
    [null, 'not known'],
  ])('is read once they have tapped: %s', async (follows, expected) => {
    await instagram.act('follows', { username, follows });
    expect(await state()).toBe('not known');
    const { messageId } = await messages.sendPrivateReply(
      { ...as(), comment: { commentId }, content: withButtons },
      instagram.tools,
    );
    await instagram.act('taps', { messageId, button: 'Open' });
    expect(await state()).toBe('not known');
    await instagram.act('taps', { messageId, button: 'Done' });
    expect(await state()).toBe(expected);
  });

  it('fails if Instagram fails, so that it can be retried', async () => {
    await instagram.plan('user_profile', 'error:2');
    await expect(state()).rejects.toMatchObject({ remedy: 'unknown' });
    await instagram.plan('user_profile', 'error:190');
    await expect(state()).rejects.toMatchObject({ remedy: 'reauthorise' });
  });
});
