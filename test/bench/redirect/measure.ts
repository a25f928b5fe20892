import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../bench.ts';

const run = promisify(execFile);
const measureOnce = join(import.meta.dirname, 'measure-once.cjs');

/**
 * Medians; for import and first request, of the faster half of the processes. Times are in milliseconds; "processor" is
 * the time of all threads.
 */
export interface Measured {
  readonly importMs: number;
  readonly importProcessorMs: number;
  /** Import and first request. */
  readonly firstMs: number;
  readonly firstProcessorMs: number;
  /** Mean time per request. */
  readonly warmProcessorMs: number;
  readonly perSecond: number;
}

/**
 * Measures every bundle in fresh processes, one at a time and alternating, so that other load on the machine affects all
 * of them equally.
 *
 * @param bundles each bundle's file, keyed by its name
 */
export async function measureBundles(
  bundles: ReadonlyMap<string, string>,
  options: {
    readonly environment: Readonly<Record<string, string>>;
    readonly coldRounds: number;
    readonly warmRounds: number;
    readonly warmRequests: number;
  },
): Promise<ReadonlyMap<string, Measured>> {
  const samples = new Map([...bundles.keys()].map((name) => [name, [] as Partial<Measured>[]]));
  const { coldRounds, warmRounds, warmRequests, environment } = options;
  for (let round = 0; round < coldRounds + warmRounds; round += 1) {
    const inTurn = round % 2 === 0 ? [...bundles] : [...bundles].reverse();
    const requests = round < coldRounds ? 0 : warmRequests;
    for (const [name, file] of inTurn) {
      const { stdout } = await run(process.execPath, [measureOnce, file, String(requests)], {
        env: { ...environment },
      });
      // The last line: the function may have logged something before.
      samples.get(name)?.push(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    }
  }
  const middle = (all: readonly Partial<Measured>[], figure: keyof Measured) =>
    median(all.flatMap((sample) => sample[figure] ?? []));
  // A cold start also waits for the stub, and on a busy machine most of its time is that wait.
  const quieter = (all: readonly Partial<Measured>[], figure: keyof Measured) => {
    const sorted = all.flatMap((sample) => sample[figure] ?? []).sort((one, other) => one - other);
    return median(sorted.slice(0, Math.ceil(sorted.length / 2)));
  };
  return new Map(
    [...samples].map(([name, all]) => [
      name,
      {
        importMs: quieter(all, 'importMs'),
        importProcessorMs: quieter(all, 'importProcessorMs'),
        firstMs: quieter(all, 'firstMs'),
        firstProcessorMs: quieter(all, 'firstProcessorMs'),
        warmProcessorMs: middle(all, 'warmProcessorMs'),
        perSecond: middle(all, 'perSecond'),
      },
    ]),
  );
}
