import { type Clock, hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { absent, anyOf, lessThan } from '../table/condition.ts';
import { getItem, updateItem } from '../table/items.ts';
import {
  allNumbersShards,
  allStoryNumbersShards,
  type Key,
  numbersProgressKey,
  numbersRetryShard,
} from '../table/keys.ts';
import { queryPage, queryPages } from '../table/query.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { ages, readingAfterMs } from './ages.ts';
import { type NumbersRow, readingAt } from './numbers-row.ts';
import type { Age } from './schemas.ts';

/**
 * Posts of which a reading is due at the same age. Their rows lie in the index by the time at which they went live, and stay there. So
 * those that are due are a range of times, which moves on, and nothing is written to find them.
 */
interface Stream {
  readonly name: string;
  readonly shards: readonly string[];
  readonly afterMs: number;
}

const streamsOf = (isStory: boolean): Stream[] =>
  ages.flatMap((age) => {
    const afterMs = readingAfterMs(age, isStory);
    if (afterMs === undefined) return [];
    return [
      {
        name: isStory ? `story ${age}` : age,
        shards: isStory ? allStoryNumbersShards : allNumbersShards,
        afterMs,
      },
    ];
  });

const streams: readonly Stream[] = [...streamsOf(false), ...streamsOf(true)];

/** The first range of a stream that has never been read. */
const firstRangeMs = hourMs;
/** A range is read at most this long after its end: the index may be behind by some seconds. */
const lagMs = minuteMs;
const pageKeys = 1_000;
const shortestRangeMs = secondMs;

/** The rows that are due in a part of each stream. */
export interface DueSlice {
  readonly keys: readonly Key[];
  /** True if more are due already. */
  readonly isPart: boolean;
  /** Notes that the slice is done. Another run begins after it. */
  readonly done: () => Promise<void>;
}

/** Returns the rows whose time for a reading has come since the last slice. A range with many rows is taken in parts. */
export async function nextSlice(table: Table, now: number): Promise<DueSlice> {
  const parts = await Promise.all(streams.map((stream) => partOf(table, stream, now)));
  return {
    keys: parts.flatMap(({ keys }) => keys),
    isPart: parts.some(({ isPart }) => isPart),
    done: async () => {
      await Promise.all(parts.map(({ done }) => done()));
    },
  };
}

async function partOf(table: Table, { name, shards, afterMs }: Stream, now: number): Promise<DueSlice> {
  const key = numbersProgressKey(name);
  const until = (await getItem(table, key))?.['until'];
  const lastMs = now - afterMs - lagMs;
  const fromMs = until === undefined ? lastMs - firstRangeMs : Date.parse(String(until));
  if (lastMs <= fromMs) return { keys: [], isPart: false, done: async () => {} };
  let toMs = lastMs;
  for (;;) {
    const range = [toTimestamp(fromMs + 1), toTimestamp(toMs)] as const;
    const pages = await Promise.all(shards.map((shard) => readShard(table, shard, range, toMs - fromMs)));
    const keys = pages.flatMap((page) => page ?? []);
    if (pages.every((page) => page !== undefined)) {
      const to = toTimestamp(toMs);
      return { keys, isPart: toMs < lastMs, done: () => noteProgress(table, name, to) };
    }
    toMs = fromMs + Math.max(shortestRangeMs, Math.floor((toMs - fromMs) / 4));
  }
}

/** Returns the keys of a shard in a range; `undefined` if they are too many and the range can be shorter. */
async function readShard(
  table: Table,
  partition: string,
  between: readonly [string, string],
  lengthMs: number,
): Promise<Key[] | undefined> {
  const query = { index: indexes.overdue, partition, sort: { between }, attributes: ['pk', 'sk'] };
  const { items, lastKey } = await queryPage(table, { ...query, limit: pageKeys });
  if (lastKey === undefined) return items as unknown as Key[];
  if (lengthMs > shortestRangeMs) return undefined;
  const keys = [...items];
  for await (const page of queryPages(table, { ...query, after: lastKey })) keys.push(...page);
  return keys as unknown as Key[];
}

/** Runs at the same time only look twice: the later progress stays. */
async function noteProgress(table: Table, name: string, until: string): Promise<void> {
  await updateItem(table, numbersProgressKey(name), {
    set: { kind: 'numbersProgress', until },
    if: { until: anyOf(absent, lessThan(until)) },
  });
}

/** The most rows that are tried again in a run. */
const mostRetries = 1_000;

/** Returns the rows whose next try is due. */
export async function dueRetries(table: Table, now: Clock): Promise<Key[]> {
  const { items } = await queryPage(table, {
    index: indexes.overdue,
    partition: numbersRetryShard,
    sort: { atMost: toTimestamp(now()) },
    limit: mostRetries,
    attributes: ['pk', 'sk'],
  });
  return items as unknown as Key[];
}

/**
 * Returns the age of the reading that is due: the highest one whose time has come, unless it was taken. Those before it that were
 * missed stay missing: their numbers cannot be read any more. Pure.
 */
export function dueAge(row: NumbersRow, now: number): Age | undefined {
  const publishedMs = Date.parse(row.publishedAt);
  const due = ages.findLast((age) => {
    const afterMs = readingAfterMs(age, row.isStory === true);
    return afterMs !== undefined && publishedMs + afterMs <= now;
  });
  return due !== undefined && readingAt(row, due) === undefined ? due : undefined;
}
