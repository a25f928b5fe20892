import { payload, shapes, type WebhookEvent } from '@herald/platform-simulators/instagram/webhook-shapes.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOwnComment } from '../../../../lib/platforms/instagram/inbound.ts';
import { readDelivery } from '../../../../lib/platforms/instagram/webhook.ts';

const account = '17841400000000001';
const value = {
  id: '17990000000000001',
  text: 'LINK please 👋',
  from: { id: '26512000000000001', username: 'fan' },
  media: { id: '18120000000000001', media_product_type: 'FEED' },
};
const comment = {
  kind: 'comment',
  accountPlatformId: account,
  personId: '26512000000000001',
  commentId: '17990000000000001',
  platformPostId: '18120000000000001',
  username: 'fan',
  text: 'LINK please 👋',
  at: 1_800_000_000_000,
};
const entry = (more: object) => ({
  object: 'instagram',
  entry: [{ id: account, time: 1_800_000_000, ...more }],
});
const changed = (of: object, field = 'comments') => entry({ changes: [{ field, value: of }] });
const { id: commentId, ...withoutId } = value;
const read = (body: unknown) => readDelivery(typeof body === 'string' ? body : JSON.stringify(body));

describe('a comment', () => {
  it.each<[string, unknown, object]>([
    ['in changes', changed(value), {}],
    ['in the entry itself', entry({ field: 'comments', value }), {}],
    ['with its id as comment_id', changed({ ...withoutId, comment_id: commentId }), {}],
    ['in a list', [changed(value)], {}],
    [
      'that replies to another',
      changed({ ...value, parent_id: '17990000000000077' }),
      { parentId: '17990000000000077' },
    ],
    [
      'on an advertisement',
      changed({ ...value, media: { id: '9', original_media_id: value.media.id, ad_id: '6' } }),
      {},
    ],
    ['without a name', changed({ ...value, from: { id: value.from.id } }), { username: null }],
    ['without a text', changed({ ...value, text: undefined }), { text: '' }],
    [
      'with its time in milliseconds',
      {
        ...changed(value),
        entry: [{ id: account, time: 1_800_000_000_000, changes: [{ field: 'comments', value }] }],
      },
      {},
    ],
    ['with ids as bare numbers', JSON.stringify(changed(value)).replaceAll(/"(\d{17})"/g, '$1'), {}],
    ['without an object name', { entry: changed(value).entry }, {}],
  ])('is parsed %s', (_how, body, changes) => {
    expect(read(body)).toEqual({ events: [{ ...comment, ...changes }], unreadable: 0 });
  });

  it.each<[string, object]>([
    ['under the account’s id', { from: { id: account, username: 'me' } }],
    ['under its scoped id', { from: { id: '5', username: 'me', self_ig_scoped_id: '5' } }],
  ])('of the account itself, %s, is ignored', (_how, changes) => {
    expect(read(changed({ ...value, ...changes }))).toEqual({ events: [], unreadable: 0 });
  });

  it.each([
    [{ personId: account, username: 'other' }, true],
    [{ personId: 'app-scoped', username: 'other' }, true],
    [{ personId: '5', username: 'Harbour.Coffee' }, true],
    [{ personId: '5', username: 'fan' }, false],
    [{ personId: '5', username: null }, false],
  ])('by %o is the account’s own: %s', (by, isOwn) => {
    const own = {
      platformAccountId: account,
      username: 'harbour.coffee',
      meta: { appScopedId: 'app-scoped' },
    };
    expect(isOwnComment(by, own)).toBe(isOwn);
    expect(isOwnComment({ personId: '5', username: null }, { ...own, username: null, meta: {} })).toBe(false);
  });

  it.each<[string, object]>([
    ['an id', { id: undefined }],
    ['a person', { from: undefined }],
    ['a post', { media: {} }],
    ['a scalar id', { id: { nested: 1 } }],
    ['an id of sensible length', { id: 'x'.repeat(600) }],
  ])('without %s is counted as unreadable', (_what, changes) => {
    expect(read(changed({ ...value, ...changes }))).toEqual({ events: [], unreadable: 1 });
  });

  it.each(['live_comments', 'mentions'])('of the kind %s is ignored', (field) => {
    expect(read(changed(value, field))).toEqual({ events: [], unreadable: 0 });
  });
});

const [sender, recipient] = [{ id: '26512000000000001' }, { id: account }];
const item = { sender, recipient, timestamp: 1_800_000_000_123 };
const common = { accountPlatformId: account, personId: '26512000000000001', at: 1_800_000_000_123 };
const told = (more: object) => entry({ messaging: [{ ...item, ...more }] });

describe('an event in the conversation', () => {
  it.each<[string, unknown, object]>([
    [
      'a message',
      told({ message: { mid: 'm1', text: 'hi' } }),
      { kind: 'message', ...common, messageId: 'm1', text: 'hi' },
    ],
    [
      'an attachment',
      told({
        message: { mid: 'm1', attachments: [{ type: 'image', payload: { url: 'https://x.example' } }] },
      }),
      { kind: 'message', ...common, messageId: 'm1', text: null },
    ],
    [
      'a reply to a story',
      told({
        message: { mid: 'm1', text: 'hi', reply_to: { story: { url: 'https://x.example', id: '7' } } },
      }),
      { kind: 'message', ...common, messageId: 'm1', text: 'hi', isStoryReply: true },
    ],
    [
      'a reply to another message',
      told({ message: { mid: 'm1', text: 'hi', reply_to: { mid: 'm0' } } }),
      { kind: 'message', ...common, messageId: 'm1', text: 'hi' },
    ],
    [
      'a quick reply',
      told({ message: { mid: 'm1', text: 'Done', quick_reply: { payload: 'gate:1' } } }),
      { kind: 'message', ...common, messageId: 'm1', text: 'Done', payload: 'gate:1' },
    ],
    [
      'a tap',
      told({ postback: { mid: 'm2', title: 'Done', payload: 'gate:1' } }),
      { kind: 'tap', ...common, messageId: 'm2', payload: 'gate:1', title: 'Done' },
    ],
    [
      'a tap without an id',
      told({ postback: { title: 'Done', payload: 'gate:1' } }),
      {
        kind: 'tap',
        ...common,
        messageId: 'tap.26512000000000001.1800000000123',
        payload: 'gate:1',
        title: 'Done',
      },
    ],
    [
      'a message as a change, with its time as text',
      changed({ ...item, timestamp: '1800000000', message: { mid: 'm1', text: 'hi' } }, 'messages'),
      { kind: 'message', ...common, at: 1_800_000_000_000, messageId: 'm1', text: 'hi' },
    ],
  ])('is parsed: %s', (_what, body, event) => {
    expect(read(body)).toEqual({ events: [event], unreadable: 0 });
  });

  it.each<[string, object]>([
    ['an echo', { message: { mid: 'm', text: 'x', is_echo: true } }],
    ['a message to oneself', { message: { mid: 'm', text: 'x', is_self: true } }],
    ['a deletion', { message: { mid: 'm', is_deleted: true } }],
    ['a message from the account', { sender: { id: account }, message: { mid: 'm', text: 'x' } }],
    ['a read receipt', { read: { mid: 'm' } }],
    ['a reaction', { reaction: { mid: 'm', action: 'react', emoji: '❤' } }],
    ['an edit', { message_edit: { mid: 'm', text: 'x' } }],
    ['a referral', { referral: { ref: 'x' } }],
  ])('is ignored: %s', (_what, more) => {
    expect(read(told(more))).toEqual({ events: [], unreadable: 0 });
  });
});

describe('a delivery', () => {
  it('is parsed as far as possible', () => {
    const body = {
      object: 'instagram',
      entry: [
        null,
        ...changed(value).entry,
        7,
        ...told({ message: { mid: 'm1', text: 'hi' } }).entry,
        { id: account },
      ],
    };
    const { events, unreadable } = read(body);
    expect(events.map(({ kind }) => kind)).toEqual(['comment', 'message']);
    expect(unreadable).toBe(3);
  });

  it.each([
    '',
    '{',
    'null',
    '7',
    '"x"',
    '{}',
    '{"entry":{}}',
    '{"object":"page","entry":[{"id":"1"}]}',
    '['.repeat(100_000),
  ])('that is not a delivery counts as unreadable: %.30s', (body) => {
    expect(read(body)).toEqual({ events: [], unreadable: 1 });
  });

  const simulated: WebhookEvent = {
    field: 'comments',
    igId: account,
    isAd: false,
    comment: {
      id: value.id,
      mediaId: value.media.id,
      fromId: value.from.id,
      username: 'fan',
      text: 'x',
      at: 0,
    },
  };
  const bodies = shapes.map((shape) => payload([simulated, simulated], shape, 1_800_000_000_000));

  it('never makes the parser throw, whatever its JSON or text', () => {
    const part = fc.oneof(fc.constantFrom(value, value.from, item, account, changed(value)), fc.jsonValue());
    const key = fc.constantFrom(
      'id',
      'from',
      'media',
      'value',
      'field',
      'message',
      'postback',
      'sender',
      'time',
      'mid',
    );
    const crooked = fc.dictionary(key, part);
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .tuple(crooked, crooked)
        .map(([a, b]) => JSON.stringify(entry({ ...a, changes: [b], messaging: [a, b] }))),
      fc
        .record({ text: fc.constantFrom(...bodies), at: fc.nat(400), put: fc.string({ maxLength: 3 }) })
        .map(({ text, at, put }) => text.slice(0, at) + put + text.slice(at + put.length)),
    );
    fc.assert(
      fc.property(body, (text) => {
        const { events } = readDelivery(text);
        for (const event of events) {
          expect(typeof event.accountPlatformId).toBe('string');
          expect(typeof event.personId).toBe('string');
          if (event.at !== undefined) expect(() => new Date(event.at ?? 0).toISOString()).not.toThrow();
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
