/** Runs the database engine as a child process that cannot outlive this process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngineClient, type EngineClient } from './engine-client.ts';
import type { EngineProgram } from './engine-program.ts';

export interface EngineProcess {
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
