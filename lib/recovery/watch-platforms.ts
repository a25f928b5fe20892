import { judge } from '../incidents/judge.ts';
import { type PutOff, sampleSize, type Watch } from '../incidents/schemas.ts';
import { readWatch, storeWatch } from '../incidents/store.ts';
import { type Clock, minuteMs } from '../kernel/clock.ts';
import type { Measurement } from '../metrics/measurements.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { batchGet } from '../table/batch-get.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { overdueSince, targetFromItem } from '../targets/item.ts';
import type { Target } from '../targets/schemas.ts';
import { keyOf } from '../targets/store.ts';
import { isHeld, isWaiting, putOffOf } from './put-off.ts';

interface WatchPorts {
  readonly table: Table;
  readonly now: Clock;
}

/** The findings of a sweep. */
interface Seen {
  readonly putOff: readonly PutOff[];
  /** The lateness of the longest overdue target that no worker has tried, in milliseconds; 0 if none is overdue. */
  readonly overdueMs: number;
}

/** The lateness from which targets are measured. Below it, a worker may just be slow. */
const measuredFromMs = minuteMs;

/** Collects what a sweep sees of targets, so that watching the platforms costs no reads of its own while all is well. */
export function noteTargets(now: Clock) {
  const putOff = new Map<Platform, PutOff[]>();
  let overdueMs = 0;
  return {
    note(target: Target): void {
      const found = putOffOf(target, now());
      const noted = putOff.get(target.platform) ?? [];
      // More than the sample, because many may be of one account.
      if (found && noted.length < 10 * sampleSize.ofPlatform) putOff.set(target.platform, [...noted, found]);
      const since = overdueSince(target);
      if (isWaiting(target) && !isHeld(target, now()) && since !== undefined)
        overdueMs = Math.max(overdueMs, now() - Date.parse(since));
    },
    seen: (): Seen => ({ putOff: [...putOff.values()].flat(), overdueMs }),
  };
}

/**
 * Continues the notes about destinations that are put off: adds those that the sweep has seen, and looks again at those that were
 * noted before. A sweep sees each of them only around its tries, so the notes are a sample, and are complete after some minutes if
 * they are few. While nothing is put off, the only request is the read of one small item.
 *
 * @returns the measurements that the alarms read; none if all is well
 */
export async function watchPlatforms(
  { table, now }: WatchPorts,
  { putOff: found, overdueMs }: Seen,
): Promise<Measurement[]> {
  const before = await readWatch(table);
  const again = await lookAgain(table, before.putOff, now());
  const known = new Set(again.putOff.map(nameOf));
  const putOff = [...again.putOff, ...found.filter((each) => !known.has(nameOf(each)))];
  const after = judge(before, { putOff, recovered: again.recovered }, now());
  if (!isEmpty(after) || !isEmpty(before)) await storeWatch(table, before, after);
  return [
    ...after.incidents.map(
      ({ platform }): Measurement => ({ name: 'PlatformsInTrouble', value: 1, platform }),
    ),
    ...(overdueMs >= measuredFromMs ? [{ name: 'OverdueLateness', value: overdueMs } as const] : []),
  ];
}

const nameOf = ({ postId, accountId }: Pick<PutOff, 'postId' | 'accountId'>) => `${postId} ${accountId}`;

const isEmpty = ({ putOff, recoveries, incidents }: Watch): boolean =>
  putOff.length === 0 && recoveries.length === 0 && incidents.length === 0;

/** Reads noted targets again. One that a worker holds stays noted; one that has ended or makes progress does not. */
async function lookAgain(table: Table, noted: readonly PutOff[], now: number) {
  const items = await batchGet(table, noted.map(keyOf));
  const recovered = new Set<Platform>();
  const putOff = noted.flatMap((before) => {
    const item = items.get(keyOf(before));
    const [target] = item ? readableItems(table, [item], targetFromItem) : [];
    if (target === undefined) return [];
    if (wentLive(target)) recovered.add(target.platform);
    if (isWaiting(target) && isHeld(target, now)) return [before];
    const after = putOffOf(target, now);
    return after ? [{ ...after, since: before.since < after.since ? before.since : after.since }] : [];
  });
  return { putOff, recovered: [...recovered] };
}

/** True if the platform has published it. A person's word proves nothing about the platform. */
const wentLive = ({ publishedAt, verdict }: Target): boolean =>
  publishedAt !== undefined && verdict?.outcome !== 'live';
