import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { awsClientOptions } from './client-options.ts';

const rememberedMs = 5 * 60_000;

/**
 * Reads secret parameters, each at most every five minutes.
 *
 * @returns the value; `undefined` where no such parameter was put
 */
export function openParameters(now: () => number): (name: string) => Promise<string | undefined> {
  const client = new SSMClient(awsClientOptions());
  const remembered = new Map<string, { value: string; untilMs: number }>();
  return async (name) => {
    const known = remembered.get(name);
    if (known && known.untilMs > now()) return known.value;
    try {
      const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
      const value = Parameter?.Value;
      if (value !== undefined) remembered.set(name, { value, untilMs: now() + rememberedMs });
      return value;
    } catch (error) {
      if (error instanceof ParameterNotFound) return undefined;
      throw error;
    }
  };
}
