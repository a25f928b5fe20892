import { AsyncLocalStorage } from 'node:async_hooks';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import { publishedVersion } from './published-version.ts';
import { environment } from './start.ts';

/** The subject of a piece of work: ids and names only. Never text that people wrote, never a secret. */
export type LogKeys = Readonly<Record<string, string | number | undefined>>;

const workKeys = new AsyncLocalStorage<Record<string, string | number | undefined>>();
let invocationKeys: Record<string, string | number | undefined> = {};

/** Starts an invocation: its log lines carry these keys, and none of the previous invocation. */
export function beginLogKeys(keys: LogKeys): void {
  invocationKeys = { ...keys };
}

/**
 * Runs a piece of work. All its log lines carry these keys, and those that it adds. The messages of a batch are worked
 * concurrently, so keys that apply to the whole invocation would mix them up.
 */
export function withLogKeys<T>(keys: LogKeys, work: () => T): T {
  return workKeys.run({ ...keys }, work);
}

/** Adds keys to all later log lines of this piece of work, or of the invocation if there is none. */
export function addLogKeys(keys: LogKeys): void {
  Object.assign(workKeys.getStore() ?? invocationKeys, keys);
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
        version: publishedVersion(environment('AWS_LAMBDA_FUNCTION_VERSION', '')),
        xray_trace_id: xRayTraceId,
        ...invocationKeys,
        ...workKeys.getStore(),
      },
    }).addAttributes(additional);
  }
}

let powertools: Logger | undefined;

/** Opens the logger at the first line: most requests write none, and opening its streams takes 2 of the 50 ms of a cold start. */
export function openLogger(): Logger {
  powertools ??= new Logger({ logFormatter: new Formatter() });
  return powertools;
}

type Write = (message: string, details?: Error | LogAttributes) => void;

const writer =
  (level: 'info' | 'warn' | 'error'): Write =>
  (message, ...details) =>
    openLogger()[level](message, ...(details as LogAttributes[]));

/** Writes structured log lines. Never pass it anything that contains a token or an API key. */
export const logger = { info: writer('info'), warn: writer('warn'), error: writer('error') };

/** Reports an error of the service to operators. */
export const reportError = (message: string, error: unknown) => logger.error(message, error as Error);

/** Reports an item that could not be processed to operators. */
export const reportItem = (message: string) => (key: object, error: unknown) =>
  logger.error(message, { ...key, error: error as Error });

/** Reports a problem that the service can tolerate to operators. */
export const reportWarning = (message: string, details: unknown) => logger.warn(message, details as Error);
