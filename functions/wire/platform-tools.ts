import * as z from 'zod';
import { openParameters } from '../../lib/aws/parameters.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import {
  type ChosenVersion,
  sunsetWarning,
  versionInUse,
} from '../../lib/platforms/contract/api-versions.ts';
import type { PlatformHttp } from '../../lib/platforms/contract/http.ts';
import { Platform } from '../../lib/platforms/contract/names.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';
import { createPlatformHttp, type PlatformHttpOptions } from '../../lib/platforms/shared/http.ts';
import { pacedHttp } from '../../lib/platforms/shared/meta/paced-http.ts';
import { logger } from './logger.ts';
import type { Wire } from './start.ts';

const AppCredentials = z.object({ clientId: z.string().min(1), clientSecret: z.string().min(1) });

/**
 * The credentials that an operator stores in a platform's parameter, as JSON. `organization` is LinkedIn's second app, with
 * `members` if members connect through it too, and `followers` if LinkedIn lets it find followers;
 * `loginConfigId` is the configuration of Facebook Login for Business;
 * `metaAppSecret` and `webhookVerifyToken` are for Instagram's webhooks. `apiVersion` replaces the adapter's own version, whose
 * sunset date then no longer applies: give `apiVersionSunsetOn` with it. `hosts` replaces the hosts of Threads. `sandbox` makes the stage use Pinterest's sandbox.
 */
export const PlatformParameter = AppCredentials.extend({
  organization: AppCredentials.extend({
    members: z.boolean().exactOptional(),
    followers: z.boolean().exactOptional(),
  }).exactOptional(),
  loginConfigId: z.string().min(1).exactOptional(),
  metaAppSecret: z.string().min(1).exactOptional(),
  webhookVerifyToken: z.string().min(1).exactOptional(),
  apiVersion: z.string().min(1).exactOptional(),
  apiVersionSunsetOn: z.iso.date().exactOptional(),
  hosts: z.object({ api: z.hostname().exactOptional(), login: z.hostname().exactOptional() }).exactOptional(),
  sandbox: z.boolean().exactOptional(),
});

export type ToolsFor = (platform: Platform) => Promise<PlatformTools>;

export const toolsFor: Wire<ToolsFor> = (environment) =>
  platformTools({
    parameterPrefix: environment('PLATFORM_PARAMETER_PREFIX'),
    baseUrls: z.partialRecord(Platform, z.url()).parse(JSON.parse(environment('PLATFORM_BASE_URLS'))),
    readParameter: openParameters(systemClock),
  });

interface PlatformToolsOptions extends Required<Pick<PlatformHttpOptions, 'baseUrls'>> {
  readonly parameterPrefix: string;
  readonly readParameter: (name: string) => Promise<string | undefined>;
}

/**
 * Creates the tools of adapters: connections, which are kept as long as the execution environment lives, and the app's
 * credentials from the parameter `<parameterPrefix>/<platform>`.
 *
 * The returned function throws HeraldError `unavailable` if the operator has not stored usable credentials. Its cause names the
 * parameter.
 */
export function platformTools({ parameterPrefix, baseUrls, readParameter }: PlatformToolsOptions): ToolsFor {
  const connections = new Map<Platform, PlatformHttp>();
  return async (platform) => {
    const name = `${parameterPrefix}/${platform}`;
    const { apiVersion, apiVersionSunsetOn, hosts, sandbox, ...app } = readCredentials(
      platform,
      name,
      await readParameter(name),
    );
    let http = connections.get(platform);
    if (!http) {
      http = pacedHttp(createPlatformHttp({ platform, baseUrls }), { now: systemClock, sleep });
      connections.set(platform, http);
      warnOfSunset(platform, { apiVersion, apiVersionSunsetOn });
    }
    return {
      http,
      now: systemClock,
      app,
      ...(apiVersion !== undefined && { apiVersion }),
      ...(apiVersionSunsetOn !== undefined && { apiVersionSunsetOn }),
      ...(hosts !== undefined && { hosts }),
      ...(sandbox && { isSandbox: true }),
    };
  };
}

/** Logs a warning once per execution environment and platform. */
function warnOfSunset(platform: Platform, chosen: ChosenVersion): void {
  const warning = sunsetWarning(platform, versionInUse(platform, chosen), systemClock());
  if (warning !== undefined) logger.warn(warning, { platform });
}

function readCredentials(platform: Platform, name: string, value: string | undefined) {
  const result = PlatformParameter.safeParse(value === undefined ? undefined : readJson(value));
  const wantsMissingSandbox = result.data?.sandbox === true && platform !== 'pinterest';
  const wantsOtherHosts = result.data?.hosts !== undefined && platform !== 'threads';
  if (result.success && !wantsMissingSandbox && !wantsOtherHosts) return result.data;
  const malformed = wantsMissingSandbox
    ? 'has `sandbox`, which only Pinterest offers'
    : wantsOtherHosts
      ? 'has `hosts`, which is only for Threads'
      : 'is not JSON with clientId and clientSecret';
  const problem = value === undefined ? 'is missing' : malformed;
  throw new HeraldError(
    'platform_not_configured',
    `${platform}: this service has no app credentials for the platform yet`,
    {
      cause: new Error(`the parameter ${name} ${problem}`),
    },
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
