/** Work that goes on after its call was answered, such as fetching a file. */
export interface Background {
  /** Fires when the simulator stops: what is not done then is begun again at its next start. */
  readonly stopping: AbortSignal;
  run(work: () => Promise<void>): void;
  /** Resolves once all that was begun has ended. */
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
    async stop() {
      controller.abort();
      await Promise.all(running);
    },
  };
}
