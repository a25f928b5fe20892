import { Logger } from '@aws-lambda-powertools/logger';

/** Structured lines with the request's ids. Nothing that holds a token or a key is ever handed to it. */
export const logger = new Logger();
