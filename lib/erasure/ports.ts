import type { RevocationPorts } from '../accounts/revoke.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Invalidation } from '../media/retention/invalidation.ts';
import type { Table } from '../table/table.ts';

export interface ErasurePorts extends RevocationPorts {
  readonly table: Table;
  readonly now: Clock;
  /** Returns the keys of up to 1,000 objects of the bucket that begin with a prefix. */
  readonly listObjects: (prefix: string) => Promise<readonly string[]>;
  readonly removeObject: (objectKey: string) => Promise<void>;
  /** Makes the media host drop its cached copies. Idempotent per reference. */
  readonly invalidate: (invalidation: Invalidation) => Promise<void>;
  /** Tells operators about a failure. Never receives a token. */
  readonly report: (message: string, error: unknown) => void;
}

/** The context of one run of the erasure. */
export interface ErasureRun extends ErasurePorts {
  /** Epoch milliseconds after which nothing more is begun. */
  readonly deadlineMs: number;
}

/** The error at the end of a run's time. Completed work stays done, and the next run continues. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** @throws OutOfTimeError */
export function requireTime({ now, deadlineMs }: Pick<ErasureRun, 'now' | 'deadlineMs'>): void {
  if (now() >= deadlineMs) throw new OutOfTimeError('the next run continues');
}
