import { unsettledCall } from '../../at-most-once/call-records.ts';
import { mapInBatches } from '../../kernel/batches.ts';
import { dayMs } from '../../kernel/clock.ts';
import { findFailedTargets } from '../../operating/failed-targets.ts';
import { concurrentItems } from '../../overdue/resend.ts';
import type { Target } from '../../targets/schemas.ts';
import { updateTarget } from '../../targets/store.ts';
import { type Gap, withRestoredCall } from './doubtful.ts';
import type { HoldPorts } from './hold-run.ts';

/** More would be an incident of its own: the others are retried without a question. */
const maxTargets = 10_000;

/** How long before the backup a destination may have failed that a person retries in the gap. Our judgement. */
const retriedWithinMs = 2 * dayMs;

/**
 * Lets the next retry of what has failed ask the platform first: a person may have retried it in the gap, and it may be live. It
 * stays failed, with the same error. Targets that failed in the two days before the backup are looked at. Idempotent.
 *
 * @returns how many there are
 */
export async function askBeforeRetries(
  { table, uniqueId, report }: HoldPorts,
  gap: Gap,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<{ retries: number; failures: number }> {
  const range = { sinceMs: gap.sinceMs - retriedWithinMs, now: gap.untilMs, limit: maxTargets };
  const { targets } = await findFailedTargets(table, range);
  // An unsettled call is asked about anyway.
  const settled = targets.filter(({ calls }) => unsettledCall(calls) === undefined);
  const count = { retries: settled.length, failures: 0 };
  if (isDryRun) return count;
  await mapInBatches(settled, concurrentItems, async (target) => {
    try {
      await updateTarget(table, target, askedFirst(target, gap), uniqueId());
    } catch (error) {
      count.failures += 1;
      report(`destination ${target.accountId} of post ${target.postId}`, error);
    }
  });
  return count;
}

/** Without its preparation, as any retry of a failed target begins: what has failed is not used again. */
function askedFirst(target: Target, gap: Gap) {
  const calls = withRestoredCall({ ...target, preparation: {} }, gap);
  const asked = calls.map((call, index) =>
    index === calls.length - 1 ? { ...call, outcome: 'unknown' as const } : call,
  );
  return { calls: asked, preparation: null };
}
