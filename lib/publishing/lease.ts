import { secondMs } from '../kernel/clock.ts';

/**
 * How long a worker may hold a target without a commit. Each commit renews the lease, so this limits how long a crash
 * stays unnoticed, not how long the work may take.
 */
export const leaseMs = 60 * secondMs;

/** The time limit of one step: short enough to commit its result while the lease still holds. */
export const stepMs = 45 * secondMs;

/** Reserved at the end of a worker's run for its last commit. */
export const commitReserveMs = 10 * secondMs;
