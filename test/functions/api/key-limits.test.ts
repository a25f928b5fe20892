import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { Permission, sufficientFor } from '../../../lib/access/permissions.ts';
import { verbs } from '../../../lib/access/verbs.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { operations } from '../../../lib/operations.ts';
import { getItem } from '../../../lib/table/items.ts';
import { auditPartition, keyDigestKey, keyUseKey } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { apiKeyDigest, generateApiKey } from '../../../lib/workspaces/api-key.ts';
import { listKeysWithUse } from '../../../lib/workspaces/key-use.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { anOperator } from '../../support/acts.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';

let table: Table;
let call: Call;
let workspaceId: string;
beforeAll(async () => {
  ({ table, call } = await openApi());
  workspaceId = (await openWorkspace(table)).context.workspaceId;
});

const needing = (permission: Permission) =>
  operations.filter(({ verb }) => verb !== undefined && verbs[verb].permission === permission);
const sufficientOf = ({ verb }: (typeof operations)[number]) => {
  const needed = verb && verbs[verb].permission;
  return needed === undefined ? [] : sufficientFor(needed);
};
const lacking = (sufficient: readonly Permission[]) =>
  `this API key lacks the permission ${sufficient.map((each) => `"${each}"`).join(' or ')}`;
const withKey = operations.filter(({ access }) => access === 'key');

async function keyWith(...permissions: Permission[]) {
  return createKey(anOperator(table, Date.now()), { workspaceId, name: permissions.join(), permissions });
}

/** Calls an operation by its own route with a request that changes nothing, because it is wrong in every part. */
const tryOut = (op: (typeof operations)[number], apiKey: string) => {
  const path = { id: 'x', platform: 'x', state: 'x', deliveryId: 'x', boardId: 'x' };
  return call(op.id, { apiKey, route: `${op.method} ${op.path}`, path, rawBody: '{', query: 'limit=x' });
};

const refusals = async () =>
  (await queryAll(table, { partition: auditPartition(workspaceId) })).filter(
    ({ outcome }) => outcome === 'refused',
  );

describe('a key with one permission', () => {
  it.each(Permission.options)('%s may do what needs it and nothing else', async (permission) => {
    const { key, apiKey } = await keyWith(permission);
    const expected: unknown[] = [];
    const found: unknown[] = [];
    for (const op of withKey) {
      const sufficient = sufficientOf(op);
      const isAllowed = sufficient.includes(permission);
      const { status, body } = await tryOut(op, apiKey);
      expected.push([op.id, isAllowed ? 'admitted' : lacking(sufficient)]);
      found.push([
        op.id,
        status === 403 ? body['error'] : status < 500 && status !== 401 ? 'admitted' : status,
      ]);
    }
    expect(found).toEqual(expected);

    const logged = (await refusals()).filter(({ actor }) => (actor as { id: string }).id === key.id);
    const changing = withKey.filter(
      (op) => op.verb && !verbs[op.verb].isRead && !sufficientOf(op).includes(permission),
    );
    const counted = logged.flatMap(({ verb, count }) => Array.from({ length: Number(count) }, () => verb));
    expect(counted.sort()).toEqual(changing.map(({ verb }) => verb).sort());
    for (const { note } of logged)
      expect(note).toMatch(/^this API key lacks the permission "\w+"( or "\w+")?$/);
  });

  it.each(Permission.options)('%s is needed by some operation', (permission) => {
    expect(needing(permission).length).toBeGreaterThan(0);
  });
});

it('a key without limits may do everything, and so may a key of an earlier release', async () => {
  const { workspace } = await openWorkspace(table);
  const earlier = generateApiKey();
  // As the first release stored it: without any field of limits.
  const Item = {
    ...keyDigestKey(apiKeyDigest(earlier)),
    kind: 'key',
    workspaceId: workspace.id,
    keyId: newId(startMs),
    cursorSecret: workspace.cursorSecret,
  };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
  const { apiKey } = await createKey(anOperator(table, startMs), { workspaceId, name: 'full' });
  for (const op of withKey) {
    for (const key of [earlier, apiKey]) {
      const { status } = await tryOut(op, key);
      expect([op.id, [401, 403].includes(status), status < 500]).toEqual([op.id, false, true]);
    }
  }
});

it('a refusal is answered with code `permission_missing`', async () => {
  const { apiKey } = await keyWith('read');
  const { status, body } = await call('posts-create', { apiKey, body: {} });
  expect([status, body]).toEqual([
    403,
    {
      error: 'this API key lacks the permission "draft" or "publish"',
      code: 'permission_missing',
      docUrl: 'https://api.example.com/docs/errors/permission_missing',
    },
  ]);
});

describe('the day of a key’s last use', () => {
  const usesOf = async () => {
    const keys = await listKeysWithUse(table, workspaceId);
    return (id: string) => keys.find((key) => key.id === id)?.lastUsedAt;
  };
  const today = () => new Date().toISOString().slice(0, 10);

  it('is recorded for a request that is served, and for one that lacks a permission', async () => {
    const [served, refused] = await Promise.all([keyWith('read'), keyWith('webhooks')]);
    const before = today();
    await call('posts-list', { apiKey: served.apiKey });
    await call('posts-list', { apiKey: refused.apiKey });
    const lastUse = await usesOf();
    for (const { key } of [served, refused]) expect([before, today()]).toContain(lastUse(key.id));
  });

  it('does not exist for a request that is refused before its key is known', async () => {
    const limited = await openApi({ ratePerMinute: 1 });
    const { apiKey, context } = await openWorkspace(limited.table);
    const sourceIp = '203.0.113.77';
    await limited.call('posts-list', { apiKey: generateApiKey(), sourceIp });
    expect((await limited.call('posts-list', { apiKey, sourceIp })).status).toBe(429);
    expect(await getItem(limited.table, keyUseKey(context.actor.id))).toBeUndefined();
  });

  it('does not exist for a key that has expired', async () => {
    const operator = anOperator(table, startMs);
    const expiresAt = '2026-03-01T12:00:01Z';
    const { key, apiKey } = await createKey(operator, { workspaceId, name: 'over', expiresAt });
    expect((await call('posts-list', { apiKey })).body).toEqual({
      error: 'Authorization: the API key expired at 2026-03-01T12:00:01.000Z',
      code: 'key_expired',
      docUrl: 'https://api.example.com/docs/errors/key_expired',
    });
    expect((await usesOf())(key.id)).toBeUndefined();
  });
});
