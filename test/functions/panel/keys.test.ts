import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { KeyView } from '../../../lib/people/views.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Answer, type Call, openApi, type RequestParts } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';
import { fromPanel, type SignedInPerson, signInMember, signInPerson } from '../../support/panel.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let workspaceId: string;
let owner: SignedInPerson;
beforeEach(async () => {
  ({ workspaceId } = (await openWorkspace(table)).context);
  owner = await signInMember(table, workspaceId);
});

const by = (person: SignedInPerson, parts: RequestParts = {}) => fromPanel(person, workspaceId, parts);
const create = (body: object, person = owner) => call('createKey', by(person, { body }));
const list = async () => (await call('listKeys', by(owner))).body['keys'] as KeyView[];
const issuedIn = ({ body }: Answer) => body as unknown as { key: KeyView; apiKey: string };
const use = (apiKey: string) => call('getWorkspace', { apiKey });
const outcome = ({ status, body }: Answer) => [status, body['code']];

describe('an API key that an owner issues in the panel', () => {
  it('works, is shown once, and is kept by no cache', async () => {
    const answer = await create({ name: 'till', permissions: ['read'] });
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    const { key, apiKey } = issuedIn(answer);
    expect((await use(apiKey)).status).toBe(200);
    const [listed] = (await list()).filter(({ id }) => id === key.id);
    expect(listed).toEqual({ ...key, lastUsedOn: expect.stringMatching(/^20/) });
    expect(JSON.stringify(await list())).not.toContain(apiKey);
  });

  it('may be limited to accounts and in time', async () => {
    const { id } = await storeAccount(table, workspaceId);
    const expiresAt = toTimestamp(Date.now() + minuteMs);
    expect(issuedIn(await create({ name: 'till', accountIds: [id], expiresAt })).key).toMatchObject({
      accountIds: [id],
      expiresAt,
    });
  });

  it('is rotated with an overlap, and revoked', async () => {
    const { key, apiKey } = issuedIn(await create({ name: 'till' }));
    const path = { id: key.id };
    const answer = await call('rotateKey', by(owner, { path, body: { overlapMinutes: 60 } }));
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const rotated = issuedIn(answer);
    expect(rotated.key).toMatchObject({ id: key.id, previousUntil: expect.any(String) });
    expect([(await use(apiKey)).status, (await use(rotated.apiKey)).status]).toEqual([200, 200]);
    expect((await call('revokeKey', by(owner, { path }))).status).toBe(204);
    expect((await list()).find(({ id }) => id === key.id)).toMatchObject({ status: 'revoked' });
    const again = await call('rotateKey', by(owner, { path, body: {} }));
    expect(outcome(again)).toEqual([409, 'conflict']);
  });

  it.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'till', permissions: [] }, 'permissions'],
    [{ name: 'till', permissions: ['everything'] }, 'permissions[0]'],
    [{ name: 'till', accountIds: [newId(0)] }, 'accountIds'],
    [{ name: 'till', expiresAt: 'soon' }, 'expiresAt'],
    [{ name: 'till', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('is not issued with %j, and the error names the field', async (body, param) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { param } });
    expect(await list()).toHaveLength(1);
  });
});

describe('API keys are not managed', () => {
  const requests = (id: string, person: SignedInPerson) => [
    create({ name: 'till' }, person),
    call('rotateKey', by(person, { path: { id }, body: {} })),
    call('revokeKey', by(person, { path: { id } })),
  ];

  it('by a member', async () => {
    const { key } = issuedIn(await create({ name: 'till' }));
    const member = await signInMember(table, workspaceId, 'member');
    const answers = await Promise.all([call('listKeys', by(member)), ...requests(key.id, member)]);
    for (const answer of answers) expect(outcome(answer)).toEqual([403, 'permission_missing']);
  });

  it('without a recent sign-in', async () => {
    const { key } = issuedIn(await create({ name: 'till' }));
    const now = Date.now();
    const at = { personId: owner.personId, now, provedAtMs: now - 11 * minuteMs };
    const answers = await Promise.all(requests(key.id, await signInPerson(table, at)));
    for (const answer of answers) expect(outcome(answer)).toEqual([403, 'sign_in_again']);
  });

  it('by an owner of another workspace', async () => {
    const { key } = issuedIn(await create({ name: 'till' }));
    const other = (await openWorkspace(table)).context.workspaceId;
    const foreign = await signInMember(table, other);
    for (const operation of ['rotateKey', 'revokeKey']) {
      const parts = { path: { id: key.id }, ...(operation === 'rotateKey' && { body: {} }) };
      expect(outcome(await call(operation, fromPanel(foreign, other, parts)))).toEqual([404, 'not_found']);
    }
  });

  it('by an API key, not even one with all permissions', async () => {
    const { apiKey, key } = issuedIn(await create({ name: 'till' }));
    for (const operation of ['listKeys', 'createKey', 'rotateKey', 'revokeKey'])
      expect((await call(operation, { apiKey, path: { id: key.id } })).status).toBe(401);
  });
});
