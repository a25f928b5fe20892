import { defineConfig } from 'vitest/config';
import { CpuReport } from './test/support/cpu/cpu-report.ts';
import { MissingPrograms } from './test/support/missing-programs.ts';
import { SecondTries } from './test/support/second-tries.ts';
import { journeys, panel, shared, units } from './vitest.config.ts';

const notUnits = ['test/journeys/**', 'test/panel/**', 'test/deep/journeys/**', 'test/deep/panel/**'];

/** Browsers share a machine with what else it runs. A test that passes only at the second try is reported as such. */
const retry = 1;

/** The parts of the deep run that vitest runs: `npm run test:deep`. */
export default defineConfig({
  test: {
    ...shared,
    reporters: ['default', new MissingPrograms(), new CpuReport(), new SecondTries()],
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['test/**/*.test.ts'],
          exclude: [...notUnits, '**/node_modules/**'],
          // The same files as in the daily run, and those of `test/deep`, on the real database engine.
          provide: { tablesInMemory: false },
          ...units,
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts', 'test/deep/journeys/*.test.ts'],
          ...journeys,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser-journeys',
          retry,
          include: ['test/deep/journeys/browser/**/*.test.ts'],
          ...journeys,
        },
      },
      {
        extends: true,
        test: {
          name: 'panel',
          retry,
          include: ['test/panel/**/*.test.ts', 'test/deep/panel/**/*.test.ts'],
          ...panel,
        },
      },
    ],
  },
});
