import { log } from '../wire/light-log.ts';
import { links } from '../wire/links.ts';
import { handlerFactory } from '../wire/start.ts';
import { redirectHandler } from './follow-link.ts';

/** `GET` and `HEAD /r/{code}` */
export const createHandler = handlerFactory({ links, log }, redirectHandler);
