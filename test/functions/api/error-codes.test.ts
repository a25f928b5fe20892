import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import { maxOpenImports } from '../../../lib/media/imports/open-import.ts';
import { generateApiKey } from '../../../lib/workspaces/api-key.ts';
import { type Answer, type Call, mediaBaseUrl, openApi, type RequestParts } from '../../support/api.ts';
import { openWorkspace, startMs, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { storeLimitedKey } from '../../support/limited-key.ts';
import { setOpenImports } from '../../support/open-imports.ts';
import { storeDelivery, storeWebhook } from '../../support/webhooks.ts';

const unknownId = newId(startMs);
const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

let call: Call;
let apiKey: string;
/** Ids and URLs by name. */
let known: Record<string, string>;
beforeAll(async () => {
  const api = await openApi();
  call = api.call;
  const opened = await openWorkspace(api.table);
  ({ apiKey } = opened);
  const { workspaceId } = opened.context;
  const accountIds = await Promise.all(
    (['instagram', 'threads', 'youtube'] as const).map((platform) =>
      storeAccount(api.table, workspaceId, { platform }),
    ),
  );
  const [instagram = '', threads = '', youtube = ''] = accountIds.map(({ id }) => id);
  const preparation = { containerId: '1' };
  const storedFor = (status: 'published' | 'publishing' | 'failed' | 'draft') =>
    storePost(api.table, workspaceId, [{ accountId: instagram, status, preparation }], { status });
  const [live, busy, failed, draft] = await Promise.all([
    storedFor('published'),
    storedFor('publishing'),
    storedFor('failed'),
    storedFor('draft'),
  ]);
  const webhook = await storeWebhook(api.table, workspaceId);
  const disabled = await storeWebhook(api.table, workspaceId, { isActive: false });
  const delivery = await storeDelivery(api.table, webhook, { status: 'pending' });
  const [image, wide] = await Promise.all([
    storeMedia(api.table, workspaceId),
    storeMedia(api.table, workspaceId, { probe: { width: 4_000, height: 500 } }),
  ]);
  const full = await openWorkspace(api.table);
  await setOpenImports(api.table, full.context.workspaceId, maxOpenImports);
  const limited = await storeLimitedKey(opened.context, [instagram]);
  known = {
    instagram,
    threads,
    youtube,
    live: live.post.id,
    busy: busy.post.id,
    failed: failed.post.id,
    draft: draft.post.id,
    webhook: webhook.id,
    webhookUrl: webhook.url,
    disabled: disabled.id,
    delivery: delivery.id,
    image: `${mediaBaseUrl}/${image.objectKey}`,
    wide: `${mediaBaseUrl}/${wide.objectKey}`,
    limitedKey: limited.apiKey,
    fullKey: full.apiKey,
  };
});

const of = (name: string): string => known[name] ?? '';
const ask = (operationId: string, parts: RequestParts = {}) => call(operationId, { apiKey, ...parts });
const post = (body: object) => ask('createPost', { body });
const onThreads = (changes: object = {}) =>
  post({ content: 'Hello', platforms: [{ accountId: of('threads') }], scheduledFor: inHours(1), ...changes });
const onInstagram = (changes: object = {}) =>
  post({
    content: 'Hello',
    platforms: [{ accountId: of('instagram') }],
    mediaItems: [{ type: 'image', url: of('image') }],
    scheduledFor: inHours(1),
    ...changes,
  });
const withOptions = (options: object) =>
  onThreads({ platforms: [{ accountId: of('threads'), platformSpecificData: options }] });

type Cause = readonly [what: string, code: string, param: string | undefined, cause: () => Promise<Answer>];

const invalid: readonly Cause[] = [
  ['a body that is not JSON', 'body_malformed', 'body', () => ask('createPost', { rawBody: '{' })],
  ['no body', 'field_required', 'body', () => ask('createPost')],
  [
    'a missing field',
    'field_required',
    'url',
    () => ask('createWebhook', { body: { events: ['post.published'] } }),
  ],
  ['a field of another type', 'field_type', 'timezone', () => onThreads({ timezone: 5 })],
  [
    'a malformed id',
    'field_format',
    'platforms[0].accountId',
    () => onThreads({ platforms: [{ accountId: 'x' }] }),
  ],
  ['no destination', 'field_too_short', 'platforms', () => onThreads({ platforms: [] })],
  ['an unknown value', 'field_unknown_value', 'onQuota', () => onThreads({ onQuota: 'never' })],
  ['a limit out of range', 'field_out_of_range', 'limit', () => ask('listPosts', { query: 'limit=9999' })],
  [
    'an account named twice',
    'field_duplicate',
    'platforms[1].accountId',
    () => onThreads({ platforms: [{ accountId: of('threads') }, { accountId: of('threads') }] }),
  ],
  ['publishNow with a time', 'contradictory_fields', 'publishNow', () => onThreads({ publishNow: true })],
  ['a forged cursor', 'cursor_invalid', 'cursor', () => ask('listPosts', { query: 'cursor=x.y' })],
  [
    'a time in the past',
    'time_in_past',
    'scheduledFor',
    () => onThreads({ scheduledFor: '2020-01-01T00:00:00Z' }),
  ],
  [
    'a time in two years',
    'time_too_far',
    'scheduledFor',
    () => onThreads({ scheduledFor: inHours(24 * 730) }),
  ],
  [
    'an account that does not exist',
    'account_unknown',
    'platforms[0].accountId',
    () => onThreads({ platforms: [{ accountId: unknownId }] }),
  ],
  [
    'an account on another platform',
    'account_platform',
    'platforms[0].platform',
    () => onThreads({ platforms: [{ accountId: of('threads'), platform: 'tiktok' }] }),
  ],
  [
    'playlists of another platform',
    'account_platform',
    'id',
    () => ask('listPlaylists', { path: { id: of('threads') } }),
  ],
  [
    'mentions on another platform',
    'account_platform',
    'id',
    () => ask('findMentions', { path: { id: of('threads') }, query: 'query=harbour' }),
  ],
  ['no text', 'content_required', 'content', () => onThreads({ content: '' })],
  ['a long text', 'content_too_long', 'content', () => onThreads({ content: 'x'.repeat(501) })],
  ['many hashtags', 'content_hashtags', 'content', () => onInstagram({ content: '#tag '.repeat(31) })],
  ['no file', 'media_required', 'mediaItems', () => onInstagram({ mediaItems: [] })],
  [
    'no video',
    'media_count',
    'mediaItems',
    () =>
      onInstagram({ platforms: [{ accountId: of('youtube'), platformSpecificData: { title: 'Title' } }] }),
  ],
  [
    'a wide image',
    'media_ratio',
    'mediaItems[0]',
    () => onInstagram({ mediaItems: [{ type: 'image', url: of('wide') }] }),
  ],
  [
    'an option of another type',
    'option_invalid',
    'platforms[0].platformSpecificData.link',
    () => withOptions({ link: 5 }),
  ],
  [
    'an option for other posts',
    'option_not_applicable',
    'platforms[0].platformSpecificData.isSpoiler',
    () => withOptions({ isSpoiler: true }),
  ],
  [
    'a webhook at a private address',
    'url_not_allowed',
    'url',
    () => ask('createWebhook', { body: { url: 'https://127.0.0.1/x', events: ['post.published'] } }),
  ],
];

const others: readonly (readonly [status: number, ...Cause])[] = [
  [401, 'no key', 'key_missing', undefined, () => call('listPosts')],
  [
    401,
    'another scheme',
    'key_malformed',
    undefined,
    () => call('listPosts', { headers: { authorization: 'Basic eDp5' } }),
  ],
  [401, 'half a key', 'key_malformed', undefined, () => call('listPosts', { apiKey: 'yay_123' })],
  [
    401,
    'a key that does not exist',
    'key_unknown',
    undefined,
    () => call('listPosts', { apiKey: generateApiKey() }),
  ],
  [
    403,
    'a limited key and all accounts',
    'key_limited_to_accounts',
    undefined,
    () =>
      ask('createWebhook', {
        apiKey: of('limitedKey'),
        body: { url: 'https://example.com/x', events: ['post.published'] },
      }),
  ],
  [
    404,
    'a post that does not exist',
    'not_found',
    undefined,
    () => ask('getPost', { path: { id: unknownId } }),
  ],
  [
    409,
    'a change of a live post',
    'post_live',
    undefined,
    () => ask('updatePost', { path: { id: of('live') }, body: { content: 'x' } }),
  ],
  [
    409,
    'a change of a post that is being published',
    'post_publishing',
    undefined,
    () => ask('updatePost', { path: { id: of('busy') }, body: { content: 'x' } }),
  ],
  [
    409,
    'a change of a post that has failed while it was prepared',
    'post_failed',
    undefined,
    () => ask('updatePost', { path: { id: of('failed') }, body: { content: 'x' } }),
  ],
  [
    409,
    'the deletion of a live post',
    'post_live',
    undefined,
    () => ask('deletePost', { path: { id: of('live') } }),
  ],
  [
    409,
    'the deletion of a post that is being published',
    'post_publishing',
    undefined,
    () => ask('deletePost', { path: { id: of('busy') } }),
  ],
  [
    409,
    'a retry of a draft',
    'nothing_to_retry',
    undefined,
    () => ask('retryPost', { path: { id: of('draft') } }),
  ],
  [
    409,
    'a take-down of a draft',
    'post_not_live',
    undefined,
    () => ask('unpublishPost', { path: { id: of('draft') } }),
  ],
  [
    409,
    'a take-down that only a person can do',
    'removal_by_person',
    'accountIds',
    () => ask('unpublishPost', { path: { id: of('live') } }),
  ],
  [
    409,
    'a verdict on a draft',
    'nothing_to_resolve',
    undefined,
    () =>
      ask('resolveTarget', {
        path: { id: of('draft'), accountId: of('instagram') },
        body: { outcome: 'not live' },
      }),
  ],
  [
    409,
    'a test of a disabled webhook',
    'webhook_disabled',
    undefined,
    () => ask('testWebhook', { path: { id: of('disabled') } }),
  ],
  [
    409,
    'a redelivery of what is pending',
    'delivery_pending',
    undefined,
    () => ask('redeliverEvent', { path: { id: of('webhook'), deliveryId: of('delivery') } }),
  ],
  [
    429,
    'an import above the limit of the workspace',
    'too_many_imports',
    'url',
    () => ask('importMedia', { apiKey: of('fullKey'), body: { url: 'https://files.example.com/a.jpg' } }),
  ],
];

describe('the code of an error names its cause', () => {
  it.each(invalid)('%s: %s', async (_what, code, param, cause) => {
    const { status, body } = await cause();
    expect([status, body['code'], body['param']], JSON.stringify(body)).toEqual([400, code, param]);
    const { problems, fields } = body['details'] as {
      problems: { param: string; code: string; message: string }[];
      fields: Record<string, string[]>;
    };
    expect(problems[0]).toMatchObject({ param, code });
    const byParam = Object.groupBy(problems, (each) => each.param);
    expect(Object.keys(byParam)).toEqual(Object.keys(fields));
    expect(problems.map(({ message }) => message).sort()).toEqual(Object.values(fields).flat().sort());
    expect(body['docUrl']).toBe(`https://api.example.com/docs/errors/${code}`);
  });

  it.each(others)('%i: %s: %s', async (expected, _what, code, param, cause) => {
    const { status, body } = await cause();
    expect([status, body['code'], body['param']], JSON.stringify(body)).toEqual([expected, code, param]);
    expect(body['docUrl']).toBe(`https://api.example.com/docs/errors/${code}`);
  });
});

describe('a response with status 401', () => {
  it('names an error only if a key was sent', async () => {
    const [without, unknown] = await Promise.all([
      call('listPosts'),
      call('listPosts', { apiKey: 'yay_123' }),
    ]);
    expect(without.headers['www-authenticate']).toBe('Bearer realm="api"');
    expect(unknown.headers['www-authenticate']).toBe('Bearer realm="api", error="invalid_token"');
  });
});

describe('a problem or a warning of a post that could be published', () => {
  it('has a code', async () => {
    const answer = await ask('validatePost', {
      body: {
        content: 'x'.repeat(501),
        platforms: [{ accountId: of('threads'), platformSpecificData: { colour: 'x' } }],
      },
    });
    expect(answer.body).toMatchObject({
      problems: [{ field: 'content', code: 'content_too_long' }],
      warnings: [{ code: 'option_unknown' }],
    });
  });
});
