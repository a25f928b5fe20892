import { handlerFactory } from '../../../functions/wire/start.ts';

/** The baseline: an empty handler. */
export const build = handlerFactory({}, () => async (): Promise<void> => {});
