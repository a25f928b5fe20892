import type { RevocationPorts } from '../accounts/revoke.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Invalidation } from '../media/retention/invalidation.ts';
import type { Table } from '../table/table.ts';

export interface ErasurePorts extends RevocationPorts {
  readonly table: Table;
  readonly now: Clock;
  /** The keys of up to 1,000 objects of the bucket whose keys begin with a prefix. */
  readonly listObjects: (prefix: string) => Promise<readonly string[]>;
  readonly removeObject: (objectKey: string) => Promise<void>;
  /** Makes the media host drop its cached copies. Idempotent per reference. */
  readonly invalidate: (invalidation: Invalidation) => Promise<void>;
  /** Tells operators what could not be done. Never receives a token. */
  readonly report: (message: string, error: unknown) => void;
}

/** What one run of the erasure works with. */
export interface ErasureRun extends ErasurePorts {
  /** Epoch milliseconds after which nothing more is begun. */
  readonly deadlineMs: number;
}

/** The time of a run is over. What it has done stays done, and the next run continues. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** @throws OutOfTimeError */
export function requireTime({ now, deadlineMs }: Pick<ErasureRun, 'now' | 'deadlineMs'>): void {
  if (now() >= deadlineMs) throw new OutOfTimeError('the next run continues');
}
