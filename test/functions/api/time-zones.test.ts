import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { dailyLimitsOf } from '../../../lib/platforms/registry/daily-limits.ts';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import { rebuildProjections } from '../../../lib/recovery/rebuild-projections.ts';
import { present, unconditionally } from '../../../lib/table/condition.ts';
import { getItem, putItem, updateItem } from '../../../lib/table/items.ts';
import { type Key, postKey, rhythmKey, workspaceKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';

let table: Table;
let call: Call;
let apiKey: string;
let workspaceId: string;
let keyId: string;
let accountId: string;
beforeAll(async () => {
  ({ table, call } = await openApi());
  const opened = await openWorkspace(table);
  ({ apiKey } = opened);
  ({ workspaceId } = opened.context);
  keyId = opened.context.actor.id;
  ({ id: accountId } = await storeAccount(table, workspaceId, { platform: 'threads' }));
});

const create = (changes: object) =>
  call('createPost', { apiKey, body: { content: 'Hello', platforms: [{ accountId }], ...changes } });
const inAnHour = () => toTimestamp(Date.now() + hourMs);

/** Names that only ICU has. */
const refused = ['PST', 'BST', 'pst', 'CST', 'EAT', 'SystemV/PST8PDT', 'US/Pacific-New', 'Mars/Base'];

describe.each(refused)('the time zone %s is refused, naming timezone,', (timezone) => {
  it.each<[string, () => ReturnType<Call>]>([
    ['in a post with an exact time', () => create({ timezone, scheduledFor: inAnHour() })],
    ['in a post with a local time', () => create({ timezone, scheduledFor: '2026-12-01T09:00' })],
    ['in a draft', () => create({ timezone })],
    ['in a rhythm', () => call('setRhythm', { apiKey, path: { id: accountId }, body: { timezone } })],
    ['of the workspace', () => call('updateWorkspace', { apiKey, body: { timezone } })],
  ])('%s', async (_where, ask) => {
    const answer = await ask();
    expect([answer.status, answer.body['param'], answer.body['error']]).toEqual([
      400,
      'timezone',
      'timezone: must be an IANA time zone, such as Europe/Istanbul',
    ]);
  });
});

describe('a time zone that an earlier release accepted', () => {
  const store = (key: Key) => updateItem(table, key, { set: { timezone: 'PST' }, if: { pk: present } });
  const meant = 'America/Los_Angeles';
  let rhythm: Key;
  let draft: PostView;
  beforeAll(async () => {
    rhythm = rhythmKey(workspaceId, accountId, keyId);
    await putItem(table, { ...rhythm, kind: 'rhythm', timezone: 'PST' }, unconditionally);
    await store(workspaceKey(workspaceId));
    draft = (await create({})).body['post'] as PostView;
    await store(postKey(workspaceId, draft.id));
  });

  it('still gives slots', async () => {
    const path = { id: accountId };
    const read = await call('getRhythm', { apiKey, path });
    expect(read.body['rhythm']).toMatchObject({ timezone: meant });
    const slots = await call('listSlots', { apiKey, path });
    expect([slots.status, slots.body['timezone']]).toEqual([200, meant]);
    expect((await create({ scheduledFor: 'auto' })).status).toBe(201);
  });

  it('is shown by the workspace as the zone that it means', async () => {
    const { body } = await call('getWorkspace', { apiKey });
    expect(body['workspace']).toMatchObject({ timezone: meant });
  });

  it('lets a post be moved by a local time, copied and sent back', async () => {
    const path = { id: draft.id };
    const { body } = await call('getPost', { apiKey, path });
    expect(body['post']).toMatchObject({ timezone: meant });
    const at = `${new Date().getUTCFullYear() + 1}-01-01T09:00`;
    for (const change of [{ scheduledFor: at, isDraft: true }, body['post'] as object])
      expect((await call('updatePost', { apiKey, path, body: { ...change, dryRun: true } })).status).toBe(
        200,
      );
    expect((await call('duplicatePost', { apiKey, path, body: {} })).status).toBe(201);
  });

  it('is replaced when the workspace is rebuilt', async () => {
    const context = { table, dailyLimits: dailyLimitsOf({}), now: Date.now() };
    expect(await rebuildProjections(context, workspaceId)).toMatchObject({ zones: 3 });
    for (const key of [rhythm, workspaceKey(workspaceId), postKey(workspaceId, draft.id)])
      expect(await getItem(table, key)).toMatchObject({ timezone: meant });
    expect(await rebuildProjections(context, workspaceId)).toMatchObject({ zones: 0 });
  });
});
