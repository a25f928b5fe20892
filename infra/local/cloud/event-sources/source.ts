import type { TimerClock } from '../clock.ts';
import type { QueueEngine } from '../engines/types.ts';
import type { InvokeOutcome } from '../runtime/execution-environment.ts';

/** What an event source needs of the rest of the cloud. */
export interface SourceSurroundings {
  readonly clock: TimerClock;
  readonly region: string;
  readonly queues: Pick<QueueEngine, 'send' | 'receive' | 'delete'>;
  readonly invoke: (
    functionArn: string,
    event: unknown,
    options?: { readonly traceHeader?: string },
  ) => Promise<InvokeOutcome>;
  /** One line about something a person should know. */
  readonly log: (line: string) => void;
}

export interface EventSource {
  /** Hands over nothing more. Settled when what it had handed over is done. */
  stop(): Promise<void>;
}
