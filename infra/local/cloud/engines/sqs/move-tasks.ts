/**
 * Tasks that move messages out of a dead-letter queue. They are stored with the messages, so a running task continues
 * after a restart.
 */

import { randomUUID } from 'node:crypto';
import type { CancelTimer, TimerClock } from '../../clock.ts';
import { openDatabase } from '../database.ts';
import { AwsError } from '../errors.ts';
import type { LocalQueueEngine } from './queue-engine.ts';

export interface MoveTask {
  readonly handle: string;
  readonly sourceArn: string;
  readonly destinationArn: string | undefined;
  readonly perSecond: number | undefined;
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
  readonly startedAtMs: number;
  readonly moved: number;
  readonly toMove: number;
  readonly failureReason: string | undefined;
}

export interface MoveTasks {
  start(request: {
    sourceArn: string;
    destinationArn?: string | undefined;
    perSecond?: number | undefined;
  }): string;
  /** Returns the ARN of the task's source queue. @throws AwsError for an unknown handle. */
  sourceOf(handle: string): string;
  /** @returns the number of moved messages. @throws AwsError unless the task is running. */
  cancel(handle: string): number;
  /** Lists the tasks of a source, newest first. */
  list(sourceArn: string, max: number): MoveTask[];
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS move_tasks (
    started INTEGER PRIMARY KEY AUTOINCREMENT,
    handle TEXT NOT NULL UNIQUE,
    source_arn TEXT NOT NULL,
    task TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS move_tasks_by_source ON move_tasks (source_arn, started);
`;

/** The maximum number of messages that one step moves if the caller set no rate. The next step follows immediately. */
const stepSize = 500;

export function openMoveTasks(file: string, engine: LocalQueueEngine, clock: TimerClock): MoveTasks {
  const database = openDatabase(file, schema);
  const { connection } = database;
  const save = connection.prepare(`
    INSERT INTO move_tasks (handle, source_arn, task) VALUES (:handle, :sourceArn, :task)
    ON CONFLICT (handle) DO UPDATE SET task = excluded.task`);
  const find = connection.prepare('SELECT task FROM move_tasks WHERE handle = ?');
  const all = connection.prepare('SELECT task FROM move_tasks');
  const bySource = connection.prepare(
    'SELECT task FROM move_tasks WHERE source_arn = ? ORDER BY started DESC LIMIT ?',
  );
  const timers = new Map<string, CancelTimer>();

  function taskOf(handle: string): MoveTask {
    const row = find.get(handle);
    if (!row) throw new AwsError('ResourceNotFoundException', 'There is no task with this handle.');
    return fromRow(row);
  }

  const write = (task: MoveTask) =>
    save.run({ handle: task.handle, sourceArn: task.sourceArn, task: JSON.stringify(task) });

  function step(task: MoveTask): void {
    const max = Math.min(task.perSecond ?? stepSize, task.toMove - task.moved);
    let after: MoveTask;
    try {
      const count = max > 0 ? engine.redrive(task.sourceArn, task.destinationArn, max) : 0;
      const moved = task.moved + count;
      after = { ...task, moved, status: count === 0 || moved >= task.toMove ? 'COMPLETED' : 'RUNNING' };
    } catch (error) {
      after = {
        ...task,
        status: 'FAILED',
        failureReason: error instanceof Error ? error.message : String(error),
      };
    }
    write(after);
    if (after.status === 'RUNNING') resume(after, task.perSecond === undefined ? 0 : 1000);
  }

  function resume(task: MoveTask, waitMs: number): void {
    const run = () => {
      timers.delete(task.handle);
      step(task);
    };
    timers.set(task.handle, clock.setTimer(clock.now() + waitMs, run));
  }

  for (const task of all.all().map(fromRow)) {
    if (task.status === 'RUNNING') resume(task, 0);
  }

  return {
    start({ sourceArn, destinationArn, perSecond }) {
      engine.queue(sourceArn);
      if (bySource.all(sourceArn, 1).map(fromRow)[0]?.status === 'RUNNING') {
        throw new AwsError('UnsupportedOperation', 'There is already a task running for this queue.');
      }
      const task: MoveTask = {
        handle: Buffer.from(JSON.stringify({ taskId: randomUUID(), sourceArn })).toString('base64'),
        sourceArn,
        destinationArn,
        perSecond,
        status: 'RUNNING',
        startedAtMs: clock.now(),
        moved: 0,
        toMove: engine.counts(sourceArn).visible,
        failureReason: undefined,
      };
      write(task);
      resume(task, 0);
      return task.handle;
    },
    sourceOf: (handle) => taskOf(handle).sourceArn,
    cancel(handle) {
      const task = taskOf(handle);
      if (task.status !== 'RUNNING') {
        throw new AwsError('ResourceNotFoundException', 'There is no running task with this handle.');
      }
      timers.get(handle)?.();
      timers.delete(handle);
      write({ ...task, status: 'CANCELLED' });
      return task.moved;
    },
    list: (sourceArn, max) => bySource.all(sourceArn, max).map(fromRow),
    close() {
      for (const cancel of timers.values()) cancel();
      database.close();
    },
  };
}

function fromRow(row: Record<string, unknown>): MoveTask {
  return JSON.parse(String(row['task']));
}
