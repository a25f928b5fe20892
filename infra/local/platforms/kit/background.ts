/** The counterpart of work in the background: a server of files, or the app that receives a webhook. */
export type BackgroundWork = 'file' | 'webhook';

/** Work that continues after its call was answered, such as fetching a file. */
export interface Background {
  /** Aborts when the simulator stops. The platform restarts unfinished work at its next start. */
  readonly stopping: AbortSignal;
  /** @param kind default `file` */
  run(work: () => Promise<void>, kind?: BackgroundWork): void;
  /** Resolves when no work, or no work of the given kind, is running. */
  idle(kind?: BackgroundWork): Promise<void>;
  /** Aborts `stopping` and resolves when all running work has ended. */
  stop(): Promise<void>;
}

export function openBackground(): Background {
  const controller = new AbortController();
  const running = new Map<Promise<void>, BackgroundWork>();
  const runningOf = (kind: BackgroundWork | undefined) =>
    [...running].flatMap(([done, own]) => (kind === undefined || own === kind ? [done] : []));
  return {
    stopping: controller.signal,
    run(work, kind = 'file') {
      const done: Promise<void> = work().finally(() => running.delete(done));
      running.set(done, kind);
    },
    async idle(kind) {
      while (runningOf(kind).length > 0) await Promise.all(runningOf(kind));
    },
    async stop() {
      controller.abort();
      await Promise.all(running.keys());
    },
  };
}
