import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'dev-'));
const dataDirectory = join(directory, 'data');

interface DevFile {
  readonly apiUrl: string;
  readonly awsEndpoint: string;
  readonly workspaces: readonly { name: string; apiKey: string; accounts: readonly { platform: string }[] }[];
  readonly platforms: Record<string, { url: string; control: string }>;
  readonly processes: readonly { function: string; pid: number }[];
}

// The assembly of this run of the tests, so that the command need not synthesize another.
beforeAll(() => cpSync(inject('assemblyDirectory'), join(dataDirectory, 'cdk.out'), { recursive: true }));
afterAll(() => rmSync(directory, { recursive: true }));

function dev(environment: Record<string, string>) {
  return spawn(process.execPath, [join(root, 'bin/dev.ts')], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDirectory, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What the command says on its error output, and the code that it ends with. */
async function failureOf(environment: Record<string, string>): Promise<[string, number]> {
  const child = dev(environment);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return [said.trim(), code];
}

async function untilReady(child: ReturnType<typeof dev>): Promise<{ output: string; file: DevFile }> {
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await expect
    .poll(() => (child.exitCode === null ? output : 'it has ended'), { timeout: 20_000 })
    .toContain('Ctrl-C ends it.');
  return { output, file: JSON.parse(readFileSync(join(dataDirectory, 'dev.json'), 'utf8')) };
}

async function end(
  child: ReturnType<typeof dev>,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; tookMs: number }> {
  const startedAt = performance.now();
  child.kill(signal);
  const [code] = await once(child, 'exit');
  return { code, tookMs: performance.now() - startedAt };
}

describe('npm run dev', () => {
  it.each([
    [{ PORT: 'many' }, 'PORT must be a number from 0 to 65535, not many'],
    [{ SCHEDULER_JITTER: 'some' }, 'SCHEDULER_JITTER must be real or none, not some'],
  ])('refuses %j in one line', async (environment, message) => {
    expect(await failureOf(environment)).toEqual([message, 1]);
  });

  it('says what it made, keeps others out of its folder, and ends without a trace', async () => {
    const child = dev({});
    const { output, file } = await untilReady(child);

    expect(file.workspaces.map(({ name }) => name)).toEqual(['demo', 'other']);
    for (const { accounts } of file.workspaces) {
      expect(accounts.map(({ platform }) => platform).sort()).toEqual(Object.keys(file.platforms).sort());
    }
    const present = (await (
      await fetch(`${file.awsEndpoint}/_local/processes`)
    ).json()) as DevFile['processes'];
    expect(present).toEqual(expect.arrayContaining([...file.processes]));

    const [command = ''] = output.split('\n').filter((line) => line.trim().startsWith('curl'));
    expect(JSON.parse(execFileSync('sh', ['-c', command]).toString())).toHaveProperty('accounts');

    expect(await failureOf({})).toEqual([
      expect.stringMatching(/^another local cloud runs in .+DATA_DIR$/),
      1,
    ]);
    const { code, tookMs } = await end(child, 'SIGINT');
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(5_000);
    const left = execFileSync('ps', ['-eo', 'stat=,args=']).toString();
    expect(left.split('\n').filter((line) => !line.startsWith('Z') && line.includes(dataDirectory))).toEqual(
      [],
    );
  });

  it('finds its addresses, keys and accounts again after it was killed, unless a port is taken', async () => {
    const first = dev({});
    const before = (await untilReady(first)).file;
    await end(first, 'SIGKILL');
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    expect(await failureOf({ PORT: String(port) })).toEqual([
      expect.stringContaining(`port ${port} is in use`),
      1,
    ]);
    expect(existsSync(join(dataDirectory, 'dev.json'))).toBe(false);
    taken.close();

    const second = dev({});
    const after = (await untilReady(second)).file;
    await end(second, 'SIGTERM');
    const { processes: _, ...kept } = before;
    expect(after).toMatchObject(kept);
  });
});
