import { AsyncLocalStorage } from 'node:async_hooks';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

/** What a piece of work is about: ids and names only. Never what people wrote, never a secret. */
export type LogKeys = Readonly<Record<string, string | number | undefined>>;

const currentKeys = new AsyncLocalStorage<Record<string, string | number | undefined>>();

/**
 * Runs a piece of work whose log lines all carry these keys, and those that it adds. The messages of a batch are worked
 * concurrently, so the logger's own keys, which apply to the whole invocation, would mix them up.
 */
export function withLogKeys<T>(keys: LogKeys, work: () => T): T {
  return currentKeys.run({ ...keys }, work);
}

/** Adds keys to all later log lines of this piece of work. */
export function addLogKeys(keys: LogKeys): void {
  const known = currentKeys.getStore();
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
        ...currentKeys.getStore(),
      },
    }).addAttributes(additional);
  }
}

/** Writes structured log lines. Never pass it anything that contains a token or an API key. */
export const logger = new Logger({ logFormatter: new Formatter() });

/** Reports an error of the service to operators. */
export const reportError = (message: string, error: unknown) => logger.error(message, error as Error);

/** Reports an item that could not be processed to operators. */
export const reportItem = (message: string) => (key: object, error: unknown) =>
  logger.error(message, { ...key, error: error as Error });

/** Reports a problem that the service can tolerate to operators. */
export const reportWarning = (message: string, details: unknown) => logger.warn(message, details as Error);
