import { links, log } from '../wire/redirect.ts';
import { handlerFactory } from '../wire/start.ts';
import { redirectHandler } from './follow-link.ts';

/** `GET` and `HEAD /r/{code}` */
export const build = handlerFactory({ links, log }, redirectHandler);
