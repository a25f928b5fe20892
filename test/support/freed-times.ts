import { freeTime } from '../../lib/calendar/free.ts';
import { effectsOf } from '../../lib/publishing/relay/effects.ts';
import type { Table } from '../../lib/table/table.ts';
import type { Target } from '../../lib/targets/schemas.ts';

/** Frees the calendar times that a change of a target leaves, as the relay does. */
export async function freeLeftTimes(table: Table, before: Target, after: Target | undefined): Promise<void> {
  for (const effect of effectsOf(before, after, {})) {
    if (effect.kind === 'free time') await freeTime(table, effect.time);
  }
}
