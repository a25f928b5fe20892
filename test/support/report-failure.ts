/** Prints what the running local clouds did when a journey fails. */
import { afterEach } from 'vitest';
import { platformOf } from '../journeys/support/platforms.ts';
import { type OpenCloud, openClouds, showsLogs } from './local-cloud.ts';

/** Number of lines printed of each list, the newest ones. */
const maxLines = 20;

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const cloud of openClouds) console.log(await reportOn(cloud));
});

async function reportOn(cloud: OpenCloud): Promise<string> {
  const lines = cloud.functionLines.filter((line) => /"level":"(WARN|ERROR)"|^[\w-]+: [^{]/.test(line));
  const requests = await Promise.all(Object.keys(cloud.platforms).map((name) => requestsTo(cloud, name)));
  const title = showsLogs ? 'requests to the simulators' : 'requests that the simulators refused';
  return [
    `Warnings and errors of the functions (SHOW_LOGS=1 prints all lines as they come):`,
    ...newest(lines),
    `The newest ${title}:`,
    ...newest(requests.flat().toSorted()),
  ].join('\n  ');
}

const newest = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? ['none'] : lines.slice(-maxLines);

async function requestsTo(cloud: OpenCloud, platform: string): Promise<string[]> {
  const requests = await platformOf(cloud, platform).requests();
  return requests
    .filter(({ status, fault }) => showsLogs || status >= 400 || fault !== undefined)
    .map(
      ({ at, operation, method, path, status, fault }) =>
        `${new Date(at).toISOString()} ${platform} ${operation}: ${method} ${path} ${status}${fault === undefined ? '' : ` (${fault})`}`,
    );
}
