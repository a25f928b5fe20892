import type { MovableClock } from '../clock.ts';
import type { QueueEngine } from '../engines/types.ts';
import type { InvokeOutcome } from '../runtime/execution-environment.ts';

/** The dependencies of an event source on the rest of the cloud. */
export interface SourceSurroundings {
  readonly clock: Pick<MovableClock, 'now' | 'setTimer' | 'offsetMs'>;
  readonly region: string;
  readonly queues: Pick<QueueEngine, 'commitTogether' | 'delete' | 'receive' | 'send'>;
  readonly invoke: (
    functionArn: string,
    event: unknown,
    options?: { readonly traceHeader?: string },
  ) => Promise<InvokeOutcome>;
  /** Called with one-line messages for the developer, such as failures. */
  readonly log: (line: string) => void;
}

export interface EventSource {
  /** Starts no more invocations. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}
