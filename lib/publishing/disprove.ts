import { settleCall } from '../at-most-once/call-records.ts';
import { type Clock, dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import type { CallRecord } from '../platforms/contract/last-call.ts';
import { getItem } from '../table/items.ts';
import { targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from '../targets/item.ts';
import { type LivePostRecord, setLivePostExpiry } from '../targets/live-posts.ts';
import { awaitsRemoval } from '../targets/removal.ts';
import type { Target } from '../targets/schemas.ts';
import { updateTarget } from '../targets/store.ts';
import { platformPostIdsOf } from '../targets/thread.ts';
import { appendEntry } from '../targets/timeline.ts';

interface DisprovePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
}

/** Long enough for the lookups of all calls that may recognize the parts of a disproved thread by their looks. Our judgement. */
const claimsKeptMs = 30 * dayMs;

/**
 * Corrects a target that counts as live because of a post that, as its platform's response has proved since, another target has made.
 * The outcome of its own call is unknown: a retry asks the platform first. Idempotent.
 *
 * The further parts of a thread, which reply to the other target's post, stay where they are: their account and the text before
 * them are the same.
 *
 * @throws LeaseLostError if the target changes in the meantime
 */
export async function disproveLive(
  { table, now, uniqueId }: DisprovePorts,
  { workspaceId, postId, accountId, platformPostId }: LivePostRecord,
): Promise<void> {
  const item = await getItem(table, targetKey(workspaceId, postId, accountId));
  const target = item && targetFromItem(item);
  if (target?.publishedAt === undefined || target.platformPostId !== platformPostId) return;
  const { timeline, attempt, platform } = target;
  // First: the target does not know these posts afterwards.
  const expiresAtSeconds = Math.ceil((now() + claimsKeptMs) / secondMs);
  for (const id of platformPostIdsOf(target).filter((each) => each !== platformPostId))
    await setLivePostExpiry(
      table,
      { platform, platformPostId: id, workspaceId, postId, accountId },
      expiresAtSeconds,
    );
  const at = toTimestamp(now());
  const text = `outcome unknown: the post that was taken for this one is another's; check the account on ${platform} before retrying`;
  await updateTarget(
    table,
    target,
    {
      status: 'failed',
      // A person who took the post for this one was mistaken, and may say what is true.
      verdict: null,
      problem: { code: 'outcome_unknown', text },
      wakeAt: null,
      failedAt: at,
      platformPostId: null,
      permalink: null,
      parts: null,
      publishedAt: null,
      calledAt: null,
      calls: withUnknownFirst(target),
      ...(awaitsRemoval(target) && {
        removal: { ...target.removal, state: 'failed', by: 'service', ...endsRemoval(text) },
      }),
      timeline: appendEntry(timeline, { at, attempt, event: 'failed', reason: text, calls: [] }),
    },
    uniqueId(),
  );
}

/** The post of another target must not be deleted in its place. */
const endsRemoval = (text: string) => ({ error: text, errorDetail: { code: 'outcome_unknown' } }) as const;

const proof = "the post that was found is another's";

/**
 * Returns the calls with that of the target's own post as the latest one, of unknown outcome. Further parts of a thread have had calls
 * since; then its record is repeated after theirs.
 */
function withUnknownFirst({ calls = [], parts = [] }: Target): CallRecord[] {
  const first = calls.filter(({ outcome }) => outcome === 'live').at(-Math.max(1, parts.length));
  const hasOthers = first !== undefined && first !== calls.at(-1);
  if (!hasOthers) return settleCall(calls, 'unknown', proof);
  const settled = calls.map((call) =>
    call.outcome === 'open' ? { ...call, outcome: 'dismissed' as const } : call,
  );
  return [...settled, { ...first, outcome: 'unknown', proof }];
}
