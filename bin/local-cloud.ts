import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const DevFile = z.object({
  apiUrl: z.string(),
  awsEndpoint: z.string(),
  platforms: z.record(z.string(), z.object({ url: z.string() })),
});
const AccessKeys = z.object({
  administrator: z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string() }),
});

/** The URLs of the simulators of a local run, by platform. @throws as {@link pointAtLocalCloud} */
export async function localPlatformUrls(): Promise<Record<string, string>> {
  const { platforms } = DevFile.parse(await readData('dev.json'));
  return Object.fromEntries(Object.entries(platforms).map(([name, { url }]) => [name, url]));
}

/** The URL of the API of a local run. @throws as {@link pointAtLocalCloud} */
export async function localApiUrl(): Promise<string> {
  return DevFile.parse(await readData('dev.json')).apiUrl;
}

const LocalClock = z.object({ now: z.iso.datetime() });

/** The time of the local cloud in epoch milliseconds. Somebody may have moved its clock. @throws as {@link pointAtLocalCloud} */
export async function localTime(): Promise<number> {
  const { awsEndpoint } = DevFile.parse(await readData('dev.json'));
  const answer = await fetch(`${awsEndpoint}/_local/clock`);
  return Date.parse(LocalClock.parse(await answer.json()).now);
}

async function readData(name: string): Promise<unknown> {
  const directory = process.env['DATA_DIR'] ?? '.local';
  try {
    return JSON.parse(await readFile(join(directory, name), 'utf8'));
  } catch (cause) {
    throw new Error(
      `no local cloud in ${directory}: start it with npm run dev, or name a deployed stage with --stage`,
      { cause },
    );
  }
}

/**
 * Points this process's AWS clients at the local cloud, as its administrator.
 *
 * @returns the stage of a local run
 * @throws Error that says what to do if no local cloud is running
 */
export async function pointAtLocalCloud(): Promise<string> {
  const { awsEndpoint } = DevFile.parse(await readData('dev.json'));
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
