/** Passes changes of tables to the program that runs the local cloud, as their streams pass them to functions. */
import type { TimerClock } from '../clock.ts';
import type { Engines, StreamReader, StreamRecord } from '../engines/types.ts';
import type { TableResource } from '../model.ts';
import { type EventSource, pause } from './source.ts';

/** The consumer's name at the streams, which store its position. */
const consumer = 'local-run';

const maxRecords = 100;
const waitMs = 60_000;
const pauseAfterErrorMs = 1_000;

export interface TableChangesOptions {
  readonly clock: TimerClock;
  /** The start, before which changes are skipped. In epoch milliseconds of real time, to the second, as the engine dates records. */
  readonly startedMs: number;
  readonly onChange: (record: StreamRecord) => void;
  readonly log: (line: string) => void;
}

/** Calls back with each change of the tables that have a stream: in order, and at least once. */
export function startTableChanges(
  tables: readonly TableResource[],
  streamReader: Engines['streamReader'],
  options: TableChangesOptions,
): EventSource {
  const stopping = new AbortController();
  const reading = tables
    .filter(({ streamViewType }) => streamViewType !== undefined)
    .map(({ streamArn }) => readAll(streamReader(streamArn, consumer), options, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(reading);
    },
  };
}

async function readAll(
  reader: StreamReader,
  { clock, startedMs, onChange, log }: TableChangesOptions,
  signal: AbortSignal,
): Promise<void> {
  const firstSecond = Math.floor(startedMs / 1000);
  const report = (error: unknown) =>
    log(`changes of a table: ${error instanceof Error ? error.message : String(error)}`);
  function pass(record: StreamRecord): void {
    if (record.dynamodb.ApproximateCreationDateTime < firstSecond) return;
    try {
      onChange(record);
    } catch (error) {
      report(error);
    }
  }
  while (!signal.aborted) {
    try {
      for (const record of await reader.read({ maxRecords, waitMs, signal })) {
        pass(record);
        reader.commit(record.dynamodb.SequenceNumber);
      }
    } catch (error) {
      report(error);
      await pause(clock, pauseAfterErrorMs, signal);
    }
  }
}
