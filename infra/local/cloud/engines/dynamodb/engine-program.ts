/** Finds a database engine that this machine can run, and its command line. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface EngineProgram {
  readonly command: string;
  readonly workingDirectory?: string;
  arguments(port: number): string[];
  /** The engine's database file; set for dynoxide only. */
  readonly dynoxideFile?: string;
}

const resolvePackage = createRequire(import.meta.url).resolve;

/**
 * Chooses dynoxide if its binary for this platform is installed; else AWS's DynamoDB Local if its package and Java 17
 * or newer are installed. Both keep their data in the directory.
 *
 * @throws Error that says what to install.
 */
export function findEngineProgram(directory: string): EngineProgram {
  const program = dynoxide(directory) ?? dynamodbLocal(directory);
  if (program) return program;
  const platform = `${process.platform}-${process.arch}`;
  throw new Error(
    `There is no DynamoDB engine for ${platform}: run "npm install --no-save @dynoxide/${platform}", or ` +
      '"npm install --no-save amplify-dynamodb-simulator" with Java 17 or newer on the PATH.',
  );
}

function dynoxide(directory: string): EngineProgram | undefined {
  const manifest = tryResolve(`@dynoxide/${process.platform}-${process.arch}/package.json`);
  const command = manifest && join(dirname(manifest), 'dynoxide');
  if (command === undefined || !existsSync(command)) return undefined;
  const dynoxideFile = join(directory, 'dynamodb.sqlite');
  return {
    command,
    dynoxideFile,
    arguments: (port) => ['--host', '127.0.0.1', '--port', String(port), '--db-path', dynoxideFile],
  };
}

function dynamodbLocal(directory: string): EngineProgram | undefined {
  const manifest = tryResolve('amplify-dynamodb-simulator/package.json');
  if (manifest === undefined || javaMajorVersion() < 17) return undefined;
  return {
    command: 'java',
    workingDirectory: join(dirname(manifest), 'emulator'),
    arguments: (port) => [
      '-Djava.library.path=DynamoDBLocal_lib',
      '-jar',
      'DynamoDBLocal.jar',
      ...['-dbPath', directory, '-sharedDb', '-port', String(port)],
    ],
  };
}

function tryResolve(specifier: string): string | undefined {
  try {
    return resolvePackage(specifier);
  } catch {
    return undefined;
  }
}

/** Returns Java's major version; 0 if Java is not installed. */
function javaMajorVersion(): number {
  try {
    const [, major] =
      /^(?:openjdk|java) (\d+)/.exec(execFileSync('java', ['--version'], { encoding: 'utf8' })) ?? [];
    return Number(major ?? 0);
  } catch {
    return 0;
  }
}
