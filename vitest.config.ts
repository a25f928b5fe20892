import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { MissingPrograms } from './test/support/missing-programs.ts';

// Browsers and whole services share a machine with what else it runs. What passes only at the second try is printed as such.
const retry = 1;
const databaseEngine = 'test/support/database-engine.ts';

// Tests start hundreds of processes: commands, and the functions of local clouds. Each would compile its modules again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.build/compile-cache');

export default defineConfig({
  test: {
    // Tests often wait for the database, so three workers keep two cores busy.
    maxWorkers: 3,
    reporters: ['default', new MissingPrograms()],
    sequence: { sequencer: LongestFirst },
    // A pass needs a fraction of this, on two quiet processors.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/journeys/**', 'test/panel/**', '**/node_modules/**'],
          isolate: false,
          globalSetup: databaseEngine,
          // Tests log warnings and errors only.
          env: { POWERTOOLS_LOG_LEVEL: 'WARN' },
        },
      },
      {
        extends: true,
        test: {
          name: 'panel',
          retry,
          include: ['test/panel/**/*.test.ts'],
          isolate: false,
          expect: { poll: { timeout: 30_000 } },
          // Run at the end: browsers need the processors for themselves, and would disturb journeys.
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          retry,
          include: ['test/journeys/**/*.test.ts'],
          // Only journeys run the synthesized service, so no other test waits for the synthesis.
          globalSetup: 'test/support/synth.ts',
          setupFiles: 'test/support/report-failure.ts',
          // Isolation would import everything again for each file, which takes more than a second.
          isolate: false,
          // Run after the other tests, because journeys measure seconds and need the processors for themselves.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
