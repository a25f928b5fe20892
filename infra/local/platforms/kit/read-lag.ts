import type { Workbench } from './types.ts';

/**
 * The moment whose state the platform's reads show, in epoch milliseconds. The setting `readLagSeconds` says how far reads
 * lag behind writes; `forever` hides every write.
 *
 * @param now epoch milliseconds
 */
export function shownAt({ setting }: Pick<Workbench, 'setting'>, now: number): number {
  const lag = setting('readLagSeconds');
  return lag === 'forever' ? Number.NEGATIVE_INFINITY : now - Number(lag) * 1_000;
}
