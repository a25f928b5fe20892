/**
 * Returns the folder of all data of a local run. Pure.
 *
 * @param environment an empty `DATA_DIR` counts as absent: it would be the current folder
 */
export const dataFolder = ({ DATA_DIR }: NodeJS.ProcessEnv): string => DATA_DIR || '.local';
