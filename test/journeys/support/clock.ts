import type { TestCloud } from '../../support/local-cloud.ts';

/** Moves the local clock as any program may, over HTTP. */
export async function advance(cloud: Pick<TestCloud, 'awsEndpoint'>, seconds: number): Promise<void> {
  const response = await fetch(`${cloud.awsEndpoint}/_local/clock`, {
    method: 'POST',
    body: JSON.stringify({ advanceSeconds: Math.max(0, seconds) }),
  });
  if (!response.ok) throw new Error(`the clock answers ${response.status}: ${await response.text()}`);
}

/** Moves the clock to a moment, in epoch milliseconds; one that has passed is left. */
export function advanceTo(cloud: TestCloud, momentMs: number): Promise<void> {
  return advance(cloud, (momentMs - cloud.clock.now()) / 1_000);
}

/** What to do while waiting for work that waits itself: each look finds some seconds more gone by. */
export function passing(cloud: TestCloud, seconds: number): { meanwhile(): Promise<void> } {
  return { meanwhile: () => advance(cloud, seconds) };
}
