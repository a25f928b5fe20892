/** Finds a database engine that this machine can run, and runs it as a child process that cannot outlive this process. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngineClient, type EngineClient } from './engine-client.ts';

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

interface EngineProcess {
  readonly client: EngineClient;
  stop(): Promise<void>;
}

/**
 * The shell that starts the engine reads a pipe from this process. When this process ends, even by SIGKILL, the pipe
 * closes and the shell kills the engine. Both are in a separate process group, so the terminal's Ctrl-C does not reach
 * the engine and functions can finish their last requests.
 */
const supervisor = `
  exec 3<&0
  "$0" "$@" 3<&- < /dev/null & engine=$!
  (cat <&3 > /dev/null; kill "$engine" 2> /dev/null) &
  exec 3<&-
  wait "$engine"
`;

const startTimeoutMs = 20_000;

/** @throws Error if the engine exits or does not answer within `startTimeoutMs`. */
export async function startEngineProcess(program: EngineProgram): Promise<EngineProcess> {
  const port = await freePort();
  const child = spawn('sh', ['-c', supervisor, program.command, ...program.arguments(port)], {
    cwd: program.workingDirectory,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const output = tailOf(child);
  child.stdin?.on('error', () => {});
  const client = createEngineClient(port);
  const deadline = Date.now() + startTimeoutMs;
  while (!(await answers(client))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stopChild(child);
      throw new Error(`The database engine did not start: ${output() || program.command}`);
    }
    await sleep(10);
  }
  return {
    client,
    async stop() {
      client.close();
      await stopChild(child);
    },
  };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
}

async function answers(client: EngineClient): Promise<boolean> {
  try {
    await client.call('DynamoDB_20120810.ListTables', {});
    return true;
  } catch {
    return false;
  }
}

/** Returns a function that gives the last line that the program wrote to stderr, for error messages. */
function tailOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-500);
  });
  return () => text.trim().split('\n').at(-1) ?? '';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port on 127.0.0.1');
  return address.port;
}
