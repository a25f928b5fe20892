import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import type { Clock } from '../kernel/clock.ts';
import { secondMs } from '../kernel/clock.ts';
import { sleep } from '../kernel/retry.ts';
import { awsClientOptions } from './client-options.ts';
import { cacheParameters, type ReadParameter } from './parameter-cache.ts';

/**
 * The number of attempts. An account may read 40 parameters a second by default, so many environments that start at once are
 * throttled. The SDK's waits between six attempts add up to some 8 seconds, in which 320 environments get their turn.
 * https://docs.aws.amazon.com/general/latest/gr/ssm.html
 */
const maxAttempts = 6;
/** The time limit of a read. Requests to the API have ten seconds in all. */
const longestReadMs = 8 * secondMs;

/** Reads secret parameters through a cache: see {@link cacheParameters}. */
export function openParameters(now: Clock, chance: () => number = Math.random): ReadParameter {
  const client = new SSMClient({ ...awsClientOptions(), maxAttempts });
  return cacheParameters({ read: (name) => readParameter(client, name), now, chance, sleep });
}

async function readParameter(client: SSMClient, name: string): Promise<string | undefined> {
  try {
    const command = new GetParameterCommand({ Name: name, WithDecryption: true });
    const { Parameter } = await client.send(command, { abortSignal: AbortSignal.timeout(longestReadMs) });
    return Parameter?.Value;
  } catch (error) {
    if (error instanceof ParameterNotFound) return undefined;
    throw error;
  }
}
