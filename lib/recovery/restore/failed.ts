import { unsettledCall } from '../../at-most-once/call-records.ts';
import { mapInBatches } from '../../kernel/batches.ts';
import { dayMs, hourMs, toTimestamp } from '../../kernel/clock.ts';
import { workDuePages } from '../../overdue/due-pages.ts';
import { concurrentItems } from '../../overdue/resend.ts';
import { allFailedShards } from '../../table/keys.ts';
import { targetFromItem } from '../../targets/item.ts';
import type { Target } from '../../targets/schemas.ts';
import { updateTarget } from '../../targets/store.ts';
import { type Gap, withRestoredCall } from './doubtful.ts';
import { counting, type HoldPorts, type Run } from './hold-run.ts';

/** A text that sorts after every timestamp. */
const endOfTime = '9999';

/** The time before the backup in which a destination may have failed that a person retries in the gap. Our judgement. */
const retriedWithinMs = 2 * dayMs;

/**
 * Makes the next retry of a failed target ask the platform first: a person may have retried it in the gap, and it may be live. It
 * stays failed, with the same error. Covers targets that failed in the two days before the backup. Idempotent.
 */
export async function askBeforeRetries(ports: HoldPorts, gap: Gap, { isDryRun, count }: Run): Promise<void> {
  const range = { dueBefore: endOfTime, deadlineMs: Number.POSITIVE_INFINITY };
  // Each hour has shards of its own.
  for (let hour = gap.sinceMs - retriedWithinMs; hour < gap.untilMs + hourMs; hour += hourMs)
    await workDuePages(ports, { ...range, shards: allFailedShards(toTimestamp(hour)) }, async (page) => {
      await mapInBatches(page, concurrentItems, ({ item, key }) =>
        counting(ports, count, `${key.pk} ${key.sk}`, async () => {
          const target = targetFromItem(item);
          // An unsettled call is asked about anyway.
          if (target.status !== 'failed' || unsettledCall(target.calls)) return;
          count.retries += 1;
          if (!isDryRun) await updateTarget(ports.table, target, askedFirst(target, gap), ports.uniqueId());
        }),
      );
    });
}

/** Returns changes without the preparation, as any retry of a failed target begins: the failed one is not used again. */
function askedFirst(target: Target, gap: Gap) {
  const calls = withRestoredCall({ ...target, preparation: {} }, gap);
  const asked = calls.map((call, index) =>
    index === calls.length - 1 ? { ...call, outcome: 'unknown' as const } : call,
  );
  return { calls: asked, preparation: null };
}
