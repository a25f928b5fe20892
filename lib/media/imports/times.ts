import { hourMs, minuteMs, secondMs } from '../../kernel/clock.ts';

/** How long a worker holds an import without a sign of progress. Longer than one part takes, with its retries. */
export const leaseMs = 2 * minuteMs;

/** How often a worker commits how far it is, which also renews its lease. */
export const progressEveryMs = 10 * secondMs;

/** For how long failed attempts are repeated. */
export const patienceMs = 30 * minuteMs;

/** The longest time that one attempt takes, with the start of its worker. Lambda ends a worker after 15 minutes. */
export const attemptMs = 15 * minuteMs;

/** Bounds the attempts of a file whose workers crash, which do not say that they failed. */
export const maxAttempts = 20;

/** How long an inspection may take before the file is fetched again. */
export const inspectionMs = hourMs;

/** The first message of an import may be lost. The sweep sends another one after this. */
export const firstMessageMs = minuteMs;

/** By then a post that was to be written together with the record is stored, or never will be. */
export const postFollowsMs = 3 * minuteMs;
