import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { sharedOptions } from '../../../lib/platforms/contract/shared-options.ts';
import { featuresFor } from '../../../lib/platforms/registry/features.ts';
import type { PostFinding, PostView } from '../../../lib/posts/view/schemas.ts';
import { present } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Answer, type Call, mediaBaseUrl, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount, storeMedia, storePost } from '../../support/builders.ts';

let table: Table;
let call: Call;
let apiKey: string;
let workspaceId: string;
let mediaUrl: string;
const accounts = {} as Record<Platform, string>;
beforeAll(async () => {
  ({ table, call } = await openApi());
  const opened = await openWorkspace(table);
  ({ apiKey } = opened);
  ({ workspaceId } = opened.context);
  for (const platform of platformNames)
    accounts[platform] = (await storeAccount(table, workspaceId, { platform })).id;
  mediaUrl = `${mediaBaseUrl}/${(await storeMedia(table, workspaceId)).objectKey}`;
});

const inAnHour = () => toTimestamp(Date.now() + hourMs);
const post = (changes: object = {}) => ({
  content: 'Opening on Saturday',
  platforms: [{ accountId: accounts.threads }],
  ...changes,
});
const create = (changes: object) => call('createPost', { apiKey, body: post(changes) });
const change = (id: string, body: object) => call('updatePost', { apiKey, path: { id }, body });
const viewOf = (answer: Answer) => answer.body['post'] as PostView;
const warned = (answer: Answer) => (answer.body['warnings'] as PostFinding[]).map(({ field }) => field);
const problemsOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(400);
  const { fields } = answer.body['details'] as { fields: Record<string, string[]> };
  return Object.entries(fields).map(([field, messages]) => `${field}: ${messages.join()}`);
};
const with400 = (answer: Answer) => [answer.status, answer.body['param']];

/** The places of a request for a live post, with the path of a name in each. */
const places: Readonly<Record<string, (given: object) => object>> = {
  '': (given) => given,
  'platforms[0].': (given) => ({ platforms: [{ accountId: accounts.threads, ...given }] }),
  'mediaItems[0].': (given) => ({ mediaItems: [{ type: 'image', url: mediaUrl, ...given }] }),
  'platforms[0].platformSpecificData.': (given) => ({
    platforms: [{ accountId: accounts.threads, platformSpecificData: given }],
  }),
  'chain[0].': (given) => ({
    chain: [{ kind: 'followUp', accountIds: [accounts.threads], content: 'More', ...given }],
  }),
};

/** Names that would change what goes live, and what to use instead. */
const meant: readonly (readonly [place: string, name: string, value: unknown, message: string])[] = [
  ['', 'dry_run', true, 'use dryRun instead'],
  ['', 'scheduldFor', 'x', 'use scheduledFor instead'],
  ['', 'scheduled_for', 'x', 'use scheduledFor instead'],
  ['', 'scheduledAt', 'x', 'use scheduledFor instead'],
  ['', 'scheduleDate', 'x', 'use scheduledFor instead'],
  ['', 'publishAt', 'x', 'use scheduledFor instead'],
  ['', 'mediaItem', [], 'use mediaItems instead'],
  ['', 'mediaUrls', ['x'], 'use mediaItems instead'],
  ['', 'media_urls', ['x'], 'use mediaItems instead'],
  ['', 'media', [], 'use mediaItems instead'],
  ['', 'image', 'x', 'use mediaItems instead'],
  ['', 'attachments', [], 'use mediaItems instead'],
  ['', 'mediaIds', [], 'use mediaItems instead'],
  ['', 'text', 'x', 'use content instead'],
  ['', 'caption', 'x', 'use content instead'],
  ['', 'post', 'x', 'use content instead'],
  ['', 'draft', true, 'use isDraft instead'],
  ['', 'published', false, 'use isDraft instead'],
  ['', 'scheduled_publish_time', 1_803_801_600, 'use scheduledFor instead'],
  ['', 'post_at', 'x', 'use scheduledFor instead'],
  ['', 'type', 'draft', 'use isDraft instead'],
  ['', 'requiresApproval', true, 'leave it out'],
  ['', 'crosspostingEnabled', false, 'leave it out'],
  ['', 'facebookSettings', { draft: true }, 'use platforms[].platformSpecificData instead'],
  ['', 'firstComment', 'x', 'use platforms[].platformSpecificData.firstComment instead'],
  ['', 'thread', [], 'use chain instead'],
  ['', 'socialAccounts', [], 'use platforms instead'],
  ['', 'recurrence', {}, 'leave it out'],
  ['platforms[0].', 'platformSpecificContent', 'x', 'use customContent instead'],
  ['platforms[0].', 'content', 'x', 'use customContent instead'],
  ['platforms[0].', 'mediaItems', [], 'use customMedia instead'],
  ['platforms[0].', 'scheduledAt', 'x', 'use scheduledFor instead'],
  ['platforms[0].', 'options', {}, 'use platformSpecificData instead'],
  ['platforms[0].', 'settings', {}, 'use platformSpecificData instead'],
  ['platforms[0].', 'privacyLevel', 'x', 'use platformSpecificData instead'],
  ['platforms[0].', 'geoRestriction', {}, 'leave it out'],
  ['platforms[0].', 'custmContent', 'x', 'use customContent instead'],
  ['mediaItems[0].', 'alt', 'x', 'use altText instead'],
  ['mediaItems[0].', 'thumbnail', 'x', 'use coverUrl of the post instead'],
  ['mediaItems[0].', 'alt_text', 'x', 'use altText instead'],
  ['platforms[0].platformSpecificData.', 'threadItems', [], 'use thread instead'],
  ['platforms[0].platformSpecificData.', 'draft', true, "use the post's isDraft instead"],
  ['platforms[0].platformSpecificData.', 'geoRestriction', {}, 'leave it out'],
  ['platforms[0].platformSpecificData.', 'isAiGenerated', true, 'leave it out'],
  ['platforms[0].platformSpecificData.', 'scheduledFor', 'x', 'use scheduledFor of the post or'],
  ['platforms[0].platformSpecificData.', 'topic_tag', 'x', 'did you mean topicTag?'],
  ['platforms[0].platformSpecificData.', 'first_comment', 'x', 'did you mean firstComment?'],
  ['chain[0].', 'delay', 5, 'use afterMinutes instead'],
  ['chain[0].', 'mediaUrls', ['x'], 'use mediaItems instead'],
  ['chain[0].', 'afterMinute', 5, 'use afterMinutes instead'],
];

describe.each(meant)('%s%s, by which people mean something,', (place, name, value, message) => {
  const field = `${place}${name}`;
  const body = () => places[place]?.({ [name]: value }) ?? {};

  it('is refused in a post that goes live, and nothing is stored', async () => {
    const key = newId(Date.now());
    const answer = await create({ ...body(), publishNow: true, idempotencyKey: key });
    expect(problemsOf(answer)).toEqual([expect.stringContaining(`${field}: `)]);
    expect(problemsOf(answer)[0]).toContain(message);
    const scheduled = await create({ ...body(), scheduledFor: inAnHour() });
    expect(with400(scheduled)).toEqual([400, field]);
    expect((await create({ publishNow: true, idempotencyKey: key })).status).toBe(201);
  });

  it('is a problem of a validation, and of a post in a bulk', async () => {
    const request = post({ ...body(), publishNow: true });
    const { problems, warnings } = (await call('validatePost', { apiKey, body: request })).body;
    expect([problems, warnings]).toEqual([[expect.objectContaining({ field })], []]);
    const bulk = await call('createPosts', { apiKey, body: { posts: [post(), request] } });
    expect(bulk.body['results']).toMatchObject([
      { status: 'created' },
      { status: 'invalid', problems: [{ field: `posts[1].${field}` }] },
    ]);
  });

  it('is refused in a change of a scheduled post, which changes nothing', async () => {
    const scheduled = viewOf(await create({ scheduledFor: inAnHour() }));
    const answer = await change(scheduled.id, { content: 'Later', ...body() });
    expect(with400(answer)).toEqual([400, field]);
    const { body: read } = await call('getPost', { apiKey, path: { id: scheduled.id } });
    expect(read['post']).toEqual(scheduled);
  });

  it('is a warning in a draft, which is refused when it is scheduled', async () => {
    const made = await create(body());
    expect(made.status, made.text).toBe(201);
    expect(warned(made)).toEqual([field]);
    const { id } = viewOf(made);
    expect(with400(await change(id, { publishNow: true }))).toEqual([400, field]);
    expect((await change(id, { externalId: 'A-1' })).status).toBe(200);
    expect(with400(await change(id, { publishNow: true }))).toEqual([400, field]);
    const copy = { path: { id }, body: { publishNow: true }, apiKey };
    expect(with400(await call('duplicatePost', copy))).toEqual([400, field]);
  });
});

describe('a draft with a field that is not built can be scheduled once a change', () => {
  const draft = async (changes: object) => viewOf(await create(changes)).id;

  it('sends the field as null', async () => {
    const id = await draft({ mediaUrls: ['x'] });
    expect((await change(id, { mediaUrls: null, scheduledFor: inAnHour() })).status).toBe(200);
  });

  it('sends what to use instead', async () => {
    const id = await draft({ mediaUrls: ['x'], caption: 'Hello' });
    expect((await change(id, { mediaItems: [], content: 'Hello' })).status).toBe(200);
    expect((await change(id, { scheduledFor: inAnHour() })).status).toBe(200);
  });

  it('gives the time that it had under another name', async () => {
    const id = await draft({ scheduledAt: 'x' });
    expect((await change(id, { scheduledFor: inAnHour() })).status).toBe(200);
  });

  it('sends the list again in which it was', async () => {
    const id = await draft({ platforms: [{ accountId: accounts.threads, mediaUrls: ['x'] }] });
    const platforms = [{ accountId: accounts.threads }];
    expect((await change(id, { platforms, publishNow: true })).status).toBe(200);
  });
});

/** Names that no platform and no client uses, with values that look like a request. */
const meaningless: readonly (readonly [name: string, value: unknown])[] = [
  ['foo', 1],
  ['internalRef', 'A-17'],
  ['internal_ref', { scheduledFor: 'x', dryRun: true, mediaUrls: ['x'], draft: true }],
  ['campaignId', 'spring'],
  ['costCentre', 4711],
  ['crm', { owner: { draft: true }, tags: ['x'] }],
  ['createdBy', 'Ada'],
  ['traceId', 'x'],
  ['_note', 'for the reviewer'],
  ['x-source', 'import'],
  ['reviewer', ['a', 'b']],
  ['sheetRow', 12],
  ['notesForTeam', 'x'],
  ['department', null],
  ['colour', 'red'],
  ['constructor', 'x'],
  ['toString', 'x'],
];

describe.each(Object.keys(places))('a name that means nothing to anybody, in %s', (place) => {
  it.each(meaningless)('%s is a warning', async (name, value) => {
    const answer = await create({ ...places[place]?.({ [name]: value }), publishNow: true });
    expect(answer.status, answer.text).toBe(201);
    expect(warned(answer)).toEqual(value === null ? [] : [`${place}${name}`]);
  });

  it('is a warning in every other request', async () => {
    const body = places[place]?.({ internalRef: 'A-17' }) ?? {};
    const { id } = viewOf(await create({ scheduledFor: inAnHour() }));
    const asked = [
      await change(id, body),
      await call('validatePost', { apiKey, body: post({ ...body, publishNow: true }) }),
      await create(body),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 201]);
    for (const answer of asked) expect(warned(answer)).toEqual([`${place}internalRef`]);
    expect(asked[1]?.body['valid']).toBe(true);
  });
});

it('any name is allowed in metadata', async () => {
  const metadata = { dryRun: 'true', mediaUrls: 'x', scheduledAt: 'x', draft: 'true' };
  const answer = await create({ metadata, publishNow: true });
  expect([answer.status, warned(answer)]).toEqual([201, []]);
});

describe('the options that the interface names', () => {
  const values: Readonly<Record<string, unknown>> = {
    boardId: '12',
    firstComment: 'First',
    isAigc: true,
    link: 'https://example.com',
    privacy: 'public',
    privacyLevel: 'SELF_ONLY',
    shareToFeed: true,
    tags: ['a'],
    title: 'Title',
  };
  const file = { image: 'image/jpeg', video: 'video/mp4' };
  /** Options of the platform itself, which it does not take with such a file. */
  const own: Record<string, Record<string, string[]>> = { tiktok: { image: ['isAigc'] } };

  it('are all named', () => {
    expect(Object.keys(values)).toEqual(Object.keys(sharedOptions));
  });

  it.each(
    platformNames.flatMap((platform) =>
      (['image', 'video'] as const).map((type) => [platform, type] as const),
    ),
  )('are not refused by %s with a file of type %s, whatever else they are for', async (platform, type) => {
    const { id: _, ...media } = await storeMedia(table, workspaceId, {
      filename: `a.${type}`,
      contentType: file[type],
    });
    const mediaItems = [{ type, url: `${mediaBaseUrl}/${media.objectKey}` }];
    const { id: accountId } = await storeAccount(table, workspaceId, {
      platform,
      scopes: Object.values(featuresFor(platform).scopes).flat(),
    });
    const given = Object.entries(values).filter(([name]) => !own[platform]?.[type]?.includes(name));
    const platforms = [{ accountId, platformSpecificData: Object.fromEntries(given) }];
    const answer = await call('validatePost', {
      apiKey,
      body: post({ platforms, mediaItems, publishNow: true }),
    });
    const problems = (answer.body['problems'] as PostFinding[]).filter(({ field }) =>
      field.startsWith('platforms[0].platformSpecificData'),
    );
    expect(problems).toEqual([]);
  });
});

it.each<[Platform, object, string]>([
  ['facebook', { draft: true, firstComment: 'First' }, 'is not available for drafts'],
  ['youtube', { privacy: 'private', firstComment: 'First' }, 'YouTube allows no comments on private videos'],
])('a first comment that nobody could read is refused by %s', async (platform, given, message) => {
  const { id: accountId } = await storeAccount(table, workspaceId, {
    platform,
    scopes: Object.values(featuresFor(platform).scopes).flat(),
  });
  const platforms = [{ accountId, platformSpecificData: given }];
  const answer = await call('validatePost', { apiKey, body: post({ platforms, publishNow: true }) });
  expect(answer.body['problems']).toContainEqual(expect.objectContaining({ message }));
});

describe('a post that is sent back as it was read', () => {
  it('is created again and changed with nothing but warnings, with all its parts', async () => {
    const full = post({
      platforms: [
        { accountId: accounts.threads, customContent: 'Hi', platformSpecificData: { internalRef: 1 } },
      ],
      mediaItems: [{ type: 'image', url: mediaUrl, altText: 'A boat' }],
      chain: [{ kind: 'followUp', accountIds: [accounts.threads], content: 'More' }],
      metadata: { draft: 'x' },
      externalId: 'A-1',
      scheduledFor: inAnHour(),
    });
    const read = viewOf(await call('createPost', { apiKey, body: full }));
    const answers = [
      await call('createPost', { apiKey, body: read }),
      await change(read.id, read),
      await change(read.id, { ...read, post: read }),
      await call('validatePost', { apiKey, body: read }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
    expect(answers[3]?.body['valid']).toBe(true);
    for (const answer of answers)
      for (const { field, message } of answer.body['warnings'] as PostFinding[])
        if (!field.endsWith('internalRef')) expect(`${field} ${message}`).toContain('is read-only');
  });

  it('may have a name that an earlier release accepted', async () => {
    const { id } = viewOf(await create({ scheduledFor: inAnHour() }));
    await updateItem(table, targetKey(workspaceId, id, accounts.threads), {
      set: { options: JSON.stringify({ geoRestriction: ['DE'] }) },
      if: { pk: present },
    });
    const { body } = await call('getPost', { apiKey, path: { id } });
    const answer = await change(id, body['post'] as object);
    expect(answer.status, answer.text).toBe(200);
    expect(warned(answer)).toContain('platforms[0].platformSpecificData.geoRestriction');
  });
});

describe('a duplicate', () => {
  it.each([
    ['content', 'Another text', 'leave it out'],
    ['mediaUrls', ['x'], 'use mediaItems instead'],
    ['scheduledAt', 'x', 'use scheduledFor instead'],
    ['platforms', [], 'use accountIds instead'],
    ['publish_now', true, 'use publishNow instead'],
  ])('that goes live is refused with %s, and a draft warns', async (name, value, message) => {
    const { id } = viewOf(await create({}));
    const duplicate = (body: object) =>
      call('duplicatePost', { apiKey, path: { id }, body: { ...body, [name]: value } });
    const [problem] = problemsOf(await duplicate({ scheduledFor: inAnHour() }));
    expect(problem).toContain(`${name}: is not supported; ${message}`);
    const draft = await duplicate({});
    expect([draft.status, warned(draft)]).toEqual([201, [name]]);
  });
});

describe('dryRun', () => {
  const posts = async () =>
    ((await call('listPosts', { apiKey, query: 'limit=500' })).body['posts'] as PostView[]).length;
  const failedPost = () =>
    storePost(table, workspaceId, [{ accountId: accounts.threads, platform: 'threads', status: 'failed' }]);

  it('says what creating would do, stores nothing and uses no key', async () => {
    const before = await posts();
    const key = newId(Date.now());
    const answer = await create({ scheduledFor: inAnHour(), idempotencyKey: key, dryRun: true });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ dryRun: true, valid: true, problems: [], warnings: [] }),
    ]);
    expect(viewOf(answer)).toMatchObject({
      status: 'scheduled',
      platforms: [{ accountId: accounts.threads }],
    });
    const path = { id: viewOf(answer).id };
    expect((await call('getPost', { apiKey, path })).status).toBe(404);
    expect(await posts()).toBe(before);
    expect((await create({ scheduledFor: inAnHour(), idempotencyKey: key })).status).toBe(201);
    const replayed = await create({ content: 'Another', idempotencyKey: key, dryRun: true });
    expect(replayed.body).toMatchObject({ dryRun: true, post: { content: 'Another', status: 'draft' } });
  });

  it('names the slot that auto would take, and takes none', async () => {
    const { id: accountId } = await storeAccount(table, workspaceId, { platform: 'threads' });
    const ask = (changes: object) => create({ platforms: [{ accountId }], scheduledFor: 'auto', ...changes });
    const foreseen = viewOf(await ask({ dryRun: true })).scheduledFor;
    expect(foreseen).toEqual(viewOf(await ask({ dryRun: true })).scheduledFor);
    expect(viewOf(await ask({})).scheduledFor).toBe(foreseen);
    expect(viewOf(await ask({ dryRun: true })).scheduledFor).not.toBe(foreseen);
  });

  it('lists what would be refused', async () => {
    const answer = await create({ mediaUrls: ['x'], content: '', publishNow: true, dryRun: true });
    const { valid, problems } = answer.body;
    expect([answer.status, valid]).toEqual([200, false]);
    expect((problems as PostFinding[]).map(({ field }) => field)).toEqual(['mediaUrls', 'content']);
    expect((await create({ scheduledFor: 'soon', dryRun: true })).status).toBe(400);
  });

  it('says what a duplicate would be', async () => {
    const { id } = viewOf(await create({}));
    const before = await posts();
    const answer = await call('duplicatePost', {
      apiKey,
      path: { id },
      body: { dryRun: true, publishNow: true },
    });
    expect([answer.status, answer.body['valid'], viewOf(answer).status]).toEqual([200, true, 'scheduled']);
    expect(await posts()).toBe(before);
  });

  it('says what a change would do, and changes nothing', async () => {
    const made = viewOf(await create({ scheduledFor: inAnHour() }));
    const answer = await change(made.id, { content: 'Another text', dryRun: true });
    expect([answer.status, answer.body['valid'], viewOf(answer).content]).toEqual([
      200,
      true,
      'Another text',
    ]);
    const wrong = await change(made.id, { content: 'x'.repeat(600), scheduledAt: 'x', dryRun: true });
    expect(wrong.body).toMatchObject({
      valid: false,
      problems: [{ field: 'scheduledAt' }, { field: 'content' }],
    });
    const { body } = await call('getPost', { apiKey, path: { id: made.id } });
    expect(body['post']).toEqual(made);
  });

  it('says what a retry would do, and retries nothing', async () => {
    const { post: failed } = await failedPost();
    const path = { id: failed.id };
    const retry = (body?: object) => call('retryPost', { apiKey, path, ...(body && { body }) });
    const answer = await retry({ dryRun: true });
    expect([answer.status, answer.body['valid'], viewOf(answer).platforms[0]?.status]).toEqual([
      200,
      true,
      'scheduled',
    ]);
    const { body } = await call('getPost', { apiKey, path });
    expect((body['post'] as PostView).platforms[0]?.status).toBe('failed');
    expect(with400(await retry({ dryrun: true }))).toEqual([400, 'dryrun']);
    expect((await retry()).status).toBe(200);
    expect([(await retry({ dryRun: true })).status, (await retry()).status]).toEqual([409, 409]);
  });

  it('is refused in one post of a bulk, which would create the others', async () => {
    const body = { posts: [post({ dryRun: true, publishNow: true }), post()] };
    const answer = await call('createPosts', { apiKey, body });
    expect(answer.body['results']).toMatchObject([
      { status: 'invalid', problems: [{ field: 'posts[0].dryRun' }] },
      { status: 'created' },
    ]);
  });
});
