/** Setup file: measures the CPU seconds of each test file, without its imports, which files of a worker share. */
import { afterAll, beforeAll } from 'vitest';
import { cpuSeconds } from './cpu-seconds.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The CPU seconds of a file's tests and hooks, and of the processes that they started. */
    cpuSeconds?: number;
  }
}

let before: number;
beforeAll(() => {
  before = cpuSeconds(process.pid);
});
// Fixtures come first. vitest requires the pattern, even if it is empty.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures the hook needs
afterAll(({}, suite) => {
  suite.file.meta.cpuSeconds = cpuSeconds(process.pid) - before;
});
