import { join } from 'node:path';
import { synthesize } from '../../bin/dev/synthesis.ts';
import { startTestCloud } from '../support/local-cloud.ts';
import type { BenchContext } from './bench.ts';

const root = join(import.meta.dirname, '../..');

/** The context of `npm run bench`: synthesizes the current sources, and starts a new local cloud for each measurement. */
export function ownContext(progress: BenchContext['progress']): BenchContext {
  const assembly = async () => {
    const directory = join(root, '.build/bench-assembly');
    await synthesize(root, directory);
    return directory;
  };
  return {
    progress,
    assembly,
    async withCloud(options, measure) {
      const cloud = await startTestCloud({ ...options, assemblyDirectory: await assembly() });
      try {
        return await measure(cloud);
      } finally {
        await cloud.stop();
      }
    },
  };
}
