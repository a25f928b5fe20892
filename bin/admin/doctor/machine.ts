import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { findEngineProgram } from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import * as z from 'zod';
import { dataFolder } from '../../data-folder.ts';
import { isRunning as isLocalCloudRunning } from '../../local-cloud.ts';
import { type Check, ok, warning, wrong } from './check.ts';

const DevFile = z.looseObject({
  apiUrl: z.url(),
  awsEndpoint: z.url(),
  processes: z.array(z.object({ pid: z.int() })).optional(),
});

/** The findings of the machine's checks, and whether a local cloud answers. */
export interface MachineReport {
  readonly checks: readonly Check[];
  readonly isRunning: boolean;
}

/**
 * Checks that this machine has everything that a local run needs: the folder, the engine, the port, and files left behind by a
 * killed run. Changes nothing.
 *
 * @param environment with `DATA_DIR` and `PORT` as for `npm run dev`
 */
export async function checkMachine(environment: NodeJS.ProcessEnv): Promise<MachineReport> {
  const { PORT: port = '3000' } = environment;
  const directory = dataFolder(environment);
  const run = await findRun(directory);
  const isRunning = run.dev !== undefined && (await isLocalCloudRunning(run.dev));
  return {
    isRunning,
    checks: [
      await checkFolder(directory),
      checkEngine(directory),
      ...(isRunning ? [] : [await checkPort(port)]),
      checkRun(directory, run, isRunning),
    ],
  };
}

async function checkFolder(directory: string): Promise<Check> {
  const check = 'DATA_DIR';
  const path = resolve(directory);
  try {
    const found = await stat(path).catch(() => undefined);
    if (found && !found.isDirectory())
      return wrong(check, `${path} is not a folder`, 'choose a folder with DATA_DIR');
    const existing = found ? path : await nearestExisting(path);
    if (!(await stat(existing)).isDirectory())
      return wrong(
        check,
        `${path} cannot be created, because ${existing} is a file`,
        'choose another folder with DATA_DIR',
      );
    await access(existing, constants.W_OK);
    const { bavail, bsize } = await statfs(existing);
    const freeMegabytes = Math.floor((bavail * bsize) / 1024 ** 2);
    if (freeMegabytes < leastFreeMegabytes)
      return wrong(
        check,
        `${path} has ${freeMegabytes} MB free`,
        'free some space, or choose another folder with DATA_DIR',
      );
    return ok(check, found ? `${path}, ${freeMegabytes} MB free` : `${path} will be created`);
  } catch {
    return wrong(check, `${path} is not writable`, 'choose another folder with DATA_DIR');
  }
}

const leastFreeMegabytes = 500;

/** Returns the nearest existing path above a path that does not exist. */
async function nearestExisting(path: string): Promise<string> {
  const parent = dirname(path);
  const found = await stat(parent).catch(() => undefined);
  return found || parent === path ? parent : nearestExisting(parent);
}

function checkEngine(directory: string): Check {
  try {
    return ok('database engine', findEngineProgram(directory).command.split('/').at(-1) ?? '');
  } catch (error) {
    return wrong(
      'database engine',
      'none for this machine',
      error instanceof Error ? error.message : String(error),
    );
  }
}

async function checkPort(port: string): Promise<Check> {
  if (port === '0') return ok('port', 'any free one');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return wrong('port', `PORT is ${port}`, 'set PORT to a number from 0 to 65535');
  const isFree = await new Promise<boolean>((settle) => {
    const server = createServer();
    server.once('error', () => settle(false));
    server.listen(Number(port), '127.0.0.1', () => server.close(() => settle(true)));
  });
  return isFree
    ? ok('port', `${port} is free`)
    : wrong('port', `${port} is in use`, 'stop the program that uses it, or choose another port with PORT');
}

interface FoundRun {
  readonly dev?: z.infer<typeof DevFile>;
  readonly isDamaged?: boolean;
}

async function findRun(directory: string): Promise<FoundRun> {
  const text = await readFile(join(directory, 'dev.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return {};
  try {
    return { dev: DevFile.parse(JSON.parse(text)) };
  } catch {
    return { isDamaged: true };
  }
}

function checkRun(directory: string, { dev, isDamaged }: FoundRun, isRunning: boolean): Check {
  const check = 'local cloud';
  const file = join(directory, 'dev.json');
  if (isDamaged) return wrong(check, `${file} cannot be read`, `remove ${file}, then npm run dev`);
  if (isRunning) return ok(check, `runs at ${dev?.apiUrl}`);
  if (dev === undefined) return warning(check, 'does not run', 'npm run dev');
  return warning(check, `has ended without removing ${file}`, 'npm run dev starts it with its data');
}
