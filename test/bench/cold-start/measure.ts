import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../bench.ts';

const run = promisify(execFile);
const importOnce = join(import.meta.dirname, 'import-once.cjs');

export interface ImportTime {
  /** Median in milliseconds. */
  readonly wallMs: number;
  /** Median of the processor time of all threads, in milliseconds. */
  readonly processorMs: number;
}

/**
 * Imports every bundle in fresh processes, one at a time and alternating, so that other load on the machine affects all
 * of them equally.
 *
 * @param bundles each bundle's file, keyed by its name
 */
export async function measureImports(
  bundles: ReadonlyMap<string, string>,
  { rounds, environment }: { rounds: number; environment: Readonly<Record<string, string>> },
): Promise<ReadonlyMap<string, ImportTime>> {
  const samples = new Map([...bundles.keys()].map((name) => [name, [] as (readonly [number, number])[]]));
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = round % 2 === 0 ? [...bundles] : [...bundles].reverse();
    for (const [name, file] of inTurn) {
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
