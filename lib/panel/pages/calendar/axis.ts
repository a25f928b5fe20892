import { wallClockOf } from '../../wall-clock.ts';
import { plusDays } from './days.ts';

/** A quarter of an hour on the clocks of a zone. */
export interface Quarter {
  /** `09:15` */
  readonly time: string;
  /** True for the second of two quarters that the clocks show alike. */
  readonly isSecond: boolean;
}

/** The quarters that some days have, as rows that all of them share. */
export interface Axis {
  readonly rows: readonly Quarter[];
  /** The instant at which each row begins on a day, in epoch milliseconds; `undefined` where the clocks skip it. */
  readonly instants: ReadonlyMap<string, readonly (number | undefined)[]>;
}

export const quarterMinutes = 15;
const quarterMs = quarterMinutes * 60_000;
const usualQuarters = 96;

/**
 * Returns the hours of some days. A day on which the clocks go back has an hour twice: then the others have a gap beside the second one.
 * On the day on which they go forward, the hour that they skip is empty. Pure.
 */
export function axisOf(days: readonly string[], timeZone: string): Axis {
  const found = days.map((day) => ({ day, quarters: quartersOf(day, timeZone) }));
  const rows = new Map<string, Quarter>();
  for (let place = 0; place < usualQuarters; place++) {
    const quarter = { time: timeOfRow(place), isSecond: false };
    rows.set(keyOf(quarter), quarter);
  }
  const repeated = new Map<string, readonly Quarter[]>();
  for (const { quarters } of found) {
    const second = quarters.filter(({ isSecond }) => isSecond);
    const last = second.at(-1);
    if (last !== undefined) repeated.set(keyOf({ ...last, isSecond: false }), second);
  }
  const inOrder = [...rows].flatMap(([key, quarter]) => [quarter, ...(repeated.get(key) ?? [])]);
  const instants = found.map(({ day, quarters }) => {
    const byKey = new Map(quarters.map((each) => [keyOf(each), each.at]));
    return [day, inOrder.map((each) => byKey.get(keyOf(each)))] as const;
  });
  return { rows: inOrder, instants: new Map(instants) };
}

const keyOf = ({ time, isSecond }: Quarter) => `${time}${isSecond ? ' again' : ''}`;

/** `00:15` for 1. */
function timeOfRow(place: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(place / 4))}:${two((place % 4) * quarterMinutes)}`;
}

/** The quarters of a day, in order. */
function quartersOf(day: string, timeZone: string): (Quarter & { readonly at: number })[] {
  const [begin, end] = [day, plusDays(day, 1)].map(
    (each) => Temporal.PlainDate.from(each).toZonedDateTime({ timeZone }).epochMilliseconds,
  ) as [number, number];
  const count = Math.round((end - begin) / quarterMs);
  return Array.from({ length: count }, (_, place) => {
    const at = begin + place * quarterMs;
    if (count === usualQuarters) return { time: timeOfRow(place), isSecond: false, at };
    const { time, isSecond = false } = wallClockOf(new Date(at), timeZone);
    return { time, isSecond, at };
  });
}

/** Returns the row at which an instant of a day is, with the part of it that has passed: 36.5 for 09:07:30. Pure. */
export function rowAt({ instants }: Axis, day: string, at: number): number {
  const begins = instants.get(day) ?? [];
  const row = begins.findLastIndex((begin) => begin !== undefined && begin <= at);
  const begin = begins[row];
  return begin === undefined ? 0 : row + Math.min(1, (at - begin) / quarterMs);
}

/** Returns the instant of a row on a day or, if the clocks skip it, of the first row after it that they show. Pure. */
export function instantAt({ rows, instants }: Axis, day: string, row: number): number | undefined {
  const begins = instants.get(day) ?? [];
  const place = Math.min(rows.length - 1, Math.max(0, row));
  return (
    begins.slice(place).find((each) => each !== undefined) ?? begins.findLast((each) => each !== undefined)
  );
}

/** A span of rows that the clocks of a day do not show: `to` is exclusive. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The gaps of a day, in order. Pure. */
export function gapsOf({ instants }: Axis, day: string): readonly Gap[] {
  const gaps: Gap[] = [];
  for (const [row, begin] of (instants.get(day) ?? []).entries()) {
    if (begin !== undefined) continue;
    const last = gaps.at(-1);
    if (last?.to === row) gaps[gaps.length - 1] = { ...last, to: row + 1 };
    else gaps.push({ from: row, to: row + 1 });
  }
  return gaps;
}

/** A thing beside others that overlap it. */
export interface Placed<Thing> {
  readonly thing: Thing;
  readonly row: number;
  /** The column, counted from 0, of the number of columns there. */
  readonly column: number;
  readonly columns: number;
}

/** Things that have no place beside others. */
export interface Rest<Thing> {
  readonly things: readonly Thing[];
  readonly row: number;
  readonly columns: number;
}

/**
 * Puts things that overlap side by side. If more overlap than there are columns, the last column has those that are left, by their
 * number. Pure.
 *
 * @param things with the row at which each begins
 * @param rowsHigh the height of a thing in rows
 */
export function placeBesideOthers<Thing>(
  things: readonly { readonly thing: Thing; readonly row: number }[],
  rowsHigh: number,
  mostColumns: number,
): { readonly placed: readonly Placed<Thing>[]; readonly rest: readonly Rest<Thing>[] } {
  const placed: Placed<Thing>[] = [];
  const rest: Rest<Thing>[] = [];
  for (const cluster of clustersOf(things, rowsHigh)) {
    const ends: number[] = [];
    const columnOf = cluster.map(({ row }) => {
      const free = ends.findIndex((end) => end <= row);
      const column = free < 0 ? ends.length : free;
      ends[column] = row + rowsHigh;
      return column;
    });
    const columns = Math.min(ends.length, mostColumns);
    const hasRest = ends.length > mostColumns;
    const left: typeof cluster = [];
    for (const [place, each] of cluster.entries()) {
      const column = columnOf[place] ?? 0;
      if (hasRest && column >= columns - 1) left.push(each);
      else placed.push({ ...each, column, columns });
    }
    for (const group of clustersOf(left, rowsHigh, false))
      rest.push({ things: group.map(({ thing }) => thing), row: group[0]?.row ?? 0, columns });
  }
  return { placed, rest };
}

/** Things in their order, in groups that overlap: from one to the next, or only with the first of the group. */
function clustersOf<Thing extends { readonly row: number }>(
  things: readonly Thing[],
  rowsHigh: number,
  isChain = true,
): Thing[][] {
  const clusters: Thing[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const thing of [...things].sort((one, other) => one.row - other.row)) {
    const isNext = thing.row >= end;
    if (isNext) clusters.push([thing]);
    else clusters.at(-1)?.push(thing);
    if (isNext || isChain) end = thing.row + rowsHigh;
  }
  return clusters;
}
