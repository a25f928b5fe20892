import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Only a test that hangs reaches this.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
