import { secondMs } from '../kernel/clock.ts';

/**
 * How long a worker holds a target without committing anything. Each step it commits begins the lease anew, so this is
 * how soon a worker that died is noticed, not how long the work may take.
 */
export const leaseMs = 60 * secondMs;

/** The end of one step of the work: early enough that it is committed while the lease still holds. */
export const stepMs = 45 * secondMs;

/** Kept free at the end of a worker's time for committing what it did. */
export const commitReserveMs = 10 * secondMs;
