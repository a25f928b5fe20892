import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { findOwner } from '../../../lib/operating/find-owner.ts';
import { explainPost, explainTarget, toFailedRow } from '../../../lib/operating/why-post.ts';
import { heldShard } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type OutcomeCode, outcomeCodes } from '../../../lib/targets/outcome-codes.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { aTarget, openWorkspace, startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const failed = (code: OutcomeCode): Partial<Target> => ({
  status: 'failed',
  wakeAt: undefined,
  error: `it failed: ${code}`,
  errorDetail: { code },
});
const advice = (changes: Partial<Target>, now = startMs - minuteMs) => explainTarget(aTarget(changes), now);

describe('why a target is as it is', () => {
  it.each([
    ['waits for its time', {}, 'nobody', /worked at 2026-03-01T12:00/],
    ['is a draft', { status: 'draft', wakeAt: undefined }, 'the user', /schedule the draft/],
    ['is live', { status: 'published', wakeAt: undefined }, 'nobody', /it is live/],
    [
      'is live without an extra',
      { ...failed('extra_failed'), status: 'published' },
      'somebody at the platform',
      /Add what is missing/,
    ],
    [
      'has lost its account',
      failed('account_expired'),
      'the owner of the account',
      /Connect the account.*post retry/,
    ],
    ['is refused for its content', failed('platform_rejected'), 'the user', /create a new post/],
    ['is refused for the app', failed('app_refused'), 'the operator', /developer console.*post retry/],
    [
      'has an unknown outcome',
      failed('outcome_unknown'),
      'a person who looks',
      /only if the post is not there/,
    ],
    [
      'is to be taken down',
      {
        status: 'published',
        removal: {
          state: 'requested',
          by: 'service',
          requestedAt: '2026-03-01T11:00:00.000Z',
          error: 'busy',
        },
      },
      'nobody',
      /taken down since 2026-03-01T11:00.*The last try: busy/,
    ],
    [
      'could not be taken down',
      {
        status: 'published',
        wakeAt: undefined,
        removal: {
          state: 'failed',
          by: 'service',
          requestedAt: '2026-03-01T11:00:00.000Z',
          error: 'no right',
          errorDetail: { code: 'account_expired' },
        },
      },
      'the owner of the account',
      /could not be taken down: no right.*unpublish again/,
    ],
    [
      'was taken down',
      {
        status: 'published',
        wakeAt: undefined,
        removedAt: '2026-03-01T11:00:00.000Z',
        removal: { state: 'removed', by: 'service' },
      },
      'nobody',
      /taken down at 2026-03-01T11:00/,
    ],
    [
      'was deleted at the platform',
      { status: 'published', wakeAt: undefined, removal: { state: 'removed', by: 'person' } },
      'nobody',
      /deleted at the platform/,
    ],
    ['met an error of ours', failed('internal'), 'whoever asks', /in the log.*post retry/],
    [
      'failed before codes were stored',
      { status: 'failed', wakeAt: undefined, error: 'x' },
      'a person',
      /Read `error`/,
    ],
  ] as const)('%s', (_, changes, who, nextStep) => {
    const reason = advice(changes as Partial<Target>);
    expect(reason.who).toContain(who);
    expect(reason.nextStep).toMatch(nextStep);
  });

  it('is overdue: sweep sends it again', () => {
    expect(advice({}, startMs + minuteMs).nextStep).toMatch(/due since .* sweep .* queue list/);
  });

  it('is held by a pause: the operator ends it, and nobody knows when', () => {
    const { postId, ...target } = aTarget();
    const held = explainTarget(
      { ...target, postId, dueShard: heldShard('platform#threads', postId) },
      startMs,
    );
    expect(held).toMatchObject({ who: 'the operator', nextAt: null });
    expect(held.nextStep).toContain('platform#threads');
  });

  it('has advice for every code, with who has to act', () => {
    for (const code of Object.keys(outcomeCodes) as OutcomeCode[]) {
      const { who, nextStep } = advice(failed(code));
      expect([code, who.length > 0, nextStep.includes('post retry') || code === 'internal']).toEqual([
        code,
        true,
        true,
      ]);
    }
  });

  it('shows its last three calls, without those of earlier steps', () => {
    const call = (name: string) => ({ call: name, status: 200, milliseconds: 5 });
    const step = (at: number, names: string[]) => ({
      at: toTimestamp(startMs + at),
      event: 'waiting' as const,
      attempt: 1,
      calls: names.map(call),
    });
    const { calls } = advice({
      timeline: [step(0, ['a', 'b']), step(1, ['c']), step(2, []), step(3, ['d'])],
    });
    expect(calls.map((each) => each.call)).toEqual(['b', 'c', 'd']);
    expect(calls.at(-1)?.at).toBe(toTimestamp(startMs + 3));
  });
});

describe('why a post is as it is', () => {
  it('is said by its id alone, in the order of its destinations', async () => {
    await openWorkspace(table);
    const { workspace } = await openWorkspace(table);
    const { post } = await storePost(table, workspace.id, [
      { platform: 'threads' },
      { platform: 'linkedin' },
    ]);
    const reason = await explainPost(table, post.id, startMs);
    expect(reason).toMatchObject({ postId: post.id, workspaceId: workspace.id, status: 'scheduled' });
    expect(reason.targets.map(({ platform }) => platform)).toEqual(['threads', 'linkedin']);
  });

  it.each(['nonsense', newId(startMs), ''])('is not found for %j', async (id) => {
    await expect(explainPost(table, id, startMs)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('finds the owner among more workspaces than one request reads', async () => {
    const big = await createTestTable();
    const made = await Promise.all(Array.from({ length: 101 }, () => openWorkspace(big)));
    const owner =
      made
        .map(({ workspace }) => workspace.id)
        .toSorted()
        .at(-1) ?? '';
    const { post } = await storePost(big, owner, [{}]);
    expect(await findOwner(big, 'post', post.id)).toBe(owner);
  });
});

it('a row of failed targets says when it failed, from the index or else from its timeline', () => {
  const at = toTimestamp(startMs + dayMs);
  const entry = { at, event: 'failed' as const, attempt: 1, calls: [] };
  const { dueAt: _, dueShard: __, ...old } = aTarget({ ...failed('internal'), timeline: [entry] });
  expect(toFailedRow(old)).toMatchObject({ failedAt: at, code: 'internal', reason: 'it failed: internal' });
  expect(toFailedRow({ ...old, dueAt: toTimestamp(startMs) })).toMatchObject({
    failedAt: toTimestamp(startMs),
  });
});
