import { readCalendar } from '../../calendar/read.ts';
import { dayMs } from '../../kernel/clock.ts';
import { platformTitles } from '../../platforms/contract/names.ts';
import type { AccountLimit, RulesFor } from '../../platforms/contract/rules.ts';
import { batchGet } from '../../table/batch-get.ts';
import { targetKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { targetFromItem } from '../../targets/item.ts';
import type { Target } from '../../targets/schemas.ts';
import type { PlanWarning } from './problems.ts';

/**
 * Warns about the destinations of a planned post that may have to wait, because as many posts of their kind are planned on their account
 * in the 24 hours before as the platform takes. Only a warning: the platform counts what other apps publish too.
 *
 * Reads one page of a calendar for each destination with such a limit, its other posts only if there are enough of them, and nothing
 * for other destinations.
 */
export async function checkAccountLimits(
  { table, rulesFor }: { readonly table: Table; readonly rulesFor: RulesFor },
  targets: readonly Target[],
): Promise<PlanWarning[]> {
  const checked = await Promise.all(
    targets.map(async (target) => {
      const limit = (await rulesFor(target.platform))?.accountLimit;
      return limit?.isCounted(target.options) ? checkTarget(table, target, limit) : [];
    }),
  );
  return checked.flat();
}

async function checkTarget(table: Table, target: Target, limit: AccountLimit): Promise<PlanWarning[]> {
  const { accountId, platform, position, scheduledFor } = target;
  if (scheduledFor === undefined) return [];
  const planned = await countBefore(table, target, Date.parse(scheduledFor), limit);
  if (planned < limit.posts) return [];
  const message = `${platformTitles[platform]} takes ${limit.posts} ${limit.counts} per account in any 24 hours, and ${planned} are planned in the 24 hours before this one. So it may have to wait`;
  const field = `platforms[${position}].scheduledFor`;
  return [{ field, code: 'quota_exhausted', message, accountId, platform }];
}

/** Counts the other posts on the target's account that count towards the limit, in the 24 hours up to its time. */
async function countBefore(
  table: Table,
  { workspaceId, accountId, postId }: Target,
  atMs: number,
  { posts, isCounted }: AccountLimit,
): Promise<number> {
  const period = { fromMs: atMs - dayMs + 1, untilMs: atMs + 1 };
  const { entries } = await readCalendar(table, { workspaceId, accountId }, period);
  const others = entries.filter((entry) => entry.postId !== postId);
  if (others.length < posts) return others.length;
  const keys = others.map((entry) => targetKey(workspaceId, entry.postId, accountId));
  const found = await batchGet(table, keys);
  return keys.filter((key) => {
    const item = found.get(key);
    return item !== undefined && isCounted(targetFromItem(item).options);
  }).length;
}
