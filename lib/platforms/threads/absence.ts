import { containerAbsence } from '../shared/meta/container-calls.ts';

/**
 * The rule for giving up the outcome of a `threads_publish` call as unknown. The same for all kinds of posts.
 * {@link containerAbsence} has the sources, and the reason why there is no `usedOnce`.
 */
export const absenceRule = containerAbsence("the account's profile on Threads");
