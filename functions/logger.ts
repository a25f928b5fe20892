/** What stands in a line beside its message: fields by name, where `error` may be an error, or an error alone. */
export type Details = Readonly<Record<string, unknown>> | Error;

type Level = 'INFO' | 'WARN' | 'ERROR';

/** Fields that every line carries until they are reset: the ids of the request at hand. */
let keys: Readonly<Record<string, unknown>> = {};

/**
 * Structured lines, one JSON object each, with the request's ids. Nothing that holds a token or a key is ever handed to
 * it. Lambda passes lines that are JSON already on as they are and filters by `level` and `timestamp`
 * (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html).
 */
export const logger = {
  info: (message: string, details?: Details): void => write('INFO', message, details),
  warn: (message: string, details?: Details): void => write('WARN', message, details),
  error: (message: string, details?: Details): void => write('ERROR', message, details),
  appendKeys: (more: Readonly<Record<string, unknown>>): void => {
    keys = { ...keys, ...more };
  },
  resetKeys: (): void => {
    keys = {};
  },
};

function write(level: Level, message: string, details: Details = {}): void {
  const fields = details instanceof Error ? { error: details } : details;
  const line = {
    level,
    message,
    timestamp: new Date().toISOString(),
    function: process.env['FUNCTION_NAME'],
    ...keys,
    ...fields,
  };
  // Past `console`, which Lambda replaces by one that wraps what it is given.
  process.stdout.write(`${JSON.stringify(line, describeErrors)}\n`);
}

/** An error's own properties are not enumerable, so JSON would show it as `{}`. */
function describeErrors(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause !== undefined && { cause }) };
}
