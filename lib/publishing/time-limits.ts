import { secondMs } from '../kernel/clock.ts';

/** The time limit of one step of the preparation. The worker renews its lease meanwhile. */
export const stepMs = 45 * secondMs;

/** Reserved at the end of a worker's run for its last commit. */
export const commitReserveMs = 10 * secondMs;

/** The longest wait of a worker for a target's due time, or for a file. A longer wait is another pass through the queue. */
export const waitInPlaceMs = 3 * secondMs;

/**
 * The same for a platform that processes a file. A second of a worker costs as much as a pass through the queue; an image rarely
 * takes longer, and a video always does.
 */
export const pollInPlaceMs = secondMs;
