import { handlerFactory } from '../../../functions/wire/start.ts';

/** What no handler can do without. */
export const createHandler = handlerFactory({}, () => async (): Promise<void> => {});
