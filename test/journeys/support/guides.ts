import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { signatureHeader } from '../../../lib/webhooks/transport/signature.ts';
import { until } from './client.ts';
import { projectRoot } from './shell.ts';

/** A language of the guides, and how its programs run. */
export interface Language {
  readonly page: string;
  /** The language of its fenced blocks. */
  readonly fence: 'js' | 'python';
  /** The ending of its programs' names. */
  readonly ending: string;
  readonly command: string;
  /** Code that makes its programs wait for hundredths of a second in place of seconds, and shows each wait on stderr: `slept <seconds>`. */
  readonly shortWaits: { readonly file: string; readonly content: string };
  readonly options: (folder: string) => readonly string[];
}

export const node: Language = {
  page: 'docs/guides/node.md',
  fence: 'js',
  ending: '.mjs',
  command: process.execPath,
  shortWaits: {
    file: 'short-waits.mjs',
    content: `import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
const { setTimeout: sleep } = timers;
timers.setTimeout = (ms) => (console.error('slept', ms / 1000), sleep(ms / 100));
syncBuiltinESMExports();
const { now } = Date;
Date.now = () => now() + Number(process.env.CLOCK_AHEAD_MS ?? 0);`,
  },
  options: (folder) => ['--import', join(folder, 'short-waits.mjs')],
};

export const python: Language = {
  page: 'docs/guides/python.md',
  fence: 'python',
  ending: '.py',
  command: 'python3',
  shortWaits: {
    // Python imports a module of this name when it starts.
    file: 'sitecustomize.py',
    content: `import os, sys, time
sleep, now = time.sleep, time.time
time.sleep = lambda seconds: (print("slept", seconds, file=sys.stderr), sleep(seconds / 100))
time.time = lambda: now() + int(os.environ.get("CLOCK_AHEAD_MS", 0)) / 1000`,
  },
  options: () => [],
};

export interface Program {
  readonly child: ChildProcess;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** @throws Error with what it has printed if it ends with another status than 0 */
  readonly ended: Promise<{ readonly stdout: string; readonly stderr: string }>;
}

/** The programs of a guide, in a folder. */
export interface Programs {
  readonly folder: string;
  /** The names of the programs, in the order of the page. */
  readonly names: readonly string[];
  /** The guide's commands before everything else. */
  readonly setting: string;
  run(name: string, options: { args?: readonly string[]; env: Readonly<Record<string, string>> }): Program;
  /** Adds a program of the test. */
  add(name: string, content: string): void;
  /** Ends what still runs, and removes the folder. */
  remove(): Promise<void>;
}

/** Writes the programs of a guide into a new folder, with the verification function of `docs/webhooks.md`, as a reader would. */
export function writePrograms({ page, fence, ending, command, shortWaits, options }: Language): Programs {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  const blocks = blocksIn(page, fence).map((code) => [nameOf(code), code] as const);
  const [verify = ''] = blocksIn('docs/webhooks.md', fence);
  const running = new Set<ChildProcess>();
  const add = (name: string, content: string) => writeFileSync(join(folder, name), content);
  for (const [name, code] of [...blocks, [`verify${ending}`, verify] as const]) add(name, code);
  add(shortWaits.file, shortWaits.content);
  // The packages of the frameworks.
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    names: blocks.map(([name]) => name),
    setting: blocksIn(page, 'sh')[0] ?? '',
    add,
    run(name, { args = [], env }) {
      const child = spawn(command, [...options(folder), join(folder, name), ...args], {
        cwd: folder,
        env: {
          ...process.env,
          PYTHONPATH: folder,
          PYTHONUNBUFFERED: '1',
          PYTHONDONTWRITEBYTECODE: '1',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk) => (stdout += chunk));
      child.stderr.on('data', (chunk) => (stderr += chunk));
      const ended = once(child, 'close').then(([status]) => {
        running.delete(child);
        if (status !== 0) throw new Error(`${name} ended with ${status}: ${stdout}${stderr}`);
        return { stdout, stderr };
      });
      // A program that is ended by the test, or that a later look finds ended.
      ended.catch(() => undefined);
      return { child, stdout: () => stdout, stderr: () => stderr, ended };
    },
    async remove() {
      for (const child of running) {
        const closed = once(child, 'close');
        child.kill('SIGKILL');
        await closed;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The fenced blocks of a page in a language. */
export function blocksIn(page: string, fence: string): string[] {
  const content = readFileSync(join(projectRoot, page), 'utf8');
  return [...content.matchAll(new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  );
}

/** Returns the name in the first line of a program. */
function nameOf(code: string): string {
  const [, name] = /^(?:\/\/|#) (\S+)\n/.exec(code) ?? [];
  if (name === undefined) throw new Error(`a program has no name in its first line: ${code.slice(0, 80)}`);
  return name;
}

/** Returns a port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a program listens. @throws Error with what it has printed if it ends instead */
export async function untilListening(program: Program, port: number): Promise<void> {
  const answers = async () => {
    if (program.child.exitCode !== null) await program.ended;
    return fetch(`http://localhost:${port}/`).then(
      () => true,
      () => false,
    );
  };
  await until(answers, Boolean);
}

/** A request that a stub has received. */
export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The answer of a stub; nothing, if it breaks the connection. */
export type StubAnswer =
  | { readonly status: number; readonly body?: object; readonly headers?: Readonly<Record<string, string>> }
  | 'breaks off';

/** A service that answers as told, in order. */
export async function startStub(answers: readonly StubAnswer[]) {
  const received: StubRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body });
    const answer = answers[Math.min(received.length, answers.length) - 1] ?? { status: 500 };
    if (answer === 'breaks off') return request.socket.destroy();
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
    return response.end(JSON.stringify(answer.body ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, close: () => server.close() };
}

/** Returns the seconds that a program has waited each time. */
export const waitsIn = (stderr: string): number[] =>
  [...stderr.matchAll(/^slept ([\d.]+)$/gm)].map(([, seconds]) => Number(seconds));

/** Returns an event as Herald sends it, with its signature. @param at Unix seconds */
export function signedEvent(id: string, secret: string, at: number) {
  const body = JSON.stringify({
    id,
    type: 'post.published',
    createdAt: '',
    data: { post: { id: `post of ${id}` } },
  });
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Signature': signatureHeader(body, at, [secret]),
    },
  };
}
