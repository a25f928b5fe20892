import * as z from 'zod';

/** A log line as `tail` shows it. */
export interface ShownLine {
  readonly at: string | null;
  readonly functionName: string;
  readonly level: string | null;
  readonly message: string;
  /** Ids and codes, such as `postId`. */
  readonly about: Readonly<Record<string, string>>;
  readonly error: string | null;
}

const Line = z.looseObject({
  level: z.string().optional(),
  message: z.string(),
  timestamp: z.string().optional(),
  error: z.unknown().optional(),
});

/** Names of the text fields that identify the subject of a line. Numbers are always shown. */
const aboutNames = /(Id|code|reason|state|outcome|platform|effect|nextAt|key)$/;

/**
 * Reads a line of a function's log. Pure.
 *
 * @returns `undefined` for a line that operators do not need, such as a metric or the start of an invocation
 */
export function readLine(functionName: string, line: string): ShownLine | undefined {
  const parsed = Line.safeParse(jsonOf(line));
  if (!parsed.success) return undefined;
  const { level, message, timestamp, error, ...rest } = parsed.data;
  const about = Object.entries(rest).flatMap(([name, value]) =>
    typeof value === 'number' || (typeof value === 'string' && aboutNames.test(name))
      ? [[name, String(value)] as const]
      : [],
  );
  return {
    at: timestamp ?? null,
    functionName,
    level: level ?? null,
    message,
    about: Object.fromEntries(about),
    error: errorOf(error),
  };
}

function errorOf(error: unknown): string | null {
  const { data } = z.looseObject({ message: z.string() }).safeParse(error);
  return data?.message ?? null;
}

const badLevels: readonly string[] = ['WARN', 'ERROR', 'CRITICAL', 'FATAL'];

/** Returns true for a warning, such as a failed destination, or an error. Pure. */
export const isFailure = ({ level }: ShownLine): boolean => badLevels.includes(level ?? '');

/** The lines that {@link isFailure} accepts, as a filter pattern of CloudWatch Logs. */
export const failurePattern = `{ ${badLevels.map((level) => `($.level = "${level}")`).join(' || ')} }`;

/** Formats a line as text. Pure. */
export function textOf({ at, functionName, level, message, about, error }: ShownLine): string {
  const ids = Object.entries(about).map(([name, value]) => `${name}=${value}`);
  return [
    at ?? '',
    (level ?? '').padEnd(5),
    functionName,
    message,
    ...ids,
    ...(error === null ? [] : [`error=${error.replaceAll(/\s+/g, ' ')}`]),
  ]
    .join('  ')
    .trim();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
