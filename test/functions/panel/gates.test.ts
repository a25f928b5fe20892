import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isInWorkspace } from '../../../lib/api-contract/operation.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { operations, panelOperations } from '../../../lib/operations.ts';
import { personIdOf } from '../../../lib/people/sign-in.ts';
import { present } from '../../../lib/table/condition.ts';
import { deleteItem, updateItem } from '../../../lib/table/items.ts';
import { membershipKey, workspaceKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Workspace } from '../../../lib/workspaces/schemas.ts';
import { type Answer, type Call, openApi, originSecret, type RequestParts } from '../../support/api.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';
import {
  fromPanel,
  panelOrigin,
  type SignedInPerson,
  signInMember,
  signInPerson,
} from '../../support/panel.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let workspace: Workspace;
let foreign: Workspace;
let apiKey: string;
let owner: SignedInPerson;
beforeEach(async () => {
  ({ workspace, apiKey } = await openWorkspace(table));
  ({ workspace: foreign } = await openWorkspace(table));
  owner = await signInMember(table, workspace.id);
});

const outcome = ({ status, body }: Answer) => [status, body['code']];
const read = (parts: RequestParts) => call('getWorkspace', parts);
/** A change that a member's role allows. */
const write = (parts: RequestParts) =>
  call('createPost', { ...parts, body: { content: 'Hello', isDraft: true, platforms: [] } });
const rename = (parts: RequestParts) => call('updateWorkspace', { ...parts, body: { name: 'New name' } });
const mine = (parts: RequestParts = {}) => fromPanel(owner, workspace.id, parts);

describe('a request with the cookie of a session', () => {
  it('acts in the workspace that it names', async () => {
    const { status, body } = await read(mine());
    expect([status, body['workspace']]).toMatchObject([200, { id: workspace.id }]);
  });

  it('is in the audit log with the person', async () => {
    expect((await rename(mine())).status).toBe(200);
    const [entry] = await auditLogOf(table, workspace.id);
    expect(entry).toMatchObject({
      actor: { kind: 'person', id: owner.personId },
      verb: 'workspace.edit',
      outcome: 'done',
    });
  });

  it.each<[string, (id: string) => Record<string, string>, unknown[]]>([
    ['no workspace', () => ({ 'x-workspace': '' }), [400, 'field_format']],
    ['a text as workspace', () => ({ 'x-workspace': 'WORKSPACE#*' }), [400, 'field_format']],
    ['two workspaces', (id) => ({ 'x-workspace': `${id}, ${id}` }), [400, 'field_format']],
    ['an unknown workspace', () => ({ 'x-workspace': newId(Date.now()) }), [404, 'not_found']],
  ])('is refused with %s', async (_what, headers, expected) => {
    expect(outcome(await read(mine({ headers: headers(workspace.id) })))).toEqual(expected);
  });

  it('is refused without the header of the workspace, which the error names', async () => {
    const answer = await read(fromPanel(owner));
    expect(answer).toMatchObject({ status: 400, body: { code: 'field_required', param: 'X-Workspace' } });
  });

  it('cannot tell a foreign workspace from an unknown one', async () => {
    const [ofForeign, ofUnknown] = [
      await read(fromPanel(owner, foreign.id)),
      await read(fromPanel(owner, newId(Date.now()))),
    ];
    expect(ofForeign.status).toBe(404);
    expect(ofForeign.text).toBe(ofUnknown.text);
  });

  it('is refused from the next request on if the person is removed', async () => {
    expect((await read(mine())).status).toBe(200);
    await deleteItem(table, membershipKey(owner.personId, workspace.id), {});
    expect(outcome(await read(mine()))).toEqual([404, 'not_found']);
  });

  it('may do less from the next request on if the person gets another role', async () => {
    expect((await rename(mine())).status).toBe(200);
    await updateItem(table, membershipKey(owner.personId, workspace.id), {
      set: { role: 'member' },
      if: { pk: present },
    });
    expect(outcome(await rename(mine()))).toEqual([403, 'permission_missing']);
  });

  it('is refused in a suspended workspace', async () => {
    const change = { set: { suspendedAt: toTimestamp(Date.now()) }, if: { pk: present } };
    await updateItem(table, workspaceKey(workspace.id), change);
    expect(outcome(await read(mine()))).toEqual([403, 'workspace_suspended']);
  });
});

describe('a member who does an owner’s work', () => {
  it('is refused, and the audit log says so', async () => {
    const member = await signInMember(table, workspace.id, 'member');
    expect((await read(fromPanel(member, workspace.id))).status).toBe(200);
    expect(outcome(await rename(fromPanel(member, workspace.id)))).toEqual([403, 'permission_missing']);
    const [entry] = await auditLogOf(table, workspace.id);
    expect(entry).toMatchObject({
      actor: { kind: 'person', id: member.personId },
      outcome: 'refused',
    });
  });
});

describe('a verb that needs a recent sign-in', () => {
  const createWebhook = (parts: RequestParts) =>
    call('createWebhook', {
      ...parts,
      body: { url: 'http://127.0.0.1:9/', events: ['post.published'] },
    });
  const signedIn = async (ageMs: number) => {
    const personId = owner.personId;
    const now = Date.now();
    return signInPerson(table, { personId, now, provedAtMs: now - ageMs });
  };

  it.each([
    [0, 201],
    [9 * minuteMs, 201],
    [10 * minuteMs, 403],
    [11 * hourMs, 403],
  ])('answers a person who has proved who they are %i ms ago with %i', async (ageMs, status) => {
    const answer = await createWebhook(fromPanel(await signedIn(ageMs), workspace.id));
    expect([answer.status, answer.body['code']]).toEqual([
      status,
      status === 201 ? undefined : 'sign_in_again',
    ]);
  });

  describe('to change an endpoint', () => {
    const accountIds = [newId(1), newId(2)];
    let id: string;
    beforeEach(async () => {
      for (const account of accountIds) await storeAccount(table, workspace.id, { id: account });
      const created = await call('createWebhook', {
        ...mine(),
        body: {
          url: 'http://127.0.0.1:9/',
          events: ['post.published', 'post.failed'],
          accountIds: [accountIds[0]],
        },
      });
      ({ id } = created.body['webhook'] as { id: string });
    });
    const edit = async (ageMs: number, body: object) =>
      call('updateWebhook', fromPanel(await signedIn(ageMs), workspace.id, { path: { id }, body }));

    it.each<[string, () => object]>([
      ['its URL', () => ({ url: 'http://127.0.0.1:9/moved' })],
      ['its URL, beside what it may change', () => ({ description: 'x', url: 'http://127.0.0.1:9/moved' })],
      ['further events', () => ({ events: ['post.published', 'post.failed', 'comment.received'] })],
      ['another event instead', () => ({ events: ['dm.received'] })],
      ['all events', () => ({ events: ['*'] })],
      ['further accounts', () => ({ accountIds })],
      ['another account instead', () => ({ accountIds: [accountIds[1]] })],
      ['all accounts', () => ({ accountIds: null })],
    ])('is needed for %s', async (_what, body) => {
      const before = await call('getWebhook', mine({ path: { id } }));
      expect(outcome(await edit(11 * minuteMs, body()))).toEqual([403, 'sign_in_again']);
      expect((await call('getWebhook', mine({ path: { id } }))).text).toBe(before.text);
      expect((await edit(0, body())).status).toBe(200);
    });

    it.each<[string, () => object]>([
      ['its description', () => ({ description: 'x' })],
      ['turning it off', () => ({ isActive: false })],
      ['fewer events', () => ({ events: ['post.failed'] })],
      ['what it has already', () => ({ url: 'http://127.0.0.1:9/', accountIds: [accountIds[0]] })],
    ])('is not needed for %s', async (_what, body) => {
      expect((await edit(11 * minuteMs, body())).status).toBe(200);
    });

    it('is not asked of an API key', async () => {
      const answer = await call('updateWebhook', { apiKey, path: { id }, body: { events: ['*'] } });
      expect(answer.status).toBe(200);
    });
  });

  it('is disconnecting an account', async () => {
    const { id } = await storeAccount(table, workspace.id);
    const disconnect = async (ageMs: number) =>
      call('disconnectAccount', fromPanel(await signedIn(ageMs), workspace.id, { path: { id } }));
    expect(outcome(await disconnect(11 * minuteMs))).toEqual([403, 'sign_in_again']);
    expect((await disconnect(0)).status).toBe(200);
  });

  it('asks nothing of an API key, and of a person nothing for other verbs', async () => {
    expect((await createWebhook({ apiKey })).status).toBe(201);
    expect((await rename(fromPanel(await signedIn(hourMs), workspace.id))).status).toBe(200);
  });

  it('is no refusal for the audit log', async () => {
    await createWebhook(fromPanel(await signedIn(hourMs), workspace.id));
    expect((await auditLogOf(table, workspace.id)).map(({ outcome }) => outcome)).not.toContain('refused');
  });
});

describe('a stolen cookie is of no use', () => {
  const evil = 'https://evil.example.com';
  it.each<[string, Record<string, string>]>([
    ['from a page of another site', { 'sec-fetch-site': 'cross-site', origin: evil }],
    ['from a page of another host of this site', { 'sec-fetch-site': 'same-site', origin: evil }],
    ['from a page that claims to be ours', { origin: evil }],
    ['from a form of another page', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['from a typed address', { 'sec-fetch-site': 'none' }],
  ])('%s', async (_where, headers) => {
    for (const send of [read, write, rename])
      expect(outcome(await send(mine({ headers })))).toEqual([403, 'cross_site']);
  });

  it('if the browser does not say who sends it', async () => {
    const { headers = {}, ...parts } = mine();
    const { 'sec-fetch-site': _, ...others } = headers;
    expect(outcome(await read({ ...parts, headers: others }))).toEqual([403, 'cross_site']);
    const { origin: __, ...withoutOrigin } = headers;
    expect(outcome(await rename({ ...parts, headers: withoutOrigin }))).toEqual([403, 'cross_site']);
    expect((await read({ ...parts, headers: withoutOrigin })).status).toBe(200);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['without the origin secret', { 'x-origin-secret': undefined }],
    ['with a guessed origin secret', { 'x-origin-secret': originSecret.slice(1) }],
    ['with an empty origin secret', { 'x-origin-secret': '' }],
  ])('at the API’s own host, %s', async (_how, changes) => {
    const headers = { ...mine().headers, ...changes } as Record<string, string>;
    const parts = { ...mine(), headers };
    expect(outcome(await read(parts))).toEqual([401, 'key_missing']);
    expect(outcome(await call('getMe', parts))).toEqual([401, 'session_missing']);
    expect(outcome(await call('signOut', parts))).toEqual([401, 'session_missing']);
  });
});

describe('a session that is over', () => {
  const now = () => Date.now();
  it.each<[string, () => Promise<Pick<SignedInPerson, 'cookie'>>]>([
    ['after 12 hours without use', () => signInPerson(table, { now: now() - 12 * hourMs })],
    ['after 7 days', () => signInPerson(table, { now: now() - 7 * dayMs })],
    [
      'with another person’s id',
      async () => {
        const other = personIdOf('https://issuer.example.com', 'other');
        return { cookie: owner.cookie.replace(owner.personId, other) };
      },
    ],
    ['that never was', async () => ({ cookie: `__Host-session=${owner.personId}.${'A'.repeat(43)}` })],
  ])('%s is refused', async (_what, make) => {
    const person = await make();
    expect(outcome(await read(fromPanel(person, workspace.id)))).toEqual([401, 'session_ended']);
    expect(outcome(await call('getMe', fromPanel(person)))).toEqual([401, 'session_ended']);
  });

  it.each<[string, string]>([
    ['a cookie of another form', '__Host-session=x'],
    ['an empty cookie', '__Host-session='],
    ['the right value under another name', 'session=VALUE'],
    ['the right value under the name without its prefix', '__host-session=VALUE'],
  ])('is missing with %s', async (_what, cookie) => {
    const sent = { cookie: cookie.replace('VALUE', owner.cookie.split('=')[1] ?? '') };
    expect(outcome(await read(fromPanel(sent, workspace.id)))).toEqual([401, 'session_missing']);
  });

  it('is refused by a warm function with the next request after it was ended', async () => {
    expect((await read(mine())).status).toBe(200);
    expect((await call('signOut', fromPanel(owner))).status).toBe(200);
    expect(outcome(await read(mine()))).toEqual([401, 'session_ended']);
  });
});

describe('an API key', () => {
  it('is refused at the panel’s host, with and without a cookie', async () => {
    for (const person of [undefined, owner]) {
      const parts = fromPanel(person, workspace.id, { headers: { authorization: `Bearer ${apiKey}` } });
      expect(outcome(await read(parts))).toEqual([403, 'key_in_panel']);
      expect(outcome(await call('getMe', parts))).toEqual([403, 'key_in_panel']);
    }
  });

  it('calls none of the panel’s own operations', async () => {
    expect(outcome(await call('getMe', { apiKey }))).toEqual([401, 'session_missing']);
  });

  it('works at the API’s own host, whatever cookies and headers come with it', async () => {
    const parts = {
      apiKey,
      cookies: [owner.cookie],
      headers: { 'x-workspace': foreign.id, origin: panelOrigin },
    };
    expect(
      (await read({ ...parts, headers: { ...parts.headers, authorization: `Bearer ${apiKey}` } })).body,
    ).toMatchObject({
      workspace: { id: workspace.id },
    });
  });
});

const inWorkspace = [...operations, ...panelOperations].filter(({ access }) => isInWorkspace(access));
const ofSession = panelOperations.filter(({ access }) => access === 'session');
const odd = { rawBody: '{', query: 'limit=x&cursor=y', path: { id: 'x' } };

describe('with the cookie of a session, whatever else is wrong with the request', () => {
  it.each(inWorkspace.map(({ id }) => id))('%s needs a workspace, and one of the person', async (id) => {
    expect(outcome(await call(id, fromPanel(owner, undefined, odd)))).toEqual([400, 'field_required']);
    expect(outcome(await call(id, fromPanel(owner, foreign.id, odd)))).toEqual([404, 'not_found']);
    expect(outcome(await call(id, fromPanel(undefined, workspace.id, odd)))).toEqual([
      401,
      'session_missing',
    ]);
  });

  it.each([...inWorkspace, ...ofSession].map(({ id }) => id))(
    '%s is refused to other sites, and to API keys in the panel',
    async (id) => {
      const crossSite = { ...odd, headers: { 'sec-fetch-site': 'cross-site' } };
      expect(outcome(await call(id, mine(crossSite)))).toEqual([403, 'cross_site']);
      const withKey = { ...odd, headers: { authorization: `Bearer ${apiKey}` } };
      expect(outcome(await call(id, mine(withKey)))).toEqual([403, 'key_in_panel']);
    },
  );
});
