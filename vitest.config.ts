import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { MissingPrograms } from './test/support/missing-programs.ts';

const databaseEngine = 'test/support/database-engine.ts';

export default defineConfig({
  test: {
    // Two cores are what the suite is measured on.
    maxWorkers: 2,
    reporters: ['default', new MissingPrograms()],
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/journeys/**'],
          isolate: false,
          globalSetup: databaseEngine,
          // What goes well need not be told.
          env: { POWERTOOLS_LOG_LEVEL: 'WARN' },
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          // Only these run the synthesized service, and nothing else should wait for the synthesis.
          globalSetup: 'test/support/synth.ts',
          testTimeout: 40_000,
          // They share nothing but what they import, which costs more than a second a file.
          isolate: false,
          // After the others: what they measure in seconds should not share the processors with everything else.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
