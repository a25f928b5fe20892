import { secondMs } from '../kernel/clock.ts';

/** The time limit of one step of the preparation. The worker renews its lease meanwhile. */
export const stepMs = 45 * secondMs;

/** Reserved at the end of a worker's run for its last commit. */
export const commitReserveMs = 10 * secondMs;

/** The longest wait that costs less inside the worker than as another pass through the queue. */
export const waitInPlaceMs = 3 * secondMs;
