import { join } from 'node:path';
import { synthesize } from '../../bin/dev/synthesis.ts';
import { startTestCloud } from '../support/local-cloud.ts';
import type { Surroundings } from './bench.ts';

const root = join(import.meta.dirname, '../..');

/** What `npm run bench` gives a bench: the service as its sources are now, and a new local cloud each time. */
export function ownSurroundings(progress: Surroundings['progress']): Surroundings {
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
