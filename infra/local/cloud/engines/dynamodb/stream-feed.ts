/**
 * The recent records of a table's stream, for all of its readers: they are fetched, parsed and compared once.
 * Readers ask by sequence number, so that the feed needs no list of them.
 */

import type { StreamRecord } from '../types.ts';
import { numberOf, type StreamCursor, type StreamPosition } from './stream-cursor.ts';

export interface StreamFeed {
  /** Returns true if the feed has, or will fetch, every record after the position. It begins at the first position asked for. */
  covers(position: StreamPosition): boolean;
  /** Returns the kept records after a covered position. */
  after(position: StreamPosition, maxRecords: number): readonly StreamRecord[];
  /** Notes that there may be news. */
  noteChange(): void;
  /** Returns the number of noted changes, plus one if the last look at the stream is too long ago. */
  changesNoted(): number;
  /** Returns true if everything written before this change has been fetched. */
  hasSeen(change: number): boolean;
  /** Fetches the next records, or waits for the fetch that is under way. @throws its error; the next call tries again */
  fetch(): Promise<void>;
}

const fetchLimit = 1_000;

/**
 * @param options.open opens a cursor on the stream
 * @param options.convert returns a fetched record as readers get it; undefined if they do not get it
 * @param options.keptRecords the number of records to keep; a reader that is further behind needs its own cursor
 * @param options.freshMs the time for which a look at the stream suffices, if no change is noted
 */
export function createStreamFeed<Fetched>(options: {
  readonly open: (start: StreamPosition) => StreamCursor<Fetched>;
  readonly convert: (record: Fetched) => StreamRecord | undefined;
  readonly keptRecords: number;
  readonly freshMs: number;
}): StreamFeed {
  const { open, convert, keptRecords, freshMs } = options;
  let cursor: StreamCursor<Fetched> | undefined;
  /** The sequence number after which records are kept or not fetched yet. */
  let keptAfter = numberOf(undefined);
  const kept: { readonly number: bigint; readonly record: StreamRecord }[] = [];
  let running: Promise<void> | undefined;
  let noted = 0;
  let seen = -1;
  let seenAtMs = Number.NEGATIVE_INFINITY;

  function keep(record: StreamRecord | undefined): void {
    if (record) kept.push({ number: numberOf(record.dynamodb.SequenceNumber), record });
  }

  /** Drops records in large steps, because each step moves the list. */
  function trim(): void {
    if (kept.length <= keptRecords) return;
    const dropped = kept.splice(0, kept.length - Math.ceil(keptRecords / 2));
    keptAfter = dropped.at(-1)?.number ?? keptAfter;
  }

  async function fetchOnce(from: StreamCursor<Fetched>): Promise<void> {
    const change = noted;
    const { records, isEnd } = await from.fetch(fetchLimit);
    for (const record of records) keep(convert(record));
    trim();
    if (!isEnd) return;
    seen = change;
    seenAtMs = performance.now();
  }

  return {
    covers(position) {
      if (!cursor) {
        cursor = open(position);
        keptAfter = numberOf(position);
      }
      return numberOf(position) >= keptAfter;
    },
    after(position, maxRecords) {
      const number = numberOf(position);
      let [first, end] = [0, kept.length];
      while (first < end) {
        const middle = (first + end) >> 1;
        if ((kept[middle]?.number ?? number) <= number) first = middle + 1;
        else end = middle;
      }
      return kept.slice(first, first + maxRecords).map(({ record }) => record);
    },
    noteChange() {
      noted += 1;
    },
    changesNoted() {
      if (!running && performance.now() - seenAtMs > freshMs) noted += 1;
      return noted;
    },
    hasSeen: (change) => seen >= change,
    async fetch() {
      if (!cursor) throw new Error('The feed has no beginning yet.');
      running ??= fetchOnce(cursor).finally(() => {
        running = undefined;
      });
      await running;
    },
  };
}
