import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts';

/** The time for which a worker holds an import without a sign of progress. Longer than one part takes, with its retries. */
export const leaseMs = 2 * minuteMs;

/** The interval at which a worker commits its progress, which also renews its lease. */
export const progressEveryMs = 10 * secondMs;

/** The time for which failed attempts are repeated. */
export const patienceMs = 30 * minuteMs;

/** The longest time of one attempt, with the start of its worker. Lambda ends a worker after 15 minutes. */
export const attemptMs = 15 * minuteMs;

/** The limit on attempts. Needed if workers crash without reporting a failure. */
export const maxAttempts = 20;

/** Longer than the queue takes to deliver the message of a failed inspection again: six times the worker's limit of 45 seconds. */
const shortestInspectionMs = 5 * minuteMs;

const longestInspectionMs = hourMs;

/**
 * Returns the time that an inspection may take before the file is fetched again. It is as long as the import has existed, so it
 * doubles: a post outlasts several lost inspections while it waits for its file, and inspections that are only slow cause few
 * further ones. Pure.
 */
export const inspectionPatienceMs = (createdAt: string, now: number): number =>
  Math.min(longestInspectionMs, Math.max(shortestInspectionMs, now - Date.parse(createdAt)));

/** The time after which the sweep sends the first message of an import again, because it may be lost. */
export const firstMessageMs = minuteMs;

/** The time after which a post that was to be written together with the record is stored, or never will be. */
export const postFollowsMs = 3 * minuteMs;
