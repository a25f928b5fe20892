import { containerAbsence } from '../shared/meta/container-calls.ts';

/** When the outcome of a `threads_publish` call is given up as unknown. The same for all kinds of posts. */
export const absenceRule = containerAbsence("the account's profile on Threads");
