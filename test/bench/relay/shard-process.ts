import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ShardOrder {
  readonly endpointUrl: string;
  /** The number of distant posts before the near one. */
  readonly distant: number;
  /** Commits per second. `Infinity`: all are committed before the relay begins. */
  readonly perSecond: number;
  /** The duration of a request to Scheduler if the relay waits for it; absent: it passes distant wakes on. */
  readonly schedulerMs?: number;
}

export interface ShardReport {
  /** The time from the commit of the near target until the queue has its message. */
  readonly nearMs: number;
  /** The time of a processor that all changes took. */
  readonly processorMs: number;
}

export interface ShardProcess {
  /** @throws Error if the process ends */
  work(order: ShardOrder): Promise<ShardReport>;
  stop(): void;
}

/** Starts the relay in a process of its own, so that its use of a processor is its own. */
export function startShard(): ShardProcess {
  const child = fork(join(import.meta.dirname, 'shard.ts'), { serialization: 'advanced' });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the relay has ended')));
  ended.catch(() => {});
  return {
    async work(order) {
      child.send(order);
      const [report] = (await Promise.race([once(child, 'message'), ended])) as [ShardReport];
      return report;
    },
    stop: () => void child.kill(),
  };
}
