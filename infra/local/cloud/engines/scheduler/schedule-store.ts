/** Stores schedules in SQLite. Times are epoch milliseconds. */

import { openDatabase } from '../database.ts';
import type { ScheduleDefinition } from './inputs.ts';

export interface Schedule {
  readonly groupName: string;
  readonly name: string;
  readonly definition: ScheduleDefinition;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  /** The time in the expression. */
  readonly scheduledAtMs: number;
  /** The time of the next invocation or retry; undefined if the schedule is finished or disabled. */
  readonly nextAttemptAtMs: number | undefined;
  readonly failedAttempts: number;
}

export interface ScheduleStore {
  get(groupName: string, name: string): Schedule | undefined;
  put(schedule: Schedule): void;
  delete(groupName: string, name: string): boolean;
  /** Lists the schedules, ordered by group and name, starting after the given pair. */
  list(after: { groupName: string; name: string }): Schedule[];
  /** Returns the schedule with the earliest next attempt; undefined if there is none. */
  next(): Schedule | undefined;
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS schedules (
    group_name TEXT NOT NULL,
    name TEXT NOT NULL,
    next_attempt_at INTEGER,
    schedule TEXT NOT NULL,
    PRIMARY KEY (group_name, name)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS schedules_by_attempt ON schedules (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
`;

export function openScheduleStore(file: string): ScheduleStore {
  const { connection, close } = openDatabase(file, schema);
  const get = connection.prepare('SELECT schedule FROM schedules WHERE group_name = ? AND name = ?');
  const put = connection.prepare(`
    INSERT INTO schedules (group_name, name, next_attempt_at, schedule) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET next_attempt_at = excluded.next_attempt_at, schedule = excluded.schedule`);
  const remove = connection.prepare('DELETE FROM schedules WHERE group_name = ? AND name = ?');
  const list = connection.prepare(
    'SELECT schedule FROM schedules WHERE (group_name, name) > (?, ?) ORDER BY group_name, name',
  );
  const next = connection.prepare(
    'SELECT schedule FROM schedules WHERE next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT 1',
  );
  return {
    get: (groupName, name) => fromRow(get.get(groupName, name)),
    put(schedule) {
      put.run(schedule.groupName, schedule.name, schedule.nextAttemptAtMs ?? null, JSON.stringify(schedule));
    },
    delete: (groupName, name) => remove.run(groupName, name).changes === 1,
    list: (after) => list.all(after.groupName, after.name).flatMap((row) => fromRow(row) ?? []),
    next: () => fromRow(next.get()),
    close,
  };
}

function fromRow(row: Record<string, unknown> | undefined): Schedule | undefined {
  return row && JSON.parse(String(row['schedule']));
}
