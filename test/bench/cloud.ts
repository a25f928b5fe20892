import { join } from 'node:path';
import { synthesize } from '../../bin/dev/synthesis.ts';
import { startTestCloud, type TestCloud, type TestCloudOptions } from '../support/local-cloud.ts';

const root = join(import.meta.dirname, '../..');

/** Runs the service on its own local cloud during a measurement, and always stops it afterwards. */
export async function withCloud<Result>(
  options: Omit<TestCloudOptions, 'assemblyDirectory'>,
  measure: (cloud: TestCloud) => Promise<Result>,
): Promise<Result> {
  const assemblyDirectory = join(root, '.build/bench-assembly');
  await synthesize(root, assemblyDirectory);
  const cloud = await startTestCloud({ ...options, assemblyDirectory });
  try {
    return await measure(cloud);
  } finally {
    await cloud.stop();
  }
}
