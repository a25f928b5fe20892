import type { listSlotsOperation, readRhythmOperation } from '../../../rhythm/operations.ts';
import type { Rhythm } from '../../../rhythm/schemas.ts';
import { useGet } from '../../api/hooks.ts';
import { dayIn } from '../../time.ts';
import { wallClockOf } from '../../wall-clock.ts';
import { useWorkspace } from '../../workspace.tsx';
import type { Axis, Gap } from './axis.ts';

/** The times of automatic posts of one account. */
export interface AccountSlots {
  /** Absent without an account, and until it is read. */
  readonly rhythm: Rhythm | undefined;
  readonly isError: boolean;
  /** The free slots of a day, in epoch milliseconds. */
  readonly freeOn: (day: string) => readonly number[];
  /** The rows of a day outside the hours of automatic posts. */
  readonly closedOn: (axis: Axis, day: string) => readonly Gap[];
}

const everyMs = 60_000;
const most = '50';

/** Reads the next free slots of an account, and the limits of its rhythm. */
export function useSlots(account: string | undefined): AccountSlots {
  const { timezone } = useWorkspace();
  const isEnabled = account !== undefined;
  const path = { id: account ?? '' };
  const slots = useGet<typeof listSlotsOperation>(
    '/v1/accounts/{id}/slots',
    { path, query: { count: most } },
    { isEnabled, refetchEveryMs: everyMs },
  );
  const read = useGet<typeof readRhythmOperation>(
    '/v1/accounts/{id}/rhythm',
    { path },
    { isEnabled, refetchEveryMs: everyMs },
  );
  const rhythm = isEnabled ? read.data?.rhythm : undefined;
  const free = (isEnabled ? (slots.data?.slots ?? []) : []).map(({ at }) => Date.parse(at));
  return {
    rhythm,
    isError: isEnabled && ((slots.isError && !slots.data) || (read.isError && !read.data)),
    freeOn: (day) => free.filter((at) => dayIn(new Date(at), timezone) === day),
    closedOn: (axis, day) => (rhythm === undefined ? [] : closedRows(axis, day, rhythm, timezone)),
  };
}

/** Returns the rows that are outside the hours of a rhythm, whose zone may be another one. Pure. */
export function closedRows(
  { rows, instants }: Axis,
  day: string,
  { dayWindow: { from, to }, timezone }: Pick<Rhythm, 'dayWindow' | 'timezone'>,
  axisZone: string,
): readonly Gap[] {
  if (from === to) return [];
  const closed: Gap[] = [];
  for (const [row, at] of (instants.get(day) ?? []).entries()) {
    if (at === undefined) continue;
    const time = timezone === axisZone ? (rows[row]?.time ?? '') : wallClockOf(new Date(at), timezone).time;
    const isOpen = from < to ? from <= time && time < to : from <= time || time < to;
    const last = closed.at(-1);
    if (isOpen) continue;
    if (last?.to === row) closed[closed.length - 1] = { from: last.from, to: row + 1 };
    else closed.push({ from: row, to: row + 1 });
  }
  return closed;
}
