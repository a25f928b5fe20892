import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { minuteMs, secondMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { type AdminContext, type Commands, operatorCommand } from './command.ts';
import { localFunctions, readLocalLogs } from './local-logs.ts';
import { readDurationMs } from './values.ts';

export const tailCommands: Commands = {
  tail: operatorCommand({
    verb: 'stage.read',
    options: {
      failures: { summary: 'only warnings, errors and destinations that have failed' },
      function: { value: 'name', summary: 'only lines of one function, such as publish-target' },
      since: {
        value: 'duration',
        read: readDurationMs,
        default: '10m',
        summary: 'start of the output, such as 5m or 2h ago',
      },
      follow: { summary: 'continue with new lines until Ctrl-C' },
    },
    summary: 'show the log lines of all functions with their ids of posts and other work, oldest first',
    detail:
      'In AWS it reads CloudWatch Logs, locally the files in DATA_DIR/logs. With --json: a line of JSON each.',
    run: async (context, _, { since, follow: isFollowing, failures: isFailures, function: name }) => {
      const { out, now } = context;
      const wanted = { isFailures, name };
      if (context.isLocal && name !== undefined) await tellOfUnknownFunction(context, name);
      const seen = new Set<string>();
      let sinceMs = now - since;
      for (;;) {
        const lines = await readLines(context, wanted, sinceMs);
        const fresh = lines.filter((line) => !seen.has(identityOf(line)));
        for (const line of fresh) {
          seen.add(identityOf(line));
          out.line(line, textOf(line));
        }
        if (!isFollowing) {
          if (lines.length === 0) out.note('none');
          return;
        }
        // A line may arrive late.
        const latest = lines.at(-1)?.at;
        if (latest) sinceMs = Math.max(sinceMs, Date.parse(latest) - minuteMs);
        await delay(followMs);
      }
    },
  }),
};

const followMs = 2 * secondMs;

const identityOf = (line: ShownLine): string => JSON.stringify(line);

interface Wanted {
  readonly isFailures: boolean;
  /** The name of a function; `undefined` for all. */
  readonly name: string | undefined;
}

/**
 * Reads the wanted lines since a time, oldest first.
 *
 * @param sinceMs epoch milliseconds
 */
async function readLines(context: AdminContext, wanted: Wanted, sinceMs: number): Promise<ShownLine[]> {
  const found = context.isLocal ? await localLines() : await deployedLines(context, wanted, sinceMs);
  const since = toTimestamp(sinceMs);
  return found
    .filter((line) => (line.at ?? '') >= since)
    .filter((line) => !wanted.isFailures || isFailure(line))
    .filter((line) => isWanted(wanted.name, line.functionName))
    .sort((one, other) => ((one.at ?? '') < (other.at ?? '') ? -1 : 1));
}

const isWanted = (wanted: string | undefined, functionName: string): boolean =>
  wanted === undefined || lettersOf(wanted) === lettersOf(functionName);

/** Returns the letters of a name, for comparison: CloudFormation leaves hyphens out of names. */
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Notes that a function is unknown. It may still be right: a function writes its log when it first runs. */
async function tellOfUnknownFunction({ out }: AdminContext, wanted: string): Promise<void> {
  const names = await localFunctions();
  if (names.some((name) => isWanted(wanted, name))) return;
  out.note(`No function ${wanted} has run yet. Those that have: ${names.join(', ') || 'none'}`);
}

async function localLines(): Promise<ShownLine[]> {
  const lines: ShownLine[] = [];
  for await (const { functionName, line } of readLocalLogs()) {
    const shown = readLine(functionName, line);
    if (shown) lines.push(shown);
  }
  return lines;
}

/** The number of lines of a function that are read at a time. */
const maxLines = 1_000;

async function deployedLines(
  { stage, out }: AdminContext,
  { isFailures, name }: Wanted,
  sinceMs: number,
): Promise<ShownLine[]> {
  // This module loads a client that no other command needs.
  const { functionOf, openStageLogs } = await import('../../lib/aws/stage-logs.ts');
  const logs = openStageLogs();
  const groups = await logs.findGroups(stage);
  const wanted = groups.filter((group) => isWanted(name, functionOf(group)));
  if (wanted.length === 0)
    throw new HeraldError(
      'not_found',
      `no such function in this stage. Choose one of: ${groups.map(functionOf).join(', ') || 'none'}`,
    );
  const pattern = isFailures ? failurePattern : undefined;
  const lines: ShownLine[] = [];
  // One after the other: an account may make few of these requests a second.
  for (const group of wanted) {
    const events = await logs.read(group, { sinceMs, pattern }, maxLines);
    if (events.length === maxLines)
      out.note(`${functionOf(group)} has more than ${maxLines} lines: shorten --since.`);
    for (const { functionName, line } of events) {
      const shown = readLine(functionName, line);
      if (shown) lines.push(shown);
    }
  }
  return lines;
}

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
const aboutNames = /(Id|code|reason|state|outcome|platform|effect|nextAt|key)$|^[ps]k$/;

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
