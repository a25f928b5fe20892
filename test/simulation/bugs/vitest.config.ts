import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { shared, units } from '../../../vitest.config.ts';
import { sourcesWith } from './plant.ts';
import { bugVariable, patchesNamed } from './tested-bugs.ts';

/** Plants a bug: gives its files another text when a test loads them. */
function planted(name: string): Plugin {
  const sources = sourcesWith(patchesNamed(name));
  return {
    name: 'planted bug',
    enforce: 'pre',
    load: (id) => sources.get(pathToFileURL(id).href),
  };
}

/** The configuration of the unit tests for a run with a planted bug. */
export default defineConfig({
  root: join(import.meta.dirname, '../../..'),
  plugins: [planted(process.env[bugVariable] ?? '')],
  test: {
    ...shared,
    ...units,
    include: ['test/**/*.test.ts'],
    provide: { tablesInMemory: true },
    setupFiles: ['test/support/same-seeds.ts'],
  },
});
