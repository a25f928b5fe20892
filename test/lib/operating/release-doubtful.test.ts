import { beforeEach, expect, it } from 'vitest';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { releaseDoubtful } from '../../../lib/operating/release-doubtful.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import type { Table } from '../../../lib/table/table.ts';
import { operatorAct } from '../../support/acts.ts';
import { changeTarget, openWorkspace, startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

const now = startMs + hourMs;
const dueAfter = toTimestamp(startMs);
const before = toTimestamp(startMs - minuteMs);
const after = toTimestamp(startMs + minuteMs);

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** Returns the fields of a target after a restore, if the platform does not show its post. @param dueAt a timestamp */
function inDoubt(dueAt: string, outcome: CallRecord['outcome'] = 'unknown') {
  const record = { intentAt: dueAt, token: {}, endedAt: after, outcome, lookups: 2, misses: 2 } as const;
  return {
    calls: [{ ...record, isRestored: true as const }],
    problem: { code: 'outcome_unknown', text: 'outcome unknown' } as const,
  };
}

const rejected = { problem: { code: 'platform_rejected', text: 'no' } as const };

/** Stores a post with failed targets, in this order. */
async function storeFailed(failed: readonly { due: string; changes: object }[]) {
  const { workspace } = await openWorkspace(table);
  const planned = failed.map(({ due }, index) => ({ scheduledFor: due, accountId: newId(startMs + index) }));
  const { post, targets } = await storePost(table, workspace.id, planned);
  for (const [index, target] of targets.entries())
    await changeTarget(table, target, {
      status: 'failed',
      wakeAt: null,
      failedAt: after,
      ...failed[index]?.changes,
    });
  return async () => {
    const found = await findPost(table, workspace.id, post.id);
    return found?.targets.toSorted((one, other) => one.position - other.position).map(({ status }) => status);
  };
}

const release = (isDryRun = false) =>
  releaseDoubtful(
    {
      table,
      now,
      ...operatorAct('stage.restore'),
      report: (_what, error) => {
        throw error;
      },
    },
    { dueAfter, isDryRun },
  );

it('asks again about destinations that were due when nothing was published any more', async () => {
  const statuses = await storeFailed([{ due: after, changes: inDoubt(after) }]);
  expect(await release(true)).toEqual({ posts: 1, failures: 0 });
  expect(await statuses()).toEqual(['failed']);
  expect(await release()).toEqual({ posts: 1, failures: 0 });
  expect(await statuses()).toEqual(['publishing']);
  expect(await release()).toEqual({ posts: 0, failures: 0 });
});

it('leaves alone what was due before, also if a person has retried it since, and what has failed for another reason', async () => {
  const others = [
    { due: before, changes: inDoubt(before) },
    { due: after, changes: inDoubt(before) },
    { due: after, changes: rejected },
    { due: after, changes: { ...inDoubt(after), ...rejected } },
  ];
  const posts = await Promise.all(others.map((each) => storeFailed([each])));
  expect(await release()).toEqual({ posts: 0, failures: 0 });
  for (const statuses of posts) expect(await statuses()).toEqual(['failed']);
});

it('leaves the other destinations of a post alone', async () => {
  const statuses = await storeFailed([
    { due: before, changes: inDoubt(before) },
    { due: after, changes: inDoubt(after) },
    { due: after, changes: rejected },
  ]);
  expect(await release()).toEqual({ posts: 1, failures: 0 });
  expect(await statuses()).toEqual(['failed', 'publishing', 'failed']);
});
