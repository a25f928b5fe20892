import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { awsClientOptions } from './client-options.ts';

const cachedMs = 5 * 60_000;

/**
 * Reads secret parameters and caches each value for five minutes. A missing parameter is not cached.
 *
 * @returns the value; `undefined` if there is no such parameter
 */
export function openParameters(now: () => number): (name: string) => Promise<string | undefined> {
  const client = new SSMClient(awsClientOptions());
  const cache = new Map<string, { value: string; untilMs: number }>();
  return async (name) => {
    const cached = cache.get(name);
    if (cached && cached.untilMs > now()) return cached.value;
    try {
      const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
      const value = Parameter?.Value;
      if (value !== undefined) cache.set(name, { value, untilMs: now() + cachedMs });
      return value;
    } catch (error) {
      if (error instanceof ParameterNotFound) return undefined;
      throw error;
    }
  };
}
