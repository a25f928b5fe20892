import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verbs } from '../../../lib/access/verbs.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { operations } from '../../../lib/operations.ts';
import { auditPartition } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { anOperator } from '../../support/acts.ts';
import { type Answer, type Call, mediaBaseUrl, openApi, type RequestParts } from '../../support/api.ts';
import { openWorkspace, referenceTo, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { bodiesById, nounOf, type StoredIds, storeOneOfEach } from '../../support/by-id.ts';
import { fromPanel, type SignedInPerson, signInMember } from '../../support/panel.ts';
import { itemsOf } from '../../support/workspace-items.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let context: Context;
let fullKey: string;
let draftKey: string;
let draftKeyId: string;
let person: SignedInPerson;
let own: StoredIds;
let mediaUrl: string;
beforeEach(async () => {
  ({ context, apiKey: fullKey } = await openWorkspace(table, { now: Date.now() }));
  const { workspaceId } = context;
  own = await storeOneOfEach(table, workspaceId);
  const media = await storeMedia(table, workspaceId);
  mediaUrl = `${mediaBaseUrl}/${media.objectKey}`;
  const operator = anOperator(table, Date.now());
  const issued = await createKey(operator, { workspaceId, name: 'agent', permissions: ['read', 'draft'] });
  ({ apiKey: draftKey } = issued);
  draftKeyId = issued.key.id;
  person = await signInMember(table, workspaceId);
});

const soon = (minutes = 60) => toTimestamp(Date.now() + minutes * 60_000);
const post = (changes: object = {}) => ({
  content: 'Fresh bread every morning',
  platforms: [{ accountId: own.accountId }],
  mediaItems: [{ type: 'image', url: mediaUrl }],
  ...changes,
});
const asAgent = (id: string, parts: RequestParts) => call(id, { apiKey: draftKey, ...parts });
const asPerson = (id: string, parts: RequestParts) => call(id, fromPanel(person, context.workspaceId, parts));

interface ShownPost {
  readonly id: string;
  readonly status: string;
  readonly scheduledFor: string | null;
  readonly content: string;
  readonly approval: { readonly state: string; readonly version: number } | null;
}
const postIn = ({ body }: Answer) => body['post'] as ShownPost;

async function propose(changes: object = {}): Promise<ShownPost> {
  const answer = await asAgent('createPost', { body: post({ isDraft: true, ...changes }) });
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([201, expect.any(String)]);
  return postIn(answer);
}

const outcome = ({ status, body }: Answer) => [status, body['code']];
const refused = [403, 'permission_missing'];
const refusalsOf = async (verb: string) =>
  (await queryAll(table, { partition: auditPartition(context.workspaceId) })).filter(
    (entry) => entry['verb'] === verb && entry['outcome'] === 'refused',
  );

describe('a key that may only draft, and each operation', () => {
  /** The treatment of the key by each operation that admits it. It repeats the rules on purpose. */
  const admitted: Readonly<Record<string, 'anything' | 'drafts only'>> = {
    presignMedia: 'anything',
    listMediaParts: 'anything',
    completeMedia: 'anything',
    storeMediaPreview: 'anything',
    importMedia: 'anything',
    validatePost: 'anything',
    createPost: 'drafts only',
    createPosts: 'drafts only',
    duplicatePost: 'drafts only',
    updatePost: 'drafts only',
    deletePost: 'drafts only',
  };
  const withKey = operations.filter(({ access }) => access === 'key');
  const permissionOf = ({ verb }: (typeof operations)[number]) => verb && verbs[verb].permission;

  it('is listed here if it admits the key', () => {
    const ids = withKey.filter((each) => permissionOf(each) === 'draft').map(({ id }) => id);
    expect(ids.sort()).toEqual(Object.keys(admitted).sort());
  });

  it.each(withKey.filter((each) => permissionOf(each) === 'draft'))(
    '$id needs more for what is no draft, unless it may do anything',
    ({ id, verb }) => {
      expect(verb && verbs[verb].beyondDrafts).toBe(admitted[id] === 'anything' ? undefined : 'publish');
    },
  );

  const others = withKey.filter((each) => !['draft', 'read'].includes(permissionOf(each) ?? ''));
  it.each(others)('$id is refused, and changes nothing', async ({ id, path, verb }) => {
    const before = await itemsOf(table, context.workspaceId);
    const { deliveryId, accountId } = own;
    const answer = await asAgent(id, {
      path: { id: own[nounOf(path)], accountId, deliveryId, boardId: '1', state: 'x', platform: 'instagram' },
      body: bodiesById[id] ?? {},
    });
    expect([id, ...outcome(answer)]).toEqual([id, ...refused]);
    expect(answer.body['error']).toContain(`"${verb && verbs[verb].permission}"`);
    const isOther = (item: unknown) =>
      !['auditEntry', 'keyUse'].includes(String((item as Record<string, unknown>)['kind']));
    const after = await itemsOf(table, context.workspaceId);
    expect(after.filter(isOther)).toEqual(before.filter(isOther));
  });
});

describe('a key that may only draft', () => {
  /** A post in each state that a draft key must not touch. */
  const scheduledPost = async () => {
    const { post: stored } = await storePost(table, context.workspaceId, [{ accountId: own.accountId }]);
    return stored.id;
  };
  const draft = async (changes: object = {}) => (await propose(changes)).id;

  const attempts: readonly (readonly [string, () => Promise<Answer>])[] = [
    ['creates a scheduled post', () => asAgent('createPost', { body: post({ scheduledFor: soon() }) })],
    ['publishes now', () => asAgent('createPost', { body: post({ publishNow: true }) })],
    ['takes a slot', () => asAgent('createPost', { body: post({ scheduledFor: 'auto' }) })],
    [
      'gives a destination a time',
      () =>
        asAgent('createPost', {
          body: post({ platforms: [{ accountId: own.accountId, scheduledFor: soon() }] }),
        }),
    ],
    [
      'asks for a dry run of that',
      () => asAgent('createPost', { body: post({ publishNow: true, dryRun: true }) }),
    ],
    [
      'duplicates a post to a time',
      async () =>
        asAgent('duplicatePost', { path: { id: await scheduledPost() }, body: { scheduledFor: soon() } }),
    ],
    [
      'duplicates a draft and publishes it',
      async () => asAgent('duplicatePost', { path: { id: await draft() }, body: { publishNow: true } }),
    ],
    [
      'promotes its draft',
      async () =>
        asAgent('updatePost', {
          path: { id: await draft({ scheduledFor: soon() }) },
          body: { isDraft: false },
        }),
    ],
    [
      'promotes its draft with the version',
      async () => {
        const { id, approval } = await propose({ scheduledFor: soon() });
        return asAgent('updatePost', {
          path: { id },
          body: { isDraft: false, ifVersion: approval?.version },
        });
      },
    ],
    [
      'gives its draft a time',
      async () => asAgent('updatePost', { path: { id: await draft() }, body: { scheduledFor: soon() } }),
    ],
    [
      'publishes its draft',
      async () => asAgent('updatePost', { path: { id: await draft() }, body: { publishNow: true } }),
    ],
    [
      'gives its draft a slot',
      async () => asAgent('updatePost', { path: { id: await draft() }, body: { scheduledFor: 'auto' } }),
    ],
    [
      'asks for a dry run of that',
      async () =>
        asAgent('updatePost', { path: { id: await draft() }, body: { publishNow: true, dryRun: true } }),
    ],
    [
      'declines a draft',
      async () => asAgent('updatePost', { path: { id: await draft() }, body: { decline: {}, ifVersion: 1 } }),
    ],
    [
      'edits a scheduled post',
      async () => asAgent('updatePost', { path: { id: await scheduledPost() }, body: { content: 'x' } }),
    ],
    [
      'makes a scheduled post a draft',
      async () => asAgent('updatePost', { path: { id: await scheduledPost() }, body: { isDraft: true } }),
    ],
    [
      'removes the time of a scheduled post',
      async () =>
        asAgent('updatePost', { path: { id: await scheduledPost() }, body: { scheduledFor: null } }),
    ],
    [
      'changes the notes of a scheduled post',
      async () =>
        asAgent('updatePost', { path: { id: await scheduledPost() }, body: { metadata: { a: 'b' } } }),
    ],
    ['deletes a scheduled post', async () => asAgent('deletePost', { path: { id: await scheduledPost() } })],
  ];
  it.each(attempts)('is refused if it %s', async (_what, attempt) => {
    const answer = await attempt();
    expect([answer.text.slice(0, 200), ...outcome(answer)]).toEqual([expect.any(String), ...refused]);
    expect(answer.body['error']).toContain('lacks the permission "publish"');
  });

  it('is refused for each post of a bulk that is no draft, and creates the drafts', async () => {
    const posts = [post(), post({ publishNow: true }), post({ scheduledFor: soon(), isDraft: true })];
    const { status, body } = await asAgent('createPosts', { body: { posts } });
    expect([status, body['created'], body['failed']]).toEqual([200, 2, 1]);
    const results = body['results'] as readonly { error: { code: string } | null; post: ShownPost | null }[];
    expect(results[1]?.error).toMatchObject({ code: 'permission_missing' });
    expect(results.map((each) => each.post?.status ?? null)).toEqual(['draft', null, 'draft']);
  });

  it('leaves its refused attempts in the audit log', async () => {
    await asAgent('createPost', { body: post({ publishNow: true }) });
    await asAgent('createPost', { body: post({ scheduledFor: soon() }) });
    expect(await refusalsOf('post.create')).toMatchObject([
      {
        count: 2,
        actor: { kind: 'key', id: draftKeyId },
        note: 'this API key lacks the permission "publish"',
      },
    ]);
  });

  it('creates, reads, changes, duplicates and deletes drafts', async () => {
    const { id, scheduledFor } = await propose({ scheduledFor: soon() });
    expect(scheduledFor).not.toBeNull();
    const path = { id };
    expect(postIn(await asAgent('updatePost', { path, body: { content: 'Better' } }))).toMatchObject({
      content: 'Better',
      status: 'draft',
      scheduledFor,
    });
    const later = soon(120);
    const moved = await asAgent('updatePost', { path, body: { scheduledFor: later, isDraft: true } });
    expect(postIn(moved)).toMatchObject({ status: 'draft', scheduledFor: later });
    expect((await asAgent('duplicatePost', { path, body: {} })).status).toBe(201);
    expect((await asAgent('getPost', { path })).status).toBe(200);
    expect((await asAgent('deletePost', { path })).status).toBe(200);
  });

  it('checks a post as if it were to go live', async () => {
    const { status, body } = await asAgent('validatePost', { body: post({ publishNow: true }) });
    expect([status, body['valid']]).toEqual([200, true]);
  });

  it('reads nothing without `read`', async () => {
    const operator = anOperator(table, Date.now());
    const { workspaceId } = context;
    const { apiKey } = await createKey(operator, { workspaceId, name: 'blind', permissions: ['draft'] });
    expect(outcome(await call('listPosts', { apiKey }))).toEqual(refused);
    expect((await call('createPost', { apiKey, body: post({ isDraft: true }) })).status).toBe(201);
  });

  it('finds no drafts of accounts outside its list, and proposes none for them', async () => {
    const { workspaceId } = context;
    const other = await storeAccount(table, workspaceId, { platformAccountId: '17841400000000009' });
    const { apiKey } = await createKey(anOperator(table, Date.now()), {
      workspaceId,
      name: 'limited',
      permissions: ['read', 'draft'],
      accountIds: [other.id],
    });
    const { id } = await propose();
    const path = { id };
    for (const [operation, body] of [
      ['getPost', undefined],
      ['updatePost', { content: 'mine' }],
      ['deletePost', undefined],
      ['duplicatePost', {}],
    ] as const)
      expect((await call(operation, { apiKey, path, body })).status).toBe(404);
    const created = await call('createPost', { apiKey, body: post({ isDraft: true, mediaItems: [] }) });
    expect(outcome(created)).toEqual([400, 'account_unknown']);
    expect((await call('listPosts', { apiKey, query: 'approval=waiting' })).body['posts']).toEqual([]);
  });

  it('has idempotency keys of its own, and neither gets nor takes the place of the posts of others', async () => {
    const scheduled = (idempotencyKey: string) => post({ scheduledFor: soon(), idempotencyKey });
    const draft = (idempotencyKey: string) => post({ isDraft: true, idempotencyKey });
    const first = await call('createPost', { apiKey: fullKey, body: scheduled('one') });
    const proposal = await asAgent('createPost', { body: draft('one') });
    expect([proposal.status, postIn(proposal).status]).toEqual([201, 'draft']);
    expect(postIn(proposal).id).not.toBe(postIn(first).id);
    const again = await asAgent('createPost', { body: draft('one') });
    expect([again.status, postIn(again).id]).toEqual([200, postIn(proposal).id]);
    const { body } = await asAgent('createPosts', { body: { posts: [draft('two')] } });
    expect(body['created']).toBe(1);
    const other = await call('createPost', { apiKey: fullKey, body: scheduled('two') });
    expect([other.status, postIn(other).status]).toEqual([201, 'scheduled']);
  });

  it('cannot keep what it proposes from waiting for approval', async () => {
    const { id } = await propose();
    const path = { id };
    const { approval } = postIn(await asAgent('getPost', { path }));
    const sent = { approval: null, ifVersion: approval?.version, content: 'x' };
    expect(postIn(await asAgent('updatePost', { path, body: sent })).approval?.state).toBe('waiting');
  });
});

describe('a draft that a key proposes', () => {
  it('waits, and is found among those that wait', async () => {
    const { id, approval } = await propose({ scheduledFor: soon() });
    await call('createPost', { apiKey: fullKey, body: post({ isDraft: true }) });
    expect(approval).toEqual({
      state: 'waiting',
      version: 1,
      requestedAt: expect.any(String),
      requestedBy: { kind: 'key', id: draftKeyId },
      decidedAt: null,
      decidedBy: null,
      note: null,
    });
    const { body } = await asPerson('listPosts', { query: 'approval=waiting' });
    expect((body['posts'] as ShownPost[]).map((each) => each.id)).toEqual([id]);
  });

  it('is approved by the person who schedules it, for its proposed time', async () => {
    const { id, scheduledFor, approval } = await propose({ scheduledFor: soon() });
    const body = { isDraft: false, ifVersion: approval?.version };
    const approved = postIn(await asPerson('updatePost', { path: { id }, body }));
    expect(approved).toMatchObject({
      status: 'scheduled',
      scheduledFor,
      approval: { state: 'approved', decidedBy: { kind: 'person', id: person.personId } },
    });
    const { body: timeline } = await asPerson('getPostTimeline', { path: { id } });
    const events = (timeline['timeline'] as { event: string }[]).map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(['created', 'approval requested', 'approved']));
    const { body: waiting } = await asPerson('listPosts', { query: 'approval=waiting' });
    expect(waiting['posts']).toEqual([]);
    expect(outcome(await asAgent('updatePost', { path: { id }, body: { content: 'swap' } }))).toEqual(
      refused,
    );
    const [entry] = (await queryAll(table, { partition: auditPartition(context.workspaceId) })).filter(
      ({ note }) => note === 'approved',
    );
    expect(entry).toMatchObject({ verb: 'post.edit', actor: { kind: 'person' }, subjectId: id });
  });

  it('is not scheduled without the version that was seen', async () => {
    const { id } = await propose({ scheduledFor: soon() });
    for (const body of [{ isDraft: false }, { publishNow: true }, { scheduledFor: soon(90) }])
      expect(await asPerson('updatePost', { path: { id }, body })).toMatchObject({
        status: 400,
        body: { code: 'field_required', param: 'ifVersion' },
      });
  });

  it('is not scheduled if it has changed since it was seen', async () => {
    const { id, approval } = await propose({ scheduledFor: soon() });
    await asAgent('updatePost', { path: { id }, body: { content: 'Something else' } });
    const body = { isDraft: false, ifVersion: approval?.version };
    expect(outcome(await asPerson('updatePost', { path: { id }, body }))).toEqual([409, 'post_changed']);
    expect(postIn(await asPerson('getPost', { path: { id } }))).toMatchObject({
      status: 'draft',
      content: 'Something else',
      approval: { state: 'waiting', version: 2 },
    });
  });

  it('does not go live at a proposed time that has passed, unless a person says when', async () => {
    const { id, approval } = await propose({ scheduledFor: soon(-1) });
    const ifVersion = approval?.version;
    expect(await asPerson('updatePost', { path: { id }, body: { isDraft: false, ifVersion } })).toMatchObject(
      {
        status: 400,
        body: { code: 'time_in_past', param: 'scheduledFor' },
      },
    );
    const { status } = await asPerson('updatePost', { path: { id }, body: { publishNow: true, ifVersion } });
    expect(status).toBe(200);
  });

  it('is not approved while a file has not arrived, which the key could still send', async () => {
    const pending = await storeMedia(table, context.workspaceId, { status: 'pending' });
    const url = `${mediaBaseUrl}/${referenceTo(pending).objectKey}`;
    const { id, approval } = await propose({ scheduledFor: soon(), mediaItems: [{ type: 'image', url }] });
    const body = { isDraft: false, ifVersion: approval?.version };
    expect(outcome(await asPerson('updatePost', { path: { id }, body }))).toEqual([409, 'media_pending']);
  });

  it('is declined with a reason, and waits again once the key changes it', async () => {
    const { id, approval } = await propose();
    const path = { id };
    const decline = { note: 'Too early' };
    const body = { decline, ifVersion: approval?.version };
    expect(postIn(await asPerson('updatePost', { path, body }))).toMatchObject({
      status: 'draft',
      approval: { state: 'declined', note: 'Too early', version: 2 },
    });
    expect(outcome(await asPerson('updatePost', { path, body }))).toEqual([409, 'post_changed']);
    expect(outcome(await asPerson('updatePost', { path, body: { decline, ifVersion: 2 } }))).toEqual([
      409,
      'conflict',
    ]);
    const again = postIn(await asAgent('updatePost', { path, body: { content: 'Later' } }));
    expect(again.approval).toMatchObject({ state: 'waiting', note: null, decidedBy: null });
  });

  it.each([
    ['publishNow', { publishNow: true }],
    ['a time', { scheduledFor: '2030-01-01T00:00:00Z' }],
    ['isDraft: false', { isDraft: false }],
  ])('is not declined together with %s', async (_what, timing) => {
    const { id } = await propose();
    const body = { decline: {}, ifVersion: 1, ...timing };
    expect(outcome(await asPerson('updatePost', { path: { id }, body }))).toEqual([
      400,
      'contradictory_fields',
    ]);
  });

  it('still waits after a person has changed it, and is no longer approved once it is a draft again', async () => {
    const { id, approval } = await propose();
    const path = { id };
    expect(approval?.state).toBe('waiting');
    const edited = postIn(await asPerson('updatePost', { path, body: { content: 'Edited' } }));
    expect(edited.approval).toMatchObject({ state: 'waiting', version: 2 });
    const body = { scheduledFor: soon(), ifVersion: 2 };
    expect(postIn(await asPerson('updatePost', { path, body })).approval?.state).toBe('approved');
    expect(postIn(await asPerson('updatePost', { path, body: { isDraft: true } })).approval).toBeNull();
  });

  it('of a person waits once the key has changed it', async () => {
    const { id } = postIn(
      await asPerson('createPost', { body: post({ isDraft: true, scheduledFor: soon() }) }),
    );
    const path = { id };
    expect(postIn(await asAgent('updatePost', { path, body: { content: 'swap' } })).approval?.state).toBe(
      'waiting',
    );
    expect((await asPerson('updatePost', { path, body: { isDraft: false } })).status).toBe(400);
  });

  it('is unknown to other workspaces', async () => {
    const { id } = await propose();
    const { apiKey } = await openWorkspace(table, { now: Date.now() });
    expect(
      (await call('updatePost', { apiKey, path: { id }, body: { ifVersion: 1, publishNow: true } })).status,
    ).toBe(404);
  });
});
