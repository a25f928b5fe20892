/** The names of all unfinished posts in the browser's storage begin so. */
export const keptPrefix = 'compose/';
