import { AsyncLocalStorage } from 'node:async_hooks';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

/** What a piece of work is about: ids and names, never what anyone wrote, and nothing that opens anything. */
export type LogKeys = Readonly<Record<string, string | number | undefined>>;

const ofThisWork = new AsyncLocalStorage<Record<string, string | number | undefined>>();

/**
 * Does a piece of work whose lines carry these keys, wherever they are written, and those that it adds itself. The
 * messages of a batch are worked side by side, so the logger's own keys, which hold for an invocation, would mix them up.
 */
export function withLogKeys<T>(keys: LogKeys, work: () => T): T {
  return ofThisWork.run({ ...keys }, work);
}

/** Adds keys to all further lines of this piece of work. */
export function addLogKeys(keys: LogKeys): void {
  const known = ofThisWork.getStore();
  if (known) Object.assign(known, keys);
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
        ...ofThisWork.getStore(),
      },
    }).addAttributes(additional);
  }
}

/** Structured lines with the ids of what they are about. Nothing that holds a token or a key is ever handed to it. */
export const logger = new Logger({ logFormatter: new Formatter() });

/** Tells operators of an error of our own. */
export const reportError = (message: string, error: unknown) => logger.error(message, error as Error);

/** Tells operators of an item that could not be worked. */
export const reportItem = (message: string) => (key: object, error: unknown) =>
  logger.error(message, { ...key, error: error as Error });

/** Tells operators of something that we do without. */
export const reportWarning = (message: string, details: unknown) => logger.warn(message, details as Error);
