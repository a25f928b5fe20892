import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFixture } from './fixture.ts';

/** The fields that these tests read from answers. Not validated: a missing field fails the test’s comparison. */
interface Answer {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly fromId: string;
  readonly error?: { readonly code: number; readonly error_subcode?: number };
  readonly data?: readonly Answer[];
}

/** Opens a simulator with one connected account, at which people write and tap. */
async function openConnected() {
  const fixture = await openFixture();
  const username = 'harbour.coffee';
  const { token } = await fixture.connect(username);
  const control = async (method: string, path: string, body: unknown): Promise<Answer> => {
    const answer = await fixture.control(method, path, body);
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`);
    return answer.text === '' ? { id: '', fromId: '' } : JSON.parse(answer.text);
  };
  return {
    ...fixture,
    account: { username },
    act: (path: string, body: unknown) => control('POST', path, body),
    put: (path: string, body: unknown) => control('PUT', path, body),
    /** Calls the API as the connected account. Parameters have the platform's names. */
    async call(
      method: 'GET' | 'POST',
      path: string,
      parameters: Readonly<Record<string, unknown>>,
    ): Promise<Answer> {
      const query = method === 'GET' ? `?${new URLSearchParams(parameters as Record<string, string>)}` : '';
      const answer = await fetch(fixture.url(`graph.instagram.com/v25.0/${path}${query}`), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: JSON.stringify(parameters) }),
      });
      return (await answer.json()) as Answer;
    },
  };
}

let instagram: Awaited<ReturnType<typeof openConnected>>;
let postId: string;
let username: string;
let comment: { readonly id: string; readonly fromId: string };
let people = 0;

beforeAll(async () => {
  instagram = await openConnected();
  postId = (await instagram.act('posts', { username: instagram.account.username })).id;
});
afterAll(() => instagram.close());
beforeEach(async () => {
  people += 1;
  username = `person${people}`;
  comment = await instagram.act('comments', { postId, username, text: 'link' });
  await instagram.put('limits', { privateRepliesPerHour: 750 });
});

const send = (body: Readonly<Record<string, unknown>>) => instagram.call('POST', 'me/messages', body);
const privately = (message: unknown, more = {}) =>
  send({ recipient: { comment_id: comment.id, ...more }, message });
const template = (changes = {}) => ({
  attachment: {
    type: 'template',
    payload: {
      template_type: 'button',
      text: 'Choose',
      buttons: [{ type: 'postback', title: 'Done', payload: 'gate' }],
      ...changes,
    },
  },
});
const codeOf = ({ error }: Awaited<ReturnType<typeof send>>) =>
  error && [error.code, error.error_subcode].filter((part) => part !== undefined).join('/');

describe('a message', () => {
  const button = { type: 'postback', title: 'Done', payload: 'gate' };
  const link = { type: 'web_url', title: 'Open', url: 'https://example.com' };

  it.each<[string, unknown]>([
    ['text of 1,000 bytes', { text: 'é'.repeat(500) }],
    ['text of 640 characters above buttons', template({ text: '👋'.repeat(640) })],
    ['3 buttons', template({ buttons: [button, link, button] })],
    ['a title of 20 characters', template({ buttons: [{ ...link, title: '👋'.repeat(20) }] })],
    ['a payload of 1,000 characters', template({ buttons: [{ ...button, payload: 'p'.repeat(1_000) }] })],
  ])('can have %s', async (_what, message) => {
    expect(await privately(message)).toMatchObject({ recipient_id: comment.fromId });
  });

  it.each<[string, unknown]>([
    ['text of 1,001 bytes', { text: `${'é'.repeat(500)}x` }],
    ['no text', { text: ' ' }],
    ['text and template', { text: 'x', ...template() }],
    ['nothing', {}],
    ['a message as JSON text', JSON.stringify({ text: 'x' })],
    ['text of 641 characters above buttons', template({ text: 'x'.repeat(641) })],
    ['a template without buttons', template({ buttons: [] })],
    ['4 buttons', template({ buttons: [button, link, button, link] })],
    ['a title of 21 characters', template({ buttons: [{ ...link, title: 'x'.repeat(21) }] })],
    ['a payload of 1,001 characters', template({ buttons: [{ ...button, payload: 'p'.repeat(1_001) }] })],
    ['a button without a payload', template({ buttons: [{ type: 'postback', title: 'Done' }] })],
    ['an invalid link', template({ buttons: [{ ...link, url: 'javascript:alert(1)' }] })],
    ['another template', template({ template_type: 'coupon' })],
  ])('cannot have %s, and the comment can still be replied to', async (_what, message) => {
    expect(codeOf(await privately(message))).toBe('100');
    expect(await privately({ text: 'ok' })).toMatchObject({ recipient_id: comment.fromId });
  });

  it('needs exactly one recipient', async () => {
    expect(codeOf(await privately({ text: 'x' }, { id: comment.fromId }))).toBe('100');
    expect(codeOf(await send({ recipient: {}, message: { text: 'x' } }))).toBe('100');
  });

  it('can be sent only to people who wrote to this account within a day', async () => {
    const direct = () => send({ recipient: { id: comment.fromId }, message: { text: 'x' } });
    expect(codeOf(await direct())).toBe('10/2534022');
    await privately(template());
    expect(codeOf(await direct())).toBe('10/2534022');
    await instagram.act('messages', { username, text: 'yes?' });
    expect(codeOf(await direct())).toBeUndefined();
    instagram.advance(86_400);
    expect(codeOf(await direct())).toBe('10/2534022');
  });
});

describe('a private reply', () => {
  it('is allowed once per comment, not once per person', async () => {
    expect(codeOf(await privately({ text: 'x' }))).toBeUndefined();
    expect(codeOf(await privately({ text: 'x' }))).toBe('100/2534025');
    comment = await instagram.act('comments', { postId, username, text: 'again' });
    expect(codeOf(await privately({ text: 'x' }))).toBeUndefined();
  });

  it('is sent once for concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => privately({ text: 'x' })));
    expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(1);
  });

  it('is refused for the account’s own comment and for a comment on another account’s post', async () => {
    comment = await instagram.act('comments', { postId, username: instagram.account.username, text: 'x' });
    expect(codeOf(await privately({ text: 'x' }))).toBe('100/2534025');
    const other = await instagram.act('posts', { username: 'northlight' });
    comment = await instagram.act('comments', { postId: other.id, username, text: 'x' });
    expect(codeOf(await privately({ text: 'x' }))).toBe('100/2534025');
  });

  it('counts towards an hourly limit', async () => {
    instagram.advance(3_600);
    await instagram.put('limits', { privateRepliesPerHour: 2 });
    const another = async (seconds: number) => {
      instagram.advance(seconds);
      comment = await instagram.act('comments', { postId, username: 'busy', text: 'x' });
      return codeOf(await privately({ text: 'x' }));
    };
    expect(await another(0)).toBeUndefined();
    expect(await another(1_800)).toBeUndefined();
    expect(await another(1_799)).toBe('613');
    expect(await another(1)).toBeUndefined();
    expect(await another(0)).toBe('613');
    await instagram.put('limits', { privateRepliesPerHour: 3 });
    expect(await another(0)).toBeUndefined();
  });
});

describe('a public reply', () => {
  it('is allowed only for top-level comments', async () => {
    const made = await instagram.call('POST', `${comment.id}/replies`, { message: 'Sent' });
    expect(codeOf(await instagram.call('POST', `${made['id']}/replies`, { message: 'Sent' }))).toBe('100');
    const listed = await instagram.call('GET', `${comment.id}/replies`, { fields: 'id,text,parent_id,from' });
    expect(listed.data).toMatchObject([{ id: made['id'], parent_id: comment.id }]);
    const top = await instagram.call('GET', `${postId}/comments`, { fields: 'id', limit: '100' });
    expect(top.data).not.toContainEqual({ id: made['id'] });
  });
});

describe('with a read lag', () => {
  it.each<[number | 'forever', boolean]>([
    [120, true],
    ['forever', false],
  ])(
    'of %s seconds, replies and conversations show later, or never, what the account sent',
    async (lag, isShownLater) => {
      await instagram.put('settings', { readLagSeconds: lag });
      await instagram.call('POST', `${comment.id}/replies`, { message: 'Sent' });
      await privately({ text: 'x' });
      const shown = async () => {
        const replies = await instagram.call('GET', `${comment.id}/replies`, { fields: 'id' });
        const { data: threads } = await instagram.call('GET', 'me/conversations', {
          platform: 'instagram',
          user_id: comment.fromId,
          fields: 'messages{id}',
        });
        const messages = threads?.[0]?.['messages'] as { readonly data: readonly unknown[] } | undefined;
        return [replies.data?.length, messages?.data.length ?? 0];
      };
      instagram.advance(119);
      expect(await shown()).toEqual([0, 0]);
      instagram.advance(1);
      expect(await shown()).toEqual(isShownLater ? [1, 1] : [0, 0]);
      await instagram.put('settings', { readLagSeconds: 0 });
    },
  );
});

describe('an action of a person', () => {
  it('has no effect on the account if it is a tap on a link', async () => {
    const buttons = [{ type: 'web_url', title: 'Open', url: 'https://example.com' }];
    const { message_id: messageId } = await privately(template({ buttons }));
    expect(await instagram.act('taps', { messageId, button: 0 })).toEqual({ url: 'https://example.com' });
    expect(codeOf(await instagram.call('GET', comment.fromId, { fields: 'username' }))).toBe('230');
  });

  it('is refused if its parameters are invalid', async () => {
    const { message_id: messageId } = await privately(template());
    await expect(instagram.act('taps', { messageId, button: 'Other' })).rejects.toThrow('button');
    await expect(instagram.act('comments', { postId: '1', username, text: 'x' })).rejects.toThrow('postId');
    await expect(instagram.act('follows', { username, follows: 'yes' })).rejects.toThrow('follows');
  });

  it('survives a restart', async () => {
    await instagram.act('messages', { username, text: 'hello' });
    await instagram.act('follows', { username, follows: true });
    await privately({ text: 'x' });
    await instagram.restart();
    expect(codeOf(await privately({ text: 'x' }))).toBe('100/2534025');
    const profile = await instagram.call('GET', comment.fromId, { fields: 'is_user_follow_business' });
    expect(profile).toEqual({ id: comment.fromId, is_user_follow_business: true });
  });
});
