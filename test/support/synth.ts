import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesize } from '../../bin/dev/synthesis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The synthesized assembly of the service, for tests that read or run it. */
    readonly assemblyDirectory: string;
  }
}

/** Synthesizes the service once per test run, and not at all if no source has changed since the last synthesis. */
export default async function setup(project: TestProject): Promise<void> {
  const root = join(import.meta.dirname, '../..');
  const assemblyDirectory = join(root, '.build/test-assembly');
  await synthesize(root, assemblyDirectory);
  project.provide('assemblyDirectory', assemblyDirectory);
}
