import { AsyncLocalStorage } from 'node:async_hooks';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

/** What a piece of work is about: ids and names, never what anyone wrote, and nothing that opens anything. */
export type LogKeys = Readonly<Record<string, string | number | undefined>>;

const ofThisWork = new AsyncLocalStorage<Record<string, string | number | undefined>>();
let ofInvocation: Record<string, string | number | undefined> = {};

/** Begins an invocation whose lines carry these keys, and none of the last one's. */
export function beginLogKeys(keys: LogKeys): void {
  ofInvocation = { ...keys };
}

/**
 * Does a piece of work whose lines carry these keys, wherever they are written, and those that it adds itself. The
 * messages of a batch are worked side by side, so keys that hold for an invocation would mix them up.
 */
export function withLogKeys<T>(keys: LogKeys, work: () => T): T {
  return ofThisWork.run({ ...keys }, work);
}

/** Adds keys to all further lines of this piece of work, or else of this invocation. */
export function addLogKeys(keys: LogKeys): void {
  Object.assign(ofThisWork.getStore() ?? ofInvocation, keys);
}

class Formatter extends LogFormatter {
  override formatAttributes(attributes: UnformattedAttributes, additional: LogAttributes): LogItem {
    const { logLevel: level, message, timestamp, serviceName: service, xRayTraceId } = attributes;
    return new LogItem({
      attributes: {
        level,
        message,
        timestamp: this.formatTimestamp(timestamp),
        service,
        xray_trace_id: xRayTraceId,
        ...ofInvocation,
        ...ofThisWork.getStore(),
      },
    }).addAttributes(additional);
  }
}

let powertools: Logger | undefined;

/** Made with the first line: most requests write none, and opening its streams takes 2 of the 50 ms of a cold start. */
export function openLogger(): Logger {
  powertools ??= new Logger({ logFormatter: new Formatter() });
  return powertools;
}

type Write = (message: string, details?: Error | LogAttributes) => void;

const writer =
  (level: 'info' | 'warn' | 'error'): Write =>
  (message, ...details) =>
    openLogger()[level](message, ...(details as LogAttributes[]));

/** Structured lines with the ids of what they are about. Nothing that holds a token or a key is ever handed to it. */
export const logger = { info: writer('info'), warn: writer('warn'), error: writer('error') };

/** Tells operators of an error of our own. */
export const reportError = (message: string, error: unknown) => logger.error(message, error as Error);

/** Tells operators of an item that could not be worked. */
export const reportItem = (message: string) => (key: object, error: unknown) =>
  logger.error(message, { ...key, error: error as Error });

/** Tells operators of something that we do without. */
export const reportWarning = (message: string, details: unknown) => logger.warn(message, details as Error);
