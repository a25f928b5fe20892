import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../bench.ts';
import type { Variables } from '../environments.ts';

const run = promisify(execFile);
const importOnce = join(import.meta.dirname, 'import-once.cjs');

export interface ImportTime {
  /** Median in milliseconds. */
  readonly wallMs: number;
  /** Median of the processor time of all threads, in milliseconds. */
  readonly processorMs: number;
}

export interface MeasuredBundle {
  readonly name: string;
  readonly file: string;
  /** All its environment variables. */
  readonly environment: Variables;
}

/**
 * Imports every bundle in fresh processes, one at a time and alternating, so that other load on the machine affects all
 * of them equally.
 */
export async function measureImports(
  bundles: readonly MeasuredBundle[],
  rounds: number,
): Promise<ReadonlyMap<string, ImportTime>> {
  const samples = new Map(bundles.map(({ name }) => [name, [] as (readonly [number, number])[]]));
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = round % 2 === 0 ? bundles : bundles.toReversed();
    for (const { name, file, environment } of inTurn) {
      const { stdout } = await run(process.execPath, [importOnce, file], { env: { ...environment } });
      samples.get(name)?.push(JSON.parse(stdout));
    }
  }
  return new Map(
    [...samples].map(([name, times]) => [
      name,
      {
        wallMs: median(times.map(([wallMs]) => wallMs)),
        processorMs: median(times.map(([, processorMs]) => processorMs)),
      },
    ]),
  );
}
