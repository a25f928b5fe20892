import type * as z from 'zod';
import { PlatformParameter } from '../../../functions/wire/platform-tools.ts';
import { dayMs } from '../../../lib/kernel/clock.ts';
import { apiVersions, sunsetWarning } from '../../../lib/platforms/contract/api-versions.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { type Check, ok, warning, wrong } from './check.ts';

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

function checkVersion(
  platform: Platform,
  { apiVersion, apiVersionSunsetOn }: z.infer<typeof PlatformParameter>,
  now: number,
): Check {
  const check = `${platform}: API version`;
  const version =
    apiVersion === undefined
      ? apiVersions[platform]
      : { name: apiVersion, ...(apiVersionSunsetOn !== undefined && { sunsetOn: apiVersionSunsetOn }) };
  const problem = sunsetWarning(platform, version, now);
  const { name, sunsetOn } = version;
  const remedy = 'see "A platform’s API version ends soon" in docs/runbook.md';
  if (problem !== undefined && sunsetOn !== undefined)
    return Date.parse(sunsetOn) <= now ? wrong(check, problem, remedy) : warning(check, problem, remedy);
  if (sunsetOn === undefined) return ok(check, `${name}, no end is known`);
  return ok(check, `${name} until ${sunsetOn}, in ${Math.ceil((Date.parse(sunsetOn) - now) / dayMs)} days`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
