import { SSMClient } from '@aws-sdk/client-ssm';
import type * as z from 'zod';
import { PlatformParameter } from '../../../functions/wire/platform-tools.ts';
import { stackName, stacksOf } from '../../../infra/stack-names.ts';
import type { Stage } from '../../../infra/stages.ts';
import { openParameters } from '../../../lib/aws/parameters.ts';
import { readStackStatuses } from '../../../lib/aws/stage-stacks.ts';
import { systemClock } from '../../../lib/kernel/clock.ts';
import { readDueWork } from '../../../lib/operating/due-work.ts';
import { findStuckTasks } from '../../../lib/operating/stuck-tasks.ts';
import {
  apiVersions,
  daysLeft,
  sunsetWarning,
  versionInUse,
} from '../../../lib/platforms/contract/api-versions.ts';
import { type Platform, platformNames } from '../../../lib/platforms/contract/names.ts';
import { openTable } from '../../../lib/table/table.ts';
import { tableName } from '../../table-name.ts';
import { failureOf } from '../failures.ts';
import { attempt, type Check, ok, warning, wrong } from './check.ts';

/**
 * Checks that the shell names a Region and has credentials. Without them no other check can succeed.
 *
 * @param ofSettings the Region of the stage's settings, which replaces that of the shell
 */
export async function checkShell(stage: string, ofSettings?: string): Promise<readonly Check[]> {
  const { config } = new SSMClient(ofSettings === undefined ? {} : { region: ofSettings });
  const inWords = inWordsFor(stage);
  const region = await attempt(
    'Region',
    'set AWS_REGION, or name a profile that has one with AWS_PROFILE',
    async () => ok('Region', await config.region()),
    inWords,
  );
  if (region.some(({ state }) => state === 'wrong')) return region;
  const credentials = await attempt(
    'credentials',
    'sign in (such as aws sso login), or set AWS_PROFILE',
    async () => {
      const { expiration } = await config.credentials();
      return ok('credentials', expiration ? `valid until ${expiration.toISOString()}` : 'found');
    },
    inWords,
  );
  return [...region, ...credentials];
}

/** Checks that the stacks of a deployed stage exist, and that their last deployment has succeeded. */
export async function checkStacks(stage: Stage): Promise<readonly Check[]> {
  const expected = stacksOf(stage);
  const regions = [...new Set(expected.map(({ region }) => region))];
  const checks = await Promise.all(
    regions.map((region) => {
      const named = expected.filter((each) => each.region === region).map(({ name }) => name);
      const look = async () => stackChecks(named, await readStackStatuses(stackName(stage, ''), region));
      const what = region === undefined ? 'stacks' : `stacks in ${region}`;
      return attempt(what, 'give yourself cloudformation:DescribeStacks', look, inWordsFor(stage.name));
    }),
  );
  return checks.flat();
}

/**
 * Explains the statuses of all stacks that a stage has or should have. A stack that an earlier release has left counts too. Pure.
 *
 * @param statuses by the names of the stacks
 */
export function stackChecks(expected: readonly string[], statuses: ReadonlyMap<string, string>): Check[] {
  const names = new Set([...expected, ...statuses.keys()]);
  return [...names].sort().map((name) => stackCheck(name, statuses.get(name)));
}

/**
 * Explains the status of a stack. Pure.
 *
 * @param status `undefined` if the stack does not exist
 */
export function stackCheck(stack: string, status: string | undefined): Check {
  if (status === undefined) return wrong(stack, 'does not exist', 'deploy the stage: docs/deploy.md');
  if (/ROLLBACK|FAILED/.test(status))
    return wrong(stack, status, 'the last deployment has failed: see its events in CloudFormation');
  if (status.endsWith('IN_PROGRESS')) return warning(stack, status, 'wait until the deployment is done');
  return ok(stack, status);
}

/**
 * Checks the parameters of the platforms, the versions of their APIs, and stuck work.
 *
 * @param now epoch milliseconds
 */
export async function checkContent(stage: string, now: number): Promise<readonly Check[]> {
  const inWords = inWordsFor(stage);
  const read = openParameters(systemClock);
  const platforms = await Promise.all(
    platformNames.map((platform) => {
      const name = `/herald/${stage}/platforms/${platform}`;
      const look = async () => checkPlatform(platform, name, await read(name), now);
      return attempt(`${platform}: app credentials`, `you need ssm:GetParameter on ${name}`, look, inWords);
    }),
  );
  const stuck = await attempt('stuck work', 'see the errors above', () => checkStuck(stage, now), inWords);
  return [...platforms.flat(), ...stuck];
}

async function checkStuck(stage: string, now: number): Promise<readonly Check[]> {
  const table = openTable(await tableName(stage));
  const [{ work, unreadable }, tasks] = await Promise.all([
    readDueWork(table, now),
    findStuckTasks(table, now),
  ]);
  const checks = [
    ...work.flatMap(({ work: what, overdue, oldest }) =>
      overdue === 0
        ? []
        : [wrong('stuck work', `${overdue} ${what} overdue since ${oldest}`, 'see status and queue list')],
    ),
    ...unreadable.map((key) =>
      wrong('stuck work', `cannot be read: ${key}`, 'correct the item, or deploy a newer release'),
    ),
    ...tasks.map(({ id, task, failures, dueAt }) =>
      wrong(
        'stuck work',
        `repair task "${task}" ${id.slice(0, 12)} has failed ${failures} times, next at ${dueAt}`,
        'the log of sweep says why: tail --failures --function sweep',
      ),
    ),
  ];
  return checks.length === 0 ? [ok('stuck work', 'none')] : checks;
}

const inWordsFor = (stage: string) => (error: unknown) => failureOf(error, stage).message;

/**
 * Checks the app credentials of a platform, and how long it serves the version of its API that is in use. Pure. The result never
 * contains the value.
 *
 * @param value the parameter; `undefined` if it does not exist
 * @param now epoch milliseconds
 */
export function checkPlatform(
  platform: Platform,
  name: string,
  value: string | undefined,
  now: number,
): Check[] {
  const check = `${platform}: app credentials`;
  if (value === undefined)
    return [
      warning(check, `no parameter ${name}`, 'store it if the stage offers this platform: docs/deploy.md'),
    ];
  const parameter = PlatformParameter.safeParse(parsed(value));
  if (!parameter.success)
    return [wrong(check, `${name} ${problemOf(parameter.error)}`, 'correct the parameter: docs/deploy.md')];
  return [ok(check, `${name} is complete`), checkVersion(platform, parameter.data, now)];
}

/** Names the fields that are wrong, never their values. */
function problemOf(error: z.ZodError): string {
  const fields = error.issues.map(({ path }) => path.join('.')).filter(Boolean);
  return fields.length === 0 ? 'is not a JSON object' : `has no valid ${[...new Set(fields)].join(', ')}`;
}

function checkVersion(platform: Platform, chosen: z.infer<typeof PlatformParameter>, now: number): Check {
  const check = `${platform}: API version`;
  const version = versionInUse(platform, chosen);
  const { describedOn, announcedAt } = apiVersions[platform];
  const problem = sunsetWarning(platform, version, now);
  const { name, sunsetOn } = version;
  const remedy = 'see "A platform’s API version ends soon" in docs/runbook.md';
  if (problem !== undefined && sunsetOn !== undefined)
    return Date.parse(sunsetOn) <= now ? wrong(check, problem, remedy) : warning(check, problem, remedy);
  const news = `this release follows the description of ${describedOn}; newer ones: ${announcedAt}`;
  if (sunsetOn === undefined) return ok(check, `${name}, no end is known; ${news}`);
  return ok(check, `${name} until ${sunsetOn}, in ${daysLeft(sunsetOn, now)} days; ${news}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
