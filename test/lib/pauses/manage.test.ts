import { beforeEach, describe, expect, it } from 'vitest';
import { stageLog } from '../../../lib/audit/record.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { endPause, findPause, putPause } from '../../../lib/pauses/manage.ts';
import { listPauses, readPause } from '../../../lib/pauses/read.ts';
import { type PauseScope, pausedText, scopeFromText, scopeText } from '../../../lib/pauses/scope.ts';
import { auditEntryKey } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { operatorAct } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const now = startMs;
const operator = (atMs: number) => ({ ...operatorAct('pause.begin'), table, now: atMs });
const workspaceId = '019ca9a0-4e00-7000-8000-000000000001';
const accountId = '019ca9a0-4e00-7000-8000-000000000002';
const otherId = '019ca9a0-4e00-7000-8000-00000000000f';
const reason = 'uploads are lost';

const youtube: PauseScope = { kind: 'platform', platform: 'youtube' };
const account: PauseScope = { kind: 'account', workspaceId, accountId };
const workspace: PauseScope = { kind: 'workspace', workspaceId };
const work = { workspaceId, accountId, platform: 'youtube' } as const;

describe.each([
  ['a platform', youtube, 'publishing to YouTube is paused: uploads are lost'],
  ['an account', account, 'publishing to this account is paused: uploads are lost'],
  ['a workspace', workspace, 'publishing of this workspace is paused: uploads are lost'],
] as const)('a pause of %s', (_what, scope, text) => {
  it('is found by its scope and in the list, until it ends', async () => {
    const pause = await putPause(operator(now), { scope, reason: `  ${reason} ` });
    expect(pause).toEqual({
      id: expect.any(String),
      scope: scopeText(scope),
      reason,
      since: toTimestamp(now),
    });
    expect(await findPause(table, scope)).toEqual(pause);
    expect(await listPauses(table)).toEqual([pause]);
    expect(await endPause(operator(now), scope)).toEqual(pause);
    expect(await findPause(table, scope)).toBeUndefined();
    expect(await listPauses(table)).toEqual([]);
  });

  it('stops work in its scope', async () => {
    const pause = await putPause(operator(now), { scope, reason });
    expect(await readPause(table, work)).toEqual(pause);
  });

  it('does not stop work outside its scope', async () => {
    await putPause(operator(now), { scope, reason });
    const others = [
      { ...work, platform: 'tiktok' as const, accountId: otherId, workspaceId: otherId },
      ...(scope.kind === 'platform' ? [{ ...work, platform: 'tiktok' as const }] : []),
      ...(scope.kind === 'account' ? [{ ...work, accountId: otherId }] : []),
      ...(scope.kind === 'platform' ? [] : [{ ...work, workspaceId: otherId }]),
    ];
    for (const other of others) expect(await readPause(table, other)).toBeUndefined();
  });

  it('exists once, and the second one says why', async () => {
    const first = await putPause(operator(now), { scope, reason });
    await expect(putPause(operator(now + 1), { scope, reason: 'another' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`${text} (since ${toTimestamp(now)})`),
    });
    expect(await listPauses(table)).toEqual([first]);
  });

  it('has a text that users read, and a scope that is read back from its text', () => {
    expect(pausedText({ scope: scopeText(scope), reason })).toBe(text);
    expect(scopeFromText(scopeText(scope))).toEqual(scope);
  });
});

it('several pauses are listed together', async () => {
  for (const scope of [youtube, account, workspace]) await putPause(operator(now), { scope, reason });
  expect((await listPauses(table)).map(({ scope }) => scope)).toEqual(
    [youtube, account, workspace].map(scopeText).sort(),
  );
});

it.each(['', '   ', 'x'.repeat(301), 'two\nlines', 'a\u2028b', 'a\u0000b'])(
  'the reason %j is refused, and nothing is stored',
  async (wrong) => {
    await expect(putPause(operator(now), { scope: youtube, reason: wrong })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('reason'),
    });
    expect(await listPauses(table)).toEqual([]);
  },
);

it('a reason of 300 characters is accepted', async () => {
  await expect(putPause(operator(now), { scope: youtube, reason: 'x'.repeat(300) })).resolves.toBeDefined();
});

it('a pause that does not exist cannot end', async () => {
  await expect(endPause(operator(now), youtube)).rejects.toMatchObject({ code: 'not_found' });
});

describe('the audit log', () => {
  const entries = (log = workspaceId) => queryAll(table, { partition: auditEntryKey(log, '').pk });

  it.each([
    ['an account', account, accountId],
    ['the workspace', workspace, workspaceId],
  ] as const)('says who paused and resumed %s, and why', async (_what, scope, subjectId) => {
    await putPause({ ...operator(now), ...operatorAct('pause.begin') }, { scope, reason });
    await endPause({ ...operator(now + 1), ...operatorAct('pause.end') }, scope);
    const { actor } = operatorAct('pause.begin');
    expect(await entries()).toEqual([
      expect.objectContaining({ actor, verb: 'pause.begin', subjectId, outcome: 'done', note: reason }),
      expect.objectContaining({ actor, verb: 'pause.end', subjectId, outcome: 'done' }),
    ]);
  });

  it('of the stage says who paused and resumed a platform, and why', async () => {
    await putPause({ ...operator(now), ...operatorAct('pause.begin') }, { scope: youtube, reason });
    await endPause({ ...operator(now + 1), ...operatorAct('pause.end') }, youtube);
    expect(await entries(stageLog)).toEqual([
      expect.objectContaining({ verb: 'pause.begin', subjectId: 'youtube', note: reason }),
      expect.objectContaining({ verb: 'pause.end', subjectId: 'youtube' }),
    ]);
    expect(await entries()).toEqual([]);
  });

  it('has no entry for what was refused', async () => {
    await endPause(operator(now), account).catch(() => {});
    await endPause(operator(now), youtube).catch(() => {});
    expect([...(await entries()), ...(await entries(stageLog))]).toEqual([]);
  });
});
