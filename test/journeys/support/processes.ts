import { setTimeout as delay } from 'node:timers/promises';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { until } from './client.ts';

type Processes = Pick<CloudVisit, 'processes'>;

/** Kills one of the function's processes. @returns true if there was one */
export function kill(cloud: Processes, functionName: string, turn = 0): boolean {
  const processes = cloud.processes().filter((process) => process.function === functionName);
  const victim = processes[turn % processes.length];
  if (victim === undefined) return false;
  try {
    process.kill(victim.pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
  return true;
}

/** Kills the function's processes until none is left. */
export async function killAll(cloud: Processes, functionName: string): Promise<void> {
  while (kill(cloud, functionName)) await delay(20);
}

/** Waits until a process of the function handles an event, and kills it at once. */
export async function killAtWork(cloud: Processes, functionName: string): Promise<void> {
  await until(
    () => cloud.processes().find((process) => process.isBusy && process.function === functionName),
    (worker) => worker !== undefined,
    { pauseMs: 1 },
  );
  await killAll(cloud, functionName);
}
