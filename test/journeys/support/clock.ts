import * as z from 'zod';

interface Endpoint {
  readonly awsEndpoint: string;
}

const Clock = z.object({ now: z.string() });

async function clock({ awsEndpoint }: Endpoint, request: RequestInit = {}): Promise<number> {
  const response = await fetch(`${awsEndpoint}/_local/clock`, request);
  if (!response.ok) throw new Error(`the clock answers ${response.status}: ${await response.text()}`);
  return Date.parse(Clock.parse(await response.json()).now);
}

/** What time it is in the local cloud, in epoch milliseconds. */
export const readClock = (cloud: Endpoint): Promise<number> => clock(cloud);

/** Moves the local clock as any program may, over HTTP. */
export async function advance(cloud: Endpoint, seconds: number): Promise<void> {
  await clock(cloud, { method: 'POST', body: JSON.stringify({ advanceSeconds: seconds }) });
}

/** Moves the clock to a moment, in epoch milliseconds; one that has passed is left. */
export async function advanceTo(cloud: Endpoint, momentMs: number): Promise<void> {
  await advance(cloud, Math.max(0, (momentMs - (await readClock(cloud))) / 1_000));
}

/** What to do while waiting for work that waits itself: each look finds some seconds more gone by. */
export function passing(cloud: Endpoint, seconds: number): { meanwhile(): Promise<void> } {
  return { meanwhile: () => advance(cloud, seconds) };
}
