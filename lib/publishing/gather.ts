import { secondMs } from '../kernel/clock.ts';
import { postKey, targetPrefix } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from '../targets/item.ts';
import type { Target } from '../targets/schemas.ts';
import {
  joinWakes,
  messageOf,
  mostTargets,
  type PublishMessage,
  queueOf,
  type WakeMessage,
  wakeName,
  wakesOf,
} from './message.ts';

/** A worker that would wait for less than this leaves nothing to others: little waiting is saved. */
const worthwhileMs = 0.3 * secondMs;

/**
 * When the message of a wake that was left to another worker comes back, after the wake: then that worker has probably taken it. Until
 * then, a worker looks for what others have left to it.
 */
export const leftCheckMs = 5 * secondMs;

/** A wake that was committed this shortly before its time, or later, is left to its own message, which may be on its way. */
const settledMs = 10 * secondMs;

/** How the targets of a post that are due together are divided among the workers of their messages. */
export interface Gathering {
  /** Targets that the message does not name, and that its worker works too. */
  readonly added: readonly Target[];
  /** Names of wakes of the message that the worker of another message works, see `wakeName`. */
  readonly left: ReadonlySet<string>;
}

/**
 * Whether the worker of a message must look for siblings that are due at the same time. Targets that were prepared at different
 * times have a message each, and each worker would wait for the same moment.
 *
 * @param now epoch milliseconds
 */
export const mayHaveSiblings = ({ wakeAt = '', isTakeover, queue }: WakeMessage, now: number): boolean =>
  now < Date.parse(wakeAt) + leftCheckMs && !isTakeover && queue === undefined;

/** Reads the targets of a message's post, by account. Costs what reading them one by one does; they may be about a second old. */
export async function readSiblings(
  table: Table,
  { workspaceId, postId }: PublishMessage,
): Promise<Map<string, Record<string, unknown>>> {
  const { pk: partition } = postKey(workspaceId, postId);
  const items = await queryAll(table, { partition, sort: { beginsWith: targetPrefix }, isEventual: true });
  return new Map(items.map((item) => [String(item['accountId']), item]));
}

/**
 * Divides targets that are due together. Pure. The worker whose message names the first of them works all; the workers of the other
 * messages leave theirs to it, if they would wait and four at most are planned. To work too many is harmless, because one write takes a target; so a worker whose
 * own wake is out of date works them too: others may have taken its target for the first.
 *
 * @param items the targets by account, as stored
 * @param isPlain whether nothing has happened to a target except that it was prepared
 * @param now epoch milliseconds
 */
export function gather(
  message: WakeMessage,
  items: ReadonlyMap<string, Record<string, unknown>>,
  isPlain: (target: Target) => boolean,
  now: number,
): Gathering {
  const together = [...items.values()].flatMap(readable).filter((target) => {
    const isDue = target.wakeAt === message.wakeAt && queueOf(target) === 'publish';
    return isDue && isSettled(target) && isPlain(target);
  });
  const none = { added: [], left: new Set<string>() };
  if (together.length > mostTargets) return none;
  const [joined] = joinWakes(together.map(messageOf));
  if (!joined) return none;
  const wakes = wakesOf(message);
  const named = new Set(wakes.map(wakeName));
  const isOutdated = wakes.some(({ accountId, wakeNumber }) => {
    const current = Number(items.get(accountId)?.['wakeNumber'] ?? Number.POSITIVE_INFINITY);
    return current > wakeNumber;
  });
  if (named.has(wakeName(joined)) || isOutdated)
    return { ...none, added: together.filter((target) => !named.has(wakeName(target))) };
  // Counted as planned: the worker of the first may have seen more than four before some were taken ahead of their time.
  const planned = [...items.values()].filter(({ scheduledFor }) => scheduledFor === message.wakeAt);
  if (planned.length > mostTargets) return none;
  if (Date.parse(message.wakeAt ?? '') - now < worthwhileMs) return none;
  return { ...none, left: new Set(together.map(wakeName).filter((name) => named.has(name))) };
}

/** None if this release cannot read the target: whoever takes it meets the error. */
function readable(item: Record<string, unknown>): Target[] {
  try {
    return [targetFromItem(item)];
  } catch {
    return [];
  }
}

function isSettled({ timeline, wakeAt = '' }: Target): boolean {
  const committedMs = Date.parse(timeline.at(-1)?.at ?? '') || Number.NEGATIVE_INFINITY;
  return committedMs <= Date.parse(wakeAt) - settledMs;
}
