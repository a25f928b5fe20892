import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { platformDimension, reasonDimension } from '../../lib/metrics/measurements.ts';
import { dataFolder } from '../data-folder.ts';

/** Returns the folder with a log file for each function of the local cloud. */
export const localLogs = (): string => join(dataFolder(process.env), 'logs');

/** The number of bytes to read from the end of a file. */
const tailBytes = 4 * 1024 * 1024;

/** A line of a function's log. */
export interface LogLine {
  readonly functionName: string;
  readonly line: string;
}

/** Returns the names of the functions that have written a log, without the API's requests. None if the folder does not exist. */
export async function localFunctions(folder = localLogs()): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) =>
    name.endsWith('.log') && name !== 'access.log' ? [name.slice(0, -'.log'.length)] : [],
  );
}

/** Reads the last lines of each function's log, a few megabytes of each. No lines if the folder does not exist. */
export async function* readLocalLogs(folder = localLogs()): AsyncGenerator<LogLine> {
  for (const functionName of await localFunctions(folder)) {
    for (const line of (await endOf(join(folder, `${functionName}.log`))).split('\n'))
      if (line !== '') yield { functionName, line };
  }
}

async function endOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString('utf8');
    return length < size ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    await file.close();
  }
}

const MetricLine = z.looseObject({ _aws: z.object({ Timestamp: z.number() }) });

/**
 * Sums a metric by platform, from the functions' log lines.
 *
 * @param sinceMs epoch milliseconds
 */
export async function sumLocalMetric(
  name: string,
  sinceMs: number,
  lines: AsyncIterable<LogLine> | Iterable<LogLine> = readLocalLogs(),
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for await (const { line } of lines) {
    if (!line.includes(name)) continue;
    const metric = MetricLine.safeParse(parsed(line)).data;
    const platform = metric?.[platformDimension];
    if (!metric || metric._aws.Timestamp < sinceMs || typeof platform !== 'string') continue;
    // A line with a reason repeats a part of another line.
    if (reasonDimension in metric) continue;
    const values = [metric[name]].flat().filter((value) => typeof value === 'number');
    sums.set(platform, (sums.get(platform) ?? 0) + values.reduce((sum, value) => sum + value, 0));
  }
  return sums;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
