import { globSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { LocalCloud } from '@herald/local-cloud/types.ts';
import { buildSite, cacheControlOf } from '../../infra/site.ts';

/** Time without changes before a build, because editors write a file in several steps. */
const quietMs = 100;

/**
 * Rebuilds the panel's site whenever its sources change, and reloads open pages. If the build fails, the error is shown and the
 * site stays as it was.
 *
 * @param directory receives the built site, with source maps
 */
export function watchPanel(
  sources: string,
  cloud: Pick<LocalCloud, 'watchPanel' | 'publishPanel'>,
  directory: string,
  log: (line: string) => void,
): void {
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve();

  async function build(): Promise<void> {
    try {
      const site = await buildSite({ sources, outputDirectory: directory, hasSourceMaps: true });
      const keys = globSync('**/*.*', { cwd: site.directory });
      await cloud.publishPanel(
        keys.map((key) => ({
          key,
          file: join(site.directory, key),
          headers: { 'cache-control': cacheControlOf(key) },
        })),
      );
    } catch (error) {
      log(`The panel cannot be built: ${error instanceof Error ? error.message : error}`);
    }
  }

  cloud.watchPanel();
  watch(sources, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(build);
    }, quietMs);
  }).unref();
}
