import { secondMs, toTimestamp } from '../kernel/clock.ts';
import type { CallRecord } from '../platforms/contract/last-call.ts';
import { accountList, targetKey } from '../table/keys.ts';
import { Target } from './schemas.ts';
import { overdueKeys } from './wake.ts';

/** Returns a new target's item. If it has a wake, the index `overdue` finds it at that time. */
export function targetItem(target: Target): Record<string, unknown> {
  const {
    options,
    preparation,
    dueAt: _dueAt,
    dueShard: _dueShard,
    expiresAtSeconds: _expiry,
    ...rest
  } = target;
  return {
    ...targetKey(target.workspaceId, target.postId, target.accountId),
    kind: 'target',
    ...rest,
    options: JSON.stringify(options),
    ...(preparation && { preparation: JSON.stringify(preparation) }),
    ...overdueKeys(target),
    accountList: accountList(target.workspaceId, target.accountId),
    createdKey: target.postId,
  };
}

export function targetFromItem(item: Record<string, unknown>): Target {
  const { options, preparation } = item;
  return Target.parse({
    ...item,
    options: JSON.parse(String(options)),
    preparation: preparation === undefined ? undefined : JSON.parse(String(preparation)),
    calls: callsFromItem(item),
  });
}

/** The longest last call of an earlier release and its start: 15 and 60 seconds. */
const formerCallMs = 75 * secondMs;

/** Reads the call records. An earlier release stored only the latest intent, as `intentAt`. */
function callsFromItem(item: Record<string, unknown>): unknown {
  const { calls, intentAt, refusal, preparation, publishedAt, status } = item;
  if (intentAt === undefined) return calls;
  const former: CallRecord = {
    intentAt: String(intentAt),
    token: preparation === undefined ? {} : JSON.parse(String(preparation)),
    endedAt: toTimestamp(Date.parse(String(intentAt)) + formerCallMs),
    outcome: publishedAt !== undefined ? 'live' : status === 'failed' ? 'unknown' : 'open',
    ...(refusal !== undefined && { refusal: String(refusal) }),
    lookups: 0,
    misses: 0,
  };
  // There are other records if, during a deployment, the earlier release made the next call of a target of this one.
  return [...((calls as CallRecord[] | undefined) ?? []), former];
}

/** Returns the time from which a target counts as overdue, as a timestamp; `undefined` if it has no wake. */
export function overdueSince({ wakeAt, leaseUntil }: Target): string | undefined {
  return wakeAt && leaseUntil && leaseUntil > wakeAt ? leaseUntil : wakeAt;
}
