import { test } from 'vitest';
import { type CloudVisit, startSharedCloud } from './local-cloud.ts';

const journey = test.extend(
  'sharedCloud',
  { scope: 'worker' },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which other fixtures this one needs
  async ({}, { onCleanup }) => {
    const shared = await startSharedCloud();
    onCleanup(() => shared.stop());
    return shared;
  },
);

/**
 * Opens a visit to the local cloud that the test files of a worker share. Call it once at the top of a file. The visit has
 * workspaces of its own, and simulators without planned faults and changed settings. What earlier files have published is
 * still there, and time only goes forward. A file that needs a fresh platform starts its own cloud. The file fails if it
 * leaves a waiting target that the sweep would not find.
 */
export function visitSharedCloud(use: (cloud: CloudVisit) => unknown): void {
  journey.beforeAll(async ({ sharedCloud }) => {
    await use(await sharedCloud.visit());
  });
  journey.afterAll(({ sharedCloud }) => sharedCloud.audit());
}
