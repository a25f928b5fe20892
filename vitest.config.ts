import { join } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { CpuReport } from './test/support/cpu/cpu-report.ts';
import { MissingPrograms } from './test/support/missing-programs.ts';

// Tests start processes: commands, and the functions of local clouds. Each would compile its modules again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.build/compile-cache');

/** Settings that the daily run and the deep run (`vitest.deep.config.ts`) share. */
export const shared = {
  setupFiles: ['test/support/cpu/measure.ts'],
  // Only a test that hangs reaches this.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // By default, vitest leaves one processor idle.
  maxWorkers: '100%',
  // Isolation would import everything again for each file.
  isolate: false,
} satisfies ViteUserConfig['test'];

/** Tests of code and templates, which start no local cloud. */
export const units = {
  globalSetup: 'test/support/database-engine.ts',
  // Tests log warnings and errors only.
  env: { POWERTOOLS_LOG_LEVEL: 'WARN' },
};

/** Tests that run the synthesized service on a local cloud. */
export const journeys = {
  globalSetup: 'test/support/synth.ts',
  setupFiles: ['test/support/report-failure.ts'],
};

/** Tests of the panel's pages in a browser, with an API that does as told. */
export const panel = {
  setupFiles: ['test/panel/support/temporal.ts'],
  expect: { poll: { timeout: 90_000 } },
};

/** The daily run: `npm test`. It has no retries. */
export default defineConfig({
  test: {
    ...shared,
    reporters: ['default', new MissingPrograms(), new CpuReport({ boundedProject: 'units' })],
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['test/**/*.test.ts'],
          exclude: ['test/deep/**', 'test/journeys/**', 'test/panel/**', '**/node_modules/**'],
          provide: { tablesInMemory: true },
          ...units,
          setupFiles: ['test/support/same-seeds.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          ...journeys,
        },
      },
      {
        extends: true,
        test: {
          name: 'panel',
          include: ['test/panel/**/*.test.ts'],
          ...panel,
        },
      },
    ],
  },
});
