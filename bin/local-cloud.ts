import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { dataFolder } from './data-folder.ts';

const Accounts = z.array(z.object({ id: z.string(), platform: z.string(), username: z.string().nullable() }));
const DevFile = z.object({
  apiUrl: z.string(),
  awsEndpoint: z.string(),
  platforms: z.record(z.string(), z.object({ url: z.string(), control: z.string() })),
  workspaces: z.array(z.object({ id: z.string(), name: z.string(), apiKey: z.string(), accounts: Accounts })),
});
const AccessKeys = z.object({
  administrator: z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string() }),
});

/** Returns the URLs of a local run's simulators, by platform. @throws as {@link pointAtLocalCloud} */
export async function localPlatformUrls(): Promise<Record<string, string>> {
  const { platforms } = await findLocalRunOrStage();
  return Object.fromEntries(Object.entries(platforms).map(([name, { url }]) => [name, url]));
}

/** Returns the URL of a local run's API. @throws as {@link findLocalRun} */
export async function localApiUrl(): Promise<string> {
  return (await findLocalRun()).apiUrl;
}

/** The addresses, workspaces and keys of a local run, which its commands read. */
export type LocalRun = z.infer<typeof DevFile>;

/**
 * Finds the local run of `DATA_DIR`.
 *
 * @throws Error that says what to do if none is running, even if a killed run has left its file
 */
export async function findLocalRun(): Promise<LocalRun> {
  const run = DevFile.parse(await readData('dev.json'));
  if (!(await isRunning(run))) throw notRunning();
  return run;
}

function notRunning(cause?: unknown): Error {
  return new Error(`no local run is running in ${dataFolder(process.env)}; start one with npm run dev`, {
    cause,
  });
}

/** Returns true if a local cloud answers at the address. The run may have been killed, and another program may have its port. */
export async function isRunning(run: Pick<LocalRun, 'awsEndpoint'>): Promise<boolean> {
  try {
    await readLocalClock(run);
    return true;
  } catch {
    return false;
  }
}

const answerLimitMs = 5_000;

/** The clock of a local run. Somebody may have moved it. */
export const LocalClock = z.object({ now: z.iso.datetime(), offsetSeconds: z.number() });
export type LocalClock = z.infer<typeof LocalClock>;

/** Returns the address of a local run's clock. */
export const localClockUrl = ({ awsEndpoint }: Pick<LocalRun, 'awsEndpoint'>): string =>
  `${awsEndpoint}/_local/clock`;

/** @throws Error if no local cloud answers at the address */
export async function readLocalClock(run: Pick<LocalRun, 'awsEndpoint'>): Promise<LocalClock> {
  const answer = await fetch(localClockUrl(run), { signal: AbortSignal.timeout(answerLimitMs) });
  return LocalClock.parse(await answer.json());
}

/** Returns the time of the local cloud in epoch milliseconds. @throws as {@link findLocalRun} */
export async function localTime(): Promise<number> {
  return Date.parse((await readLocalClock(await findLocalRun())).now);
}

async function readData(name: string): Promise<unknown> {
  const file = join(dataFolder(process.env), name);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw notRunning(cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged: stop the local run and start it again`, { cause });
  }
}

/** Finds the local run, for commands that also work on a deployed stage: the error mentions both. @throws as {@link findLocalRun} */
async function findLocalRunOrStage(): Promise<LocalRun> {
  try {
    return await findLocalRun();
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`${message}, or name a deployed stage with --stage`, { cause });
  }
}

/**
 * Points this process's AWS clients at the local cloud, as its administrator.
 *
 * @returns the stage of a local run
 * @throws Error that says what to do if no local cloud is running
 */
export async function pointAtLocalCloud(): Promise<string> {
  const { awsEndpoint } = await findLocalRunOrStage();
  const { administrator } = AccessKeys.parse(await readData('access-keys.json'));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: awsEndpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: administrator.accessKeyId,
    AWS_SECRET_ACCESS_KEY: administrator.secretAccessKey,
    AWS_SESSION_TOKEN: administrator.sessionToken,
  });
  return 'dev';
}
