import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { minuteMs, toTimestamp } from '../kernel/clock.ts';
import { targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from './item.ts';
import type { Target } from './schemas.ts';

/** New values of a target's fields; `null` removes one. */
export type TargetChanges = {
  readonly [Name in keyof Omit<Target, 'workspaceId' | 'postId' | 'accountId' | 'attempt' | 'dueAt'>]?:
    | Target[Name]
    | null;
};

/** Another worker has the target, or it was edited or deleted: whoever sees this stops and writes nothing more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/**
 * Takes a target for one worker: raises the fencing number and sets the lease, if the wake is still the target's, is
 * near, and nobody holds the target. The sweep tells by the lease whether that worker is at it or has died: in the index
 * `overdue` the target stays under its wake, because every move there costs two writes. Every taking is counted until a
 * worker lets go in good order.
 *
 * @param writeId unique to this call; it tells our own write, repeated by the SDK, from another worker's
 * @returns the target as it is now, or why it was not taken
 */
export async function takeLease(
  table: Table,
  wake: Pick<Target, 'workspaceId' | 'postId' | 'accountId' | 'wakeNumber'>,
  { now, nearMs, preparableMs, untilMs, writeId }: LeaseTimes & { readonly writeId: string },
): Promise<LeaseOutcome> {
  const outcome = await conditionalUpdate(table, wake, {
    sets: { leaseUntil: toTimestamp(untilMs), writeId },
    expression:
      'attempt = attempt + :one, takes = if_not_exists(takes, :zero) + :one, takenSince = if_not_exists(takenSince, :now)',
    condition: `wakeNumber = :wake AND (wakeAt <= :near OR ${isPreparable}) AND (attribute_not_exists(leaseUntil) OR leaseUntil <= :now)`,
    values: {
      ':zero': 0,
      ':one': 1,
      ':wake': wake.wakeNumber,
      ':near': toTimestamp(nearMs),
      ':preparable': toTimestamp(preparableMs),
      ':now': toTimestamp(now),
    },
    writeId,
  });
  if (outcome.written) return { state: 'taken', target: outcome.target };
  const { found } = outcome;
  if (found?.wakeNumber !== wake.wakeNumber || found.wakeAt === undefined) return { state: 'out of date' };
  if (found.leaseUntil !== undefined && found.leaseUntil > toTimestamp(now)) return { state: 'held' };
  return { state: 'early', wakeMs: Date.parse(found.wakeAt) };
}

/** Nothing has been done for it, and it is not due. */
const isPreparable =
  '(wakeAt <= :preparable AND wakeAt < scheduledFor AND attribute_not_exists(preparation) AND failures = :zero)';

/** In epoch milliseconds. */
interface LeaseTimes {
  readonly now: number;
  /** The latest wake that may be worked now. */
  readonly nearMs: number;
  /** … of a target that is only begun to be prepared: that may be early, where going live and trying again may not. */
  readonly preparableMs: number;
  readonly untilMs: number;
}

export type LeaseOutcome =
  | { readonly state: 'taken'; readonly target: Target }
  /** Its wake is still far off. */
  | { readonly state: 'early'; readonly wakeMs: number }
  /** Another worker has it. */
  | { readonly state: 'held' }
  /** The target waits for something else by now, or for nothing. */
  | { readonly state: 'out of date' };

/**
 * Commits a change of a held target. The write is conditional on the fencing number, on the wake, and on the state the
 * move comes from. A new wake, or none (`null`), ends the lease; anything else keeps it.
 *
 * @throws LeaseLostError where any of these is not so any more
 */
export async function updateTarget(
  table: Table,
  held: Target,
  changes: TargetChanges,
  writeId: string,
): Promise<Target> {
  const sets: Record<string, unknown> = { writeId };
  const removes: string[] = [];
  const put = (name: string, value: unknown) => {
    if (value === null) removes.push(name);
    else if (value !== undefined) sets[name] = value;
  };
  for (const [name, value] of Object.entries(changes)) {
    const isFreeForm = (name === 'preparation' || name === 'options') && value !== null;
    put(name, isFreeForm ? JSON.stringify(value) : value);
  }
  if (changes.wakeAt !== undefined) {
    if (changes.wakeAt === null) {
      put('dueAt', null);
      put('dueShard', null);
    } else if (!keepsPlace(held.dueAt, changes.wakeAt)) put('dueAt', changes.wakeAt);
    put('leaseUntil', null);
    put('takes', null);
    put('takenSince', null);
  }
  const outcome = await conditionalUpdate(table, held, {
    sets,
    removes,
    condition: 'attempt = :attempt AND #from = :from AND wakeNumber = :wake',
    values: { ':attempt': held.attempt, ':from': held.status, ':wake': held.wakeNumber },
    names: { '#from': 'status' },
    writeId,
  });
  if (!outcome.written)
    throw new LeaseLostError(`target ${held.accountId} of post ${held.postId} was taken or changed`);
  return outcome.target;
}

/** How long before its wake a target may stand in the index `overdue`. */
const placeKeptMs = 2 * minuteMs;

/**
 * Whether the next wake lets the target keep its place in the index. A place too early only makes the sweep read the
 * target in vain; one too late would hide it.
 */
function keepsPlace(dueAt: string | undefined, nextWakeAt: string): boolean {
  const earlyMs = Date.parse(nextWakeAt) - Date.parse(dueAt ?? '');
  return earlyMs >= 0 && earlyMs <= placeKeptMs;
}

interface ConditionalUpdate {
  readonly sets: Record<string, unknown>;
  readonly removes?: readonly string[];
  readonly expression?: string;
  readonly condition: string;
  readonly values: Record<string, unknown>;
  readonly names?: Record<string, string>;
  readonly writeId: string;
}

type UpdateOutcome =
  | { readonly written: true; readonly target: Target }
  | { readonly written: false; readonly found: Target | undefined };

async function conditionalUpdate(
  table: Table,
  key: Pick<Target, 'workspaceId' | 'postId' | 'accountId'>,
  update: ConditionalUpdate,
): Promise<UpdateOutcome> {
  const names: Record<string, string> = { ...update.names };
  const values: Record<string, unknown> = { ...update.values };
  const assignments = Object.entries(update.sets).map(([name, value]) => {
    names[`#${name}`] = name;
    values[`:${name}`] = value;
    return `#${name} = :${name}`;
  });
  if (update.expression) assignments.push(update.expression);
  const removals = (update.removes ?? []).map((name) => {
    names[`#${name}`] = name;
    return `#${name}`;
  });
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: targetKey(key.workspaceId, key.postId, key.accountId),
        UpdateExpression: `SET ${assignments.join(', ')}${removals.length ? ` REMOVE ${removals.join(', ')}` : ''}`,
        ConditionExpression: update.condition,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { written: true, target: targetFromItem(Attributes ?? {}) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const item = error.Item && unmarshall(error.Item);
    const found = item && targetFromItem(item);
    // The reply to our own write was lost and the SDK sent it again: what stands there is what we wrote.
    if (found && item?.['writeId'] === update.writeId) return { written: true, target: found };
    return { written: false, found };
  }
}
