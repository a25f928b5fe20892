import { minuteMs } from '../../kernel/clock.ts';
import { HeraldError } from '../../kernel/errors.ts';
import { endOfTime, workDuePages } from '../../overdue/due-pages.ts';
import { findPost } from '../../posts/stored/store.ts';
import { messageOf } from '../../publishing/message.ts';
import { scheduleName } from '../../publishing/wake.ts';
import { allDueShards } from '../../table/keys.ts';
import { targetFromItem } from '../../targets/item.ts';
import type { Target } from '../../targets/schemas.ts';
import { holdingScope } from '../../targets/wake.ts';
import type { Gap } from './doubtful.ts';
import type { HoldPorts } from './hold-run.ts';

/** The time from now in which a wake may have no schedule: it goes straight to the queue, or has just fired. */
const horizonMs = 5 * minuteMs;

/**
 * Finds the planned targets of a restored table whose posts were moved, made a draft or deleted in the gap. A lost table leaves
 * its schedules behind, and every change of a target removes the schedule of its old wake. So if neither a target nor its post
 * has a schedule left, the target has changed since the backup and is no longer planned: it may be live.
 *
 * A post that was only edited, or moved to a later time, has another schedule left: it stays planned as in the backup.
 *
 * @param names the names of all schedules of the stage's group
 * @throws HeraldError `conflict` if the group has no schedule of any of the targets: it was lost, or is another one
 */
export async function findUnscheduled(
  ports: Pick<HoldPorts, 'table' | 'now' | 'report'>,
  names: Iterable<string>,
  { untilMs }: Gap,
): Promise<Target[]> {
  const namesByPost = Map.groupBy(names, (name) => name.split('-', 1)[0]);
  const afterMs = Math.max(untilMs, ports.now()) + horizonMs;
  const unscheduled: Target[] = [];
  let scheduled = 0;
  const all = { shards: allDueShards, dueBefore: endOfTime, deadlineMs: Number.POSITIVE_INFINITY };
  await workDuePages(ports, all, async (page) => {
    for (const { key, item } of page) {
      if (item['kind'] !== 'target') continue;
      try {
        const target = targetFromItem(item);
        if (!needsSchedule(target, afterMs)) continue;
        const left = namesByPost.get(target.postId.replaceAll('-', '')) ?? [];
        if (await isScheduled(ports, target, left)) scheduled += 1;
        else unscheduled.push(target);
      } catch (error) {
        ports.report(`${key.pk} ${key.sk}`, error);
      }
    }
  });
  if (scheduled === 0 && unscheduled.length > 0)
    throw new HeraldError(
      'conflict',
      'the group has no schedule of any planned destination. Check that it is the right group. If it was lost, leave the option out',
    );
  return unscheduled;
}

const needsSchedule = (target: Target, afterMs: number): boolean =>
  target.status === 'scheduled' &&
  holdingScope(target) === undefined &&
  Date.parse(target.wakeAt ?? '') > afterMs;

/** @param left the names of the schedules of the target's post */
async function isScheduled(
  { table }: Pick<HoldPorts, 'table'>,
  target: Target,
  left: readonly string[],
): Promise<boolean> {
  if (left.length === 0) return false;
  if (left.includes(scheduleName(messageOf(target)))) return true;
  const { targets = [] } = (await findPost(table, target.workspaceId, target.postId)) ?? {};
  const others = targets.filter(({ accountId }) => accountId !== target.accountId);
  const ofOthers = new Set(others.map((other) => scheduleName(messageOf(other))));
  return left.some((name) => !ofOthers.has(name));
}
