import { handlerFactory } from '../../../functions/wire/start.ts';

/** What no handler can do without. */
export const build = handlerFactory({}, () => async (): Promise<void> => {});
