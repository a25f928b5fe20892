import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EngineProgram,
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the database engine that all test files share. */
    databaseEndpoint: string;
    /** True if tests of lib and functions use tables and simulated platforms in memory; false in the deep run. */
    tablesInMemory: boolean;
  }
}

/** dynoxide keeps its data in memory without a file, which saves half of its work. */
function argumentsOf(program: EngineProgram, port: number): string[] {
  return program.dynoxideFile === undefined
    ? program.arguments(port)
    : ['--host', '127.0.0.1', '--port', String(port)];
}

/** Starts one database engine for the whole run. Each test file uses its own tables. */
export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'test-database-'));
  const program = findEngineProgram(directory);
  let endpoint = '';
  const engine = await startEngineProcess({
    ...program,
    arguments: (port) => {
      endpoint = `http://127.0.0.1:${port}`;
      return argumentsOf(program, port);
    },
  });
  project.provide('databaseEndpoint', endpoint);
  return async () => {
    await engine.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
