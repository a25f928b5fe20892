/** Work that continues after its call was answered, such as fetching a file. */
export interface Background {
  /** Aborts when the simulator stops. The platform restarts unfinished work at its next start. */
  readonly stopping: AbortSignal;
  run(work: () => Promise<void>): void;
  /** Resolves when no work is running. */
  idle(): Promise<void>;
  /** Aborts `stopping` and resolves when all running work has ended. */
  stop(): Promise<void>;
}

export function openBackground(): Background {
  const controller = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    stopping: controller.signal,
    run(work) {
      const done: Promise<void> = work().finally(() => running.delete(done));
      running.add(done);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    async stop() {
      controller.abort();
      await Promise.all(running);
    },
  };
}
