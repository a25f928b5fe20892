import * as z from 'zod';

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

/** An option for `until`: moves the clock between two checks, for work that waits for the clock. */
export function passing(cloud: Endpoint, seconds: number): { meanwhile(): Promise<void> } {
  return { meanwhile: () => advance(cloud, seconds) };
}
