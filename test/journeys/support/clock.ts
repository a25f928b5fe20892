import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { CloudVisit } from '../../support/local-cloud.ts';

interface Endpoint {
  readonly awsEndpoint: string;
}

const Clock = z.object({ now: z.string() });

async function clock({ awsEndpoint }: Endpoint, request: RequestInit = {}): Promise<number> {
  const response = await fetch(`${awsEndpoint}/_local/clock`, request);
  if (!response.ok) throw new Error(`the clock returned ${response.status}: ${await response.text()}`);
  return Date.parse(Clock.parse(await response.json()).now);
}

/** Returns the local cloud's time in epoch milliseconds. */
export const readClock = (cloud: Endpoint): Promise<number> => clock(cloud);

/** Moves the local clock over its HTTP interface. */
export async function advance(cloud: Endpoint, seconds: number): Promise<void> {
  await clock(cloud, { method: 'POST', body: JSON.stringify({ advanceSeconds: seconds }) });
}

/** Moves the clock to a time in epoch milliseconds. Does nothing if it has passed. */
export async function advanceTo(cloud: Endpoint, momentMs: number): Promise<void> {
  await advance(cloud, Math.max(0, (momentMs - (await readClock(cloud))) / 1_000));
}

const targetWorkers: ReadonlySet<string> = new Set(['publish-target', 'upload-target']);

/** The longest that `passing` waits for workers in real time, if some of them may wait for a response that never comes. */
const longestWorkMs = 500;

/**
 * An option for `until`: moves the clock between two checks, for work that waits for the clock. Lets publishing workers
 * finish first. Their calls take real time: if the clock ran ahead of it, each worker would lose its lease to the next.
 *
 * @param workMs the longest to wait for workers, in real time. Infinity if each of them gets its responses
 */
export function passing(
  cloud: Endpoint & Pick<CloudVisit, 'processes'>,
  seconds: number,
  workMs = longestWorkMs,
): { meanwhile(): Promise<void> } {
  const isWorking = () =>
    cloud.processes().some((process) => process.isBusy && targetWorkers.has(process.function));
  return {
    async meanwhile() {
      const end = performance.now() + workMs;
      while (isWorking() && performance.now() < end) await delay(20);
      await advance(cloud, seconds);
    },
  };
}

/** Real time without work after which nothing is on its way from one function to another: the stream is read four times a second. */
const quietMs = 400;

/**
 * Moves the clock to a time step by step, and lets all functions finish before each step and before the end. A function that runs does
 * not see that the clock is moved: a message that it sends with a delay would arrive later by the step.
 */
export async function passTo(
  cloud: Endpoint & Pick<CloudVisit, 'processes'>,
  momentMs: number,
  stepSeconds: number,
): Promise<void> {
  const quiet = async () => {
    let sinceMs = performance.now();
    while (performance.now() - sinceMs < quietMs) {
      await delay(20);
      if (cloud.processes().some(({ isBusy }) => isBusy)) sinceMs = performance.now();
    }
  };
  await quiet();
  for (let now = await readClock(cloud); now < momentMs; now = await readClock(cloud)) {
    await advanceTo(cloud, Math.min(momentMs, now + stepSeconds * 1_000));
    await quiet();
  }
}
